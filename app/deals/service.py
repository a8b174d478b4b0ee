"""What is known of a deal: its verdict, proved or not, and par; worked out when first asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.catalogue import store as catalogue
from app.catalogue.shipped import unpack_line
from app.db import Database
from app.errors import Busy
from app.jobs import proofs
from app.jobs.proofs import UNPROVEN, WINNABLE, DealProof, VerdictName
from app.jobs.service import LATER, SOON, JobService
from engine.deals import DealCode, deal
from engine.rules import get_rules


@dataclass(frozen=True, slots=True)
class DealKnowledge:
    """What a deal's page says of it.

    `verdict` is `winnable`, `unwinnable`, `unproven`, or None while nobody has looked yet;
    `pending`: a worker is looking, for the verdict or for a shorter line. `par` is the best known
    line's length, `bound` a proved lower bound, `shortest` whether they meet. `line` is that line:
    no page shows it. `level`: how hard the deal is, of a deal of the catalogue.
    """

    verdict: VerdictName | None = None
    par: int | None = None
    bound: int | None = None
    shortest: bool = False
    pending: bool = False
    line: str = ""
    level: str | None = None


@dataclass(frozen=True, slots=True)
class Fares:
    """How many games on a deal a player won who sees only the face-up cards.

    `of` is 0 while that is not known; `pending`: a worker plays them.
    """

    won: int = 0
    of: int = 0
    pending: bool = False


class ProofService:
    """What is known of the deals of one database."""

    def __init__(self, database: Database, jobs: JobService) -> None:
        self._database = database
        self._jobs = jobs

    def known(self, code: DealCode) -> DealKnowledge:
        """What is known of a deal now; nothing is asked for."""
        with self._database.read() as connection:
            proof = proofs.deal_proof(connection, str(code))
            graded = catalogue.graded(connection, str(code))
            level = catalogue.level_of(connection, str(code))
        if proof is not None:
            return replace(_knowledge(proof), level=level)
        if graded is None:
            return DealKnowledge()
        line = unpack_line(get_rules(code.rule), deal(code), graded.line)
        return DealKnowledge(WINNABLE, len(line), line=" ".join(map(str, line)), level=level)

    def ask(self, code: DealCode) -> DealKnowledge:
        """What is known of a deal; a worker is asked for what is not: the verdict, then par."""
        known = self.known(code)
        if known.verdict is None:
            kind, payload, priority = "deal", {"code": str(code)}, SOON
        elif known.par is not None and known.bound is None:  # its line is as it was found
            kind, payload, priority = "par", {"code": str(code), "line": known.line}, LATER
        else:
            return known
        try:
            job = self._jobs.ask(kind, str(code), payload, priority)
        except Busy:
            return known
        if job.state == "done":  # since it was looked for
            return self.known(code)
        return replace(known, pending=not self._jobs.is_left(job))

    def fares(self, code: DealCode) -> Fares:
        """How the fair player fares on a deal; a worker is asked when it is not known."""
        try:
            job = self._jobs.ask("tries", str(code), {"code": str(code)}, LATER)
        except Busy:
            return Fares()
        if job.state == "done" and job.result is not None:
            return Fares(job.result["won"], job.result["of"])
        return Fares(pending=not self._jobs.is_left(job))


def _knowledge(proof: DealProof) -> DealKnowledge:
    if proof.verdict == UNPROVEN:
        return DealKnowledge(UNPROVEN, bound=proof.bound)
    return DealKnowledge(proof.verdict, proof.par, proof.bound, proof.shortest, line=proof.line)
