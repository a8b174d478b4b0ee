"""Five hundred races at once, played by simulated players: is anything slow, is anything lost?

Everybody has a connection and a stream of their own, as a page has, and makes a move every few
seconds. At the end every move that was answered is looked for in three places: in the log, in both
players' streams, and in the race's standing, which has to be what the second, slow engine makes of
the log.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import select

from app.config import Settings
from app.db import Database
from app.models import events
from tests.bench.figures import percentile, show
from tests.bench.load import Connection, cpu_seconds, load
from tests.bench.streams import Stream, ask
from tests.reference.deals import deal
from tests.reference.play import replay

RACES = 500
_MOVES = 12
_PAUSE_S = (2.0, 10.0)
_LONGEST_S = 300
_CATCH_UP_S = 5.0


@dataclass
class _Player:
    """One of a race's two players: what they did, and what the server answered."""

    connection: Connection
    seat: int
    chance: random.Random
    race: dict[str, Any] = field(default_factory=dict)
    game: str = ""
    moves: list[str] = field(default_factory=list)
    sent: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    stream: Stream = field(default_factory=Stream)

    async def play(self) -> None:
        """Wait for go, play, give up."""
        await self.stream.reaches(lambda race: race["state"] == "running")
        race = await ask(self.connection, "GET", f"/races/{self.race['id']}")
        self.game = race["game_id"]
        game = await ask(self.connection, "GET", f"/games/{self.game}")
        await asyncio.sleep(self.chance.uniform(0, _PAUSE_S[1]))
        while len(self.moves) < _MOVES and game["legal_moves"]:
            home = [move for move in game["legal_moves"] if move.endswith("-f")]
            move = self.chance.choice(home or game["legal_moves"])
            body = json.dumps({"move": move, "version": game["version"]})
            self.sent.append(time.perf_counter())
            game = await ask(self.connection, "POST", f"/games/{self.game}/moves", body)
            self.answered.append(time.perf_counter())
            self.moves.append(move)
            await asyncio.sleep(self.chance.uniform(*_PAUSE_S))
        if game["status"] in ("playing", "stuck"):
            await ask(self.connection, "POST", f"/races/{self.race['id']}/give-up")
        await self.stream.reaches(lambda race: race["state"] == "over")


async def _room(port: int, number: int) -> list[_Player]:
    """A race whose countdown runs, and its two players, whose streams are open."""
    players = [_Player(Connection(port), seat, random.Random(2 * number + seat)) for seat in (1, 2)]
    race: dict[str, Any] = {}
    for player in players:
        await player.connection.open()
        path = f"/races/{race['id']}/join" if race else "/races"
        race = await ask(player.connection, "POST", path, "" if race else '{"game": "yukon"}')
    for player in players:
        player.race = race
        player.stream.follow(port, race["id"], player.connection.cookie)
    for player in players:
        await ask(player.connection, "POST", f"/races/{race['id']}/ready", '{"ready": true}')
    return players


def _lost_of_the_log(logs: dict[str, list[str]], player: _Player) -> int:
    """Moves of a player that were answered and are not in the log where they belong."""
    log = logs.get(player.game, [])
    foreign = log[len(player.sent) :]  # the last one sent may have had no answer
    return sum(log[at : at + 1] != [move] for at, move in enumerate(player.moves)) + len(foreign)


def _shown(stream: Stream, seat: int) -> list[tuple[int, float]]:
    """How many moves of a seat a stream has shown, and when."""
    return [
        (runner["moves"], at)
        for race, at in stream.shown
        for runner in race["players"]
        if runner["seat"] == seat
    ]


def _reached(streams: Iterable[Stream], player: _Player) -> tuple[int, list[float]]:
    """Moves of a player that a stream never showed, and how long after the answer the others came.

    What came together was shown together: a move has arrived with the next that was shown.
    """
    lost, took = 0, []
    for stream in streams:
        shown = _shown(stream, player.seat)
        counts = [moves for moves, _at in shown]
        lost += counts != sorted(counts)  # a standing never goes back
        for count, answered in enumerate(player.answered, 1):
            arrived = [at for moves, at in shown if moves >= count]
            lost += not arrived
            took += [max(0.0, min(arrived) - answered)] if arrived else []
    return lost, took


