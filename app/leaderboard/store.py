"""Boards read from the results. Every query takes a board's next rows from an index.

A board is asked for by `Filters`. Its first rows come from the index of its order, or, on a day's
board by moves or time, from the few rows of that day.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    func,
    literal,
    select,
    tuple_,
    union_all,
)

from app.models import games, players, results

Sort = Literal["score", "moves", "time"]
Period = Literal["day", "week", "month", "all"]
ORDERS: dict[Sort, tuple[str, ...]] = {
    "score": ("order_key", "time_ms", "finished_at", "id"),
    "moves": ("moves", "time_ms", "finished_at", "id"),
    "time": ("time_ms", "moves", "finished_at", "id"),
}
"""By what a board is sorted, ascending; boards by moves and by time hold won games alone."""
COUNTED = 2_000
"""Places up to here are counted; beyond, a result's place is left open."""

_COLUMNS = (
    *(results.c.code, results.c.rule, results.c.won, results.c.score, results.c.moves),
    *(results.c.time_ms, results.c.undos, results.c.hints, results.c.first_try),
    *(results.c.finished_at, results.c.order_key, results.c.id, results.c.player_id),
    results.c.game_id,
)


@dataclass(frozen=True, slots=True)
class Filters:
    """Which results, in which order.

    `codes` or `rules`: one deal, or games. `within` is the number of the period (yyyymmdd,
    yyyyww, yyyymm). `clean`: without undo and hint; `first`: first tries. `sealed`: of games
    that were played sealed (a daily deal's own board).
    """

    code: str | None = None
    rules: tuple[str, ...] = ()
    period: Period = "all"
    within: int = 0
    sort: Sort = "score"
    clean: bool = False
    first: bool = False
    sealed: bool = False


def _kind(asked: Filters) -> list[ColumnElement[bool]]:
    """One result of each player on each deal: the best, the best clean one, or the first."""
    if asked.first:
        clean = [results.c.undos == 0, results.c.hints == 0] if asked.clean else []
        return [results.c.first_try, *clean]
    return [results.c.clean_best if asked.clean else results.c.best]


def _where(asked: Filters) -> list[ColumnElement[bool]]:
    """All but the game or deal."""
    where: list[ColumnElement[bool]] = [results.c.listed, *_kind(asked)]
    if asked.sort != "score":
        where.append(results.c.won)
    if asked.period != "all":
        column = results.c[asked.period]
        # A sum has no index: the order's own is read, until enough of its rows fit.
        by_order = asked.sort != "score" and asked.period != "day"
        where.append((column + 0 if by_order else column) == asked.within)
    if asked.sealed:
        where.append(
            select(games.c.id).where(games.c.id == results.c.game_id, games.c.sealed).exists()
        )
    return where


def _order(asked: Filters) -> list[ColumnElement[Any]]:
    columns: list[ColumnElement[Any]] = [results.c[name] for name in ORDERS[asked.sort]]
    if asked.sort != "score" and asked.period == "day":
        columns[0] = columns[0] + 0  # the day's rows are few: found by the day, then sorted
    return columns


def _scopes(asked: Filters) -> list[ColumnElement[bool]]:
    """The parts that a board is put together from: one index range each."""
    if asked.code is not None:
        return [results.c.code == asked.code]
    return [results.c.rule == rule for rule in asked.rules]


def _key(values: tuple[int, ...]) -> Any:
    return tuple_(*(literal(value) for value in values))


def rows(
    connection: Connection, asked: Filters, after: tuple[int, ...] | None, limit: int
) -> list[Row[Any]]:
    """A board's rows after the one with the order's values `after`, with the players' names."""
    order = _order(asked)
    tops = []
    for scope in _scopes(asked):
        part: Select[Any] = select(*_COLUMNS).where(scope, *_where(asked))
        if after is not None:
            part = part.where(tuple_(*order) > _key(after))
        tops.append(part.order_by(*order).limit(limit).subquery())
    found = union_all(*(select(top) for top in tops)).subquery()
    return list(
        connection.execute(
            select(found, players.c.name)
            .join(players, players.c.id == found.c.player_id)
            .order_by(*(found.c[name] for name in ORDERS[asked.sort]))
            .limit(limit)
        )
    )


def row_of(connection: Connection, asked: Filters, player_id: int) -> Row[Any] | None:
    """A player's own best row on a board."""
    mine: Select[Any] = select(*_COLUMNS).where(
        results.c.player_id == player_id, *_where(asked), _any(_scopes(asked))
    )
    order = (results.c[name] for name in ORDERS[asked.sort])
    return connection.execute(mine.order_by(*order).limit(1)).first()


def _any(scopes: list[ColumnElement[bool]]) -> ColumnElement[bool]:
    found = scopes[0]
    for scope in scopes[1:]:
        found = found | scope
    return found


def place_of(connection: Connection, asked: Filters, row: Row[Any]) -> int | None:
    """A row's place on a board, from 1; None beyond `COUNTED`."""
    values = tuple(getattr(row, name) for name in ORDERS[asked.sort])
    order, ahead = _order(asked), 0
    for scope in _scopes(asked):
        part = (
            select(results.c.id)
            .where(scope, *_where(asked), tuple_(*order) < _key(values))
            .order_by(*order)
            .limit(COUNTED)
            .subquery()
        )
        ahead += connection.scalar(select(func.count()).select_from(part)) or 0
        if ahead >= COUNTED:
            return None
    return ahead + 1


def deal_summary(connection: Connection, code: str) -> tuple[int, int | None]:
    """How many players have finished a deal, and the fewest moves of a win on it."""
    row = connection.execute(
        select(
            func.count(),
            func.min(results.c.moves).filter(results.c.won),
        ).where(results.c.code == code, results.c.listed, results.c.best)
    ).one()
    return row[0], row[1]
