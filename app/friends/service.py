"""Friends by link: who opens a player's link and says so becomes their friend, and they theirs.

Nobody is found by name. Each function is one transaction, committed when it returns.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection

from app.db import Database
from app.errors import FriendLinkUnknown, FriendUnknown, RequestInvalid, TooManyFriends
from app.friends import store
from app.friends.store import MOST, Friend
from app.i18n import gettext as _
from app.players import service as players

LINK_LASTS_MS = 7 * 24 * 3_600_000
_LINK = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class Friends:
    """A player's friends, the latest first; `link_ends`: when the link that is out does."""

    friends: list[Friend]
    link_ends: int | None


@dataclass(frozen=True, slots=True)
class Invitation:
    """What a link says to whoever opens it: whose it is, and what the two are already."""

    name: str | None
    is_mine: bool
    are_friends: bool


class FriendService:
    """The friendships of one database; `now` gives the time in ms since 1970."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self.now = now

    def of(self, token: str | None) -> Friends:
        """The friends of the token's player."""
        with self._database.read() as connection:
            player = players.find(connection, token)
            if player is None:
                return Friends([], None)
            ends = store.link_ends(connection, player.id, self.now())
            return Friends(store.of_player(connection, player.id), ends)

    def make_link(self, token: str | None) -> tuple[str, str]:
        """A link's secret that makes friends for a week; and the player's token.

        The database keeps only its hash. A link made earlier ends.
        """
        secret = secrets.token_urlsafe(32)
        with self._database.write() as connection:
            player, token = players.find_or_create(connection, token, self.now())
            ends_at = self.now() + LINK_LASTS_MS
            store.keep_link(connection, player.id, players.token_hash(secret), ends_at)
        return secret, token

    def end_link(self, token: str | None) -> None:
        """End the link that is out; friends stay friends."""
        with self._database.write() as connection:
            player = players.find(connection, token)
            if player is not None:
                store.end_link(connection, player.id)

    def invitation(self, secret: str, token: str | None) -> Invitation:
        """What a link says; looking changes nothing. Raises FriendLinkUnknown."""
        with self._database.read() as connection:
            owner, name = self._linked(connection, secret)
            me = players.find(connection, token)
            return Invitation(
                name,
                me is not None and me.id == owner,
                me is not None and store.are_friends(connection, me.id, owner),
            )

    def _linked(self, connection: Connection, secret: str) -> tuple[int, str | None]:
        if _LINK.fullmatch(secret):
            found = store.linked(connection, players.token_hash(secret), self.now())
            if found is not None:
                return found
        raise FriendLinkUnknown(
            _("A link makes friends for a week. Ask your friend for a new one.")
        )

    def befriend(self, secret: str, token: str | None) -> str:
        """Make the token's player (or a new one) and the link's friends; the player's token.

        Who is one already stays one. Raises FriendLinkUnknown, TooManyFriends, and RequestInvalid
        for one's own link.
        """
        with self._database.write() as connection:
            now = self.now()
            owner, _name = self._linked(connection, secret)
            me, token = players.find_or_create(connection, token, now)
            if me.id == owner:
                raise RequestInvalid(_("This is your own link: send it to a friend"))
            store.lock_both(connection, me.id, owner)
            if store.are_friends(connection, me.id, owner):
                return token
            most = {"most": MOST}
            if store.count(connection, me.id) >= MOST:
                raise TooManyFriends(_("You have %(most)s friends already; no more fit") % most)
            if store.count(connection, owner) >= MOST:
                raise TooManyFriends(_("They have %(most)s friends already; no more fit") % most)
            store.befriend(connection, me.id, owner, now)
        return token

    def remove(self, token: str | None, key: str) -> None:
        """Be friends with somebody no more, on both sides. Raises FriendUnknown."""
        with self._database.write() as connection:
            me = players.find(connection, token)
            friend = store.friend_of(connection, me.id, key) if me else None
            if me is None or friend is None:
                raise FriendUnknown(_("You have no such friend"))
            store.part(connection, me.id, friend)
