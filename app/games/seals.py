"""Sealed deals: who may know which, and from when.

A sealed deal's code is known to nobody until it opens to all (a daily deal when its UTC day is
over), and before that to a player who has finished it and is not playing it again. Its SHA-256
commitment may be shown from the start.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, bindparam, case, delete, func, insert, or_, select, update

from app.models import games, seals
from engine.deals import SEALED_LETTERS, DealCode, commitment

_SEALED_LENGTH = len("YU1-C-") + SEALED_LETTERS
_CLOSED = select(seals.c.code).where(
    seals.c.code.in_(bindparam("codes", expanding=True)),
    or_(seals.c.opens_at.is_(None), seals.c.opens_at > bindparam("now")),
)


def add(connection: Connection, code: DealCode, opens_at: int | None) -> None:
    """Seal a deal until `opens_at` (ms since 1970; None: until that is set)."""
    connection.execute(
        insert(seals).values(code=str(code), commitment=commitment(code), opens_at=opens_at)
    )


def drop(connection: Connection, code: str) -> None:
    """Forget the seal of a deal that nobody has been dealt."""
    connection.execute(delete(seals).where(seals.c.code == code))


def open_at(connection: Connection, code: str, at: int) -> None:
    """From then on (ms since 1970) everybody may know a sealed deal."""
    connection.execute(update(seals).where(seals.c.code == code).values(opens_at=at))


def kept_from(
    connection: Connection, player_id: int | None, codes: Iterable[str], now: int
) -> set[str]:
    """Which of these codes the player (None: nobody in particular) may not know at `now`."""
    asked = [code for code in set(codes) if len(code) == _SEALED_LENGTH]
    if not asked:
        return set()
    kept = set(connection.scalars(_CLOSED, {"codes": asked, "now": now}))
    if not kept or player_id is None:
        return kept
    is_playing = func.sum(case((games.c.status == "playing", 1), else_=0))
    is_finished = func.sum(case(((games.c.status != "playing") & (games.c.moves > 0), 1), else_=0))
    known = (
        select(games.c.code)
        .where(games.c.player_id == player_id, games.c.code.in_(kept))
        .group_by(games.c.code)
        .having(is_playing == 0, is_finished > 0)
    )
    return kept - set(connection.scalars(known))
