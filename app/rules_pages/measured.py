"""How often each game can be won: what `yukon winnability GAME --deals N --seconds 900` counted."""

from __future__ import annotations

from typing import NamedTuple


class Measured(NamedTuple):
    """Of the `deals` numbered from 1, `winnable` have a line that wins; a solver saw all cards."""

    deals: int
    winnable: int

    @property
    def share(self) -> float:
        """The share of deals that can be won, 0 to 1."""
        return self.winnable / self.deals


MEASURED = {
    "C": Measured(100, 89),
    "R": Measured(10_000, 9_990),
    "F": Measured(100, 89),
    "S": Measured(10_000, 687),
    "A": Measured(100, 91),
    "P": Measured(100, 32),
    "D": Measured(100, 100),
}
