"""How figures are taken and printed."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence

from rich.console import Console

console = Console()


def median_seconds(work: Callable[[], object], repeats: int, inner: int = 1) -> float:
    """The median time of `work` in seconds over `repeats` takes of `inner` calls each."""
    takes = []
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(inner):
            work()
        takes.append((time.perf_counter() - start) / inner)
    return statistics.median(takes)


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def show(what: str, figure: str, goal: str = "") -> None:
    """Print one figure with its goal."""
    console.print(f"{what:<58} {figure:>22}   {goal}", highlight=False, soft_wrap=True)
