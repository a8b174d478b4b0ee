"""Hints and verdicts on a game under way.

Both use the hidden cards, and say so before use: each answer is logged as an event and raises
the game's count of hints, so its result is marked as assisted. Nothing is counted before there
is an answer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.db import Database
from app.errors import Busy, GameOver, StaleVersion
from app.games import store
from app.games.service import Change, GameService, owned_game
from app.games.store import Stored
from app.jobs import proofs
from app.jobs.proofs import UNWINNABLE, WINNABLE, Verdict
from app.jobs.service import URGENT, JobService
from app.jobs.store import Job
from engine.errors import ReplayError
from engine.game import replay
from engine.moves import Move, parse_line, parse_move

WAIT_S = 0.25
"""How long an answer is waited for before the page is told to ask again."""
PATIENCE_MS = 8_000
"""A question that no worker has taken up after this is not waited for."""

_STATES = {WINNABLE: "winnable", UNWINNABLE: "lost"}


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question about a game.

    `state`: `pending` (ask again), `winnable`, `lost`, `unproven`, or `nobody` (no worker took
    the question up). `change` is the event that recorded it (None while pending), `move` the
    hinted move, `back_to` the number of moves after which the game could last be won (None when
    that is not known, or still being found out: `seeking`).
    """

    state: str
    stored: Stored
    change: Change | None = None
    move: Move | None = None
    back_to: int | None = None
    seeking: bool = False


class HintService:
    """Questions about the games of one database."""

    def __init__(self, database: Database, games: GameService, jobs: JobService) -> None:
        self._database = database
        self._games = games
        self._jobs = jobs

    async def hint(self, game_id: str, token: str | None, version: int) -> Answer:
        """The next move of a line that wins this deal.

        A line once given is kept to while the player keeps to it, so hints never circle: each
        one followed is one move nearer to the win. Raises as `GameService.move` does, and Busy.
        """
        stored = await self._database.run(self._asked, game_id, token, version, "hint")
        if isinstance(stored, Answer):
            return stored
        line = planned(stored)
        verdict = Verdict(WINNABLE, " ".join(map(str, line)), 0) if line else None
        return await self._answered(stored, token, "hint", verdict)

    async def verdict(self, game_id: str, token: str | None, version: int) -> Answer:
        """Whether the game can still be won. Raises as `hint` does."""
        stored = await self._database.run(self._asked, game_id, token, version, "verdict")
        if isinstance(stored, Answer):
            return stored
        return await self._answered(stored, token, "verdict", None)

    async def _answered(
        self, stored: Stored, token: str | None, kind: str, verdict: Verdict | None
    ) -> Answer:
        job: Job | None = None
        if verdict is None:
            verdict, job = await self._found(stored)
        if verdict is None:
            return Answer("nobody" if job and self._given_up(job) else "pending", stored)
        state = _STATES.get(verdict.verdict, "unproven")
        line = parse_line(verdict.line)
        move = line[0] if line and kind == "hint" else None
        plan = f"{len(stored.game.line)}|{verdict.line}" if move else stored.plan
        change = await self._database.run(
            self._games.note, replace(stored, plan=plan), token, kind, move
        )
        return await self._with_way_back(Answer(state, change.stored, change, move))

    async def _with_way_back(self, answer: Answer) -> Answer:
        if answer.state != "lost":
            return answer
        stored, game = answer.stored, answer.stored.game
        line = " ".join(map(str, game.line))
        subject = proofs.position_key(stored.code.rule, game.position)
        payload = {"code": str(stored.code), "line": line}
        try:
            job = await self._database.run(self._jobs.ask, "lost", subject, payload, URGENT)
        except Busy:
            return answer
        job = await self._jobs.wait(job, WAIT_S)
        if job.state != "done" or job.result is None:
            return replace(answer, seeking=job.state in ("queued", "running"))
        return replace(answer, back_to=job.result["winnable_at"])

    def _asked(self, game_id: str, token: str | None, version: int, kind: str) -> Stored | Answer:
        """The game to ask about, or the answer already given to this very question."""
        with self._database.read() as connection:
            stored = owned_game(connection, game_id, token)
            if version != stored.version:
                made = store.event(connection, game_id, version + 1)
                if made and made[0] == kind and stored.version == version + 1:
                    move = parse_move(made[1]) if made[1] else None
                    state = "winnable" if move else self._state(stored)
                    return Answer(state, stored, Change(stored, kind=kind), move)
                raise StaleVersion("The table had moved on; here it is as it stands").on(stored)
        if stored.status != "playing":
            raise GameOver("This game is over; start another one").on(stored)
        return stored

    def _state(self, stored: Stored) -> str:
        with self._database.read() as connection:
            known = proofs.verdict_on(connection, stored.code.rule, stored.game.position)
        return {WINNABLE: "winnable", UNWINNABLE: "lost"}.get(
            known.verdict if known else "", "unproven"
        )

    async def _found(self, stored: Stored) -> tuple[Verdict | None, Job | None]:
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
        job = await self._database.run(self._jobs.ask, "verdict", key, payload, URGENT)
        job = await self._jobs.wait(job, WAIT_S)
        return await self._database.run(known), job

    def _given_up(self, job: Job) -> bool:
        return job.state == "failed" or (
            job.state == "queued" and self._games.now() - job.created_at > PATIENCE_MS
        )


def planned(stored: Stored) -> list[Move]:
    """What is left of the line that the last hint came from, while the player keeps to it."""
    begun, _, text = stored.plan.partition("|")
    played = len(stored.game.line) - int(begun or 0)
    if not text or played < 0:
        return []
    rest = parse_line(text)[played:]
    try:
        wins = replay(stored.game.rules, stored.game.position, rest).is_won
    except ReplayError:
        return []
    return rest if wins else []
