"""How often each game can be won: what `yukon winnability GAME --deals N --seconds 900` counted."""

from __future__ import annotations

from typing import NamedTuple


class Measured(NamedTuple):
    """Of the `deals` numbered from 1, `winnable` have a line that wins and `lost` have none.

    A solver saw all the cards. What is neither could not be decided in the time.
    """

    deals: int
    winnable: int
    lost: int

    @property
    def share(self) -> float:
        """The share that can be won, 0 to 1, to a thousandth; never 1 while one is missing."""
        share = round(self.winnable / self.deals, 3)
        return share if self.winnable == self.deals else min(share, 0.999)


MEASURED = {
    "C": Measured(10_000, 8_935, 1_064),
    "R": Measured(10_000, 9_990, 8),
    "F": Measured(10_000, 8_918, 1_082),
    "S": Measured(10_000, 687, 9_313),
    "A": Measured(10_000, 8_552, 1_447),
    "P": Measured(10_000, 2_931, 7_069),
    "D": Measured(10_000, 9_999, 0),
}
