"""What is known of a deal: its verdict, proved or not, and par; worked out when first asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.db import Database
from app.errors import Busy
from app.jobs import proofs
from app.jobs.proofs import UNPROVEN, DealProof, VerdictName
from app.jobs.service import LATER, SOON, JobService
from engine.deals import DealCode


@dataclass(frozen=True, slots=True)
class DealKnowledge:
    """What a deal's page says of it.

    `verdict` is `winnable`, `unwinnable`, `unproven`, or None while nobody has looked yet;
    `pending`: a worker is looking, for the verdict or for a shorter line. `par` is the best known
    line's length, `bound` a proved lower bound, `shortest` whether they meet. `line` is that line:
    no page shows it.
    """

    verdict: VerdictName | None = None
    par: int | None = None
    bound: int | None = None
    shortest: bool = False
    pending: bool = False
    line: str = ""


class ProofService:
    """What is known of the deals of one database."""

    def __init__(self, database: Database, jobs: JobService) -> None:
        self._database = database
        self._jobs = jobs

    def known(self, code: DealCode) -> DealKnowledge:
        """What is known of a deal now; nothing is asked for."""
        with self._database.read() as connection:
            proof = proofs.deal_proof(connection, str(code))
        return DealKnowledge() if proof is None else _knowledge(proof)

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


def _knowledge(proof: DealProof) -> DealKnowledge:
    if proof.verdict == UNPROVEN:
        return DealKnowledge(UNPROVEN, bound=proof.bound)
    return DealKnowledge(proof.verdict, proof.par, proof.bound, proof.shortest, line=proof.line)
