"""Impossible speed: games that nobody plays so fast by hand are kept off leaderboards until an
operator has looked at them (decision 19).

What counts are the moves that were made one by one: not those of Finish, which the server makes,
nor undo and redo, whose keys can be held down.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, func, select, update

from app.games import results as game_results
from app.games.results import CLEARED, FLAGGED, KEPT_OUT
from app.games.store import Stored
from app.models import events, players, results

JUDGED = 20
"""Fewer moves than these are not judged: a few taps in a row can be quick."""


def too_fast(connection: Connection, by_hand: Stored, fastest_ms: int) -> int | None:
    """The time of an impossibly fast game from move to move, on the whole, in ms; else None.

    `by_hand` is the game as it was before what the server played of it; `fastest_ms` the floor (0:
    nothing is too fast). The time is that of the game's clock, which ranks it.
    """
    if not fastest_ms or by_hand.game.moves < JUDGED:
        return None
    row = connection.execute(
        select(func.count(), func.min(events.c.elapsed_ms), func.max(events.c.elapsed_ms)).where(
            events.c.game_id == by_hand.id,
            events.c.kind == "move",
            events.c.version <= by_hand.version,
        )
    ).one()
    moves, ms = int(row[0]), int((row[2] or 0) - (row[1] or 0))
    if moves < JUDGED or ms >= fastest_ms * (moves - 1):
        return None
    return round(ms / (moves - 1))


def flagged(connection: Connection, *, decided: bool) -> list[Row[Any]]:
    """The results to be looked at, oldest first; `decided`: also those that have been."""
    states = (FLAGGED, KEPT_OUT, CLEARED) if decided else (FLAGGED,)
    return list(
        connection.execute(
            select(results, players.c.name)
            .join(players, players.c.id == results.c.player_id)
            .where(results.c.review.in_(states))
            .order_by(results.c.finished_at, results.c.id)
        )
    )


def decide(connection: Connection, game_id: str, review: str) -> bool:
    """Put a flagged game's result on the boards (CLEARED) or keep it off them (KEPT_OUT).

    A decision can be changed. False when no such result was ever flagged.
    """
    row = connection.execute(
        select(results.c.id, results.c.player_id, results.c.code).where(
            results.c.game_id == game_id, results.c.review.is_not(None)
        )
    ).first()
    if row is None:
        return False
    connection.execute(
        update(results)
        .where(results.c.id == row.id)
        .values(review=review, best=False, clean_best=False, listed=False)
    )
    game_results.settle(connection, row.player_id, row.code)
    return True
