"""The searches as tasks that run in slices."""

from __future__ import annotations

from itertools import combinations
from typing import Final, Protocol

import numpy as np

from engine.solver import gone, refute, search
from engine.solver.encode import Start
from engine.solver.model import BACK, MERGED, SHIFT

# What a slice ends with:
OPEN: Final = 0
WON: Final = 1
LOST: Final = 2  # a proof
OVER: Final = 3  # nothing more to find, nothing proved
FULL: Final = 4  # no memory left

PLAIN_STATES: Final = 0
MERGED_STATES: Final = 1

MEMORY: Final = 400_000_000
"""How many bytes a search's arrays may take, unless the caller says otherwise."""
_LONGEST_PATH = 4096
_FIRST_SPAN = 500
_FIRST_OUTLINE = 2048
_FOR_EVER = 1 << 60
_TWO_PACK_WEIGHTS = (
    (8, 1, 1, 1),
    (4, 1, 1, 1),
    (16, 1, 1, 1),
    (8, 1, 2, 1),
    (8, 1, 0, 1),
    (6, 1, 1, 0),
    (12, 1, 1, 1),
    (16, 2, 1, 1),
    (8, 0, 1, 1),
    (8, 1, 3, 1),
    (4, 1, 3, 0),
    (2, 1, 1, 1),
    (32, 1, 1, 1),
    (8, 0, 2, 1),
    (8, 0, 1, 0),
)  # 15, so that each meets every kind of an even cycle


def _weights(seed: int, attempt: int, two_packs: bool) -> tuple[int, int, int, int]:
    """The score's weights: the best on average for a first attempt, then any of a range.

    Two packs do better where a card on one that it does not fit counts little.
    """
    if two_packs:
        return _TWO_PACK_WEIGHTS[(attempt - 1) % len(_TWO_PACK_WEIGHTS)]
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
    """A search that runs in slices and says what it found.

    `pace`: its share of the positions.
    """

    pace: int
    positions: int

    def run(self, positions: int) -> int:
        """Expand up to so many positions (counted in `positions`); OPEN ... FULL."""


class Win:
    """A best-first search for a win, in attempts.

    How long a search for a win takes is a matter of luck with a heavy tail: a few hundred
    positions in another order often find what one order misses in a hundred thousand. So there
    are attempts with other weights, of 500 positions each, then of 1,000, 2,000 ... (or of what
    memory holds).

    `kinds`: of each attempt of one length, MERGED_STATES or PLAIN_STATES (see `keys.state_key`).
    `exact`: the merged states are told apart exactly, and one attempt goes on for ever.
    `back`: worrying back is allowed. `complete`: no move of the game is left out. `restarts`:
    whether an attempt ends before its states do. `attempts_before`: how many another task makes.
    `memory`: the most bytes of an attempt.
    """

    def __init__(
        self,
        start: Start,
        seed: int,
        kinds: tuple[int, ...],
        *,
        exact: bool = False,
        back: bool = False,
        complete: bool = True,
        restarts: bool = True,
        attempts_before: int = 0,
        pace: int = 1,
        memory: int = MEMORY,
    ) -> None:
        self.positions = 0
        self.pace = pace
        self._memory = memory
        self._start, self._seed, self._kinds = start, seed, kinds
        self._exact, self._complete = exact, complete
        self._restarts = restarts and not exact
        self._game = start.game.copy()
        self._game[BACK] = back
        self._search: search.Search | None = None
        self._attempt = attempts_before
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
                if search.enlarged_bytes(self._search) <= self._memory:
                    self._search = search.enlarge(self._search)
                elif self._restarts:
                    self._search = None
                else:
                    return FULL
            elif status == search.EMPTY:
                if self._exact or not self._game[MERGED]:
                    return LOST if self._complete else OVER
                self._kinds = (PLAIN_STATES,)  # merging has lost the wins, if there are any
                self._search = None
        return OPEN

    def _begun(self, old: search.Search | None) -> search.Search:
        """A search for the next attempt, in the old one's arrays if they are small."""
        if old is not None and len(old.seen) == search.FIRST_KEYS:
            new = old
            new.seen[:] = 0
        else:
            new = search.new_search(len(self._start.row))
        self._game[MERGED] = self._kinds[self._attempt % len(self._kinds)]
        self._attempt += 1
        doubled = (self._attempt - 1) // len(self._kinds)
        span = _FIRST_SPAN << doubled if self._restarts else _FOR_EVER
        self._attempt_ends = self.positions + span
        seed = self._seed * 1000 + self._attempt
        new.state[search.UNPRUNED] = 0
        new.state[search.WEIGHTS : search.WEIGHTS + 4] = _weights(
            seed, self._attempt, bool(self._game[SHIFT] == 3)
        )
        search.start(self._game, new, self._start.row, seed)
        return new

    def line(self) -> list[tuple[int, int]]:
        """The moves of the win found, as pairs (card, to)."""
        assert self._search is not None
        path, line = np.empty(_LONGEST_PATH, np.int32), np.empty(2 * _LONGEST_PATH, np.uint8)
        goal = int(self._search.state[search.GOAL])
        used = search.trace(self._game, self._search, self._start.row, goal, path, line)
        pairs = iter(line[:used].tolist())
        return list(zip(pairs, pairs, strict=True))


