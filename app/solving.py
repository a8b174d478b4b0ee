"""Solving outside the server: one position, or the winnability of many deals."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from app.surveys import Kept
from engine.deals import deal, open_code
from engine.moves import Move
from engine.position import Position
from engine.rules import Rules, get_rules
from engine.solver import MEMORY, POSITIONS_A_SECOND, UNPROVEN, Par, Solution, prove, shorten, solve

BUDGET = 10**9
MEMORY_MB = MEMORY // 10**6
"""What a search may take unless it is told otherwise."""


@dataclass(frozen=True, slots=True)
class Solved:
    """What came of one deal: its number, verdict, length of the line found, positions, ms."""

    number: int
    verdict: str
    moves: int | None
    positions: int
    ms: float


def solve_within(
    rules: Rules, position: Position, seconds: float, memory_mb: int = MEMORY_MB
) -> tuple[Solution, float]:
    """Solve a position within a time; the solution and the ms it took."""
    start = time.perf_counter()
    found = solve(rules, position, BUDGET, _stop_after(seconds), memory=memory_mb * 10**6)
    return found, (time.perf_counter() - start) * 1e3


def par_within(
    rules: Rules,
    position: Position,
    line: Sequence[Move],
    seconds: float,
    prove_seconds: float | None = None,
) -> Par:
    """The best line found in `seconds`, from a winning `line` on, and the bound known then.

    With `prove_seconds` so much more is spent to prove that no line is shorter.
    """
    found = shorten(rules, position, line, _budget(seconds), _stop_after(seconds))
    if prove_seconds is None or found.shortest:
        return found
    stop = _stop_after(prove_seconds)
    proved = prove(rules, position, found.moves, BUDGET, stop, bound=found.bound)
    return proved._replace(positions=found.positions + proved.positions)


def _budget(seconds: float) -> int:
    """How many positions to spread a search over that may take so long: see `shorten`."""
    return min(BUDGET, int(seconds * POSITIONS_A_SECOND) + 1)


def _stop_after(seconds: float) -> Callable[[], bool]:
    start = time.perf_counter()
    return lambda: time.perf_counter() - start > seconds


def solve_number(rule: str, number: int, seconds: float, memory_mb: int = MEMORY_MB) -> Solved:
    """Solve an open deal of a game."""
    start = deal(open_code(rule, number))
    found, took = solve_within(get_rules(rule), start, seconds, memory_mb)
    moves = len(found.moves) if found.verdict == "winnable" else None
    return Solved(number, found.verdict, moves, found.positions, round(took, 3))


class Survey(Kept[Solved]):
    """The winnability of a game over many deals. A deal that was left unproven is tried again."""

    def __init__(self, rule: str, path: Path) -> None:
        super().__init__(path, {"rule": rule}, Solved)
        self.rule = rule

    def missing(self, start: int, deals: int) -> list[int]:
        """The numbers that are still to be solved."""
        return [
            number
            for number in range(start, start + deals)
            if number not in self.rows or self.rows[number].verdict == UNPROVEN
        ]

    def solve(
        self, start: int, deals: int, seconds: float, processes: int, memory_mb: int = MEMORY_MB
    ) -> Iterator[Solved]:
        """Solve what is missing; each deal as it is done, already in the file."""
        work = partial(solve_number, self.rule, seconds=seconds, memory_mb=memory_mb)
        prepare = partial(_prepare, self.rule)
        return self.run(self.missing(start, deals), processes, work, prepare)


def _prepare(rule: str) -> None:
    """In each process: compiled before the first deal, deaf to Ctrl-C (the parent hears it)."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    solve_number(rule, 1, 1.0)


def interval(hits: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson's score interval)."""
    if total == 0:
        return 0.0, 1.0
    z = 1.959964
    share = hits / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * (share * (1 - share) / total + z * z / 4 / total**2) ** 0.5
    return max(0.0, middle - half), min(1.0, middle + half)


def cores() -> int:
    """How many processes this machine bears."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
