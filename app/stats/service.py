"""A player's statistics: counted from the results, of which each finished game has exactly one.

A game counts from its first move. `played` are the won, the abandoned (given up, or left for
another) and those under way; the win rate is that of the finished ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row

from app.db import Database
from app.games import seals
from app.players import service as players
from app.stats import store
from engine.variants import BY_KEY, BY_RULE, VARIANTS


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of a game, or of all. Times in ms; means and bests are those of won games.

    `streak` are the wins in a row up to now, `longest` the most there ever were; `rate` is None
    before a game is finished.
    """

    played: int
    won: int
    abandoned: int
    under_way: int
    rate: float | None
    streak: int
    longest: int
    best_moves: int | None
    mean_moves: float | None
    best_ms: int | None
    mean_ms: int | None


@dataclass(frozen=True, slots=True)
class Day:
    """The games finished on a UTC day, the number yyyymmdd."""

    day: int
    won: int
    abandoned: int


@dataclass(frozen=True, slots=True)
class Result:
    """One finished game; `code` is None while its deal is sealed. `finished_at`: ms since 1970."""

    game_id: str
    game: str
    code: str | None
    won: bool
    score: int
    moves: int
    time_ms: int
    undos: int
    hints: int
    first_try: bool
    finished_at: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """All of one player's: `summary` of what was asked for, `games` by key, `days` with a game."""

    summary: Summary
    games: dict[str, Summary]
    days: tuple[Day, ...]
    results: tuple[Result, ...]


def summed(rows: Sequence[Row[Any]], under_way: int) -> Summary:
    """The summary of results, oldest first."""
    wins = [row for row in rows if row.won]
    streak = longest = 0
    for row in rows:
        streak = streak + 1 if row.won else 0
        longest = max(longest, streak)
    won, finished = len(wins), len(rows)
    return Summary(
        played=finished + under_way,
        won=won,
        abandoned=finished - won,
        under_way=under_way,
        rate=won / finished if finished else None,
        streak=streak,
        longest=longest,
        best_moves=min((row.moves for row in wins), default=None),
        mean_moves=sum(row.moves for row in wins) / won if won else None,
        best_ms=min((row.time_ms for row in wins), default=None),
        mean_ms=round(sum(row.time_ms for row in wins) / won) if won else None,
    )


def by_day(rows: Iterable[Row[Any]]) -> tuple[Day, ...]:
    """The days on which games were finished, oldest first."""
    days: dict[int, list[int]] = {}
    for row in rows:
        days.setdefault(row.day, [0, 0])[0 if row.won else 1] += 1
    return tuple(Day(day, won, abandoned) for day, (won, abandoned) in sorted(days.items()))


def statistics(database: Database, token: str | None, key: str, now: int) -> Statistics:
    """A player's statistics for a game's key, or for `all`; nobody's are empty."""
    asked = BY_KEY[key].rule if key in BY_KEY else None
    with database.read() as connection:
        player = players.find(connection, token)
        if player is None:
            return Statistics(summed((), 0), {}, (), ())
        rows = store.finished(connection, player.id, asked)
        under_way = {
            variant.rule: store.under_way(connection, player.id, variant.rule)
            for variant in VARIANTS
            if asked in (None, variant.rule)
        }
        kept = seals.kept_from(connection, player.id, [row.code for row in rows], now)
    games = {}
    for rule, count in under_way.items():
        own = [row for row in rows if row.rule == rule]
        if own or count:
            games[BY_RULE[rule].key] = summed(own, count)
    return Statistics(
        summed(rows, sum(under_way.values())),
        games,
        by_day(rows),
        tuple(_result(row, kept) for row in rows),
    )


def _result(row: Row[Any], kept: set[str]) -> Result:
    return Result(
        game_id=row.game_id,
        game=BY_RULE[row.rule].key,
        code=None if row.code in kept else row.code,
        won=row.won,
        score=row.score,
        moves=row.moves,
        time_ms=row.time_ms,
        undos=row.undos,
        hints=row.hints,
        first_try=row.first_try,
        finished_at=row.finished_at,
    )
