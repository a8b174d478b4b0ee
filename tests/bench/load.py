"""A small HTTP/1.1 client over asyncio streams: fast enough not to be what is measured."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
_COOKIE = re.compile(rb"set-cookie: (player=[^;]+)", re.IGNORECASE)
_IDLE_S = 4.0
"""A server hangs up on who has been silent for five seconds."""
_LOCATION = re.compile(rb"location: (\S+)", re.IGNORECASE)


class Connection:
    """One kept-alive connection; `cookie` is the player's once the server has set it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookie = b""
        self.location = b""

    async def open(self) -> None:
        """Connect."""
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        self._used = time.monotonic()

    async def request(
        self, method: str, path: str, body: str = "", kind: str = "", *, htmx: bool = False
    ) -> tuple[int, bytes]:
        """Send a request; its status and body. After a silence it connects anew."""
        if time.monotonic() - self._used > _IDLE_S:
            self.close()
            await self.open()
        head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n"
        if body:
            head += f"content-type: {kind}\r\ncontent-length: {len(body)}\r\n"
        if htmx:
            head += "hx-request: true\r\n"
        cookie = b"cookie: " + self.cookie + b"\r\n" if self.cookie else b""
        self.writer.write(head.encode() + cookie + b"\r\n" + body.encode())
        answer = await self.reader.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(answer)
        content = await self.reader.readexactly(int(length[1])) if length else b""
        if found := _COOKIE.search(answer):
            self.cookie = found[1]
        if found := _LOCATION.search(answer):
            self.location = found[1]
        self._used = time.monotonic()
        return int(answer[9:12]), content

    def close(self) -> None:
        """Hang up."""
        self.writer.close()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


_SERVERS: dict[int, subprocess.Popen[bytes]] = {}


@asynccontextmanager
async def server(data: Path, url: str = "", workers: int = 0) -> AsyncIterator[int]:
    """A server process with its database in `data` (or at `url`); its port."""
    port = free_port()
    environment = {**os.environ, "YUKON_DATA_DIR": str(data), "YUKON_DATABASE_URL": url}
    environment["YUKON_FASTEST_MOVE_MS"] = "0"  # players of a bench are no people
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.server", str(port), str(workers)], env=environment
    )
    _SERVERS[port] = process
    try:
        for _ in range(600):
            try:
                with socket.create_connection(("127.0.0.1", port), timeout=1):
                    break
            except OSError:
                await asyncio.sleep(0.1)
        yield port
    finally:
        process.terminate()
        process.wait(10)


def cpu_seconds(port: int) -> float:
    """The processor time that the server on this port has used (0 where it cannot be read)."""
    process = _SERVERS.get(port)
    try:
        fields = Path(f"/proc/{process.pid if process else 0}/stat").read_text().split()
    except OSError:
        return 0.0
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


def load() -> str:
    """How many processes the machine had running or waiting, over a minute and five."""
    one, five, _fifteen = os.getloadavg()
    return f"{one:.1f}, {five:.1f} over five minutes ({os.cpu_count()} cores)"


async def timed(work: list[AsyncIterator[float]]) -> tuple[float, list[float]]:
    """Run players at once; requests a second, and every request's seconds."""
    start = time.perf_counter()

    async def drain(player: AsyncIterator[float]) -> list[float]:
        return [took async for took in player]

    takes = await asyncio.gather(*(drain(player) for player in work))
    spent = [took for one in takes for took in one]
    return len(spent) / (time.perf_counter() - start), spent
