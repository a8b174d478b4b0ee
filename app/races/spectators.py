"""Who watches a race, over all server processes, for the spectators' limit.

Each process writes down whom it serves, and says now and then that it still does: what a process
that died has left ends by itself. A spectator is the hash of a player's cookie or of an address,
kept while they watch; with two pages open they are one.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from sqlalchemy import Connection, bindparam, delete, func, insert, select, tuple_, update

from app.bus import race_topic, tell
from app.db import Database
from app.models import races, spectators
from app.players.service import token_hash
from app.races.machine import SPECTATORS

KEEP_S = 15.0
LEASE_MS = 45_000
"""For how long a spectator is believed in whose server says nothing."""

_COUNT = select(func.count(spectators.c.who.distinct())).where(
    spectators.c.race_id == bindparam("race_id"), spectators.c.ends_at > bindparam("now")
)

Watching = tuple[str, str]
"""A race's id, and who watches it."""


def count(connection: Connection, race_id: str, now: int) -> int:
    """How many watch a race."""
    return connection.scalar(_COUNT, {"race_id": race_id, "now": now}) or 0


class Spectators:
    """Those whom one server process serves."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._server = secrets.token_urlsafe(12)
        self._now = now

    def enter(self, race_id: str, who: str) -> bool:
        """Note that somebody watches a race; False when so many others do that there is no place.

        The race's row is locked, so that two processes do not give the last place away twice.
        """
        key, now = token_hash(who), self._now()
        here = spectators.c.race_id == race_id
        with self._database.write() as connection:
            connection.execute(select(races.c.id).where(races.c.id == race_id).with_for_update())
            connection.execute(delete(spectators).where(here, spectators.c.ends_at <= now))
            mine = (here, spectators.c.who == key)
            servers = set(connection.scalars(select(spectators.c.server).where(*mine)))
            if self._server in servers:
                return True
            if not servers and count(connection, race_id, now) >= SPECTATORS:
                return False
            connection.execute(insert(spectators).values(self._row(race_id, key)))
            if not servers:
                tell(connection, race_topic(race_id))
        return True

    def keep(self, watching: set[Watching]) -> None:
        """Say whom this process serves now; whom nobody serves any more is forgotten."""
        now, table = self._now(), spectators
        wanted = {(race_id, token_hash(who)) for race_id, who in watching}
        ours = table.c.server == self._server
        is_over = select(table.c.race_id, table.c.who, table.c.server).where(table.c.ends_at <= now)
        with self._database.write() as connection:
            kept = select(table.c.race_id, table.c.who).where(ours)
            found = {(row.race_id, row.who) for row in connection.execute(kept)}
            connection.execute(update(table).where(ours).values(ends_at=now + LEASE_MS))
            left = [(*each, self._server) for each in found - wanted]
            # other processes look, too: each takes what no other has taken
            lost = connection.execute(is_over.with_for_update(skip_locked=True)).all()
            gone = [*left, *(tuple(row) for row in lost)]
            if gone:
                key = tuple_(table.c.race_id, table.c.who, table.c.server)
                connection.execute(delete(table).where(key.in_(gone)))
            new = [self._row(*each) for each in wanted - found]
            if new:
                connection.execute(insert(table), new)
            for race_id in {each[0] for each in gone} | {each["race_id"] for each in new}:
                tell(connection, race_topic(str(race_id)))

    def _row(self, race_id: str, key: bytes) -> dict[str, object]:
        return {
            "race_id": race_id,
            "who": key,
            "server": self._server,
            "ends_at": self._now() + LEASE_MS,
        }
