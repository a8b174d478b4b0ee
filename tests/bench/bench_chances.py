"""From shares to chances: the table of `engine/fair/chances.py`, fitted and tried.

    python -m tests.bench.bench_chances KEEP ...

KEEP: the files of `yukon fair GAME --strength expert --start 401 --keep KEEP`, one for each game.
The table is fitted to the decisions of the even deals, and tried on those of the odd ones.

A decision's share counts by its game's end, so a game with many decisions in a phase counts little
more than one with few: by the square root of their number. Each share of a game of the family has a
prior of four games at what all of them say together. What grows with the share is then fitted by
pooling neighbours that do not (isotonic regression).
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from app.fairness import Fair, FairSurvey
from engine.fair.chances import PHASES

_PRIOR = 4.0
_SHARES = range(11)


class Decision(NamedTuple):
    """A decision's phase of its game and share in tenths, its weight, and whether it was won."""

    phase: int
    share: int
    weight: float
    won: bool


def phase_of(hidden: int) -> int:
    """0 at a game's end, 2 at its beginning."""
    return sum(hidden > most for most in PHASES)


def decisions(game: Fair) -> list[Decision]:
    """A game's decisions that tried samples."""
    phases = Counter(phase_of(hidden) for hidden, _, _ in game.shares)
    return [
        Decision(
            phase := phase_of(hidden), round(10 * wins / tried), 1 / sqrt(phases[phase]), game.won
        )
        for hidden, wins, tried in game.shares
    ]


def rates(found: Iterable[Decision], prior: list[float] | None = None) -> list[float]:
    """How often a game is won after each share; never less after a higher one."""
    weights = [_PRIOR if prior else 1e-9 for _ in _SHARES]
    won = [weight * (prior[share] if prior else share / 10) for share, weight in enumerate(weights)]
    for decision in found:
        weights[decision.share] += decision.weight
        won[decision.share] += decision.weight * decision.won
    pools: list[tuple[float, float, int]] = []
    for share in _SHARES:
        pools.append((won[share], weights[share], 1))
        while len(pools) > 1 and pools[-2][0] * pools[-1][1] >= pools[-1][0] * pools[-2][1]:
            (a, b, c), (d, e, f) = pools.pop(), pools.pop()
            pools.append((a + d, b + e, c + f))
    return [wins / weight for wins, weight, count in pools for _ in range(count)]


def table(games: dict[str, list[Decision]]) -> dict[str, list[list[int]]]:
    """For each rule and phase the chances, in tenths, after a share of 0 ... 10 tenths."""
    found: dict[str, list[list[int]]] = {rule: [] for rule in games}
    for phase in range(len(PHASES) + 1):
        within = {rule: [d for d in all_ if d.phase == phase] for rule, all_ in games.items()}
        together = rates(d for each in within.values() for d in each)
        for rule, each in within.items():
            found[rule].append([round(10 * rate) for rate in rates(each, together)])
    return found


def main(paths: list[str]) -> None:
    """Print the table of the even deals, and how often the odd ones were won at its chances."""
    even: dict[str, list[Decision]] = {}
    odd: dict[str, list[Decision]] = {}
    for path in paths:
        with Path(path).open() as file:
            rule: str = json.loads(file.readline())["rule"]
        played = FairSurvey(rule, "expert", Path(path)).rows.values()
        for number, games in ((0, even), (1, odd)):
            games[rule] = [
                each for game in played if game.number % 2 == number for each in decisions(game)
            ]
    chances = table(even)
    for rule, phases in chances.items():
        print(f'    "{rule}": (')
        for phase in phases:
            print(f"        ({', '.join(map(str, phase))}),")
        print("    ),")
    tried, won = Counter[int](), Counter[int]()
    for rule, each in odd.items():
        for decision in each:
            chance = chances[rule][decision.phase][decision.share]
            tried[chance] += 1
            won[chance] += decision.won
    for chance in sorted(tried):
        print(f"{chance} in 10: won {won[chance] / tried[chance]:.0%} of {tried[chance]}")


if __name__ == "__main__":
    main(sys.argv[1:])
