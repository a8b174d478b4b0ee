"""Passkeys and challenges in the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select, update

from app.models import challenges, passkeys


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey as its player sees it; `device` is empty where the browser did not say."""

    id: int
    device: str
    created_at: int
    used_at: int | None


@dataclass(frozen=True, slots=True)
class Stored:
    """A passkey as it is believed: whose it is, and what its answers are held against."""

    id: int
    player_id: int
    public_key: bytes
    handle: bytes
    sign_count: int


def of_player(connection: Connection, player_id: int) -> list[Passkey]:
    """A player's passkeys, the oldest first."""
    rows = connection.execute(
        select(passkeys.c.id, passkeys.c.device, passkeys.c.created_at, passkeys.c.used_at)
        .where(passkeys.c.player_id == player_id)
        .order_by(passkeys.c.created_at, passkeys.c.id)
    )
    return [Passkey(*row) for row in rows]


def handle_and_ids(connection: Connection, player_id: int) -> tuple[bytes | None, Sequence[bytes]]:
    """By which handle a player's passkeys know them (None: there are none), and their ids."""
    rows = connection.execute(
        select(passkeys.c.handle, passkeys.c.credential_id)
        .where(passkeys.c.player_id == player_id)
        .order_by(passkeys.c.id)
    ).all()
    return (rows[0].handle if rows else None), [row.credential_id for row in rows]


def by_credential(connection: Connection, credential_id: bytes) -> Stored | None:
    """The passkey with this id."""
    c = passkeys.c
    row = connection.execute(
        select(c.id, c.player_id, c.public_key, c.handle, c.sign_count).where(
            c.credential_id == credential_id
        )
    ).first()
    return Stored(*row) if row else None


def add(
    connection: Connection,
    player_id: int,
    handle: bytes,
    device: str,
    now: int,
    *,
    credential_id: bytes,
    public_key: bytes,
    sign_count: int,
) -> int:
    """Keep a player's new passkey; its id. Raises IntegrityError where it is kept already."""
    kept = connection.execute(
        insert(passkeys).values(
            player_id=player_id,
            credential_id=credential_id,
            public_key=public_key,
            handle=handle,
            sign_count=sign_count,
            device=device,
            created_at=now,
        )
    )
    assert kept.inserted_primary_key is not None
    return int(kept.inserted_primary_key[0])


def use(connection: Connection, stored: Stored, sign_count: int, now: int) -> bool:
    """Note that a passkey was used; False when it is gone, or was used meanwhile."""
    done = connection.execute(
        update(passkeys)
        .where(passkeys.c.id == stored.id, passkeys.c.sign_count == stored.sign_count)
        .values(sign_count=sign_count, used_at=now)
    )
    return done.rowcount == 1


def remove(connection: Connection, player_id: int, passkey_id: int) -> bool:
    """Let a passkey in no more; False where the player has no such one."""
    gone = connection.execute(
        delete(passkeys).where(passkeys.c.id == passkey_id, passkeys.c.player_id == player_id)
    )
    return gone.rowcount == 1


# --- challenges ---------------------------------------------------------------------------


def keep_challenge(
    connection: Connection,
    token_hash: bytes,
    challenge: bytes,
    handle: bytes | None,
    now: int,
    ends_at: int,
) -> None:
    """Keep a challenge until `ends_at`: with a handle to make a passkey, without to use one."""
    connection.execute(delete(challenges).where(challenges.c.ends_at <= now))
    connection.execute(
        insert(challenges).values(
            token_hash=token_hash, challenge=challenge, handle=handle, ends_at=ends_at
        )
    )


def take_challenge(
    connection: Connection, token_hash: bytes, now: int
) -> tuple[bytes, bytes | None] | None:
    """Use a challenge up: it and its handle. None when there is none (any more)."""
    row = connection.execute(
        select(challenges.c.challenge, challenges.c.handle).where(
            challenges.c.token_hash == token_hash, challenges.c.ends_at > now
        )
    ).first()
    gone = connection.execute(delete(challenges).where(challenges.c.token_hash == token_hash))
    return (row.challenge, row.handle) if row and gone.rowcount == 1 else None
