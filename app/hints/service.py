"""Hints and verdicts on a game under way.

A proven hint and a verdict use the hidden cards, a fair hint the visible ones alone; each says so
before use. Each answer is logged as an event and raises the game's count of hints, so its result
is marked as assisted. Nothing is counted before there is an answer.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, replace
from typing import Literal

from app.db import Database
from app.errors import Busy, DealSealed, GameInRace, GameOver
from app.games import store
from app.games.service import GameService
from app.games.steps import owned_game, stale
from app.games.store import Stored
from app.games.table import Shares
from app.hints.plans import fair_plan, fairly_planned, planned, proven_plan
from app.i18n import gettext as _
from app.jobs import proofs
from app.jobs.proofs import UNWINNABLE, WINNABLE, Verdict
from app.jobs.service import URGENT, JobService
from app.jobs.store import Job
from engine.moves import Move, parse_line, parse_move

Ask = Literal["hint", "fair", "verdict"]
_STATES = {WINNABLE: "winnable", UNWINNABLE: "lost"}


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about a game, on which version, and how long an answer is waited for.

    `all_at_once`: the way back out of a lost game is waited for as well.
    """

    ask: Ask
    game_id: str
    token: str | None
    version: int
    patience_s: float
    all_at_once: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question about a game.

    `state`: `pending` (ask again), `winnable`, `lost`, `unproven`, or `nobody` (no worker took
    the question up). `move` is the hinted move, `back_to` the number of moves after which the
    game could last be won (None when that is not known, or still being found out: `seeking`);
    `hopeless`: the deal itself is proved lost; `shares`: how good a fair hint is, whose `state` is
    `fair`, or `lost` when nothing is hidden any more and no line wins.
    """

    state: str
    stored: Stored
    move: Move | None = None
    back_to: int | None = None
    seeking: bool = False
    hopeless: bool = False
    shares: Shares | None = None


class HintService:
    """Questions about the games of one database."""

    def __init__(self, database: Database, games: GameService, jobs: JobService) -> None:
        self._database = database
        self._games = games
        self._jobs = jobs

    async def answer(self, question: Question) -> Answer:
        """A hint: the next move of a line that wins this deal; or whether it can still be won.

        A line once given is kept to while the player keeps to it, so hints never circle: each
        one followed is one move nearer to the win. The same question on the same version is
        answered, and counted, once. Raises as `GameService.move` does, and Busy.
        """
        until = time.monotonic() + question.patience_s
        found = await self._database.run(self._asked, question)
        answer = found if isinstance(found, Answer) else await self._found(question, found, until)
        return await self._with_way_back(answer, until if question.all_at_once else 0.0)

    def _asked(self, question: Question) -> Stored | Answer:
        """The game to ask about, or the answer already given to this very question."""
        with self._database.read() as connection:
            stored = owned_game(connection, question.game_id, question.token)
            if stored.version - question.version in (0, 1):
                made = store.event(connection, stored.id, stored.version)
                if made and made[0] == question.ask == "fair":
                    return _fair_answer(stored)
                if made and made[0] == question.ask:  # repeated, or asked again before any move
                    known = proofs.verdict_on(connection, stored.code.rule, stored.game.position)
                    move = parse_move(made[1]) if made[1] else None
                    return Answer("winnable" if move else _state(known), stored, move)
            if question.version != stored.version:
                raise stale(stored)
        if stored.status != "playing":
            raise GameOver(_("This game is over; start another one")).on(stored)
        if stored.race_id:
            raise GameInRace(_("A race has no hints")).on(stored)
        if stored.sealed and question.ask != "fair":
            raise DealSealed(
                _("Nothing is told of a sealed deal’s hidden cards before you have finished it")
            ).on(stored)
        return stored

    async def _found(self, question: Question, stored: Stored, until: float) -> Answer:
        """The answer, noted in the game's log; or that there is none yet."""
        if question.ask == "fair":
            return await self._fair(question, stored, until)
        line = planned(stored) if question.ask == "hint" else []
        verdict: Verdict | None = None
        if not line:
            verdict, job = await self._verdict(stored, until)
            if verdict is None:
                left = await self._database.run(self._jobs.is_left, job)
                return Answer("nobody" if left else "pending", stored)
            line = parse_line(verdict.line)
        move = line[0] if line and question.ask == "hint" else None
        plan = proven_plan(stored, line) if move else None
        change = await self._database.run(
            self._games.note,
            question.game_id,
            question.token,
            question.version,
            question.ask,
            move,
            plan,
        )
        return Answer("winnable" if line else _state(verdict), change.stored, move)

    async def _fair(self, question: Question, stored: Stored, until: float) -> Answer:
        """The next move of the fair player's plan, which is made anew when it has ended."""
        moves, shares = fairly_planned(stored)
        lost = False
        if not moves:
            rule, position = stored.code.rule, stored.game.position
            payload = {"rule": rule, "position": proofs.position_hex(position)}
            key = proofs.position_key(rule, position)
            try:
                job = await self._database.run(self._jobs.ask, "fair", key, payload, URGENT)
            except Busy as busy:
                raise busy.on(stored) from busy
            job = await self._jobs.wait(job, until - time.monotonic())
            if job.state != "done" or job.result is None:
                left = await self._database.run(self._jobs.is_left, job)
                return Answer("nobody" if left else "pending", stored)
            found = job.result
            moves, lost = parse_line(found["moves"]), found["lost"]
            shares = Shares(found["wins"], found["samples"], found["chance"], found["exact"])
        plan = fair_plan(stored, moves, shares) if moves else ""
        change = await self._database.run(
            self._games.note,
            question.game_id,
            question.token,
            question.version,
            "fair",
            moves[0] if moves else None,
            plan,
        )
        move = moves[0] if moves else None
        return Answer("lost" if lost else "fair", change.stored, move, shares=shares)

    async def _verdict(
        self, stored: Stored, until: float
    ) -> tuple[Verdict, None] | tuple[None, Job]:
        """The verdict on the game's position, or the job that will give it."""
        rule, position = stored.code.rule, stored.game.position

        def known() -> Verdict | None:
            with self._database.read() as connection:
                return proofs.verdict_on(connection, rule, position)

        found = await self._database.run(known)
        if found is not None:
            return found, None
        key = proofs.position_key(rule, position)
        payload = {"rule": rule, "position": proofs.position_hex(position)}
        try:
            job = await self._database.run(self._jobs.ask, "verdict", key, payload, URGENT)
        except Busy as busy:
            raise busy.on(stored) from busy
        job = await self._jobs.wait(job, until - time.monotonic())
        found = await self._database.run(known)
        return (found, None) if found is not None else (None, job)

    async def _with_way_back(self, answer: Answer, until: float) -> Answer:
        """A lost game's answer says where it could last be won."""
        if answer.state != "lost" or answer.stored.sealed:
            return answer
        code, moves = str(answer.stored.code), answer.stored.game.line
        line = " ".join(map(str, moves))
        subject = hashlib.sha256(f"{code}:{line}".encode()).hexdigest()
        payload = {"code": code, "line": line}
        try:
            job = await self._database.run(self._jobs.ask, "lost", subject, payload, URGENT)
        except Busy:
            return answer
        job = await self._jobs.wait(job, until - time.monotonic())
        if job.state != "done" or job.result is None:
            left = await self._database.run(self._jobs.is_left, job)
            return replace(answer, seeking=not left)
        return replace(answer, back_to=job.result["winnable_at"], hopeless=job.result["hopeless"])


def _fair_answer(stored: Stored) -> Answer:
    """The fair hint that was given on this very position."""
    moves, shares = fairly_planned(stored)
    return Answer("fair", stored, moves[0] if moves else None, shares=shares)


def _state(verdict: Verdict | None) -> str:
    return _STATES.get(verdict.verdict, "unproven") if verdict else "unproven"
