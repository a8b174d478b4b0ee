"""How long a hint takes over real HTTP, on a worker that has compiled."""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from engine.deals import deal, open_code
from engine.game import Game
from engine.moves import OWN_FOUNDATION
from engine.rules import get_rules
from tests.bench.figures import percentile, show
from tests.bench.load import Connection, server

_KINDS = {"proven": "CF", "fair": "CRFSAPD"}
"""The hints that are measured, and the rules that each is measured in."""
_DEALS = 30
_PAUSE_S = 0.4  # as the page asks again
_GOAL_S = 0.3
_JSON = "application/json"


async def _sent(connection: Connection, path: str, body: dict[str, Any]) -> dict[str, Any]:
    status, content = await connection.request("POST", path, json.dumps(body), _JSON)
    assert status in (200, 201), content
    found: dict[str, Any] = json.loads(content)
    return found


async def _hint(
    connection: Connection, game: dict[str, Any], kind: str = "proven"
) -> tuple[float, str]:
    """The time until a hint's answer, and the answer's state."""
    path, start = f"/api/v1/games/{game['id']}/hint", time.perf_counter()
    while True:
        answer = await _sent(connection, path, {"version": game["version"], "kind": kind})
        if answer["state"] != "pending":
            return time.perf_counter() - start, str(answer["state"])
        await asyncio.sleep(_PAUSE_S)


def _line(rule: str, number: int) -> list[str]:
    """Moves of chance to the middle of a deal; cards go up where they can."""
    random = Random(number)
    game = Game.new(get_rules(rule), deal(open_code(rule, number)))
    for _ in range(random.randrange(10, 45)):
        moves = game.legal_moves()
        if not moves:
            break
        ups = [move for move in moves if move.target == OWN_FOUNDATION]
        game = game.play(random.choice(ups or moves))
    return [str(move) for move in game.line]


async def _measure(port: int) -> None:
    connection = Connection(port)
    await connection.open()
    for kind, rules in _KINDS.items():
        warm = await _sent(connection, "/api/v1/games", {"code": "YU1-C-AAAAAAB"})
        await _hint(connection, warm, kind)
        for rule in rules:
            await _measure_in(connection, kind, rule)
    connection.close()


async def _measure_in(connection: Connection, kind: str, rule: str) -> None:
    """One kind of hint in the middle of a game's deals."""
    takes: list[float] = []
    states: list[str] = []
    for number in range(1, _DEALS + 1):
        code = str(open_code(rule, number))
        game = await _sent(connection, "/api/v1/games", {"code": code})
        for move in _line(rule, number):
            body = {"move": move, "version": game["version"]}
            game = await _sent(connection, f"/api/v1/games/{game['id']}/moves", body)
        took, state = await _hint(connection, game, kind)
        takes.append(took)
        states.append(state)
    share = sum(took <= _GOAL_S for took in takes) / len(takes)
    told = ", ".join(f"{states.count(state)} {state}" for state in sorted(set(states)))
    name = get_rules(rule).variant.name
    show(f"{kind} hints mid-game within 300 ms, {name}", f"{share:.0%}", "≥ 90 %")
    show(
        f"{kind} hints mid-game, {name}: median, 90 %, longest",
        f"{statistics.median(takes) * 1e3:.0f}, {percentile(takes, 0.9) * 1e3:.0f}, "
        f"{max(takes) * 1e3:.0f} ms",
        told,
    )


async def _run() -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with server(Path(folder), workers=1) as port:
            await _measure(port)


def run() -> None:
    """Measure and print."""
    asyncio.run(_run())
