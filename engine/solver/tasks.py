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
_FOR_EVER = 1 << 60


def luby(i: int) -> int:
    """The i-th term (from 1) of 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..."""
    while True:
        k = i.bit_length()
        if i == (1 << k) - 1:
            return 1 << (k - 1)
        i -= (1 << (k - 1)) - 1


def _weights(seed: int, attempt: int) -> tuple[int, int, int, int]:
    """The score's weights: the best on average for a first attempt, then any of a range."""
    if attempt == 1:
        return 8, 2, 1, 1
    x = seed * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
    x ^= x >> 32
    return (
        (4, 6, 8, 12, 16)[x % 5],
        (1, 1, 2, 2, 4)[x // 5 % 5],
        (0, 1, 1, 2)[x // 25 % 4],
        (0, 1, 1, 2)[x // 100 % 4],
    )


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
    move of the game is left out. `restarts`: begin again with other weights after so many
    positions (a multiple of 500 by Luby's sequence, 1 1 2 1 1 2 4 ...): how long a search for a
    win takes is a matter of luck with a heavy tail, and a few hundred positions with another
    order often find what one order misses in a hundred thousand.
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
        restarts: bool = False,
    ) -> None:
        self.positions = 0
        self._start, self._seed = start, seed
        self._complete, self._exact = complete, exact or not merged
        self._game = start.game.copy()
        self._game[MERGED], self._game[BACK] = merged, back
        self._search: search.Search | None = None
        self._restarts = restarts
        self._attempt = 0
        self._attempt_ends = 0

    def run(self, positions: int) -> int:
        """See Task."""
        end = self.positions + positions
        while self.positions < end:
            if self._search is None or self._attempt_ends == self.positions:
                self._search = self._begun(self._search)
            counts = self._search.state
            before = int(counts[search.EXPANDED])
            room = min(end, self._attempt_ends) - self.positions
            status = search.advance(self._game, self._search, room)
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
                self._restarts = False
                self._game[MERGED] = 0
                self._search = None
        return OPEN

    def _begun(self, old: search.Search | None) -> search.Search:
        """A search for the next attempt, in the old one's arrays if they are small."""
        if old is not None and len(old.seen) == search.FIRST_KEYS:
            new = old
            new.seen[:] = 0
        else:
            new = search.new_search(len(self._start.row))
        self._attempt += 1
        span = int(500 * luby(self._attempt)) if self._restarts else _FOR_EVER
        self._attempt_ends = self.positions + span
        seed = self._seed * 1000 + self._attempt
        new.state[search.WEIGHTS : search.WEIGHTS + 4] = _weights(seed, self._attempt)
        search.start(self._game, new, self._start.row, seed)
        return new

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
