"""How often each game can be won: what `yukon winnability GAME` counted."""

from __future__ import annotations

from typing import NamedTuple


class Measured(NamedTuple):
    """Of the `deals` numbered from 1, `winnable` have a line that wins, and the others have none.

    A solver that sees all the cards has decided each.
    """

    deals: int
    winnable: int

    @property
    def share(self) -> float:
        """The share that can be won, 0 to 1, to a thousandth; never 1 while one is missing."""
        share = round(self.winnable / self.deals, 3)
        return share if self.winnable == self.deals else min(share, 0.999)

    @property
    def lost(self) -> int:
        """How many cannot be won."""
        return self.deals - self.winnable


MEASURED = {
    "C": Measured(10_000, 8_936),
    "R": Measured(10_000, 9_990),
    "F": Measured(10_000, 8_918),
    "S": Measured(10_000, 687),
    "A": Measured(10_000, 8_552),
    "P": Measured(10_000, 2_931),
    "D": Measured(10_000, 10_000),
}
