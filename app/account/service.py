"""A player on several devices: links, names with passwords, leaving.

Each function is one transaction, or a few where a password is compared in between; what it says
is committed when it returns.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from app.account import passwords, store
from app.account.export import exported
from app.account.joining import join
from app.account.passwords import Passwords
from app.db import Database
from app.errors import (
    LinkUnknown,
    NameTaken,
    RequestInvalid,
    SignInRefused,
    TooManyAttempts,
)
from app.games.service import GameService
from app.i18n import gettext as _
from app.players import service as players
from app.players.names import RefusedNames, clean_name, folded
from app.players.store import Player, add_device, lock, prefs_of

LINK_LASTS_MS = 10 * 60_000
_ATTEMPTS_LAST_MS = 15 * 60_000
_MOST_BY_NAME, _MOST_BY_ADDRESS = 10, 40
_LINK = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class Account:
    """A player as they see themselves: on how many devices, with how many games begun."""

    player: Player
    devices: int
    games: int


@dataclass(frozen=True, slots=True)
class Entered:
    """A device that has become a player's: its token, and the player's settings (None: none)."""

    token: str
    prefs: str | None


class AccountService:
    """The accounts of one database; `now` gives the time in ms since 1970."""

    def __init__(
        self,
        database: Database,
        games: GameService,
        refused_names: RefusedNames,
        now: Callable[[], int],
        password_memory_kib: int,
    ) -> None:
        self._database = database
        self._games = games
        self._refused_names = refused_names
        self._passwords = Passwords(password_memory_kib)
        self.now = now

    def of(self, token: str | None) -> Account | None:
        """The account of the token's player, None where nobody has played yet."""
        with self._database.read() as connection:
            player = players.find(connection, token)
            return self._account(connection, player) if player else None

    def _account(self, connection: Connection, player: Player) -> Account:
        devices = store.count_devices(connection, player.id)
        return Account(player, devices, store.count_games(connection, player.id))

    # --- to another device ----------------------------------------------------------------

    def make_link(self, token: str | None) -> tuple[str, str]:
        """A link's secret that lets one device in, within ten minutes; and the player's token.

        The database keeps only its hash. A link made earlier ends.
        """
        secret = secrets.token_urlsafe(32)
        with self._database.write() as connection:
            now = self.now()
            player, token = players.find_or_create(connection, token, now)
            ends_at = now + LINK_LASTS_MS
            store.keep_link(connection, player.id, players.token_hash(secret), ends_at, now)
        return secret, token

    def linked(self, secret: str) -> Account:
        """Whose link this is; looking does not use it up. Raises LinkUnknown."""
        with self._database.read() as connection:
            return self._account(connection, self._linked(connection, secret))

    def _linked(self, connection: Connection, secret: str) -> Player:
        if _LINK.fullmatch(secret):
            player = store.linked(connection, players.token_hash(secret), self.now())
            if player is not None:
                return player
        raise LinkUnknown(
            _("A link lets one device in, once, within ten minutes. Make a new one there.")
        )

    def take_along(self, secret: str, token: str | None, bring: bool) -> Entered:
        """Use a link: the device becomes its player's.

        `bring`: a guest's own games come along, otherwise they are left. Raises LinkUnknown.
        """
        with self._database.write() as connection:
            player = self._linked(connection, secret)
            if not store.use_link(connection, players.token_hash(secret)):
                return self._refuse_link()
            return self.enter(connection, player.id, token, bring)

    def _refuse_link(self) -> Entered:
        raise LinkUnknown(_("Another device has just used this link."))

    def enter(
        self, connection: Connection, player_id: int, token: str | None, bring: bool
    ) -> Entered:
        """Make a device the player's, who has proven to be they. `bring` as in `take_along`."""
        now, here = self.now(), players.find(connection, token)
        if here is not None and token is not None:
            if here.id == player_id:
                return Entered(token, prefs_of(connection, player_id))
            if not here.signs_in and bring:
                join(connection, self._games, here.id, player_id)
            elif not here.signs_in and not store.count_games(connection, here.id):
                store.forget(connection, here.id)
            store.remove_device(connection, players.token_hash(token))
        new = secrets.token_urlsafe(32)
        add_device(connection, player_id, players.token_hash(new), now)
        return Entered(new, prefs_of(connection, player_id))

    # --- name and password ----------------------------------------------------------------

    async def sign_up(self, token: str | None, typed: str, password: str) -> str:
        """Give the token's player (or a new one) a name and a password; the player's token.

        Raises NameInvalid, NameTaken, PasswordInvalid, RequestInvalid.
        """
        name = clean_name(typed)
        self._refused_names.check(name)
        passwords.check(password, name)
        hashed = await self._passwords.hashed(password)

        def work() -> str:
            with self._database.write() as connection:
                player, kept = players.find_or_create(connection, token, self.now())
                lock(connection, player.id)
                if store.password_hash(connection, player.id) is not None:
                    raise RequestInvalid(_("You have a password already"))
                players.rename(connection, player.id, name)
                store.keep_password(connection, player.id, hashed)
                return kept

        try:
            return await self._database.run(work)
        except IntegrityError as error:  # two players at the same moment, in two processes
            raise NameTaken(_("Somebody has just taken this name; choose another")) from error

    async def sign_in(
        self, token: str | None, name: str, password: str, address: str, bring: bool
    ) -> Entered:
        """Let a device in by name and password. `bring` as in `take_along`.

        An unknown name and a wrong password get the same answer after the same work. Raises
        SignInRefused, TooManyAttempts.
        """
        key = folded(name[: passwords.LONGEST])
        await self.count_attempt(key, address)

        def look() -> store.Credentials | None:
            with self._database.read() as connection:
                return store.credentials(connection, key)

        found = await self._database.run(look)
        right = await self._passwords.is_right(found.password_hash if found else None, password)
        if not right or found is None:
            raise SignInRefused(_("This name and password do not go together"))
        renewed = await self._passwords.renewed(found.password_hash, password)

        def work() -> Entered:
            with self._database.write() as connection:
                store.forget_attempts(connection, _by_name(key))
                # changed or deleted while it was compared
                if store.password_hash(connection, found.player.id) != found.password_hash:
                    raise SignInRefused(_("This name and password do not go together"))
                if renewed is not None:
                    store.keep_password(connection, found.player.id, renewed)
                return self.enter(connection, found.player.id, token, bring)

        return await self._database.run(work)

    async def count_attempt(self, name_key: str | None, address: str) -> None:
        """Count an attempt before it is made; without a name, by address alone.

        Raises TooManyAttempts.
        """

        def work() -> bool:
            limits = [(_by_address(address), _MOST_BY_ADDRESS)]
            if name_key is not None:
                limits.append((_by_name(name_key), _MOST_BY_NAME))
            with self._database.write() as connection:
                now = self.now()
                counts = [
                    store.count_attempt(connection, key, now, _ATTEMPTS_LAST_MS)
                    for key, _most in limits
                ]
            return all(count <= most for count, (_key, most) in zip(counts, limits, strict=True))

        if not await self._database.run(work):
            raise TooManyAttempts(_("Wait a quarter of an hour, then try again"))

    async def _proven(self, token: str | None, password: str, address: str) -> Player:
        """The token's player, who has just typed their password (where they have one).

        Raises RequestInvalid, SignInRefused, TooManyAttempts.
        """

        def look() -> tuple[Player | None, str | None]:
            with self._database.read() as connection:
                player = players.find(connection, token)
                return player, store.password_hash(connection, player.id) if player else None

        player, stored = await self._database.run(look)
        if player is None:
            raise RequestInvalid(_("Nobody has played on this device yet"))
        if stored is not None:
            await self.count_attempt(folded(player.name or ""), address)
            if not await self._passwords.is_right(stored, password):
                raise SignInRefused(_("This is not your password"))
        return player

    async def change_password(self, token: str | None, old: str, new: str, address: str) -> None:
        """Another password; all other devices are signed out.

        Raises RequestInvalid, SignInRefused, PasswordInvalid, TooManyAttempts.
        """
        player = await self._proven(token, old, address)
        if not player.has_password or token is None:
            raise RequestInvalid(_("You have no password yet"))
        passwords.check(new, player.name or "")
        hashed = await self._passwords.hashed(new)

        def work() -> None:
            with self._database.write() as connection:
                store.keep_password(connection, player.id, hashed)
                store.remove_devices(connection, player.id, but=players.token_hash(token))
                store.forget_attempts(connection, _by_name(folded(player.name or "")))

        await self._database.run(work)

    # --- leaving --------------------------------------------------------------------------

    def sign_out(self, token: str | None, everywhere: bool) -> None:
        """Let this device's cookie in no more, or none of the player's."""
        with self._database.write() as connection:
            player = players.find(connection, token)
            if player is None or token is None:
                return
            if everywhere:
                store.remove_devices(connection, player.id)
            else:
                store.remove_device(connection, players.token_hash(token))

    def export(self, token: str | None) -> dict[str, object] | None:
        """All that is kept of the token's player, None where nobody has played yet."""
        with self._database.read() as connection:
            player = players.find(connection, token)
            return exported(connection, player.id) if player else None

    async def delete(self, token: str | None, password: str, address: str) -> None:
        """Delete the player and all that is theirs. Raises SignInRefused, TooManyAttempts."""
        player = await self._proven(token, password, address)

        def work() -> None:
            with self._database.write() as connection:
                store.forget(connection, player.id)

        await self._database.run(work)


def _by_name(name_key: str) -> str:
    return hashlib.sha256(f"name {name_key}".encode()).hexdigest()


def _by_address(address: str) -> str:
    """An address's key; those of one IPv6 network (/64) count as one."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        found = None
    if isinstance(found, ipaddress.IPv6Address):
        address = str(ipaddress.ip_network((found, 64), strict=False))
    return hashlib.sha256(f"address {address}".encode()).hexdigest()
