"""Daily deals in the database, and what a player has made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, select
from sqlalchemy.dialects import postgresql, sqlite

from app.days import end_of
from app.games import seals
from app.models import dailies, games, results
from app.models import seals as seals_table
from engine.deals import DealCode, parse_code


@dataclass(frozen=True, slots=True)
class Daily:
    """A day's deal of a game; `code` is for those who may know it (`app.games.seals`)."""

    day: int
    rule: str
    code: DealCode
    commitment: str


_DAILY = select(dailies, seals_table.c.commitment).join(
    seals_table, seals_table.c.code == dailies.c.code
)


def _daily(row: Row[Any]) -> Daily:
    return Daily(row.day, row.rule, parse_code(row.code), row.commitment)


def of_day(connection: Connection, day: int, rule: str) -> Daily | None:
    """A day's deal of a game, or None when none has been chosen."""
    row = connection.execute(_DAILY.where(dailies.c.day == day, dailies.c.rule == rule)).first()
    return _daily(row) if row else None


def between(connection: Connection, rule: str, first: int, last: int) -> list[Daily]:
    """The deals of a game from one day to another, oldest first."""
    asked = _DAILY.where(dailies.c.rule == rule, dailies.c.day.between(first, last))
    return [_daily(row) for row in connection.execute(asked.order_by(dailies.c.day))]


def keep(connection: Connection, day: int, code: DealCode, effort: int, now: int) -> None:
    """Store a day's deal and seal it until the day is over; the first one chosen stays."""
    if of_day(connection, day, code.rule) is not None:
        return
    seals.add(connection, code, end_of(day))
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    connection.execute(
        dialect.insert(dailies)
        .values(day=day, rule=code.rule, code=str(code), effort=effort, made_at=now)
        .on_conflict_do_nothing()
    )


def first_tries(connection: Connection, player_id: int, rule: str) -> dict[int, bool]:
    """By day: whether the player's first try at that day's deal, made on the day, was won."""
    found = connection.execute(
        select(dailies.c.day, results.c.won)
        .join(results, results.c.code == dailies.c.code)
        .join(games, games.c.id == results.c.game_id)
        .where(
            results.c.player_id == player_id,
            dailies.c.rule == rule,
            results.c.first_try,
            results.c.day == dailies.c.day,
            games.c.sealed,
        )
    )
    return {row.day: row.won for row in found}


def later_wins(connection: Connection, player_id: int, rule: str) -> set[int]:
    """The days whose deal the player has won in another way than at the first try of the day."""
    return set(
        connection.scalars(
            select(dailies.c.day)
            .join(results, results.c.code == dailies.c.code)
            .where(results.c.player_id == player_id, dailies.c.rule == rule, results.c.won)
        )
    )
