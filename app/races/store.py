"""Rooms, entries and how they stand, in the database."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    Select,
    and_,
    bindparam,
    delete,
    exists,
    insert,
    or_,
    select,
    update,
)

from app.bus import race_topic, tell
from app.games import seals
from app.models import entries, games, players, races
from app.races.machine import IDLE_MS, LIMIT_MS, Entry, Room
from app.races.standing import Runner
from engine.deals import DealCode
from engine.position import decode

_ID = re.compile(r"[A-Za-z0-9_-]{7,24}")
LETTERS = re.compile(r"[A-HJ-NP-Z]{6}")
"""Six letters, without I and O, which look like digits."""

_ROOM = ("letters", "code", "rule", "duel", "state", "host", "changed_at")
_ROOM_LATER = ("starts_at", "ended_at", "next_id")
_ENTRY = ("seat", "player_id", "joined_at", "ready", "strength", "pace", "game_id", "browser")

# What every look at a race asks: composing a statement takes longer than running it.
_BY_LETTERS = select(races).where(races.c.letters == bindparam("ref"))
_BY_ID = select(races).where(races.c.id == bindparam("ref"))
_ENTRIES = select(entries).where(entries.c.race_id == bindparam("race_id")).order_by(entries.c.seat)
_RUNNERS: Select[Any] = (
    select(
        *(entries.c[name] for name in ("seat", "player_id", "ready", "strength", "pace")),
        entries.c.game_id,
        players.c.name,
        *(games.c[name] for name in ("status", "position", "moves", "elapsed_ms", "changed_at")),
        games.c.version.label("game_version"),
    )
    .join(players, players.c.id == entries.c.player_id)
    .outerjoin(games, games.c.id == entries.c.game_id)
    .where(entries.c.race_id == bindparam("race_id"))
    .order_by(entries.c.seat)
)


@dataclass(frozen=True, slots=True)
class Turn:
    """A computer player whose move is due at `next_at`; `plan` are the moves it means to play."""

    race_id: str
    seat: int
    game_id: str
    strength: str
    pace: str
    next_at: int
    plan: str


def find(connection: Connection, ref: str, *, locked: bool = False) -> Room | None:
    """The room with this id or these letters; `locked`: nobody else changes it meanwhile."""
    if LETTERS.fullmatch(ref):
        asked = _BY_LETTERS
    elif _ID.fullmatch(ref):
        asked = _BY_ID
    else:
        return None
    row = connection.execute(asked.with_for_update() if locked else asked, {"ref": ref}).first()
    if row is None:
        return None
    found = connection.execute(_ENTRIES, {"race_id": row.id})
    values = {name: getattr(row, name) for name in (*_ROOM, *_ROOM_LATER)}
    return Room(
        id=row.id,
        version=row.version,
        entries=tuple(Entry(*(getattr(each, name) for name in _ENTRY)) for each in found),
        **values,
    )


def create(connection: Connection, room: Room) -> None:
    """Store a new room without anybody in it."""
    values = {name: getattr(room, name) for name in ("id", "version", *_ROOM, *_ROOM_LATER)}
    connection.execute(insert(races).values(values))


def save(connection: Connection, before: Room, after: Room) -> Room:
    """Store what has become of a room that was read locked; those who watch are told."""
    if after == before:
        return before
    after = replace(after, version=before.version + 1)
    connection.execute(
        update(races)
        .where(races.c.id == after.id)
        .values(
            {name: getattr(after, name) for name in ("version", *_ROOM, *_ROOM_LATER)},
        )
    )
    old = {each.seat: each for each in before.entries}
    new = {each.seat: each for each in after.entries}
    for seat, entry in old.items():
        if seat not in new or new[seat].player_id != entry.player_id:
            connection.execute(
                delete(entries).where(entries.c.race_id == after.id, entries.c.seat == seat)
            )
    for seat, entry in new.items():
        values = {name: getattr(entry, name) for name in _ENTRY}
        if seat not in old or old[seat].player_id != entry.player_id:
            connection.execute(insert(entries).values(race_id=after.id, **values))
        elif old[seat] != entry:
            connection.execute(
                update(entries)
                .where(entries.c.race_id == after.id, entries.c.seat == seat)
                .values(values)
            )
    tell(connection, race_topic(after.id))
    return after


def runners(connection: Connection, room: Room, now: int) -> list[Runner]:
    """Everybody in a room and how they stand, by seat."""
    found = connection.execute(_RUNNERS, {"race_id": room.id})
    return [_runner(row, room, now) for row in found]


def _runner(row: Row[Any], room: Room, now: int) -> Runner:
    who = (row.seat, row.player_id, row.name, row.strength, row.pace)
    if row.game_id is None:
        return Runner(*who, "ready" if row.ready else "waiting")
    position = decode(row.position)
    cards = sum(map(len, position.foundations))
    playing = row.status == "playing"
    return Runner(
        *who,
        state="racing" if playing else row.status,
        cards=cards,
        of=13 * len(position.foundations),
        moves=row.moves,
        elapsed_ms=max(0, now - (room.starts_at or now)) if playing else row.elapsed_ms,
        finished_at=None if playing else row.changed_at,
        game_id=row.game_id,
        version=row.game_version,
    )


def playing(connection: Connection, room: Room) -> list[str]:
    """The ids of a race's games under way."""
    ids = [each.game_id for each in room.entries if each.game_id]
    under_way = select(games.c.id).where(games.c.id.in_(ids), games.c.status == "playing")
    return list(connection.scalars(under_way))


