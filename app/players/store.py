"""Players in the database."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, insert, select, update

from app.models import players


@dataclass(frozen=True, slots=True)
class Player:
    """A player: `name` is None until they give one."""

    id: int
    name: str | None


def by_token_hash(connection: Connection, token_hash: bytes) -> Player | None:
    """The player whose cookie hashes to this."""
    row = connection.execute(
        select(players.c.id, players.c.name).where(players.c.token_hash == token_hash)
    ).first()
    return Player(row.id, row.name) if row else None


def create(connection: Connection, token_hash: bytes, now: int) -> Player:
    """A new player without a name."""
    result = connection.execute(insert(players).values(token_hash=token_hash, created_at=now))
    key = result.inserted_primary_key
    assert key is not None
    return Player(key[0], None)


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

    On SQLite they wait anyhow.
    """
    connection.execute(
        select(players.c.id).where(players.c.id == player_id).with_for_update(key_share=True)
    )
