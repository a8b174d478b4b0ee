"""The real server as a process of its own, which can be killed and started again."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

from app.config import Settings

COMMAND = Path(sys.executable).with_name("yukon")
PATIENCE_S = 90


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    assert isinstance(port, int)
    return port


class Server:
    """`yukon serve` on a port that stays, over data that stays: an SQLite file, or `database`.

    `settings` are those of its data.
    """

    def __init__(self, folder: Path, database: str = "", workers: int = 0) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._environment = {
            **os.environ,
            "YUKON_DATA_DIR": str(folder),
            "YUKON_WORKERS": str(workers),
        }
        if database:
            self._environment["YUKON_DATABASE_URL"] = database
        self.settings = Settings(data_dir=folder, database_url=database)
        self._log = folder / "server.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [str(COMMAND), "serve", "--port", str(self.port)],
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        until = time.monotonic() + PATIENCE_S
        while not self._answers():
            assert self._process.poll() is None, self.log
            assert time.monotonic() < until, f"no answer in {PATIENCE_S} s\n{self.log}"
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            return httpx.get(f"{self.url}/healthz", trust_env=False).status_code == 200
        except httpx.TransportError:
            return False

    @property
    def is_alive(self) -> bool:
        return self._process is not None

    def kill(self) -> None:
        """End it at once, without a goodbye."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    @property
    def log(self) -> str:
        """Everything it has said."""
        return self._log.read_text(encoding="utf-8", errors="replace")