def choose_deal(connection: Connection, race_id: str, code: DealCode) -> bool:
    """Let a race be played on this deal; False when its cards have been dealt already."""
    held = select(races.c.code).where(
        races.c.id == race_id, races.c.state.in_(("lobby", "countdown"))
    )
    old = connection.scalar(held.with_for_update())
    if old is None:
        return False
    seals.add(connection, code, None)
    connection.execute(update(races).where(races.c.id == race_id).values(code=str(code)))
    seals.drop(connection, old)
    return True


def has_letters(connection: Connection, letters: str) -> bool:
    """Whether a room has these letters."""
    return connection.scalar(select(races.c.id).where(races.c.letters == letters)) is not None


def due(connection: Connection, now: int) -> list[str]:
    """The rooms in which something happens by itself now (see `machine`)."""
    under_way = exists().where(
        entries.c.race_id == races.c.id,
        entries.c.game_id == games.c.id,
        games.c.status == "playing",
    )
    asked = select(races.c.id).where(
        or_(
            and_(races.c.state == "countdown", races.c.starts_at <= now),
            and_(
                races.c.state == "running",
                or_(races.c.starts_at <= now - LIMIT_MS, ~under_way),
            ),
            and_(races.c.state == "lobby", races.c.changed_at <= now - IDLE_MS),
        )
    )
    return list(connection.scalars(asked))


def turns(connection: Connection, now: int) -> list[Turn]:
    """The computer players whose move is due."""
    names = [entries.c[name] for name in Turn.__dataclass_fields__]
    due_now = select(*names).where(entries.c.next_at <= now).order_by(entries.c.next_at)
    return [Turn(*row) for row in connection.execute(due_now)]


def wake(connection: Connection, race_id: str, seats: Iterable[int], at: int) -> None:
    """From then on these computer players play."""
    connection.execute(
        update(entries)
        .where(entries.c.race_id == race_id, entries.c.seat.in_(list(seats)))
        .values(next_at=at)
    )


def turn(connection: Connection, turn: Turn, next_at: int | None, plan: str) -> bool:
    """Take a turn: when the next one is, and what is planned; False when another took it."""
    taken = connection.execute(
        update(entries)
        .where(
            entries.c.race_id == turn.race_id,
            entries.c.seat == turn.seat,
            entries.c.next_at == turn.next_at,
        )
        .values(next_at=next_at, plan=plan)
    )
    return taken.rowcount == 1


def race_of(connection: Connection, game_id: str) -> str | None:
    """The race that a game is played in."""
    found: str | None = connection.scalar(select(games.c.race_id).where(games.c.id == game_id))
    return found


def strength_of(connection: Connection, game_id: str) -> str | None:
    """The strength of the computer player whose game in a race this is; None for a person's."""
    found: str | None = connection.scalar(
        select(entries.c.strength).where(entries.c.game_id == game_id)
    )
    return found
