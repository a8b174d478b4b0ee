"""Races: one that many watch, and many at once."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from app.races.machine import SPECTATORS
from tests.bench import race_field
from tests.bench.figures import percentile, show
from tests.bench.load import Connection, cpu_seconds, load, server
from tests.bench.streams import Stream, ask

_MOVES = 60
_EVERY_S = 0.25
_PATIENCE_S = 30


def _moves(race: dict[str, Any]) -> int:
    return sum(each["moves"] for each in race["players"])


async def _watched(port: int) -> None:
    """How long a move takes to reach everybody who watches."""
    players = [Connection(port) for _ in range(2)]
    for player in players:
        await player.open()
    race = await ask(players[0], "POST", "/races", '{"game": "yukon"}')
    await ask(players[1], "POST", f"/races/{race['id']}/join")
    streams = [Stream() for _ in range(SPECTATORS)]
    for number, stream in enumerate(streams):
        stream.follow(port, race["id"], f"player={number:x>43}".encode())
    for player in players:
        await ask(player, "POST", f"/races/{race['id']}/ready", '{"ready": true}')
    while race["state"] != "running":
        await asyncio.sleep(1)
        race = await ask(players[0], "GET", f"/races/{race['id']}")
    game = await ask(players[0], "GET", f"/games/{race['game_id']}")
    sent: dict[int, float] = {}
    answered: dict[int, float] = {}
    before = cpu_seconds(port)
    for count in range(1, _MOVES + 1):
        if not game["legal_moves"]:
            break
        body = json.dumps({"move": game["legal_moves"][0], "version": game["version"]})
        sent[count] = time.perf_counter()
        game = await ask(players[0], "POST", f"/games/{game['id']}/moves", body)
        answered[count] = time.perf_counter()
        await asyncio.sleep(_EVERY_S)
    last = max(sent)
    async with asyncio.timeout(_PATIENCE_S):
        await asyncio.gather(*(s.reaches(lambda race: _moves(race) == last) for s in streams))
    spent = cpu_seconds(port) - before
    for stream in streams:
        await stream.close()
    for player in players:
        player.close()
    # what came together was shown together: a move has arrived with the next that was shown
    arrived = [
        (count, min(at for race, at in stream.shown if _moves(race) >= count))
        for stream in streams
        for count in sent
    ]
    for what, starts in (("answer", answered), ("sending", sent)):
        took = [max(0.0, at - starts[count]) for count, at in arrived]
        show(
            f"a move's {what} to every one of {SPECTATORS} streams",
            f"p50 {percentile(took, 0.5) * 1e3:.0f} ms, p95 {percentile(took, 0.95) * 1e3:.0f} ms",
            "p95 ≤ 100 ms" if what == "answer" else "",
        )
    show("  the server's time for one move and its streams", f"{spent / len(sent) * 1e3:.0f} ms")
    show("  load of the machine", load())


def run() -> None:
    """Print the figures of races."""

    async def main() -> None:
        with tempfile.TemporaryDirectory() as folder:
            async with server(Path(folder)) as port:
                await _watched(port)
        with tempfile.TemporaryDirectory() as folder:
            async with server(Path(folder)) as port:
                await race_field.measure(port, Path(folder))

    asyncio.run(main())
