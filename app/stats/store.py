"""A player's results, as statistics read them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, func, select

from app.models import games, results


def finished(connection: Connection, player_id: int, rule: str | None) -> list[Row[Any]]:
    """The results of a player's games (of one rule), oldest first."""
    mine = select(results).where(results.c.player_id == player_id)
    if rule is not None:
        mine = mine.where(results.c.rule == rule)
    return list(connection.execute(mine.order_by(results.c.finished_at, results.c.id)))


def under_way(connection: Connection, player_id: int, rule: str | None) -> int:
    """How many games the player has begun with a move and not finished."""
    mine = select(func.count()).where(
        games.c.player_id == player_id, games.c.status == "playing", games.c.moves > 0
    )
    if rule is not None:
        mine = mine.where(games.c.rule == rule)
    return connection.scalar(mine) or 0
