"""How hard a deal is for a player who sees only the visible cards, measured with trial games.

A deal's games are the simplest sampling player's (`compiled.trials`) with the seeds 1 … `GAMES`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from engine.fair.compiled.plans import new_desk
from engine.fair.compiled.samples import new_search
from engine.fair.compiled.trials import play_out
from engine.fair.strengths import method
from engine.levels import level, mark
from engine.position import Position
from engine.rules import Rules
from engine.solver import search
from engine.solver.encode import encode
from engine.solver.model import DEALS, ORDER

GAMES: Final = 8


class Difficulty(NamedTuple):
    """What a deal's trial games gave: how many of `GAMES` were won, the mark 0 … 1000, the level.

    The lower the mark, the harder the deal.
    """

    wins: int
    mark: int
    level: str


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
