"""Who plays: made at the first write, known by an opaque cookie, named when they like.

Each of a player's devices has a cookie of its own. It holds 256 random bits; the database only
their SHA-256, so that a copy of the database lets nobody in.
"""

from __future__ import annotations

import hashlib
import re
import secrets

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from app.errors import NameTaken
from app.i18n import gettext as _
from app.players import store
from app.players.names import folded
from app.players.store import Player

COOKIE = "player"
BROWSER_COOKIE = "browser"
"""Set by whoever enters a race, and kept when they sign out: see decision 20."""
_LIFETIME_S = 400 * 24 * 3600  # the longest that browsers keep a cookie
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def token_of(request: Request) -> str | None:
    """The cookie's token, or None when there is none or it is broken."""
    token = request.cookies.get(COOKIE)
    return token if token and _TOKEN.fullmatch(token) else None


def token_hash(token: str) -> bytes:
    """What the database knows of a token."""
    return hashlib.sha256(token.encode()).digest()


def find(connection: Connection, token: str | None) -> Player | None:
    """The player with this token, or None."""
    return store.by_token_hash(connection, token_hash(token)) if token else None


def find_or_create(connection: Connection, token: str | None, now: int) -> tuple[Player, str]:
    """The player with this token, or a new one with a new token."""
    player = find(connection, token)
    if player is not None and token is not None:
        return player, token
    token = secrets.token_urlsafe(32)
    return store.create(connection, token_hash(token), now), token


def create_computer(connection: Connection, now: int) -> int:
    """A player that no cookie belongs to, for a computer's games; its id."""
    return store.create(connection, None, now).id


def remember(response: Response, request: Request, token: str, secure_cookies: bool | None) -> None:
    """Set the player's cookie when the request did not bring it."""
    if request.cookies.get(COOKIE) != token:
        _set(response, request, COOKIE, token, secure_cookies)


def browser_of(request: Request) -> str:
    """The secret of the browser that asks, a new one where it has none."""
    secret = request.cookies.get(BROWSER_COOKIE)
    return secret if secret and _TOKEN.fullmatch(secret) else secrets.token_urlsafe(32)


def remember_browser(
    response: Response, request: Request, secret: str, secure_cookies: bool | None
) -> None:
    """Set the browser's cookie, for the races only, when the request did not bring it."""
    if request.cookies.get(BROWSER_COOKIE) != secret:
        _set(response, request, BROWSER_COOKIE, secret, secure_cookies)


def _set(
    response: Response, request: Request, name: str, value: str, secure_cookies: bool | None
) -> None:
    secure = request.url.scheme == "https" if secure_cookies is None else secure_cookies
    response.set_cookie(
        name, value, max_age=_LIFETIME_S, httponly=True, samesite="lax", secure=secure, path="/"
    )


def local_address(address: str) -> str:
    """An address on this site; anything else is home."""
    return address if address.startswith("/") and address[1:2] not in ("/", "\\") else "/"


def rename(connection: Connection, player_id: int, name: str) -> None:
    """Give a player a name that no other has, as it looks. Raises NameTaken."""
    key = folded(name)
    if store.has_name(connection, key, player_id):
        raise NameTaken(_("Somebody has this name, or one that looks like it; choose another"))
    store.rename(connection, player_id, name, key)
