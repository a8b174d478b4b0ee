"""How often a game is won after such a share of samples, measured: docs/fair-player.md."""

from __future__ import annotations

from typing import Final

PHASES: Final = (5, 10)
"""Up to so many hidden cards a game is at its end, in its middle; with more at its beginning."""

_Table = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]

_CHANCES: Final[dict[str, _Table]] = {}
"""Of each game: for its end, middle and beginning the tenths of games that the expert won after a
share of 0, 1 … 10 tenths of the samples."""


def chance(rule: str, hidden: int, share: float) -> int | None:
    """About how many of ten such games the expert wins; None for a game not measured."""
    table = _CHANCES.get(rule)
    if table is None:
        return None
    phase = sum(hidden > most for most in PHASES)
    return table[phase][round(10 * share)]
