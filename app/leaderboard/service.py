"""Leaderboards as people and programs read them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row

from app.db import Database
from app.games import seals
from app.games.results import day_of, standing, week_of
from app.leaderboard import store
from app.players import service as players
from engine.deals import DealCode
from engine.variants import BY_RULE, VARIANTS

ROWS = 50
PERIODS = ("day", "week", "all")


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One result on a board; `name` is None for a player without one; `when` in ms since 1970.

    `code` and `game_id` are None where the deal is still sealed for who looks.
    """

    place: int
    name: str | None
    score: int
    moves: int
    time_ms: int
    undos: int
    hints: int
    clean: bool
    first_try: bool
    won: bool
    me: bool
    code: str | None
    game_id: str | None
    variant_name: str
    when: int


@dataclass(frozen=True, slots=True)
class Board:
    """A board's rows, and the player's own row where it is not among them."""

    rows: list[BoardRow]
    me: BoardRow | None = None


@dataclass(frozen=True, slots=True)
class DealSummary:
    """What the results say of a deal."""

    players: int
    best: int | None


def _row(
    place: int, row: Row[Any], name: str | None, player_id: int | None, kept: set[str]
) -> BoardRow:
    is_open = row.code not in kept
    return BoardRow(
        place=place,
        name=name,
        score=row.score,
        moves=row.moves,
        time_ms=row.time_ms,
        undos=row.undos,
        hints=row.hints,
        clean=row.undos == 0 and row.hints == 0,
        first_try=row.first_try,
        won=row.won,
        me=row.player_id == player_id,
        code=row.code if is_open else None,
        game_id=row.game_id if is_open else None,
        variant_name=BY_RULE[row.rule].name,
        when=row.finished_at,
    )


def _rows(
    connection: Connection, rows: list[Row[Any]], player_id: int | None, now: int
) -> list[BoardRow]:
    kept = seals.kept_from(connection, player_id, [row.code for row in rows], now)
    return [_row(place, row, row.name, player_id, kept) for place, row in enumerate(rows, 1)]


def deal_board(database: Database, code: DealCode, token: str | None, now: int) -> Board:
    """A deal's leaderboard, with the player's own row in its place."""
    with database.read() as connection:
        player = players.find(connection, token)
        player_id = player.id if player else None
        rows = _rows(connection, store.deal_rows(connection, str(code), ROWS), player_id, now)
        if player is None or any(row.me for row in rows):
            return Board(rows)
        mine = store.deal_row_of(connection, str(code), player.id)
        where = standing(connection, mine.game_id) if mine else None
        if mine is None or where is None:
            return Board(rows)
        kept = seals.kept_from(connection, player_id, [str(code)], now)
        return Board(rows, _row(where.place, mine, player.name, player_id, kept))


def game_board(database: Database, key: str, period: str, token: str | None, now: int) -> Board:
    """The board of a game (`all`: of every game) for a period (`day`, `week`, `all`)."""
    rules = [variant.rule for variant in VARIANTS if key in ("all", variant.key)]
    within = {"day": ("day", day_of(now)), "week": ("week", week_of(now)), "all": None}[period]
    with database.read() as connection:
        player = players.find(connection, token)
        rows = store.game_rows(connection, rules, within, ROWS)
        return Board(_rows(connection, rows, player.id if player else None, now))


def deal_summary(database: Database, code: DealCode) -> DealSummary:
    """What the results say of a deal."""
    with database.read() as connection:
        return DealSummary(*store.deal_summary(connection, str(code)))
