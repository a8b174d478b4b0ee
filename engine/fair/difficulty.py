"""How hard a deal is for a player who sees only the visible cards, measured with trial games.

A deal's games are the simplest sampling player's (`trials`) with the seeds 1 … `GAMES`. Its mark is
the mean number of cards out at the end of these games; a game that was won counts all its cards
twice, so that wins come first and how far the lost games came tells equals apart.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.fair.trials import Trials
from engine.position import Position
from engine.rules import Rules

GAMES: Final = 8
EASY, MEDIUM, HARD = LEVELS = ("easy", "medium", "hard")


class Difficulty(NamedTuple):
    """What a deal's trial games gave: how many of `GAMES` were won, the mark 0 … 1000, the level.

    The lower the mark, the harder the deal.
    """

    wins: int
    mark: int
    level: str


CUTS: Final[dict[str, tuple[int, int]]] = {}
"""Of each game the marks from which a deal is medium, and easy: a third of the winnable deals each.

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
