"""Players in the database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, exists, insert, select, update

from app.models import devices, passkeys, players

SEEN = select(
    players.c.id,
    players.c.name,
    players.c.password_hash,
    players.c.prefs,
    exists().where(passkeys.c.player_id == players.c.id).label("has_passkey"),
)
"""What `seen` makes a player of."""
_BY_TOKEN = SEEN.join(devices, devices.c.player_id == players.c.id).where(
    devices.c.token_hash == bindparam("token_hash")
)


@dataclass(frozen=True, slots=True)
class Player:
    """A player: `name` is None until they give one.

    `prefs`: the settings as text (`app.prefs`), None before any was chosen.
    """

    id: int
    name: str | None
    has_password: bool = False
    has_passkey: bool = False
    prefs: str | None = None

    @property
    def signs_in(self) -> bool:
        """Whether they can come back without a device that is signed in."""
        return self.has_password or self.has_passkey


def seen(row: Row[Any] | None) -> Player | None:
    """The player of a row of `SEEN`, None of none."""
    if row is None:
        return None
    return Player(row.id, row.name, row.password_hash is not None, row.has_passkey, row.prefs)


def by_token_hash(connection: Connection, token_hash: bytes) -> Player | None:
    """The player with a device whose cookie hashes to this."""
    return seen(connection.execute(_BY_TOKEN, {"token_hash": token_hash}).first())


def create(connection: Connection, token_hash: bytes | None, now: int) -> Player:
    """A new player without a name, on one device (on none where there is no token)."""
    result = connection.execute(insert(players).values(created_at=now))
    key = result.inserted_primary_key
    assert key is not None
    if token_hash is not None:
        add_device(connection, key[0], token_hash, now)
    return Player(key[0], None)


def add_device(connection: Connection, player_id: int, token_hash: bytes, now: int) -> None:
    """Know a player by one more cookie."""
    connection.execute(
        insert(devices).values(player_id=player_id, token_hash=token_hash, created_at=now)
    )


def has_name(connection: Connection, key: str, player_id: int) -> bool:
    """Whether another player has a name that folds to this."""
    found = connection.scalar(select(players.c.id).where(players.c.name_key == key))
    return found is not None and found != player_id


def rename(connection: Connection, player_id: int, name: str, key: str) -> None:
    """Give a player a display name; `key` is what it folds to, which is unique."""
    connection.execute(
        update(players).where(players.c.id == player_id).values(name=name, name_key=key)
    )


def keep_prefs(connection: Connection, player_id: int, prefs: str) -> None:
    """Keep a player's settings."""
    connection.execute(update(players).where(players.c.id == player_id).values(prefs=prefs))


def prefs_of(connection: Connection, player_id: int) -> str | None:
    """A player's settings, None when none were ever chosen."""
    found: str | None = connection.scalar(select(players.c.prefs).where(players.c.id == player_id))
    return found


def lock(connection: Connection, player_id: int) -> None:
    """Have the player's other writes wait, for what counts over all their games.

    On SQLite they wait anyhow: it has one writer at a time.
    """
    if connection.dialect.name == "sqlite":
        return
    connection.execute(
        select(players.c.id).where(players.c.id == player_id).with_for_update(key_share=True)
    )