class Refute:
    """A refutation in slot space, first plain, and strict if that reaches the end.

    For alternate colours. `returns`: worrying back; `memory`: the most bytes.
    """

    pace = 16

    def __init__(
        self,
        start: Start,
        *,
        returns: bool,
        strict: bool = False,
        memory: int = MEMORY,
    ) -> None:
        self.positions = 0
        self._memory = memory
        self._start, self._returns = start, returns
        self._strict = strict
        self._refutation: refute.Refutation | None = None

    def run(self, positions: int) -> int:
        """See Task."""
        end = self.positions + positions
        while self.positions < end:
            if self._refutation is None:
                self._refutation = refute.new_refutation()
                given = int(self._returns), int(self._strict)
                refute.begin(self._start.game, self._start.row, *given, self._refutation)
            counts = self._refutation.state
            before = int(counts[refute.EXPANDED])
            status = refute.refute(self._refutation, end - self.positions)
            self.positions += int(counts[refute.EXPANDED]) - before
            if status == refute.PROVED:
                return LOST
            if status == refute.FULL:
                if 2 * sum(array.nbytes for array in self._refutation) > self._memory:
                    return FULL
                self._refutation = refute.enlarge_refutation(self._refutation)
            elif status == refute.REACHED:
                if self._strict:
                    return OVER
                self._strict = True
                self._refutation = None
        return OPEN


def _bytes(outline: gone.Outline) -> int:
    return sum(array.nbytes for array in outline)


class Outlines:
    """A refutation by the sets of gone cards (`gone`): of all piles, and with some of them lifted.

    For any suit with worrying back. In rounds, each twice as long as the one before: all piles go
    on, then each choice of lifted piles is begun anew. What reaches the end does so with more piles
    lifted too, and all of these are done with. `memory`: the most bytes of the two that are kept.
    """

    pace = 16

    def __init__(self, start: Start, *, memory: int = MEMORY) -> None:
        self.positions = 0
        self._memory = memory
        self._start = start
        piles = [sum(1 << card for card in pile) for pile in start.piles if pile]
        self._open = [
            sum(choice) for size in range(len(piles)) for choice in combinations(piles, size)
        ]
        self._turns: list[int] = []
        self._lifted = 0
        self._whole = self._outline = self._begun(0)
        self._span = self._ends = _FIRST_OUTLINE

    def run(self, positions: int) -> int:
        """See Task."""
        end = self.positions + positions
        while self.positions < end and self._open:
            if self.positions >= self._ends:
                self._next()
            counts = self._outline.state
            before = int(counts[gone.EXPANDED])
            status = gone.exhaust(self._outline, min(end, self._ends) - self.positions)
            self.positions += int(counts[gone.EXPANDED]) - before
            if status == refute.PROVED:
                return LOST
            if status == refute.REACHED:
                self._drop(self._lifted)
            elif status == refute.FULL:
                beside = _bytes(self._whole) if self._lifted else 0
                if 2 * _bytes(self._outline) + beside <= self._memory:
                    self._outline = gone.enlarge_outline(self._outline)
                else:
                    self._open.remove(self._lifted)
                    self._ends = self.positions
                    self._outline = self._begun(self._lifted)  # what it took is free again
        return OPEN if self._open else OVER

    def _drop(self, reached: int) -> None:
        self._open = [lifted for lifted in self._open if lifted & reached != reached]
        self._ends = self.positions

    def _next(self) -> None:
        """Go on with the next choice of lifted piles that is open."""
        if not self._lifted:
            self._whole = self._outline
        self._turns = [lifted for lifted in self._turns if lifted in self._open]
        if not self._turns:
            self._turns = list(self._open)
            self._span *= 2
        self._lifted = self._turns.pop(0)
        self._outline = self._begun(self._lifted) if self._lifted else self._whole
        self._ends = self.positions + self._span

    def _begun(self, lifted: int) -> gone.Outline:
        outline = gone.new_outline()
        gone.begin_outline(self._start.game, self._start.row, np.uint64(lifted), outline)
        return outline
