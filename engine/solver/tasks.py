"""The searches as tasks that run in slices."""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np

from engine.solver import refute, search
from engine.solver.encode import Start
from engine.solver.model import BACK, MERGED

# What a slice ends with:
OPEN: Final = 0
WON: Final = 1
LOST: Final = 2  # a proof
OVER: Final = 3  # nothing more to find, nothing proved
FULL: Final = 4  # no memory left

_MOST_BYTES = 400_000_000
_LONGEST_PATH = 4096


class Task(Protocol):
    """A search that runs in slices and says what it found."""

    pace: int
    positions: int

    def run(self, positions: int) -> int:
        """Expand up to so many positions (counted in `positions`); OPEN ... FULL."""


class Win:
    """A best-first search for a win.

    `merged`, `back`: see model. `exact`: the merged states are told apart exactly; otherwise a
    merged search that runs empty, which proves nothing, goes on over plain states. `complete`: no
    move of the game is left out.
    """

    pace = 1

    def __init__(
        self,
        start: Start,
        seed: int,
        *,
        merged: bool,
        exact: bool = False,
        back: bool = False,
        complete: bool = True,
    ) -> None:
        self.positions = 0
        self._start, self._seed = start, seed
        self._complete, self._exact = complete, exact or not merged
        self._game = start.game.copy()
        self._game[MERGED], self._game[BACK] = merged, back
        self._search: search.Search | None = None

    def run(self, positions: int) -> int:
        """See Task."""
        end = self.positions + positions
        while True:
            if self._search is None:
                self._search = search.new_search(len(self._start.row))
                search.start(self._game, self._search, self._start.row, self._seed)
            counts = self._search.state
            before = int(counts[search.EXPANDED])
            status = search.advance(self._game, self._search, end - self.positions)
            self.positions += int(counts[search.EXPANDED]) - before
            if status == search.WON:
                return WON
            if status == search.FULL:
                if 2 * sum(array.nbytes for array in self._search) > _MOST_BYTES:
                    return FULL
                self._search = search.enlarge(self._search)
            elif status == search.EMPTY:
                if not self._complete:
                    return OVER
                if self._exact:
                    return LOST
                self._exact = True
                self._game[MERGED] = 0
                self._search = None
            if self.positions >= end:
                return OPEN

    def line(self) -> list[tuple[int, int]]:
        """The moves of the win found, as pairs (card, to)."""
        assert self._search is not None
        path, line = np.empty(_LONGEST_PATH, np.int32), np.empty(2 * _LONGEST_PATH, np.uint8)
        goal = int(self._search.state[search.GOAL])
        used = search.trace(self._game, self._search, self._start.row, goal, path, line)
        return [(int(card), int(to)) for card, to in line[:used].reshape(-1, 2)]


class Refute:
    """A refutation in slot space, first plain, and strict if that reaches the end.

    `four`: cards have four parents (any suit); `returns`: worrying back.
    """

    pace = 4

    def __init__(self, start: Start, *, four: bool, returns: bool) -> None:
        self.positions = 0
        self._start, self._four, self._returns = start, four, returns
        self._strict = False
        self._refutation: refute.Refutation | None = None

    def run(self, positions: int) -> int:
        """See Task."""
        end = self.positions + positions
        while True:
            if self._refutation is None:
                self._refutation = refute.new_refutation()
                given = int(self._four), int(self._returns), int(self._strict)
                refute.begin(self._start.game, self._start.row, *given, self._refutation)
            counts = self._refutation.state
            before = int(counts[refute.EXPANDED])
            status = refute.refute(self._refutation, end - self.positions)
            self.positions += int(counts[refute.EXPANDED]) - before
            if status == refute.PROVED:
                return LOST
            if status == refute.FULL:
                if 2 * sum(array.nbytes for array in self._refutation) > _MOST_BYTES:
                    return FULL
                self._refutation = refute.enlarge_refutation(self._refutation)
            elif status == refute.REACHED:
                if self._strict or self._four:
                    return OVER
                self._strict = True
                self._refutation = None
            if self.positions >= end:
                return OPEN
