"""Leaderboards as people and programs read them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Row

from app.db import Database
from app.errors import RequestInvalid
from app.games import seals
from app.games.results import day_of, month_of, week_of
from app.i18n import gettext as _
from app.leaderboard import store
from app.leaderboard.store import ORDERS, Filters, Period, Sort
from app.players import service as players
from engine.deals import DealCode
from engine.variants import BY_RULE, VARIANTS

ROWS = 50
PERIODS: tuple[Period, ...] = ("day", "week", "month", "all")
SORTS: tuple[Sort, ...] = ("score", "moves", "time")
_CURSOR = re.compile(r"[0-9]{1,9}(-[0-9]{1,18}){4}", re.ASCII)
_NUMBERS = {"day": day_of, "week": week_of, "month": month_of}


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A result; `clean`: no undo and no hint; `first_try`: the player’s first game on the deal.

    `game` is a key, `name` None for a player without one, `place` None beyond the places that are
    counted; `when` in ms since 1970. `/games/{game_id}/replay` replays it; `code` and `game_id` are
    None where the deal is still sealed for who looks.
    """

    place: int | None
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
    game: str
    when: int


@dataclass(frozen=True, slots=True)
class Board:
    """A page of a board, the player's own row where it is not on it, and where the next begins.

    `under_review`: a result of the player's own was too fast, and is not shown until it is cleared.
    """

    rows: list[BoardRow]
    me: BoardRow | None = None
    next: str | None = None
    under_review: bool = False


@dataclass(frozen=True, slots=True)
class DealSummary:
    """What the results say of a deal."""

    players: int
    best: int | None


def _row(
    place: int | None, row: Row[Any], name: str | None, player_id: int | None, kept: set[str]
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
        game=BY_RULE[row.rule].key,
        when=row.finished_at,
    )


def board(
    database: Database, asked: Filters, token: str | None, now: int, after: str = ""
) -> Board:
    """A page of a board after the cursor `after`, as the player with this token sees it.

    The player's own row comes along wherever it stands. Raises RequestInvalid for a cursor that
    is none.
    """
    place, values = _after(after)
    with database.read() as connection:
        player = players.find(connection, token)
        player_id = player.id if player else None
        asked = replace(asked, me=player_id or 0)
        found = store.rows(connection, asked, values, ROWS + 1)
        page, more = found[:ROWS], len(found) > ROWS
        mine = None
        if player_id is not None and not any(row.player_id == player_id for row in page):
            mine = store.row_of(connection, asked, player_id)
        codes = [row.code for row in (*page, *([mine] if mine else []))]
        kept = seals.kept_from(connection, player_id, codes, now)
        rows = [_row(place + at, row, row.name, player_id, kept) for at, row in enumerate(page, 1)]
        me = None
        if mine is not None and player is not None:
            stands = store.place_of(connection, asked, mine)
            me = _row(stands, mine, player.name, player_id, kept)
        review = player_id is not None and store.has_review(connection, asked, player_id)
    return Board(rows, me, _cursor(place + ROWS, page[-1], asked) if more else None, review)


def _after(cursor: str) -> tuple[int, tuple[int, ...] | None]:
    """The place and the order's values that a cursor names."""
    if not cursor:
        return 0, None
    if not _CURSOR.fullmatch(cursor):
        raise RequestInvalid(_("“after” is the “next” of the page before"))
    place, *values = map(int, cursor.split("-"))
    return place, tuple(values)


def _cursor(place: int, row: Row[Any], asked: Filters) -> str:
    return "-".join(str(each) for each in (place, *(getattr(row, n) for n in ORDERS[asked.sort])))


def of_deal(code: DealCode, asked: Filters) -> Filters:
    """The filters for a deal's board."""
    return replace(asked, code=str(code), rules=(), period="all")


def of_games(key: str, period: Period, asked: Filters, now: int) -> Filters:
    """The filters for the board of a game's key, or `all`, in the period that `now` lies in."""
    rules = tuple(variant.rule for variant in VARIANTS if key in ("all", variant.key))
    within = _NUMBERS[period](now) if period in _NUMBERS else 0
    return replace(asked, code=None, rules=rules, period=period, within=within)


def deal_summary(database: Database, code: DealCode) -> DealSummary:
    """What the results say of a deal."""
    with database.read() as connection:
        return DealSummary(*store.deal_summary(connection, str(code)))
