"""Results: one row for each game won or ended, written once, and how they rank.

The ranking of results on one deal: ranked score (higher), then moves (fewer), then time
(shorter), then finished earlier; won games above ended ones. `order_key` packs the first three
steps into one ascending number, so that one index serves a board.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    and_,
    bindparam,
    func,
    insert,
    not_,
    or_,
    select,
    update,
)

from app.games.store import Stored
from app.jobs import proofs
from app.models import events, games, results
from app.players import store as players

_SCORES, _MOVES = 1 << 20, 1 << 24

FLAGGED, KEPT_OUT, CLEARED = "flagged", "out", "cleared"
"""What `review` says of a result that was too fast; the first two are on no leaderboard."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a result stands on its deal: `place` from 1, `of` so many players.

    `place` is None for a result that is under review, or was kept out.
    """

    place: int | None
    of: int
    is_best: bool
    review: str | None = None


def order_key(won: bool, score: int, moves: int) -> int:
    """The ascending ranking number of a result."""
    return ((not won) * _SCORES + (_SCORES - 1 - score)) * _MOVES + min(moves, _MOVES - 1)


def day_of(at: int) -> int:
    """The UTC day of a time in ms, as the number yyyymmdd."""
    date = datetime.fromtimestamp(at / 1000, UTC).date()
    return date.year * 10_000 + date.month * 100 + date.day


def week_of(at: int) -> int:
    """The ISO week of a time in ms (UTC), as the number yyyyww."""
    year, week, _ = datetime.fromtimestamp(at / 1000, UTC).isocalendar()
    return year * 100 + week


def month_of(at: int) -> int:
    """The UTC month of a time in ms, as the number yyyymm."""
    return day_of(at) // 100


def add(connection: Connection, stored: Stored, *, too_fast: int | None = None) -> None:
    """Write the result of a game that has just been won or ended.

    Of a player's results on a deal three stand on leaderboards, so that nobody fills one: the
    best, the best clean one, and the first try. `listed` says that a result is any of these; an
    unlisted game's (against the computer) is none, nor is one that is flagged for review:
    `too_fast` is its time from move to move in ms.
    The line of a win may be the deal's best: then it sets par.
    """
    if stored.practice:
        return
    won, score, at = stored.status == "won", stored.game.score.ranked, stored.changed_at
    key, time_ms = order_key(won, score, stored.game.moves), stored.clock.elapsed_ms
    is_clean = stored.game.undos == 0 and stored.hints == 0
    players.lock(connection, stored.player_id)
    is_flagged = too_fast is not None and not stored.unlisted
    listed = not stored.unlisted and not is_flagged
    best = listed and _displaces(connection, stored, results.c.best, (key, time_ms))
    clean_best = (
        listed and is_clean and _displaces(connection, stored, results.c.clean_best, (key, time_ms))
    )
    connection.execute(_UNLIST, _of(stored))
    connection.execute(
        insert(results),
        {
            "game_id": stored.id,
            "player_id": stored.player_id,
            "code": str(stored.code),
            "rule": stored.code.rule,
            "won": won,
            "best": best,
            "clean_best": clean_best,
            "listed": best or clean_best or (listed and stored.first_try),
            "score": score,
            "moves": stored.game.moves,
            "time_ms": time_ms,
            "undos": stored.game.undos,
            "hints": stored.hints,
            "first_try": stored.first_try,
            "order_key": key,
            "day": day_of(at),
            "week": week_of(at),
            "month": month_of(at),
            "finished_at": at,
            "review": FLAGGED if is_flagged else None,
            "pace_ms": too_fast if is_flagged else None,
        },
    )
    if won:
        proof = proofs.short_line(str(stored.code), stored.game.line, None, "player")
        proofs.keep_deal(connection, proof, stored.code.rule, at)


def settle(connection: Connection, player_id: int, code: str) -> None:
    """Say anew which of a player's games on a deal counts as what: after two players became one,
    or a review has decided.

    Of several first tries the game that was moved in first stays one.
    """
    mine = games.c.player_id == player_id, games.c.code == code
    moved = (
        select(func.min(events.c.at))
        .where(events.c.game_id == games.c.id, events.c.kind == "move")
        .scalar_subquery()
    )
    tries = connection.scalars(
        select(games.c.id)
        .where(*mine, games.c.first_try, games.c.moves > 0, not_(games.c.practice))
        .order_by(moved, games.c.created_at, games.c.id)
    ).all()
    for table, game_id in ((games, games.c.id), (results, results.c.game_id)):
        connection.execute(update(table).where(game_id.in_(tries[1:])).values(first_try=False))
    ranked = connection.execute(
        select(results.c.id, results.c.undos, results.c.hints, results.c.first_try)
        .join(games, games.c.id == results.c.game_id)
        .where(*mine, not_(games.c.unlisted), shown())
        .order_by(results.c.order_key, results.c.time_ms, results.c.finished_at, results.c.id)
    ).all()
    clean = [row.id for row in ranked if row.undos == 0 and row.hints == 0][:1]
    for place, row in enumerate(ranked):
        best, clean_best = place == 0, row.id in clean
        connection.execute(
            update(results)
            .where(results.c.id == row.id)
            .values(best=best, clean_best=clean_best, listed=best or clean_best or row.first_try)
        )


def shown() -> ColumnElement[bool]:
    """The results that no review keeps off the leaderboards."""
    return or_(results.c.review.is_(None), results.c.review == CLEARED)


# Statements are composed once: composing them takes longer than running them.
_OF_PLAYER = (
    results.c.player_id == bindparam("my_player_id"),
    results.c.code == bindparam("my_code"),
)
_HOLDERS = {
    flag: select(results.c.id, results.c.order_key, results.c.time_ms)
    .where(*_OF_PLAYER, flag)
    .limit(1)
    for flag in (results.c.best, results.c.clean_best)
}
_UNLIST = (
    update(results)
    .where(
        *_OF_PLAYER,
        results.c.listed,
        not_(results.c.best),
        not_(results.c.clean_best),
        not_(results.c.first_try),
    )
    .values(listed=False)
)


def _of(stored: Stored) -> dict[str, Any]:
    """A game's player and its deal, for the statements."""
    return {"my_player_id": stored.player_id, "my_code": str(stored.code)}


