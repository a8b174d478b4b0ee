"""Races over real HTTP: asking, and following a stream."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Callable
from typing import Any

from tests.bench.load import Connection

_JSON = "application/json"


async def ask(player: Connection, method: str, path: str, body: str = "") -> Any:
    """What a program is answered under `/api/v1`."""
    status, answer = await player.request(method, f"/api/v1{path}", body, _JSON)
    assert status < 300, (status, answer)
    return json.loads(answer)


class Stream:
    """A race's stream: every standing that it showed, and when."""

    def __init__(self) -> None:
        self.shown: list[tuple[dict[str, Any], float]] = []
        self._came = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def follow(self, port: int, race_id: str, cookie: bytes) -> None:
        """Begin."""
        self._task = asyncio.create_task(self._follow(port, race_id, cookie))

    async def _follow(self, port: int, race_id: str, cookie: bytes) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        head = f"GET /api/v1/races/{race_id}/events HTTP/1.1\r\nhost: 127.0.0.1\r\n"
        writer.write(head.encode() + b"cookie: " + cookie + b"\r\n\r\n")
        with contextlib.closing(writer):
            while line := await reader.readline():
                at = time.perf_counter()
                if line.startswith(b"data: "):
                    self.shown.append((json.loads(line[6:]), at))
                    self._came.set()

    async def reaches(self, is_it: Callable[[dict[str, Any]], bool]) -> None:
        """Wait until the last standing is so."""
        while not (self.shown and is_it(self.shown[-1][0])):
            self._came.clear()
            await self._came.wait()

    async def close(self) -> None:
        """Hang up."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
