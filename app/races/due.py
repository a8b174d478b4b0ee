"""What a race does by itself: go, its end, the closing of an idle room.

It is done by whoever looks next, and by `keep`, which every server calls several times a second:
a restart loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sqlalchemy import Connection

from app.db import Database
from app.games import seals
from app.games.service import GameService
from app.races import machine, store
from app.races.machine import Room
from app.races.view import found
from engine.deals import parse_code

_LATE_MS = 2_000
FIRST_MOVE_MS = 1_500
"""How long a computer player looks at the cards before its first move, at the least."""


class Due:
    """What is due in the races of one database."""

    def __init__(self, database: Database, games: GameService) -> None:
        self._database = database
        self._games = games
        self.now: Callable[[], int] = games.now

    def keep(self) -> None:
        """Do what is due in all rooms."""
        with self._database.read() as connection:
            due = store.due(connection, self.now())
        for race_id in due:
            self.settle(race_id)

    def settle(self, ref: str) -> None:
        """Do what is due in one room. Raises RaceNotFound."""
        with self._database.read() as connection:
            room = found(connection, ref)
            if not self.is_due(room, bool(store.playing(connection, room))):
                return
        with self._database.write() as connection:
            room = found(connection, ref, locked=True)
            if self.is_due(room, bool(store.playing(connection, room))):
                self.saved(connection, room, self._after(connection, room))

    def is_due(self, room: Room, is_played: bool) -> bool:
        """Whether something is; `is_played`: a game of the race is under way."""
        now = self.now()
        if room.state == "running":
            return machine.is_late(room, now) or not is_played
        return machine.begins(room, now) or machine.is_idle(room, now)

    def _after(self, connection: Connection, room: Room) -> Room:
        now = self.now()
        if room.state == "countdown":
            return self._begun(connection, room)
        if room.state == "lobby":
            return machine.close(room, now)
        for game_id in store.playing(connection, room):
            self._games.end_within(connection, game_id)
        seals.open_at(connection, room.code, now)
        return machine.end(room, now)

    def _begun(self, connection: Connection, room: Room) -> Room:
        """Go: everybody's clock runs from the moment that was announced."""
        assert room.starts_at is not None
        now = self.now()
        at = room.starts_at if now - room.starts_at <= _LATE_MS else now  # the server was away
        return machine.begin(
            replace(room, starts_at=at),
            [
                self._games.deal_race(
                    connection,
                    each.player_id,
                    parse_code(room.code),
                    room.id,
                    at,
                    unlisted=each.strength is not None or room.unlisted,
                )
                for each in room.entries
            ],
            now,
        )

    def saved(self, connection: Connection, before: Room, after: Room) -> Room:
        """Write a room that has changed; computer players wake at go."""
        saved = store.save(connection, before, after)
        if saved.state == "running" and before.state != "running":
            computers = [each.seat for each in saved.entries if each.strength]
            store.wake(connection, saved.id, computers, self.now() + FIRST_MOVE_MS)
        return saved
