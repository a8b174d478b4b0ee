"""Boards read from the results. Every query takes a board's first rows from one index."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, func, select, union_all

from app.models import players, results

_ORDER = (results.c.order_key, results.c.time_ms, results.c.finished_at, results.c.id)
_COLUMNS = (
    *(results.c.code, results.c.rule, results.c.won, results.c.score, results.c.moves),
    *(results.c.time_ms, results.c.undos, results.c.hints, results.c.first_try),
    *(results.c.finished_at, results.c.order_key, results.c.id, results.c.player_id),
    results.c.game_id,
)


def _top(where: list[ColumnElement[bool]], limit: int) -> Select[Any]:
    return select(*_COLUMNS).where(results.c.best, *where).order_by(*_ORDER).limit(limit)


def _named(connection: Connection, top: Any, limit: int) -> list[Row[Any]]:
    rows = top.subquery()
    order = (rows.c.order_key, rows.c.time_ms, rows.c.finished_at, rows.c.id)
    return list(
        connection.execute(
            select(rows, players.c.name)
            .join(players, players.c.id == rows.c.player_id)
            .order_by(*order)
            .limit(limit)
        )
    )


def deal_rows(connection: Connection, code: str, limit: int) -> list[Row[Any]]:
    """The best results on a deal, one a player."""
    return _named(connection, _top([results.c.code == code], limit), limit)


def deal_row_of(connection: Connection, code: str, player_id: int) -> Row[Any] | None:
    """A player's best result on a deal."""
    mine: Select[Any] = select(*_COLUMNS).where(
        results.c.code == code, results.c.player_id == player_id, results.c.best
    )
    return connection.execute(mine).first()


def game_rows(
    connection: Connection, rules: list[str], period: tuple[str, int] | None, limit: int
) -> list[Row[Any]]:
    """The best results of these games; `period` is a column (`day`, `week`) and its number.

    Each game's first rows come from its own index range, so that the cost does not grow with the
    table.
    """
    within = [] if period is None else [results.c[period[0]] == period[1]]
    tops = [_top([results.c.rule == rule, *within], limit).subquery() for rule in rules]
    return _named(connection, union_all(*(select(top) for top in tops)), limit)


def deal_summary(connection: Connection, code: str) -> tuple[int, int | None]:
    """How many players have finished a deal, and the fewest moves of a win on it."""
    row = connection.execute(
        select(
            func.count(),
            func.min(results.c.moves).filter(results.c.won),
        ).where(results.c.code == code, results.c.best)
    ).one()
    return row[0], row[1]
