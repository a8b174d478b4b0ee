"""The solver's figures on fixed deals, beside the goals and the peers; then par.

    python -m tests.bench.bench_solver [RULES] [DEALS] [BUDGET]

RULES: letters of the games, all seven by default; DEALS: the deals 1 ... DEALS of each rule (1000);
BUDGET: positions a deal. Times are processor time of one core, after the warm-up; memory is the
peak of the process so far.

Par: for the winnable deals among 1 ... 100 (or DEALS) of each rule, the line of the budget that the
server's jobs have; for the games with one parent a card also the proof that none is shorter.
"""

from __future__ import annotations

import resource
import sys
import time
from typing import NamedTuple

import numpy as np

from app.jobs.tasks import PAR_BUDGET
from engine.deals import deal, open_code
from engine.rules import get_rules
from engine.solver import UNPROVEN, UNWINNABLE, WINNABLE, prove, shorten, solve, warm_up

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

PAR_GOAL = 82
"""The mean par of F's deals 1 ... 100 that can be won, at most."""

PROOF_BUDGET = 2_000_000
PROVED = "SP"
"""The games whose lines the bench tries to prove shortest."""

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


def par_report(rule: str, deals: int, budget: int) -> str:
    """One line about the short lines of a rule's winnable deals."""
    rules = get_rules(rule)
    first, pars, bounds, times, proof_times = [], [], [], [], []
    for number in range(1, deals + 1):
        position = deal(open_code(rule, number))
        found = solve(rules, position, budget)
        if found.verdict != WINNABLE:
            continue
        began = time.process_time()
        par = shorten(rules, position, found.moves, PAR_BUDGET)
        times.append(time.process_time() - began)
        if rule in PROVED:
            began = time.process_time()
            par = prove(rules, position, par.moves, PROOF_BUDGET, bound=par.bound)
            proof_times.append(time.process_time() - began)
        first.append(len(found.moves))
        pars.append(len(par.moves))
        bounds.append(par.bound)
    if not pars:
        return f"{rule}  none of {deals} is winnable"
    mean = float(np.mean(pars))
    goal = f"{' ' if mean <= PAR_GOAL else '!'}(<= {PAR_GOAL})" if rule == "F" else ""
    shortest = sum(par == bound for par, bound in zip(pars, bounds, strict=True))
    proved = f", proof {np.mean(proof_times):.2f} s" if proof_times else ""
    return (
        f"{rule}  {len(pars)} winnable: first line {np.mean(first):.1f}  par {mean:.1f}{goal}"
        f"  bound {np.mean(bounds):.1f}  shortest {shortest}"
        f"  {np.mean(times):.2f} s a deal, at most {max(times):.2f}{proved}"
    )


def main() -> None:
    """Print the table."""
    rules = sys.argv[1] if len(sys.argv) > 1 else "FCRSAPD"
    deals = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    budget = int(sys.argv[3]) if len(sys.argv) > 3 else 20_000_000
    began = time.perf_counter()
    warm_up()
    par_report("F", 1, budget)
    print(f"warm-up {time.perf_counter() - began:.1f} s")
    print(PEERS)
    print("rule  winnable / unwinnable / unproven; ! marks a goal that is not met")
    for rule in rules:
        print(report(rule, measure(rule, deals, budget)), flush=True)
    print("par")
    for rule in rules:
        print(par_report(rule, min(deals, 100), budget), flush=True)


if __name__ == "__main__":
    main()