def _stands_otherwise(race: dict[str, Any], logs: dict[str, list[str]], player: _Player) -> bool:
    """Whether a player stands otherwise than the slow engine says of the log."""
    outcome = replay(deal(race["code"]), logs.get(player.game, []))
    runner = next(each for each in race["players"] if each["seat"] == player.seat)
    cards = sum(map(len, outcome.table.foundations.values()))
    state = "won" if outcome.won else "ended"
    stands = (runner["cards"], runner["moves"], runner["state"])
    return stands != (cards, len(player.moves), state)


def _logs(data: Path) -> dict[str, list[str]]:
    """Every game's moves as its events have them."""
    database = Database(Settings(data_dir=data, database_url=""))
    found: dict[str, list[str]] = {}
    with database.read() as connection:
        asked = select(events.c.game_id, events.c.move).where(events.c.kind == "move")
        for game_id, move in connection.execute(asked.order_by(events.c.game_id, events.c.version)):
            found.setdefault(game_id, []).append(move)
    database.close()
    return found


async def measure(port: int, data: Path, races: int = RACES) -> None:
    """Run them and print the figures; what has not ended in time is stopped where it is."""
    begun, used = time.perf_counter(), cpu_seconds(port)
    rooms = [await _room(port, number) for number in range(races)]
    opened = time.perf_counter() - begun
    players = [player for room in rooms for player in room]
    playing = [asyncio.create_task(player.play()) for player in players]
    late = (await asyncio.wait(playing, timeout=max(1, _LONGEST_S - opened)))[1]
    seconds, used = time.perf_counter() - begun, cpu_seconds(port) - used
    for each in late:
        each.cancel()
    await asyncio.gather(*playing, return_exceptions=bool(late))
    await asyncio.sleep(_CATCH_UP_S if late else 0)
    logs = _logs(data)
    lost = wrong = over = 0
    arrivals: list[float] = []
    for room in rooms:
        last = [player.stream.shown[-1][0] for player in room]
        is_over = all(race["state"] == "over" for race in last)
        over += is_over
        for player, race in zip(room, last, strict=True):
            lost += _lost_of_the_log(logs, player)
            unseen, took = _reached((each.stream for each in room), player)
            lost += unseen
            arrivals += took
            if is_over:
                wrong += _stands_otherwise(race, logs, player)
                wrong += last[0]["players"] != race["players"]
    for player in players:
        await player.stream.close()
        player.connection.close()
    takes = [b - a for p in players for a, b in zip(p.sent, p.answered, strict=False)]
    answered = [at for player in players for at in player.answered]
    lasted = max(answered) - min(at for player in players for at in player.sent)
    show(
        f"{races} races at once, {len(players)} players, {len(players)} streams",
        f"{seconds:.0f} s, {opened:.0f} of them to open the rooms",
        f"≤ {_LONGEST_S} s",
    )
    show("  races that came to their end in that time", f"{over}", f"{races}")
    show("  moves", f"{len(takes):,}, {len(takes) / lasted:,.0f} moves/s")
    show("  a move to its answer", _spread(takes))
    show("  its answer to both players’ streams", _spread(arrivals))
    show("  events lost", f"{lost}", "0")
    show("  standings that are not what the log says", f"{wrong}", "0")
    show("  the server's processor time for one move", f"{used / len(takes) * 1e3:.1f} ms")
    show("  load of the machine", load())


def _spread(takes: list[float]) -> str:
    shares = ("p50", 0.5), ("p95", 0.95), ("p99", 0.99)
    return ", ".join(f"{name} {percentile(takes, share) * 1e3:.0f} ms" for name, share in shares)
