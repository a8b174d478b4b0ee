"""How often a game is won after such a share of samples, measured: docs/fair-player.md."""

from __future__ import annotations

from typing import Final

_PHASES: Final = (5, 10)
"""Up to so many hidden cards a game is at its end, in its middle; with more at its beginning."""

_CHANCES: Final = (
    (0, 1, 3, 3, 6, 6, 7, 8, 8, 9, 10),
    (0, 1, 2, 5, 5, 6, 8, 8, 8, 9, 10),
    (0, 0, 1, 4, 4, 4, 6, 6, 7, 9, 10),
)
"""For a game's end, middle and beginning: the tenths of games that the expert won after a share of
0, 1 … 10 tenths of the samples."""


def chance(hidden: int, share: float) -> int:
    """About how many of ten games the expert wins from there on."""
    return _CHANCES[sum(hidden > most for most in _PHASES)][round(10 * share)]
