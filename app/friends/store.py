"""Friendships and friends' links in the database.

A friendship is two rows, one for each of the two, so that either's friends are found by their own.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, or_, select

from app.models import friend_links, friendships, players
from app.players.store import lock

MOST = 200
"""Friends that a player may have."""
_KEY_BYTES = 12


@dataclass(frozen=True, slots=True)
class Friend:
    """A friend of a player's. `key` names the friendship for that player alone; `since` in ms."""

    key: str
    name: str | None
    since: int


def of_player(connection: Connection, player_id: int) -> list[Friend]:
    """A player's friends, the latest first."""
    found = connection.execute(
        select(friendships.c.key, players.c.name, friendships.c.since)
        .join(players, players.c.id == friendships.c.friend_id)
        .where(friendships.c.player_id == player_id)
        .order_by(friendships.c.since.desc(), friendships.c.key)
    )
    return [Friend(row.key, row.name, row.since) for row in found]


def count(connection: Connection, player_id: int) -> int:
    """How many friends a player has."""
    mine = friendships.c.player_id == player_id
    return connection.scalar(select(func.count()).where(mine)) or 0


def are_friends(connection: Connection, one: int, other: int) -> bool:
    """Whether two players are friends."""
    both = (friendships.c.player_id == one, friendships.c.friend_id == other)
    return connection.scalar(select(friendships.c.since).where(*both)) is not None


def lock_both(connection: Connection, one: int, other: int) -> None:
    """Have the two players' other friendships wait."""
    for each in sorted((one, other)):
        lock(connection, each)


def befriend(connection: Connection, one: int, other: int, since: int) -> None:
    """Make two players, who are not yet, friends."""
    connection.execute(
        insert(friendships),
        [
            {
                "player_id": a,
                "friend_id": b,
                "key": secrets.token_urlsafe(_KEY_BYTES),
                "since": since,
            }
            for a, b in ((one, other), (other, one))
        ],
    )


def friend_of(connection: Connection, player_id: int, key: str) -> int | None:
    """The friend whom a player knows by this key."""
    mine = (friendships.c.player_id == player_id, friendships.c.key == key)
    found: int | None = connection.scalar(select(friendships.c.friend_id).where(*mine))
    return found


def part(connection: Connection, one: int, other: int) -> None:
    """Make two players friends no more."""
    for a, b in ((one, other), (other, one)):
        both = (friendships.c.player_id == a, friendships.c.friend_id == b)
        connection.execute(delete(friendships).where(*both))


def forget(connection: Connection, player_id: int) -> None:
    """Forget a player's friends, and the link that they have made."""
    theirs = or_(friendships.c.player_id == player_id, friendships.c.friend_id == player_id)
    connection.execute(delete(friendships).where(theirs))
    end_link(connection, player_id)


def merge(connection: Connection, guest: int, player: int) -> None:
    """Give a player the guest's friends, the oldest first, as far as there is place."""
    theirs = connection.execute(
        select(friendships.c.friend_id, friendships.c.since)
        .where(friendships.c.player_id == guest, friendships.c.friend_id != player)
        .order_by(friendships.c.since, friendships.c.key)
    ).all()
    forget(connection, guest)
    for friend, since in theirs:
        if count(connection, player) < MOST and not are_friends(connection, player, friend):
            befriend(connection, player, friend, since)


# --- links --------------------------------------------------------------------------------


def keep_link(connection: Connection, player_id: int, token_hash: bytes, ends_at: int) -> None:
    """Keep a player's link until `ends_at`; an earlier one ends."""
    end_link(connection, player_id)
    connection.execute(
        insert(friend_links).values(token_hash=token_hash, player_id=player_id, ends_at=ends_at)
    )


def end_link(connection: Connection, player_id: int) -> None:
    """End a player's link."""
    connection.execute(delete(friend_links).where(friend_links.c.player_id == player_id))


def link_ends(connection: Connection, player_id: int, now: int) -> int | None:
    """When a player's link ends (ms since 1970); None where there is none."""
    mine = (friend_links.c.player_id == player_id, friend_links.c.ends_at > now)
    found: int | None = connection.scalar(select(friend_links.c.ends_at).where(*mine))
    return found


def linked(connection: Connection, token_hash: bytes, now: int) -> tuple[int, str | None] | None:
    """Whose link this is, and their name; None when there is none (any more)."""
    row = connection.execute(
        select(players.c.id, players.c.name)
        .join(friend_links, friend_links.c.player_id == players.c.id)
        .where(friend_links.c.token_hash == token_hash, friend_links.c.ends_at > now)
    ).first()
    return None if row is None else (row.id, row.name)
