"""Passwords: what may be one, and their Argon2id hashes (argon2-cffi, RFC 9106's second choice).

A hash takes 64 MB (unless it is set otherwise) and a tenth of a second: it is made in a thread,
two at a time.
"""

from __future__ import annotations

import unicodedata
from base64 import b64encode

import anyio
from anyio.to_thread import run_sync
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from app.errors import PasswordInvalid
from app.i18n import gettext as _
from app.players.names import folded

SHORTEST, LONGEST = 8, 200
_AT_ONCE = 2


class Passwords:
    """Makes and compares hashes, off the event loop; `memory_kib` is what each takes."""

    def __init__(self, memory_kib: int) -> None:
        self._hasher = PasswordHasher(memory_cost=memory_kib)
        self._nobodys = _nobodys(self._hasher)
        self._limiter: anyio.CapacityLimiter | None = None

    def _room(self) -> anyio.CapacityLimiter:
        if self._limiter is None:  # made where the event loop runs
            self._limiter = anyio.CapacityLimiter(_AT_ONCE)
        return self._limiter

    async def hashed(self, password: str) -> str:
        """The hash that is stored."""
        return await run_sync(self._hasher.hash, _spelled(password), limiter=self._room())

    async def is_right(self, stored: str | None, password: str) -> bool:
        """Whether this is the password; as slow where none is stored."""
        right = await run_sync(
            _verify, self._hasher, stored or self._nobodys, password, limiter=self._room()
        )
        return right and stored is not None

    async def renewed(self, stored: str, password: str) -> str | None:
        """A hash as they are made now, of the right password of one made otherwise; else None."""
        return await self.hashed(password) if self._hasher.check_needs_rehash(stored) else None


def _nobodys(hasher: PasswordHasher) -> str:
    """What a password is compared with where there is none: as slow, and never right."""
    sizes = hasher.salt_len, hasher.hash_len
    zeros = (b64encode(bytes(size)).decode().rstrip("=") for size in sizes)
    return (
        f"$argon2id$v=19$m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
        f"${'$'.join(zeros)}"
    )


def check(password: str, name: str) -> None:
    """Raises PasswordInvalid for what is too easily guessed, or endless."""
    if not SHORTEST <= len(_spelled(password)) <= LONGEST:
        raise PasswordInvalid(_("A password has 8 to 200 characters"))
    if folded(password) == folded(name) or len(set(password)) == 1:
        raise PasswordInvalid(_("This password is too easy to guess"))


def _spelled(password: str) -> str:
    """The same from every keyboard: accents typed in one or two strokes."""
    return unicodedata.normalize("NFKC", password)


def _verify(hasher: PasswordHasher, stored: str, password: str) -> bool:
    if len(password) > LONGEST:
        password = ""
    try:
        return hasher.verify(stored, _spelled(password))
    except (VerificationError, InvalidHashError):
        return False
