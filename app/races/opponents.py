"""Computer players: workers think, the server plays their moves at a human pace.

A worker is asked for the moves up to the next card that turns (`engine.fair`), from the face-up
cards alone; the answer is kept as the player's plan. Each move of it is played when it is due, like
anybody's. Who sees nothing to do gives up; so does who waits in vain for a worker to think. All
of it is in the database: another server, or the same one after a restart, goes on with it.
"""

from __future__ import annotations

import zlib

from sqlalchemy import Connection

from app.db import Database
from app.errors import Busy
from app.games import store as games_store
from app.games.service import GameService
from app.games.store import Stored
from app.jobs.proofs import position_hex
from app.jobs.service import NEXT, JobService
from app.races import store
from app.races.machine import PACES
from app.races.store import Turn

PATIENCE_WITH_WORKERS_MS = 15 * 60_000
"""How long a player waits for the server's own workers, which compile when they first start."""
_LOOK_MS = 250
"""How often it is looked whether a worker has answered."""


class Opponents:
    """The computer players of one database."""

    def __init__(
        self, database: Database, games: GameService, jobs: JobService, workers: int = 0
    ) -> None:
        self._database = database
        self._games = games
        self._jobs = jobs
        self._patience_ms = PATIENCE_WITH_WORKERS_MS if workers else 0

    def play_due(self) -> None:
        """Play every move that is due; ask the workers for what is to be played next."""
        with self._database.read() as connection:
            due = store.turns(connection, self._games.now())
        for turn in due:
            self._take(turn)

    def _take(self, turn: Turn) -> None:
        with self._database.read() as connection:
            stored = games_store.load(connection, turn.game_id)
        assert stored is not None  # entries refer to their games
        if stored.status != "playing":
            with self._database.write() as connection:
                store.turn(connection, turn, None, "")
            return
        moves = turn.plan.split() or self._decided(stored, turn.strength)
        with self._database.write() as connection:
            if moves is None:
                store.turn(connection, turn, self._games.now() + _LOOK_MS, "")
            elif not moves:
                if store.turn(connection, turn, None, ""):
                    self._games.end_within(connection, turn.game_id)
            elif store.turn(
                connection, turn, self._next_at(stored, turn.pace), " ".join(moves[1:])
            ):
                stored = self._played(connection, turn, moves[0])
        if moves and len(moves) == 1 and stored.status == "playing":
            self._decided(stored, turn.strength)  # it thinks until the next move is due

    def _played(self, connection: Connection, turn: Turn, move: str) -> Stored:
        return self._games.play_computer(connection, turn.game_id, move)

    def _next_at(self, stored: Stored, pace: str) -> int:
        """When the next move is due: from half to one and a half times the pace."""
        die = zlib.crc32(f"{stored.id}:{stored.version}".encode()) % 1000
        return self._games.now() + PACES[pace] * (500 + die) // 1000

    def _decided(self, stored: Stored, strength: str) -> list[str] | None:
        """The next moves; none to give up, None while a worker thinks."""
        payload = {
            "rule": stored.code.rule,
            "position": position_hex(stored.game.position),
            "strength": strength,
            "seed": zlib.crc32(stored.id.encode()),
        }
        try:
            job = self._jobs.ask("opponent", f"{stored.id}:{stored.version}", payload, NEXT)
        except Busy:
            return None
        if job.state == "done" and job.result is not None:
            moves: str = job.result["moves"]
            return moves.split()
        if job.state != "failed" and self._games.now() - job.created_at <= self._patience_ms:
            return None
        return [] if self._jobs.is_left(job) else None
