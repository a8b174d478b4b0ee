"""What has been proved: verdicts on positions, and what is known of deals.

A verdict is `winnable` (with a line that the rules have replayed to a win), `unwinnable` (the
search was exhausted) or `unproven` (a limit was met). A better one replaces a worse one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

from sqlalchemy import Connection, Row, select, update
from sqlalchemy.dialects import postgresql, sqlite

from app.models import deals, verdicts
from engine.moves import Move
from engine.position import Position, encode

VerdictName = Literal["winnable", "unwinnable", "unproven"]
WINNABLE: Final = "winnable"
UNWINNABLE: Final = "unwinnable"
UNPROVEN: Final = "unproven"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict on a position; `line` are the moves that win from it, separated by spaces."""

    verdict: VerdictName
    line: str
    positions: int


@dataclass(frozen=True, slots=True)
class DealProof:
    """What is known of a deal: its verdict, best known line, par (its length) and lower bound.

    `made_by` is `solver`, `search` (a longer search for a short line) or `player`.
    """

    code: str
    verdict: VerdictName
    line: str
    par: int | None
    bound: int | None
    made_by: str

    @property
    def shortest(self) -> bool:
        """Whether the best known line is proved to be the shortest."""
        return self.par is not None and self.par == self.bound


def position_key(rule: str, position: Position) -> str:
    """The key under which a position's verdict is kept."""
    return f"{rule}:{hashlib.sha256(encode(position)).hexdigest()[:36]}"


def position_hex(position: Position) -> str:
    """A position as a job's payload carries it."""
    return encode(position).hex()


def _insert(connection: Connection, table: Any, values: dict[str, Any]) -> bool:
    """Insert a row unless its key is there; whether it was not."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    insert = dialect.insert(table).values(values).on_conflict_do_nothing()
    return connection.execute(insert).rowcount > 0


def verdict_on(connection: Connection, rule: str, position: Position) -> Verdict | None:
    """The stored verdict on a position."""
    row = connection.execute(
        select(verdicts.c.verdict, verdicts.c.line, verdicts.c.positions).where(
            verdicts.c.key == position_key(rule, position)
        )
    ).first()
    return Verdict(row.verdict, row.line, row.positions) if row else None


def verdicts_of(connection: Connection, keys: list[str]) -> dict[str, str]:
    """The stored verdicts on the positions with these keys."""
    found = connection.execute(
        select(verdicts.c.key, verdicts.c.verdict).where(verdicts.c.key.in_(keys))
    )
    return {row.key: row.verdict for row in found}


def keep_verdict(
    connection: Connection, rule: str, position: Position, verdict: Verdict, now: int
) -> None:
    """Store a verdict; one that proves something replaces one that does not."""
    key = position_key(rule, position)
    values = {
        "key": key,
        "rule": rule,
        "verdict": verdict.verdict,
        "line": verdict.line,
        "positions": verdict.positions,
        "made_at": now,
    }
    _insert(connection, verdicts, values)
    if verdict.verdict != UNPROVEN:
        connection.execute(
            update(verdicts)
            .where(verdicts.c.key == key, verdicts.c.verdict == UNPROVEN)
            .values(values)
        )


def _proof(row: Row[Any]) -> DealProof:
    return DealProof(row.code, row.verdict, row.line, row.par, row.bound, row.made_by)


def short_line(
    code: str, moves: Iterable[Move], bound: int | None, made_by: str = "search"
) -> DealProof:
    """What a line that wins a deal shows."""
    line = " ".join(map(str, moves))
    return DealProof(code, WINNABLE, line, len(line.split()), bound, made_by)


def deal_proof(connection: Connection, code: str, *, locked: bool = False) -> DealProof | None:
    """What is known of a deal; `locked`: until the transaction ends nobody else changes it."""
    query = select(deals).where(deals.c.code == code)
    row = connection.execute(query.with_for_update() if locked else query).first()
    return _proof(row) if row else None


def keep_deal(connection: Connection, proof: DealProof, rule: str, now: int) -> None:
    """Store what is known of a deal, keeping whatever was known better.

    A proved verdict replaces an unproven one, a shorter line a longer one, a higher bound a
    lower one.
    """
    values = {
        "code": proof.code,
        "rule": rule,
        "verdict": proof.verdict,
        "line": proof.line,
        "par": proof.par,
        "bound": proof.bound,
        "made_by": proof.made_by,
        "made_at": now,
    }
    if _insert(connection, deals, values):
        return
    known = deal_proof(connection, proof.code, locked=True)
    assert known is not None  # it stood in the way
    better: dict[str, Any] = {}
    if known.verdict == UNPROVEN and proof.verdict != UNPROVEN:
        better |= values
        better["bound"] = max(proof.bound or 0, known.bound or 0) or None
    elif proof.par is not None and (known.par is None or proof.par < known.par):
        better |= {name: values[name] for name in ("verdict", "line", "par", "made_by", "made_at")}
    if (proof.bound or 0) > (known.bound or 0):
        better["bound"] = proof.bound
    if better:
        connection.execute(update(deals).where(deals.c.code == proof.code).values(better))
