"""Boards read from the results. Every query takes a board's next rows from an index.

A board is asked for by `Filters`. Its first rows are chosen in the index of its order, or, on a
day's or week's board by moves or time, among the rows of that time in its index; these are read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Any, Literal

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Row,
    Select,
    Subquery,
    bindparam,
    func,
    or_,
    select,
    tuple_,
    union_all,
)

from app.games.results import FLAGGED
from app.models import friendships, games, players, results

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

_LAST = 2**62
_FRIENDS = union_all(
    select(friendships.c.friend_id).where(friendships.c.player_id == bindparam("me")),
    select(bindparam("me", type_=BigInteger)),
)


@dataclass(frozen=True, slots=True)
class Filters:
    """Which results, in which order.

    `codes` or `rules`: one deal, or games. `within` is the number of the period (yyyymmdd,
    yyyyww, yyyymm). `clean`: without undo and hint; `first`: first tries. `sealed`: of games
    that were played sealed (a daily deal's own board). `friends`: of the player `me` and their
    friends; such a board reads their rows of the period, from the index by player.
    """

    code: str | None = None
    rules: tuple[str, ...] = ()
    period: Period = "all"
    within: int = 0
    sort: Sort = "score"
    clean: bool = False
    first: bool = False
    sealed: bool = False
    friends: bool = False
    me: int = 0


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
    if asked.friends and asked.period != "all":
        where.append(results.c.day.between(bindparam("day_from"), bindparam("day_to")))
    elif asked.period != "all":
        where.append(results.c[asked.period] == bindparam("within"))
    if asked.sealed:
        where.append(
            select(games.c.id).where(games.c.id == results.c.game_id, games.c.sealed).exists()
        )
    return where


def _order(asked: Filters) -> list[ColumnElement[Any]]:
    columns: list[ColumnElement[Any]] = [results.c[name] for name in ORDERS[asked.sort]]
    if asked.friends:
        return [column + 0 for column in columns]  # their rows are found by player, then sorted
    if asked.sort != "score" and asked.period in ("day", "week"):
        columns[0] = columns[0] + 0  # a day's or a week's rows are found by it, then sorted
    return columns


def _scopes(asked: Filters) -> list[ColumnElement[bool]]:
    """The parts that a board is put together from: one index range each."""
    if asked.code is not None:
        return [results.c.code == bindparam("code")]
    if asked.friends:
        # joined to nothing it has no index: the rows are those of players
        return [results.c.rule.concat("").in_(asked.rules)]
    return [results.c.rule == rule for rule in asked.rules]


def _given(asked: Filters, values: tuple[int, ...] = ()) -> dict[str, Any]:
    """The parameters of a board's statements; `values` are the order's at a row."""
    at = {f"at_{name}": value for name, value in zip(ORDERS[asked.sort], values, strict=False)}
    day_from, day_to = _days(asked)
    days = {"day_from": day_from, "day_to": day_to}
    return {"code": asked.code, "within": asked.within, "me": asked.me, **days, **at}


def _days(asked: Filters) -> tuple[int, int]:
    """The first and the last day (yyyymmdd) of a board's period."""
    if asked.period == "month":
        return asked.within * 100 + 1, asked.within * 100 + 31
    if asked.period == "week":
        year, week = divmod(asked.within, 100)
        ends = (date.fromisocalendar(year, week, day) for day in (1, 7))
        first, last = (each.year * 10_000 + each.month * 100 + each.day for each in ends)
        return first, last
    return asked.within, asked.within


def _at(asked: Filters) -> Any:
    return tuple_(*(bindparam(f"at_{name}", type_=BigInteger) for name in ORDERS[asked.sort]))


def _shape(asked: Filters) -> Filters:
    """What a board's statements are made for: composing one takes longer than running it."""
    return replace(asked, code=None if asked.code is None else "", within=0, me=0)


@lru_cache(maxsize=512)
def _rows_statement(shape: Filters, follows: bool, limit: int) -> Select[Any]:
    if shape.friends:
        top = _of_friends(shape, follows, limit)
    else:
        order = _order(shape)
        parts = []
        for scope in _scopes(shape):
            part = select(*_ordered(shape)).where(scope, *_where(shape))
            if follows:
                part = part.where(tuple_(*order) > _at(shape))
            parts.append(select(part.order_by(*order).limit(limit).subquery()))
        found = union_all(*parts).subquery()
        top = select(found.c.id).order_by(*(found.c[name] for name in ORDERS[shape.sort]))
    chosen = top.limit(limit).subquery()
    return (
        select(*_COLUMNS, players.c.name)
        .join(chosen, chosen.c.id == results.c.id)
        .join(players, players.c.id == results.c.player_id)
        .order_by(*_ordered(shape))
    )


def _ordered(asked: Filters) -> list[ColumnElement[Any]]:
    """What a board is sorted by, as it is stored."""
    return [results.c[name] for name in ORDERS[asked.sort]]


def _reads_all(asked: Filters) -> bool:
    """Whether a board of friends has no period or deal to keep its rows few."""
    return asked.friends and asked.period == "all" and asked.code is None


def _bound(
    leading: ColumnElement[Any], where: list[ColumnElement[bool]], limit: int
) -> ColumnElement[Any]:
    """The value beyond which no row is among the first `limit` of some players' rows.

    So many of these players have a row that is as good; or, within that, one of them has as many
    rows that are. However many rows they have, few of each are read for it.
    """

    def bound(place: int, *within: ColumnElement[bool]) -> Subquery:
        friends = _FRIENDS.subquery()
        theirs = select(leading).where(results.c.player_id == friends.c.friend_id, *where, *within)
        row = theirs.order_by(leading).limit(1).offset(place).correlate(friends)
        return select(row.scalar_subquery().label("value")).select_from(friends).subquery()

    firsts = bound(0)
    by_many = (
        select(firsts.c.value)
        .where(firsts.c.value.is_not(None))
        .order_by(firsts.c.value)
        .limit(1)
        .offset(limit - 1)
        .scalar_subquery()
    )
    lasts = bound(limit - 1, leading <= func.coalesce(by_many, _LAST))
    by_one = select(func.min(lasts.c.value)).scalar_subquery()
    return func.coalesce(by_one, by_many, _LAST)


def _of_friends(shape: Filters, follows: bool, limit: int) -> Select[Any]:
    """The ids of the rows of a board of friends."""
    order = _order(shape)
    where = [*_scopes(shape), *_where(shape)]
    if follows:
        where.append(tuple_(*order) > _at(shape))
    if _reads_all(shape):
        leading = results.c[ORDERS[shape.sort][0]]
        if follows:
            where.append(leading >= bindparam(f"at_{leading.name}"))
        where.append(leading <= _bound(leading, where, limit))
    of_friends = results.c.player_id.in_(_FRIENDS)
    return select(results.c.id).where(of_friends, *where).order_by(*order)


@lru_cache(maxsize=512)
def _row_statement(shape: Filters) -> Select[Any]:
    order: list[ColumnElement[Any]] = _ordered(shape)
    if shape.code is not None:  # a player's rows on a deal are few, found by them and sorted
        order = [column + 0 for column in order]
    mine: Select[Any] = select(*_COLUMNS).where(
        results.c.player_id == bindparam("player_id"), *_where(shape), or_(*_scopes(shape))
    )
    return mine.order_by(*order).limit(1)


@lru_cache(maxsize=512)
def _ahead_statement(shape: Filters, limit: int) -> Select[Any]:
    """How many rows rank above a row, at most `limit`: no more are read than are counted."""
    order = _order(shape)
    parts = []
    for scope in _scopes(shape):
        ahead: Select[Any] = select(results.c.id).where(
            scope, *_where(shape), tuple_(*order) < _at(shape)
        )
        if shape.friends:
            ahead = ahead.where(results.c.player_id.in_(_FRIENDS))
            if _reads_all(shape):
                leading = results.c[ORDERS[shape.sort][0]]
                ahead = ahead.where(leading <= bindparam(f"at_{leading.name}"))
        parts.append(ahead)
    counted = (union_all(*parts) if len(parts) > 1 else parts[0]).limit(limit).subquery()
    return select(func.count()).select_from(counted)


def rows(
    connection: Connection, asked: Filters, after: tuple[int, ...] | None, limit: int
) -> list[Row[Any]]:
    """A board's rows after the one with the order's values `after`, with the players' names."""
    statement = _rows_statement(_shape(asked), after is not None, limit)
    return list(connection.execute(statement, _given(asked, after or ())))


def row_of(connection: Connection, asked: Filters, player_id: int) -> Row[Any] | None:
    """A player's own best row on a board."""
    given = {**_given(asked), "player_id": player_id}
    return connection.execute(_row_statement(_shape(asked)), given).first()


def place_of(connection: Connection, asked: Filters, row: Row[Any]) -> int | None:
    """A row's place on a board, from 1; None beyond `COUNTED`."""
    values = tuple(getattr(row, name) for name in ORDERS[asked.sort])
    statement = _ahead_statement(_shape(asked), COUNTED)
    ahead: int = connection.scalar(statement, _given(asked, values)) or 0
    return ahead + 1 if ahead < COUNTED else None


def deal_summary(connection: Connection, code: str) -> tuple[int, int | None]:
    """How many players have finished a deal, and the fewest moves of a win on it."""
    row = connection.execute(
        select(
            func.count(),
            func.min(results.c.moves).filter(results.c.won),
        ).where(results.c.code == code, results.c.listed, results.c.best)
    ).one()
    return row[0], row[1]


def has_review(connection: Connection, asked: Filters, player_id: int) -> bool:
    """Whether a result of the player's, within a board's games or deal, is under review."""
    scope = or_(*_scopes(asked))
    found = select(results.c.id).where(
        results.c.player_id == player_id, results.c.review == FLAGGED, scope
    )
    return connection.execute(found.limit(1), _given(asked)).first() is not None
