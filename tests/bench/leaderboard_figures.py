"""A leaderboard page over tables of growing size."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from pathlib import Path

from sqlalchemy import insert

from app.config import Settings
from app.db import Database
from app.friends.store import MOST, befriend
from app.games.results import day_of, month_of, order_key, week_of
from app.models import players, results
from app.players.service import token_hash
from app.players.store import add_device
from engine.deals import open_code
from engine.variants import VARIANTS
from tests.bench.figures import percentile, show
from tests.bench.load import Connection, cpu_seconds, load, server

_SIZES = (10_000, 100_000, 1_000_000)
_PLAYERS = 2_000
_BATCH = 20_000
_PAGES = (
    "/leaderboard",
    "/leaderboard?game=yukon&period=all",
    "/leaderboard?game=yukon&period=week",
    "/leaderboard?game=yukon&period=day",
    *(f"/leaderboard?period={period}&sort=time" for period in ("day", "week", "month", "all")),
    "/leaderboard?game=yukon&period=month&sort=moves&clean=1&first=1",
    "/leaderboard?after=50-17574653001-100000-1796083200000-1",
    *(f"/leaderboard?friends=1&period={period}" for period in ("day", "week", "month", "all")),
    "/leaderboard?friends=1&sort=time&game=yukon",
    "/leaderboard?friends=1&sort=moves&clean=1&first=1",
    "/leaderboard?friends=1&after=50-17574653001-100000-1796083200000-1",
    "/d/YU1-C-AAAAAAB?friends=1",
    "/d/YU1-C-AAAAAAB",
    "/d/YU1-C-AAAAAAB?sort=time&clean=1",
)
_ASKED = 40
_TOKEN = "t" * 43
"""The first player's, whose own row each board shows too, and who has as many friends as fit."""
_DAY_MS = 86_400_000


def _row(number: int, now: int, chance: random.Random) -> dict[str, object]:
    rule = chance.choice(VARIANTS).rule
    won = chance.random() < 0.7
    score = 625 if won else chance.randrange(0, 600, 5)
    moves, at = chance.randrange(80, 300), now - chance.randrange(0, 365 * _DAY_MS)
    undos = chance.randrange(3)
    code = "YU1-C-AAAAAAB" if chance.random() < 0.002 else str(open_code(rule, number))
    return {
        "game_id": f"g{number}",
        "player_id": number % _PLAYERS + 1,
        "code": code,
        "rule": code[4],
        "won": won,
        "best": True,
        "clean_best": undos == 0,
        "listed": True,
        "score": score,
        "moves": moves,
        "time_ms": chance.randrange(60_000, 3_600_000),
        "undos": undos,
        "hints": 0,
        "first_try": True,
        "order_key": order_key(won, score, moves),
        "day": day_of(at),
        "week": week_of(at),
        "month": month_of(at),
        "finished_at": at,
    }


def _fill(database: Database, first: int, last: int) -> None:
    """Results from number `first` up to `last`, written straight into the table."""
    chance, now = random.Random(first), time.time_ns() // 1_000_000
    with database.engine.connect() as connection:
        if database.is_sqlite:  # their games are left out: boards do not read them
            connection.exec_driver_sql("COMMIT")
            connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
            connection.exec_driver_sql("BEGIN")
        for start in range(first, last, _BATCH):
            rows = [_row(number, now, chance) for number in range(start, min(last, start + _BATCH))]
            connection.execute(insert(results), rows)
        connection.commit()


async def _ask(port: int, path: str) -> tuple[float, float]:
    """The median time of a page's answer, and the server's processor time for one."""
    connection = Connection(port)
    await connection.open()
    connection.cookie = f"player={_TOKEN}".encode()
    takes, used = [], cpu_seconds(port)
    for _ in range(_ASKED):
        start = time.perf_counter()
        status, _ = await connection.request("GET", path)
        takes.append(time.perf_counter() - start)
        assert status == 200, (path, status)
    connection.close()
    return percentile(takes, 0.5), (cpu_seconds(port) - used) / _ASKED


async def _run() -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = Database(Settings(data_dir=Path(folder), database_url=""))
        database.migrate()
        now = time.time_ns() // 1_000_000
        with database.write() as connection:
            connection.execute(
                insert(players),
                [
                    {
                        "id": n + 1,
                        "name": f"Player {n}",
                        "created_at": now,
                    }
                    for n in range(_PLAYERS)
                ],
            )
            add_device(connection, 1, token_hash(_TOKEN), now)
            for friend in range(2, MOST + 2):
                befriend(connection, 1, friend, now)
        filled = 0
        for size in _SIZES:
            _fill(database, filled, size)
            filled = size
            async with server(Path(folder)) as port:
                for path in _PAGES:
                    await _ask(port, path)
                    took, used = await _ask(port, path)
                    figure = f"{took * 1e3:.1f} ms, {used * 1e3:.1f} of processor time"
                    show(f"{path}, {size:,} results", figure, "≤ 20 ms")
        show("load of the machine", load())
        database.close()


def run() -> None:
    """Measure and print."""
    asyncio.run(_run())
