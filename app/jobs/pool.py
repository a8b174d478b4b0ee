"""The worker processes beside a server: started, watched, replaced when killed."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import socket
import subprocess
import sys
from pathlib import Path

from app.config import ROOT, Settings
from app.db import Database
from app.jobs import store

log = logging.getLogger("yukon.pool")

_WATCH_S = 0.2
_RESPAWN_S = (0.0, 0.5, 2.0, 10.0)
_END_S = 5.0


class WorkerPool:
    """`count` worker processes on the server's own database."""

    def __init__(self, settings: Settings, database: Database, count: int) -> None:
        self._settings = settings
        self._database = database
        self._count = count
        self._tasks: list[asyncio.Task[None]] = []
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        """Start the workers; each is watched by a task on the running event loop."""
        self._tasks = [asyncio.create_task(self._keep_one()) for _ in range(self._count)]

    async def stop(self) -> None:
        """End the workers; their jobs are queued again."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _keep_one(self) -> None:
        lost = 0
        while True:
            name = f"{socket.gethostname()[:40]}:{os.getpid()}:{secrets.token_hex(4)}"
            process = self._spawn(name)
            self.processes[name] = process
            started = asyncio.get_running_loop().time()
            try:
                while process.poll() is None:
                    await asyncio.sleep(_WATCH_S)
            finally:
                self.processes.pop(name, None)
                await self._end(process)
                with contextlib.suppress(Exception):
                    self._release(name)
            lost = 0 if asyncio.get_running_loop().time() - started > _RESPAWN_S[-1] else lost + 1
            log.warning(
                "worker %s ended with %s; another takes its place", name, process.returncode
            )
            await asyncio.sleep(_RESPAWN_S[min(lost, len(_RESPAWN_S) - 1)])

    def _spawn(self, name: str) -> subprocess.Popen[bytes]:
        environment = {
            **os.environ,
            "YUKON_DATABASE_URL": self._settings.url,
            "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
        }
        return subprocess.Popen(
            [sys.executable, "-m", "app.jobs.worker", name, str(os.getpid())],
            env=environment,
            cwd=Path.cwd(),
            stdin=subprocess.DEVNULL,
        )

    def _release(self, name: str) -> None:
        with self._database.write() as connection:
            store.release(connection, name)

    @staticmethod
    async def _end(process: subprocess.Popen[bytes]) -> None:
        if process.poll() is not None:
            return
        process.terminate()
        for _ in range(int(_END_S / 0.05)):
            if process.poll() is not None:
                return
            await asyncio.sleep(0.05)
        process.kill()
        process.wait()