def _displaces(
    connection: Connection, stored: Stored, flag: Column[Any], mine: tuple[int, int]
) -> bool:
    """Whether a result of this order key and time takes the flag from the one that has it."""
    holder = connection.execute(_HOLDERS[flag], _of(stored)).first()
    if holder is None:
        return True
    if mine >= (holder.order_key, holder.time_ms):
        return False
    connection.execute(update(results).where(results.c.id == holder.id).values({flag: False}))
    return True


def _is_ahead() -> ColumnElement[bool]:
    """The results that rank above one whose values are given."""
    columns = (results.c.order_key, results.c.time_ms, results.c.finished_at, results.c.id)
    mine = [bindparam(f"my_{column.name}", type_=column.type) for column in columns]
    return or_(
        *(
            and_(
                *(column == value for column, value in zip(columns[:n], mine[:n], strict=True)),
                columns[n] < mine[n],
            )
            for n in range(len(columns))
        )
    )


_OTHERS = select(func.count()).where(
    results.c.code == bindparam("my_code"),
    results.c.listed,
    results.c.best,
    results.c.player_id != bindparam("my_player_id"),
)
_AHEAD = _OTHERS.where(_is_ahead())


def standing(connection: Connection, game_id: str) -> Standing | None:
    """Where a finished game's result would stand among the best results on its deal."""
    row = connection.execute(select(results).where(results.c.game_id == game_id)).first()
    if row is None:
        return None
    if row.review in (FLAGGED, KEPT_OUT):
        return Standing(None, 0, False, row.review)
    mine = {f"my_{name}": value for name, value in row._mapping.items()}
    ahead = connection.scalar(_AHEAD, mine) or 0
    of = connection.scalar(_OTHERS, mine) or 0
    return Standing(ahead + 1, of + 1, row.best)
