"""Games as they were last written here, so that a move need not read its game again.

What is kept is never trusted: the write that builds on it compares, in the database, everything
that another process may have changed (`store.save` with `over`), and a game that turns out to
have moved on is read afresh.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from app.games.store import Stored

_GAMES = 2_000  # of about 10 KB each


class KeptGames:
    """The games under way that were written last, by id. Threads may share it."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, Stored] = OrderedDict()
        self._lock = Lock()

    def get(self, game_id: str, version: int) -> Stored | None:
        """The game, when it is kept at this version."""
        stored = self._games.get(game_id)
        return stored if stored is not None and stored.version == version else None

    def keep(self, stored: Stored) -> None:
        """Keep a game as it has just been committed; one that is over is not played on."""
        with self._lock:
            self._games.pop(stored.id, None)
            if stored.status == "playing":
                self._games[stored.id] = stored
            while len(self._games) > _GAMES:
                self._games.popitem(last=False)

    def forget(self, game_id: str) -> None:
        """Read this game afresh next time."""
        with self._lock:
            self._games.pop(game_id, None)
