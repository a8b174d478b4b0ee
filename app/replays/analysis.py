"""After a game: which of its positions could be won, found out a few at a time by the workers.

A position that can be won makes the ones before it winnable, a lost one those after it lost; so
halving finds where a line was lost, and each branch that was taken back is looked at as well.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from app.db import Database
from app.errors import Busy
from app.games.store import Stored
from app.jobs import proofs
from app.jobs.proofs import UNPROVEN, UNWINNABLE, WINNABLE
from app.jobs.service import SOON, JobService
from app.replays.service import Replay
from engine.game import Game
from engine.moves import Move

_AT_ONCE = 2  # positions in a job, so that progress is seen
_Line = tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is known of each step: `winnable`, `unwinnable`, `unproven`, or None (not yet known).

    `lost_at`: the first step of the final line that is proved lost, after one that could be won;
    `last_won`: the step before it. `pending`: workers are at it; False with unknown steps when
    nobody works.
    """

    verdicts: tuple[str | None, ...]
    lost_at: int | None
    last_won: int | None
    pending: bool

    @property
    def known(self) -> int:
        """How many steps are settled."""
        return sum(verdict is not None for verdict in self.verdicts)


class AnalysisService:
    """Analyses of the games of one database."""

    def __init__(self, database: Database, jobs: JobService) -> None:
        self._database = database
        self._jobs = jobs

    def look(self, stored: Stored, shown: Replay) -> Analysis:
        """What is known of a finished game's steps; a worker is asked for more."""
        games = {step.stored.game.line: step.stored.game for step in shown.steps}
        rule = stored.code.rule
        with self._database.read() as connection:
            keys = {line: proofs.position_key(rule, at.position) for line, at in games.items()}
            known = proofs.verdicts_of(connection, list(keys.values()))
            proof = proofs.deal_proof(connection, str(stored.code))
        found = {line: known[key] for line, key in keys.items() if key in known}
        if proof is not None and proof.verdict != UNPROVEN:
            found[()] = proof.verdict
        for line, game in games.items():
            if game.is_won:
                found[line] = WINNABLE
        _infer(games, found)
        pending = self._ask(rule, games, found, stored.game.line)
        verdicts = tuple(found.get(step.stored.game.line) for step in shown.steps)
        return Analysis(verdicts, *_turning(shown, found, stored.game.line), pending)

    def _ask(
        self, rule: str, games: dict[_Line, Game], found: dict[_Line, str], final: _Line
    ) -> bool:
        wanted = _wanted(games, found, final)[:_AT_ONCE]
        if not wanted:
            return False
        payload = {
            "rule": rule,
            "positions": [proofs.position_hex(games[line].position) for line in wanted],
        }
        subject = hashlib.sha256("".join(payload["positions"]).encode()).hexdigest()[:40]
        try:
            job = self._jobs.ask("analysis", subject, payload, SOON)
        except Busy:
            return True
        return not self._jobs.is_left(job)


def _infer(games: dict[_Line, Game], found: dict[_Line, str]) -> None:
    """What follows from what is found: up the lines for wins, down them for losses."""
    for line in [line for line, verdict in found.items() if verdict == WINNABLE]:
        for length in range(len(line)):
            found[line[:length]] = WINNABLE
    for line in sorted(games, key=len):
        if line and found.get(line[:-1]) == UNWINNABLE:
            found[line] = UNWINNABLE


def _wanted(games: dict[_Line, Game], found: dict[_Line, str], final: _Line) -> list[_Line]:
    """Positions to look at next: the middle of what is open on the final line, then branches."""
    open_lengths = [length for length in range(len(final) + 1) if final[:length] not in found]
    open_lengths = [length for length in open_lengths if final[:length] in games]
    if open_lengths:
        middle = open_lengths[len(open_lengths) // 2]
        return [final[:middle], *(final[:n] for n in open_lengths[-1:] if n != middle)]
    return sorted((line for line in games if line not in found), key=len)


def _turning(shown: Replay, found: dict[_Line, str], final: _Line) -> tuple[int | None, int | None]:
    """The step where the final line was lost, and the one before it."""
    steps = {step.stored.game.line: number for number, step in enumerate(shown.steps)}
    for length in range(1, len(final) + 1):
        before, after = final[: length - 1], final[:length]
        if found.get(before) == WINNABLE and found.get(after) == UNWINNABLE:
            return steps.get(after), steps.get(before)
    return None, None
