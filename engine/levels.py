"""How hard deals are, in words: the marks that measuring gives, and the three levels.

A mark is what came of some games of a deal by a player who sees only the visible cards
(`engine.fair.difficulty` plays them): the mean number of cards out at the end, 0 … 1000. A game
that was won counts all its cards twice, so that wins come first and how far the lost games came
tells equals apart. The lower the mark, the harder the deal.
"""

from __future__ import annotations

from typing import Final

EASY, MEDIUM, HARD = LEVELS = ("easy", "medium", "hard")

CUTS: Final = {
    "C": (171, 803),
    "F": (175, 876),
    "R": (800, 1000),
    "S": (456, 1000),
    "A": (47, 298),
    "P": (423, 888),
    "D": (297, 890),
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
