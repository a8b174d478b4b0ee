"""What each part of the solver is worth: the same deals with one part left out.

    python -m tests.bench.bench_ablation [RULES] [DEALS] [BUDGET]

RULES: letters of the games whose search has these parts (FR); DEALS: the deals 1 ... DEALS of each
(200); BUDGET: positions a deal (300,000), so that what a part would have decided is open.
Times are processor time of one core, after the warm-up.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import numpy as np

from engine.solver import UNPROVEN, UNWINNABLE, WINNABLE, search, tasks, warm_up
from tests.bench.bench_solver import Figures, measure

Kinds = tuple[int, ...]


@contextmanager
def _wins(**changed: Any) -> Iterator[None]:
    """Every search for a win is made with these arguments instead of its own."""
    made = tasks.Win.__init__

    def begin(self: tasks.Win, start: Any, seed: int, kinds: Kinds, **given: Any) -> None:
        if "kinds" in changed:
            kinds = changed["kinds"]
        made(
            self,
            start,
            seed,
            kinds,
            **{**given, **{k: v for k, v in changed.items() if k != "kinds"}},
        )

    with patch.object(tasks.Win, "__init__", begin):
        yield


@contextmanager
def _no_refutation() -> Iterator[None]:
    yield


@contextmanager
def _no_dead_ends() -> Iterator[None]:
    """Positions are not tested for dead ends (states of slot space still are)."""
    begin: Callable[..., None] = search.start

    def untested(game: Any, new: search.Search, row: Any, seed: int) -> None:
        new.state[search.UNPRUNED] = 1
        begin(game, new, row, seed)

    with patch.object(search, "start", untested):
        yield


@contextmanager
def _all() -> Iterator[None]:
    yield


PARTS: dict[str, Callable[[], Any]] = {
    "as it is": _all,
    "plain states alone": lambda: _wins(kinds=(tasks.PLAIN_STATES,)),
    "merged states alone": lambda: _wins(kinds=(tasks.MERGED_STATES,)),
    "one search that is not begun anew": lambda: _wins(restarts=False),
    "no refutation in slot space": _no_refutation,
    "no test for dead ends": _no_dead_ends,
}


def report(figures: Figures) -> str:
    """What came of the deals, in one line."""
    times, counts = np.array(figures.times), figures.verdicts
    return (
        f"{counts[WINNABLE]:4d} / {counts[UNWINNABLE]:3d} / {counts[UNPROVEN]:3d}"
        f"  median {np.median(times):8.2f}  p90 {np.percentile(times, 90):8.1f}"
        f"  p99 {np.percentile(times, 99):8.0f} ms  sum {times.sum() / 1000:6.1f} s"
    )


def main() -> None:
    """Print the tables."""
    rules = sys.argv[1] if len(sys.argv) > 1 else "FR"
    deals = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    budget = int(sys.argv[3]) if len(sys.argv) > 3 else 300_000
    warm_up()
    for rule in rules:
        measure(rule, 3, budget)
        print(f"{rule} 1 ... {deals}: winnable / unwinnable / undecided", flush=True)
        for name, without in PARTS.items():
            with without():
                print(f"  {name:36}{report(measure(rule, deals, budget))}", flush=True)


if __name__ == "__main__":
    main()
