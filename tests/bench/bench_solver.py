"""The solver's figures on fixed deals, beside the goals and the peers.

    python -m tests.bench.bench_solver [RULES] [DEALS] [BUDGET]

RULES: letters of the games, all seven by default; DEALS: the deals 1 ... DEALS of each rule (1000);
BUDGET: positions a deal. Times are processor time of one core, after the warm-up; memory is the
peak of the process so far.
"""

from __future__ import annotations

import resource
import sys
import time
from typing import NamedTuple

import numpy as np

from engine.deals import deal, open_code
from engine.rules import get_rules
from engine.solver import UNPROVEN, UNWINNABLE, WINNABLE, solve, warm_up

GOALS = {
    "F": (2, 1000, 30_000),
    "C": (2, 1000, 30_000),
    "R": (3, 20, 20_000),
    "S": (0.3, 5, 50),
    "A": (5, 2000, 30_000),
    "P": (3, 500, 3000),
    "D": (20, 100, 2000),
}
"""Median, 99th percentile and longest time allowed, in milliseconds."""

PEERS = """\
Peers on F 1 ... 200, one core (winnable / unwinnable / open, median ms, p90 ms):
  KPatience's solver (C++, 30 MB limit)              159 /  8 / 33    2.5   1,666
  best-first search (C++, 1 s limit)                 173 / 15 / 12    0.6     297
  depth-first, exact cache (C++, 3 s, other deals)   141 /  6 / 53     42   3,300
"""


class Figures(NamedTuple):
    """What one rule's deals gave: verdicts, milliseconds a deal, positions, moves of the lines."""

    verdicts: dict[str, int]
    times: list[float]
    positions: list[int]
    moves: list[int]


def measure(rule: str, deals: int, budget: int) -> Figures:
    """Solve the deals 1 ... `deals` of a rule."""
    rules = get_rules(rule)
    figures = Figures({WINNABLE: 0, UNWINNABLE: 0, UNPROVEN: 0}, [], [], [])
    for number in range(1, deals + 1):
        position = deal(open_code(rule, number))
        began = time.process_time()
        found = solve(rules, position, budget)
        figures.times.append((time.process_time() - began) * 1000)
        figures.verdicts[found.verdict] += 1
        figures.positions.append(found.positions)
        if found.verdict == WINNABLE:
            figures.moves.append(len(found.moves))
    return figures


def report(rule: str, figures: Figures) -> str:
    """One line of the table."""
    times = np.array(figures.times)
    values = float(np.median(times)), float(np.percentile(times, 99)), float(times.max())
    goals = GOALS[rule]
    shown = [
        f"{value:9.2f}{' ' if value <= goal else '!'}(<= {goal:g})"
        for value, goal in zip(values, goals, strict=True)
    ]
    counts = " / ".join(f"{figures.verdicts[v]:4d}" for v in (WINNABLE, UNWINNABLE, UNPROVEN))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    moves = float(np.median(figures.moves)) if figures.moves else 0
    return (
        f"{rule}  {counts}  median {shown[0]}  p99 {shown[1]}  max {shown[2]} ms"
        f"  sum {times.sum() / 1000:.1f} s  line {moves:.0f}"
        f"  positions {int(np.median(figures.positions))} / {max(figures.positions)}  {memory} MB"
    )


def main() -> None:
    """Print the table."""
    rules = sys.argv[1] if len(sys.argv) > 1 else "FCRSAPD"
    deals = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    budget = int(sys.argv[3]) if len(sys.argv) > 3 else 20_000_000
    began = time.perf_counter()
    warm_up()
    print(f"warm-up {time.perf_counter() - began:.1f} s")
    print(PEERS)
    print("rule  winnable / unwinnable / unproven; ! marks a goal that is not met")
    for rule in rules:
        print(report(rule, measure(rule, deals, budget)), flush=True)


if __name__ == "__main__":
    main()
