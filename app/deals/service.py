"""What is known of a deal: its verdict, proved or not, and par; worked out when first asked for."""

from __future__ import annotations

from contextlib import suppress
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
    `pending`: a worker is looking. `par` is the best known line's length, `bound` a proved lower
    bound, `shortest` whether they meet. `line` is that line: no page shows it.
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
        """What is known of a deal; a worker is asked when nothing is."""
        known = self.known(code)
        if known.par is not None and known.bound is None:
            self._ask_for_par(code, known.line)
        if known.verdict is not None:
            return known
        try:
            job = self._jobs.ask("deal", str(code), {"code": str(code)}, SOON)
        except Busy:
            return known
        if job.state == "done":  # since it was looked for
            return self.known(code)
        return replace(known, pending=not self._jobs.is_left(job))

    def _ask_for_par(self, code: DealCode, line: str) -> None:
        """Have a shorter line looked for: nobody has yet, or there would be a bound."""
        payload = {"code": str(code), "line": line}
        with suppress(Busy):
            self._jobs.ask("par", str(code), payload, LATER)


def _knowledge(proof: DealProof) -> DealKnowledge:
    if proof.verdict == UNPROVEN:
        return DealKnowledge(UNPROVEN, bound=proof.bound)
    return DealKnowledge(proof.verdict, proof.par, proof.bound, proof.shortest, line=proof.line)
