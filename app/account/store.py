"""Devices, one-time links, passwords and attempts in the database."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from app.bus import race_topic, tell
from app.friends import store as friends
from app.models import (
    attempts,
    devices,
    entries,
    events,
    games,
    links,
    passkeys,
    players,
    races,
    results,
)
from app.players.store import SEEN, Player, seen


def player(connection: Connection, player_id: int) -> Player | None:
    """The player with this id."""
    return seen(connection.execute(SEEN.where(players.c.id == player_id)).first())


def count_devices(connection: Connection, player_id: int) -> int:
    """On how many devices a player is."""
    return connection.scalar(select(func.count()).where(devices.c.player_id == player_id)) or 0


def count_games(connection: Connection, player_id: int) -> int:
    """How many games a player has begun."""
    begun = (games.c.player_id == player_id, games.c.moves > 0)
    return connection.scalar(select(func.count()).where(*begun)) or 0


def remove_device(connection: Connection, token_hash: bytes) -> None:
    """Know no player by this cookie any more."""
    connection.execute(delete(devices).where(devices.c.token_hash == token_hash))


def remove_devices(connection: Connection, player_id: int, but: bytes | None = None) -> None:
    """Sign a player out everywhere, `but` on one device; a link that is out ends too."""
    gone = delete(devices).where(devices.c.player_id == player_id)
    connection.execute(gone if but is None else gone.where(devices.c.token_hash != but))
    connection.execute(delete(links).where(links.c.player_id == player_id))


# --- links --------------------------------------------------------------------------------


def keep_link(
    connection: Connection, player_id: int, token_hash: bytes, ends_at: int, now: int
) -> None:
    """Keep a player's link until `ends_at`; an earlier one ends."""
    connection.execute(
        delete(links).where(or_(links.c.player_id == player_id, links.c.ends_at <= now))
    )
    connection.execute(
        insert(links).values(token_hash=token_hash, player_id=player_id, ends_at=ends_at)
    )


def linked(connection: Connection, token_hash: bytes, now: int) -> Player | None:
    """Whose link this is, None when there is none (any more)."""
    found = connection.scalar(
        select(links.c.player_id).where(links.c.token_hash == token_hash, links.c.ends_at > now)
    )
    return None if found is None else player(connection, found)


def use_link(connection: Connection, token_hash: bytes) -> bool:
    """Use a link up; False when somebody else just has."""
    used = connection.execute(delete(links).where(links.c.token_hash == token_hash))
    return used.rowcount == 1


# --- passwords ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Credentials:
    """Who signs in by a name, and the hash of their password."""

    player: Player
    password_hash: str


def credentials(connection: Connection, name_key: str) -> Credentials | None:
    """What a name (folded) signs in with; None for a name without a password."""
    row = connection.execute(SEEN.where(players.c.name_key == name_key)).first()
    player = seen(row)
    if row is None or player is None or not player.has_password:
        return None
    return Credentials(player, row.password_hash)


def keep_password(connection: Connection, player_id: int, password_hash: str) -> None:
    """Keep a player's password."""
    connection.execute(
        update(players).where(players.c.id == player_id).values(password_hash=password_hash)
    )


def password_hash(connection: Connection, player_id: int) -> str | None:
    """The hash of a player's password."""
    found: str | None = connection.scalar(
        select(players.c.password_hash).where(players.c.id == player_id)
    )
    return found


def count_attempt(connection: Connection, key: str, now: int, lasts_ms: int) -> int:
    """Count an attempt; how many there have been since the first, at most `lasts_ms` ago."""
    connection.execute(delete(attempts).where(attempts.c.ends_at <= now))
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    first = dialect.insert(attempts).values(key=key, count=0, ends_at=now + lasts_ms)
    connection.execute(first.on_conflict_do_nothing())
    again = update(attempts).where(attempts.c.key == key).values(count=attempts.c.count + 1)
    connection.execute(again)
    return connection.scalar(select(attempts.c.count).where(attempts.c.key == key)) or 1


def forget_attempts(connection: Connection, key: str) -> None:
    """Begin counting anew."""
    connection.execute(delete(attempts).where(attempts.c.key == key))


# --- leaving ------------------------------------------------------------------------------


def leave_races(connection: Connection, player_id: int, with_: int | None = None) -> None:
    """Take a player's seats in races away; `with_`: only where this other player sits too.

    A room whose host goes gets another (that other player, else the first seat); an empty room
    goes as well.
    """
    seats = select(entries.c.race_id, entries.c.seat).where(entries.c.player_id == player_id)
    if with_ is not None:
        also = select(entries.c.race_id).where(entries.c.player_id == with_)
        seats = seats.where(entries.c.race_id.in_(also))
    for race_id, seat in connection.execute(seats).all():
        here = entries.c.race_id == race_id
        connection.execute(delete(entries).where(here, entries.c.seat == seat))
        people = select(func.min(entries.c.seat)).where(here, entries.c.strength.is_(None))
        if with_ is not None:
            people = people.where(entries.c.player_id == with_)
        heir = connection.scalar(people)
        if heir is None:
            connection.execute(delete(entries).where(here))
            connection.execute(delete(races).where(races.c.id == race_id))
            continue
        hosted = races.c.id == race_id, races.c.host == seat
        connection.execute(update(races).where(*hosted).values(host=heir))
        connection.execute(
            update(races).where(races.c.id == race_id).values(version=races.c.version + 1)
        )
        tell(connection, race_topic(race_id))


def forget(connection: Connection, player_id: int) -> None:
    """Delete a player and all that is theirs."""
    theirs = select(games.c.id).where(games.c.player_id == player_id)
    leave_races(connection, player_id)
    connection.execute(delete(results).where(results.c.player_id == player_id))
    connection.execute(delete(events).where(events.c.game_id.in_(theirs)))
    connection.execute(delete(games).where(games.c.player_id == player_id))
    friends.forget(connection, player_id)
    for table in (devices, links, passkeys):
        connection.execute(delete(table).where(table.c.player_id == player_id))
    connection.execute(delete(players).where(players.c.id == player_id))
