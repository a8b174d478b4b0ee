"""A worker: takes jobs, solves, stores what it found. The only part of the server that solves.

Run as a process of its own: `python -m app.jobs.worker NAME PARENT` under `yukon serve`, or by
`yukon worker` on another machine against PostgreSQL. The solver is compiled before the first job
is taken. A worker whose parent has gone ends too.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from types import FrameType

from app.config import Settings
from app.db import Database
from app.jobs import store, tasks
from app.jobs.store import Job

log = logging.getLogger("yukon.worker")

LEASE_MS = 15_000
"""How long after its deadline a job may run before another worker may take it."""
_IDLE_S = 0.01
_DOZE_S = 0.1
_AWAKE_S = 60.0
_LOOK_ANYHOW_S = 5.0  # a lease that has run out changes nothing by itself
_KEEP_MS = 3_600_000


def _now() -> int:
    return time.time_ns() // 1_000_000


class Worker:
    """Takes jobs from one database until it is told to stop."""

    def __init__(self, settings: Settings, name: str, parent: int | None = None) -> None:
        self.name = name
        self._database = Database(settings)
        self._parent = parent
        self._stopping = False
        self._worked = time.monotonic()
        self._seen = -1
        self._yields = False

    def stop(self, _signal: int = 0, _frame: FrameType | None = None) -> None:
        """End after the job in hand (its search is told to stop as well)."""
        self._stopping = True

    def run(self, ready: Callable[[], object] = lambda: None) -> None:
        """Compile, call `ready`, and work until told to stop."""
        tasks.warm_up()
        ready()
        while not self._stopped():
            if not self.work_once():
                self._wait()
        self.close()

    def close(self) -> None:
        """Close the worker's database."""
        self._database.close()

    def _stopped(self) -> bool:
        return self._stopping or (self._parent is not None and os.getppid() != self._parent)

    def work_once(self) -> bool:
        """Do one job; False when there is none."""
        with self._database.read() as connection:  # a write would hold up the server's
            if not store.is_due(connection, _now()):
                return False
        with self._database.write() as connection:
            now = _now()
            store.forget(connection, now - _KEEP_MS)
            job = store.take(connection, self.name, now, now + tasks.LONGEST_MS + LEASE_MS)
        if job is None:
            return False
        self._do(job)
        self._worked = time.monotonic()
        return True

    def _do(self, job: Job) -> None:
        deadline = time.monotonic() + tasks.seconds_for(job)
        self._yields = False

        def should_stop() -> bool:
            return self._lets_go(job) or time.monotonic() > deadline

        try:
            keep, result = tasks.do(job, should_stop)
        except Exception as error:
            if self._yields or self._stopped():  # what was stopped may have found too little
                with self._database.write() as connection:
                    store.give_back(connection, self.name)
                return
            log.exception("job %s (%s %s) failed", job.id, job.kind, job.subject)
            with self._database.write() as connection:
                store.fail(connection, job.id, f"{type(error).__name__}: {error}", _now())
            return
        with self._database.write() as connection:
            if self._yields or self._stopped():
                store.give_back(connection, self.name)
                return
            keep(connection, _now())
            store.finish(connection, job.id, result, _now())

    def _lets_go(self, job: Job) -> bool:
        """Whether the job is to be given back: the worker ends, or somebody waits at a table."""
        if not self._yields and job.priority and self._changed():
            with self._database.read() as connection:
                self._yields = store.is_due(connection, _now(), job.priority)
        return self._yields or self._stopped()

    def _wait(self) -> None:
        """Until there may be a job: looked for often while there is work, seldom when idle."""
        until = time.monotonic() + _LOOK_ANYHOW_S
        while not self._stopped() and time.monotonic() < until:
            awake = time.monotonic() - self._worked < _AWAKE_S
            time.sleep(_IDLE_S if awake else _DOZE_S)
            if self._changed():
                return

    def _changed(self) -> bool:
        """Whether the database may hold a new job.

        SQLite tells in microseconds, and without a lock, whether another connection has written.
        """
        if not self._database.is_sqlite:
            return True
        with self._database.read() as connection:
            version = connection.exec_driver_sql("PRAGMA data_version").scalar_one()
        seen, self._seen = self._seen, version
        return bool(version != seen)


def main(argv: list[str]) -> None:
    """Run a worker of a name that ends with its parent process: the arguments are both."""
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s")
    worker = Worker(Settings(), argv[0], int(argv[1]))
    signal.signal(signal.SIGTERM, worker.stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the server, which ends us
    with contextlib.suppress(KeyboardInterrupt):
        worker.run()


if __name__ == "__main__":
    main(sys.argv[1:])
