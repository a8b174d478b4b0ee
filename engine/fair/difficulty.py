"""How hard a deal is for a player who sees only the visible cards, measured with trial games.

A deal's games are the simplest sampling player's (`trials`) with the seeds 1 … `GAMES`. Its mark is
the mean number of cards out at the end of these games; a game that was won counts all its cards
twice, so that wins come first and how far the lost games came tells equals apart.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from engine.fair.compiled.samples import new_desk, new_search
from engine.fair.compiled.trials import play_out
from engine.fair.strengths import method
from engine.position import Position
from engine.rules import Rules
from engine.solver import search
from engine.solver.encode import encode
from engine.solver.model import DEALS, ORDER

GAMES: Final = 8
EASY, MEDIUM, HARD = LEVELS = ("easy", "medium", "hard")


class Difficulty(NamedTuple):
    """What a deal's trial games gave: how many of `GAMES` were won, the mark 0 … 1000, the level.

    The lower the mark, the harder the deal.
    """

    wins: int
    mark: int
    level: str


CUTS: Final = {
    "C": (250, 760),
    "F": (250, 760),
    "R": (800, 1000),
    "S": (500, 1000),
    "A": (47, 298),
    "P": (409, 885),
    "D": (280, 1000),
}
"""Of each game the marks from which a deal is medium, and easy: the thirds of its winnable deals.

In Yukon Flexible most deals are won every time, so easy means that, and medium most of the time.
Measured: docs/fair-player.md.
"""


def mark(cards: int, outs: list[int]) -> int:
    """The mark of games that ended with so many cards out, in a game of `cards` cards."""
    total = sum(out * (2 if out == cards else 1) for out in outs)
    return round(1000 * total / (2 * cards * len(outs)))


def level(rule: str, marked: int) -> str:
    """The level of a mark. Raises KeyError for a game without cuts."""
    medium, easy = CUTS[rule]
    if marked >= easy:
        return EASY
    return MEDIUM if marked >= medium else HARD


class Trials:
    """Plays trial games of one game's deals."""

    def __init__(self, rules: Rules) -> None:
        self._rules, self._method = rules, method(rules)
        cards = rules.variant.cards
        self._search, self._desk = new_search(cards), new_desk(cards)
        self._search.state[search.WEIGHTS : search.WEIGHTS + 4] = self._method.weights
        self._slots, self._pool = np.zeros((128, 2), np.int32), np.zeros(128, np.uint8)
        self._row = np.zeros(cards, np.uint8)

    def play(self, start: Position, seed: int) -> int:
        """How many cards are out at the end of a game; all of them when it was won."""
        begun = encode(self._rules, start)
        stock = begun.game[ORDER + len(start.waste) : ORDER + int(begun.game[DEALS])].copy()
        return play_out(
            begun.game, stock, begun.row, self._search, self._desk, self._slots, self._pool,
            self._row, seed, self._method.positions, int(self._method.merged),
        )  # fmt: skip


class Examiner:
    """Measures deals of one game; making one takes a moment."""

    def __init__(self, rules: Rules) -> None:
        self._rules, self._trials = rules, Trials(rules)

    def difficulty(self, start: Position) -> Difficulty:
        """How hard a winnable deal is. It means nothing for one that cannot be won."""
        cards = self._rules.variant.cards
        outs = [self._trials.play(start, seed) for seed in range(1, GAMES + 1)]
        marked = mark(cards, outs)
        return Difficulty(outs.count(cards), marked, level(self._rules.variant.rule, marked))
