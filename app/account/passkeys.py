"""Passkeys: added on one device, they let others in without a name or a password.

Each ceremony takes two requests. The first leaves a challenge in the database under the hash of
a cookie of its own and of the player's: no other browser can answer it, nor this one as somebody
else. The second uses it up before it looks at the answer.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Path
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from app.account import ceremonies, keyring
from app.account.ceremonies import Site
from app.account.keyring import Passkey
from app.account.service import AccountService, Entered
from app.db import Database
from app.errors import PasskeyRefused, PasskeyUnknown, RequestInvalid
from app.i18n import gettext as _
from app.players import service as players
from app.players.store import lock

_MOST = 20
PasskeyId = Annotated[int, Path(ge=1, lt=2**63)]
"""A passkey's number in an address."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A ceremony: the browser's options, and the cookie that its answer must bring."""

    options: dict[str, Any]
    ceremony: str


class PasskeyService:
    """The passkeys of one database."""

    def __init__(self, database: Database, accounts: AccountService) -> None:
        self._database = database
        self._accounts = accounts

    def of(self, token: str | None) -> list[Passkey]:
        """The passkeys of the token's player."""
        with self._database.read() as connection:
            player = players.find(connection, token)
            return keyring.of_player(connection, player.id) if player else []

    # --- to add one -----------------------------------------------------------------------

    def begin_adding(self, token: str | None, site: Site) -> Begun:
        """What a browser makes a passkey by. Raises RequestInvalid where there are too many."""
        challenge = ceremonies.new_challenge()
        with self._database.write() as connection:
            player = players.find(connection, token)
            handle, known = keyring.handle_and_ids(connection, player.id) if player else (None, [])
            _check_room(len(known))
            handle = handle or ceremonies.new_handle()
            ceremony = self._keep(connection, token, challenge, handle)
        name = (player.name if player else None) or _("Guest")
        return Begun(ceremonies.to_make(site, challenge, handle, name, known), ceremony)

    def add(
        self,
        token: str | None,
        ceremony: str,
        site: Site,
        answer: Mapping[str, Any],
        device: str,
    ) -> tuple[Passkey, str]:
        """Keep the passkey that was made, for the token's player or a new one; and their token.

        Raises PasskeyRefused, RequestInvalid.
        """
        challenge, handle = self._take(token, ceremony)
        if handle is None:  # a challenge to sign in by
            raise _over()
        made = ceremonies.made(site, challenge, answer)
        now = self._accounts.now()
        try:
            with self._database.write() as connection:
                player, token = players.find_or_create(connection, token, now)
                lock(connection, player.id)
                _check_room(len(keyring.of_player(connection, player.id)))
                id_ = keyring.add(
                    connection,
                    player.id,
                    handle,
                    device,
                    now,
                    credential_id=made.credential_id,
                    public_key=made.public_key,
                    sign_count=made.sign_count,
                )
        except IntegrityError as error:
            raise PasskeyRefused(_("This passkey is kept already")) from error
        return Passkey(id_, device, now, None), token

    def remove(self, token: str | None, passkey_id: int) -> None:
        """Let a passkey in no more. Raises PasskeyUnknown."""
        with self._database.write() as connection:
            player = players.find(connection, token)
            if player is None or not keyring.remove(connection, player.id, passkey_id):
                raise PasskeyUnknown(_("You have no such passkey"))

    # --- to sign in by one ----------------------------------------------------------------

    def begin_entering(self, token: str | None, site: Site) -> Begun:
        """What a browser asks for a passkey by: whichever it has of this site."""
        challenge = ceremonies.new_challenge()
        with self._database.write() as connection:
            ceremony = self._keep(connection, token, challenge, None)
        return Begun(ceremonies.to_use(site, challenge), ceremony)

    async def enter(
        self,
        token: str | None,
        ceremony: str,
        site: Site,
        answer: Mapping[str, Any],
        address: str,
        bring: bool,
    ) -> Entered:
        """Let a device in by a passkey. `bring` as with a one-time link.

        Raises PasskeyRefused, PasskeyUnknown, TooManyAttempts.
        """
        await self._accounts.count_attempt(None, address)

        def work() -> Entered:
            challenge, handle = self._take(token, ceremony)
            if handle is not None:  # a challenge to make one by
                raise _over()
            with self._database.write() as connection:
                stored = keyring.by_credential(connection, ceremonies.id_of(answer))
                if stored is None:
                    raise PasskeyUnknown(
                        _("Nobody here has this passkey; it may have been removed")
                    )
                if ceremonies.handle_of(answer) != stored.handle:
                    raise PasskeyRefused(_("This passkey is another player’s"))
                sign_count = ceremonies.used(
                    site, challenge, answer, stored.public_key, stored.sign_count
                )
                if not keyring.use(connection, stored, sign_count, self._accounts.now()):
                    raise _over()
                return self._accounts.enter(connection, stored.player_id, token, bring)

        return await self._database.run(work)

    # --- challenges -----------------------------------------------------------------------

    def _keep(
        self, connection: Connection, token: str | None, challenge: bytes, handle: bytes | None
    ) -> str:
        """Keep a challenge; the cookie of its ceremony."""
        ceremony, now = secrets.token_urlsafe(32), self._accounts.now()
        keyring.keep_challenge(
            connection, _key(ceremony, token), challenge, handle, now, now + ceremonies.LASTS_MS
        )
        return ceremony

    def _take(self, token: str | None, ceremony: str) -> tuple[bytes, bytes | None]:
        """Use a challenge up, whatever becomes of its answer. Raises PasskeyRefused."""
        with self._database.write() as connection:
            found = keyring.take_challenge(connection, _key(ceremony, token), self._accounts.now())
        if found is None:
            raise _over()
        return found


def _key(ceremony: str, token: str | None) -> bytes:
    return hashlib.sha256(f"{ceremony} {token or ''}".encode()).digest()


def _over() -> PasskeyRefused:
    return PasskeyRefused(_("This took too long, or was answered already; try again"))


def _check_room(count: int) -> None:
    if count >= _MOST:
        raise RequestInvalid(
            _("You have %(count)s passkeys already; remove one") % {"count": _MOST}
        )
