"""Which of the candidates becomes a day's deal. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.deals import DealCode

SUNDAY = 6


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sealed deal with a winning line (its moves as text), the positions searched for it, and
    its mark: how players who do not see the hidden cards fare on it (`engine.levels`).
    """

    code: DealCode
    line: str
    positions: int
    mark: int

    @property
    def difficulty(self) -> tuple[int, int]:
        """What candidates are ordered by, easy first: a falling mark, then the solver's effort."""
        return -self.mark, self.positions


def choose_for_weekday(candidates: Sequence[Candidate], weekday: int) -> Candidate:
    """The candidate for a weekday (Monday 0 … Sunday 6): the easiest on Monday, then harder.

    Raises ValueError without candidates.
    """
    if not candidates:
        raise ValueError("there is no deal to choose from")
    ordered = sorted(candidates, key=lambda one: one.difficulty)
    return ordered[round(weekday * (len(ordered) - 1) / SUNDAY)]
