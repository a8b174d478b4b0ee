"""Worker processes: killed ones are replaced, orphans end."""

import asyncio
import contextlib
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select

from app.config import Settings
from app.db import Database
from app.jobs import store
from app.jobs.pool import WorkerPool
from app.jobs.service import SOON, JobService
from app.jobs.store import Job
from app.models import jobs
from tests.app.support import START

PATIENCE_S = 120


def _state(database: Database, job: Job) -> tuple[str, int]:
    with database.read() as connection:
        row = connection.execute(select(jobs.c.state, jobs.c.attempts).where(jobs.c.id == job.id))
        state, attempts = row.one()
    return state, attempts


async def _until(is_so: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end, f"not within {PATIENCE_S} s: {what}"
        await asyncio.sleep(0.05)


def test_a_killed_worker_is_replaced_and_its_job_done_again(
    settings: Settings, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    asking = JobService(database, lambda: time.time_ns() // 1_000_000)

    async def run() -> None:
        pool = WorkerPool(settings, database, 1)
        pool.start()
        try:
            first = asking.ask("deal", START, {"code": START}, SOON)
            await _until(lambda: _state(database, first)[0] == "done", "the first job")
            ((name, process),) = pool.processes.items()
            with (
                database.write()
            ):  # stopped outside a transaction of its own: it would keep the lock
                process.send_signal(signal.SIGSTOP)
                await _until(lambda: _process_state(process.pid) == "T", "the worker's stop")
            job = asking.ask("deal", "YU1-F-AAAAAAN", {"code": "YU1-F-AAAAAAN"}, SOON)
            now = time.time_ns() // 1_000_000
            with database.write() as connection:  # as if the worker had just taken it
                assert store.take(connection, name, now, now + 600_000)
            process.kill()
            await _until(lambda: _state(database, job)[0] == "done", "the killed worker's job")
            assert _state(database, job) == ("done", 2)
            ((other, _),) = pool.processes.items()
            assert other != name
        finally:
            await pool.stop()
        assert pool.processes == {}

    with caplog.at_level(logging.ERROR):
        asyncio.run(run())


def _process_state(process: int) -> str:
    """The letter that /proc gives it (T stopped, Z dead and not yet collected), "" when gone."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[0]


def _runs(process: int) -> bool:
    return _process_state(process) not in {"", "Z"}


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_worker_ends_with_its_parent(settings: Settings) -> None:
    start = (
        "import os, subprocess, sys, time\n"
        "command = [sys.executable, '-m', 'app.jobs.worker', 'orphan', str(os.getpid())]\n"
        "child = subprocess.Popen(command)\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    environment = {**os.environ, "YUKON_DATABASE_URL": settings.database_url}
    parent = subprocess.Popen(
        [sys.executable, "-c", start], stdout=subprocess.PIPE, env=environment
    )
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    try:
        assert _runs(worker)
        parent.kill()
        parent.wait()
        asyncio.run(_until(lambda: not _runs(worker), "the worker's end"))
    finally:
        parent.stdout.close()
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)
