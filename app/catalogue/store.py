"""The catalogue in the database, and who examines which deals.

Builders take the open deals' numbers in batches. A batch is taken until a time, then done; one
whose builder has not been heard of is taken again.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Iterator
from typing import Any, Final

from sqlalchemy import Connection, and_, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from app.catalogue.shipped import Graded
from app.models import catalogue, catalogue_batches, catalogue_files, games
from engine.deals import open_code
from engine.levels import level

BATCH: Final = 20
"""Deals in a batch."""
LOTS: Final = 2**31


def _insert(connection: Connection, table: Any) -> Any:
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    return dialect.insert(table)


def add(connection: Connection, rule: str, deals: Iterable[Graded]) -> int:
    """Add deals, unless they are there; how many were given."""
    rows = []
    for graded in deals:
        code = str(open_code(rule, graded.number))
        lot = int.from_bytes(hashlib.sha256(code.encode()).digest()[:4], "big") % LOTS
        rows.append(
            {
                "code": code,
                "rule": rule,
                "number": graded.number,
                "level": level(rule, graded.mark),
                "mark": graded.mark,
                "lot": lot,
                "par": len(graded.line),
                "line": graded.line,
            }
        )
    if rows:
        connection.execute(_insert(connection, catalogue).on_conflict_do_nothing(), rows)
    return len(rows)


def counts(connection: Connection, rule: str) -> dict[str, int]:
    """How many deals of a game there are of each level."""
    found = connection.execute(
        select(catalogue.c.level, func.count())
        .where(catalogue.c.rule == rule)
        .group_by(catalogue.c.level)
    )
    return {row[0]: row[1] for row in found}


def pick(
    connection: Connection, rule: str, level_name: str, lot: int, player: int | None = None
) -> str | None:
    """The code of a deal of a level; None when there is none.

    `lot`: a random number 0 … `LOTS` - 1, which says what deal. `player`: deals of which this
    player has a game are passed over.
    """
    wanted = and_(catalogue.c.rule == rule, catalogue.c.level == level_name)
    if player is not None:
        played = select(games.c.id).where(
            games.c.player_id == player, games.c.code == catalogue.c.code
        )
        wanted = and_(wanted, ~played.exists())
    for part in (catalogue.c.lot >= lot, catalogue.c.lot < lot):
        code = connection.scalar(
            select(catalogue.c.code).where(wanted, part).order_by(catalogue.c.lot).limit(1)
        )
        if code is not None:
            return str(code)
    return None


def pick_for(connection: Connection, rule: str, level_name: str, player: int) -> str | None:
    """A deal of a level that the player has not had, by chance; None when there is none."""
    return pick(connection, rule, level_name, secrets.randbelow(LOTS), player)


def level_of(connection: Connection, code: str) -> str | None:
    """The level of a deal; None for one that is not in the catalogue."""
    found = connection.scalar(select(catalogue.c.level).where(catalogue.c.code == code))
    return None if found is None else str(found)


def graded(connection: Connection, code: str) -> Graded | None:
    """A deal of the catalogue, with its line."""
    row = connection.execute(
        select(catalogue.c.number, catalogue.c.mark, catalogue.c.line).where(
            catalogue.c.code == code
        )
    ).first()
    return None if row is None else Graded(row.number, row.mark, bytes(row.line))


def every(connection: Connection, rule: str) -> Iterator[Graded]:
    """A game's deals by their numbers."""
    found = connection.execute(
        select(catalogue.c.number, catalogue.c.mark, catalogue.c.line)
        .where(catalogue.c.rule == rule)
        .order_by(catalogue.c.number)
    )
    for row in found:
        yield Graded(row.number, row.mark, bytes(row.line))


def loaded(connection: Connection, rule: str) -> str | None:
    """The digest of the game's file that was loaded last."""
    found = connection.scalar(
        select(catalogue_files.c.digest).where(catalogue_files.c.rule == rule)
    )
    return None if found is None else str(found)


def set_loaded(connection: Connection, rule: str, digest: str) -> None:
    """Note which file has been loaded."""
    statement = _insert(connection, catalogue_files).values(rule=rule, digest=digest)
    connection.execute(
        statement.on_conflict_do_update(index_elements=["rule"], set_={"digest": digest})
    )


def take(connection: Connection, rule: str, worker: str, now: int, until: int) -> int | None:
    """Take a batch of a game's deals; its number, or None when another builder was faster.

    Batches left behind come first (rows that another builder is just taking are skipped), then
    the first after all that have been taken and all deals of the catalogue.
    """
    table = catalogue_batches
    left = connection.scalar(
        select(table.c.batch)
        .where(table.c.rule == rule, table.c.done_at.is_(None), table.c.taken_until < now)
        .order_by(table.c.batch)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    if left is not None:
        connection.execute(
            update(table)
            .where(table.c.rule == rule, table.c.batch == left)
            .values(worker=worker, taken_until=until)
        )
        return int(left)
    taken = connection.scalar(select(func.max(table.c.batch)).where(table.c.rule == rule))
    known = connection.scalar(select(func.max(catalogue.c.number)).where(catalogue.c.rule == rule))
    following = max(-1 if taken is None else taken, -1 if known is None else known // BATCH) + 1
    got = connection.scalar(
        _insert(connection, table)
        .values(rule=rule, batch=following, worker=worker, taken_until=until)
        .on_conflict_do_nothing()
        .returning(table.c.batch)
    )
    return None if got is None else int(got)


def finish(connection: Connection, rule: str, batch: int, now: int) -> None:
    """Note that a batch has been examined."""
    connection.execute(
        update(catalogue_batches)
        .where(catalogue_batches.c.rule == rule, catalogue_batches.c.batch == batch)
        .values(done_at=now)
    )


def give_back(connection: Connection, worker: str) -> None:
    """Let a builder's unfinished batches be taken again."""
    connection.execute(
        update(catalogue_batches)
        .where(catalogue_batches.c.worker == worker, catalogue_batches.c.done_at.is_(None))
        .values(taken_until=0)
    )
