"""A race that many watch: how long a move takes to reach every stream."""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from app.races.machine import SPECTATORS
from tests.bench.figures import percentile, show
from tests.bench.load import Connection, cpu_seconds, server

_MOVES = 60
_EVERY_S = 0.25
_PATIENCE_S = 30
_JSON = "application/json"


async def _ask(player: Connection, method: str, path: str, body: str = "") -> Any:
    status, answer = await player.request(method, f"/api/v1{path}", body, _JSON)
    assert status < 300, (status, answer)
    return json.loads(answer)


class _Watcher:
    """A stream, and when it first showed each count of moves."""

    def __init__(self) -> None:
        self.seen: dict[int, float] = {}

    async def follow(self, port: int, race_id: str, name: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        head = f"GET /api/v1/races/{race_id}/events HTTP/1.1\r\nhost: 127.0.0.1\r\n"
        writer.write(f"{head}cookie: player={name:x>43}\r\n\r\n".encode())
        try:
            while line := await reader.readline():
                at = time.perf_counter()
                if line.startswith(b"data: "):
                    players = json.loads(line[6:])["players"]
                    self.seen.setdefault(sum(each["moves"] for each in players), at)
        finally:
            writer.close()


async def _measure(port: int) -> None:
    players = [Connection(port) for _ in range(2)]
    for player in players:
        await player.open()
    race = await _ask(players[0], "POST", "/races", '{"game": "yukon"}')
    await _ask(players[1], "POST", f"/races/{race['id']}/join")
    watchers = [_Watcher() for _ in range(SPECTATORS)]
    streams = [
        asyncio.create_task(watcher.follow(port, race["id"], str(number)))
        for number, watcher in enumerate(watchers)
    ]
    for player in players:
        await _ask(player, "POST", f"/races/{race['id']}/ready", '{"ready": true}')
    while race["state"] != "running":
        await asyncio.sleep(1)
        race = await _ask(players[0], "GET", f"/races/{race['id']}")
    game = await _ask(players[0], "GET", f"/games/{race['game_id']}")
    sent: dict[int, float] = {}
    before = cpu_seconds(port)
    for count in range(1, _MOVES + 1):
        if not game["legal_moves"]:
            break
        body = json.dumps({"move": game["legal_moves"][0], "version": game["version"]})
        sent[count] = time.perf_counter()
        game = await _ask(players[0], "POST", f"/games/{game['id']}/moves", body)
        await asyncio.sleep(_EVERY_S)
    until = time.perf_counter() + _PATIENCE_S
    while not all(max(sent) in watcher.seen for watcher in watchers):
        assert time.perf_counter() < until, "a stream was left behind"
        await asyncio.sleep(0.05)
    spent = cpu_seconds(port) - before
    for stream in streams:
        stream.cancel()
    await asyncio.gather(*streams, return_exceptions=True)
    # what came together was shown together: a move has arrived with the next that was shown
    took = [
        min(at for moves, at in watcher.seen.items() if moves >= count) - start
        for watcher in watchers
        for count, start in sent.items()
    ]
    show(
        f"a move to every one of {SPECTATORS} streams",
        f"{statistics.median(took) * 1e3:.0f} ms, p95 {percentile(took, 0.95) * 1e3:.0f} ms",
        "p95 < 250 ms",
    )
    show("  the server's time for one move and its streams", f"{spent / len(sent) * 1e3:.0f} ms")


def run() -> None:
    """Print the figures of races."""

    async def main() -> None:
        with tempfile.TemporaryDirectory() as folder:
            async with server(Path(folder)) as port:
                await _measure(port)

    asyncio.run(main())
