"""How often a game is won after such a share of samples, measured: docs/fair-player.md."""

from __future__ import annotations

from typing import Final

PHASES: Final = (5, 10)
"""Up to so many hidden cards a game is at its end, in its middle; with more at its beginning."""

_CHANCES: Final = {
    "C": (
        (0, 0, 3, 4, 6, 6, 7, 7, 7, 8, 10),
        (0, 1, 2, 3, 3, 5, 5, 5, 8, 10, 10),
        (0, 1, 1, 2, 3, 4, 5, 6, 6, 8, 9),
    ),
    "F": (
        (0, 0, 2, 3, 6, 6, 6, 6, 7, 8, 10),
        (0, 1, 3, 3, 3, 5, 5, 5, 8, 9, 10),
        (0, 1, 1, 2, 3, 3, 5, 6, 7, 8, 9),
    ),
    "R": (
        (0, 0, 4, 4, 4, 5, 7, 7, 8, 8, 10),
        (0, 1, 3, 4, 4, 5, 5, 7, 9, 10, 10),
        (0, 1, 2, 2, 4, 4, 7, 8, 9, 10, 10),
    ),
    "S": (
        (0, 0, 3, 3, 3, 6, 6, 6, 6, 6, 10),
        (0, 1, 2, 3, 3, 4, 4, 6, 7, 7, 10),
        (0, 0, 2, 2, 3, 4, 5, 5, 7, 8, 9),
    ),
    "A": (
        (0, 0, 3, 3, 5, 5, 6, 6, 6, 8, 10),
        (0, 1, 3, 3, 4, 4, 5, 6, 7, 9, 10),
        (1, 1, 1, 2, 2, 3, 4, 4, 5, 7, 9),
    ),
    "P": (
        (0, 0, 3, 4, 5, 7, 8, 8, 9, 9, 10),
        (0, 2, 2, 4, 4, 7, 8, 8, 9, 10, 10),
        (0, 1, 2, 2, 4, 4, 5, 5, 7, 8, 8),
    ),
    "D": (
        (0, 0, 3, 4, 5, 5, 7, 7, 7, 8, 10),
        (0, 1, 2, 3, 4, 5, 5, 6, 8, 8, 10),
        (0, 1, 2, 2, 4, 5, 7, 7, 9, 9, 10),
    ),
}
"""By rule, for a game's end, middle and beginning: the tenths of games that the expert won after a
share of 0, 1 … 10 tenths of the samples."""


def chance(rule: str, hidden: int, share: float) -> int:
    """About how many of ten games of a rule the expert wins from there on.

    `hidden`: how many cards are not visible; `share`: of the samples, those that were won.
    """
    return _CHANCES[rule][sum(hidden > most for most in PHASES)][round(10 * share)]
