"""Short wins: the best line found within a budget, and proof that none is shorter.

`shorten` runs beams (see `beam`) from narrow to wide, each asked for a line shorter than the best
so far and led along it. `prove` searches breadth first with nothing dropped, for wins of as many
moves as the lower bound says, then of one more, and so on: each search that runs empty raises the
bound, the first that finds a win has found a shortest one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

import numpy as np

from engine.moves import Move
from engine.position import Position
from engine.rules import Rules
from engine.solver import beam
from engine.solver.board import BOARD_SIZE, load, put
from engine.solver.encode import Start, encode, moves_of, pairs_of
from engine.solver.keys import rehash
from engine.solver.lower import FEATURES, NEED, forced_moves, rate
from engine.solver.model import BACK, FLOOR, I32, MERGED, NONE, OUT, SHIFT, SUITED, U8
from engine.solver.safe import safe_card
from engine.solver.solve import replayed

POSITIONS_A_SECOND: Final = 150_000
"""About how many positions a core of a small server expands: a budget for so much time."""

_NARROWEST: Final = 250
_TOO_NARROW: Final = 20
_WIDER: Final = 4
_WIDEST: Final = 16_000
_PROOF_WIDTH: Final = 200_000
_NOISE: Final = 6
_STRIDE: Final = 1024
_MOST_KEYS: Final = 1 << 24
_WEIGHTS: Final = ((13, 6, 4, 2, 0, 3), (11, 5, 3, 2, 2, 3), (8, 8, 2, 4, 2, 6))
"""Of the counts of `rate`: found by hill climbing on 40 deals of rule F that are not benched."""

Pairs = list[tuple[int, int]]


class Par(NamedTuple):
    """The best known line, the proved lower bound on any line, and the positions expanded."""

    moves: tuple[Move, ...]
    bound: int
    positions: int

    @property
    def shortest(self) -> bool:
        """Whether the line is proved to be a shortest one."""
        return len(self.moves) == self.bound


def _never() -> bool:
    return False


def lower_bound(rules: Rules, position: Position) -> int:
    """A number of moves that no win from the position goes below (see `lower`)."""
    return _lower_bound(encode(rules, position))


def shorten(
    rules: Rules,
    position: Position,
    moves: Iterable[Move],
    budget: int,
    should_stop: Callable[[], bool] = _never,
    *,
    seed: int = 1,
) -> Par:
    """The shortest line found, no longer than the winning line `moves`.

    `budget` is the number of positions to expand: the same input gives the same line on any
    machine. `should_stop` is asked every few milliseconds and ends the search when true. Raises
    ValueError for a position that is none of the game's, RuntimeError for a line that does not win.
    """
    hunt = _Hunt(rules, position, moves)
    width, round_ = _NARROWEST, 0
    while hunt.positions < budget and not hunt.shortest and not should_stop():
        fits = (budget - hunt.positions) // max(len(hunt.line), 1)
        room = min(width, fits) if fits >= 2 * width else min(fits, _WIDEST)
        if room < _TOO_NARROW:
            break
        weights = _WEIGHTS[round_ % len(_WEIGHTS)]
        given = beam.new_beam(len(hunt.start.row), room)
        given.state[beam.WEIGHTS :] = weights
        given.state[beam.NOISE] = _NOISE
        given.state[beam.SEED] = seed * 1000 + round_
        most = len(hunt.line) - 1
        found, empty = hunt.search(given, most, budget, should_stop)
        if found:
            hunt.take(found)
        elif empty:
            hunt.bound = most + 1 if hunt.complete else hunt.bound
            break
        width, round_ = min(width * _WIDER, _WIDEST), round_ + 1
    return hunt.result()


def prove(
    rules: Rules,
    position: Position,
    moves: Iterable[Move],
    budget: int,
    should_stop: Callable[[], bool] = _never,
    *,
    bound: int = 0,
) -> Par:
    """The bound raised as far as the budget allows, and a shortest line if it gets there.

    `moves` and `bound`: the best line and the bound known. As `shorten` in all else.
    """
    hunt = _Hunt(rules, position, moves)
    hunt.bound = max(hunt.bound, bound)
    hunt.game[BACK] = rules.variant.worrying_back and not hunt.game[SUITED]
    while not hunt.shortest and hunt.positions < budget and not should_stop():
        given = beam.new_beam(len(hunt.start.row), _PROOF_WIDTH)
        given.state[beam.WEIGHTS] = 1
        found, empty = hunt.search(given, hunt.bound, budget, should_stop)
        if found:
            hunt.take(found)
            if not given.state[beam.DROPPED]:
                hunt.bound = len(hunt.line)
        elif empty:
            hunt.bound += 1
        else:
            break
    return hunt.result()


class _Hunt:
    """A start, the best line known from it, the bound, and what has been spent.

    `complete`: no kind of move that could shorten a line is left out.
    """

    def __init__(self, rules: Rules, position: Position, moves: Iterable[Move]) -> None:
        self.positions = 0
        self.start = encode(rules, position)
        self.game = self.start.game
        self.game[MERGED] = 0
        self._rules, self._position = rules, position
        self._moves = replayed(rules, position, list(moves))
        self.line = pairs_of(self.start, self._moves)
        out = set(np.flatnonzero(self.start.row == OUT).tolist())
        back = _returns(self.line, out)
        self.game[BACK] = back
        self.complete = bool(not rules.variant.worrying_back or back or self.game[SUITED])
        if not back:
            self.take(_tidied(self.game, self.start.row, self.line))
        self.bound = _lower_bound(self.start)

    @property
    def shortest(self) -> bool:
        """Whether line and bound meet."""
        return len(self.line) <= self.bound

    def take(self, line: Pairs) -> None:
        """Make a line the best one; the rules replay it if it is shorter. Ties change the way."""
        if len(line) <= len(self.line):
            if len(line) < len(self._moves):
                self._moves = replayed(self._rules, self._position, moves_of(self.start, line))
            self.line = line

    def result(self) -> Par:
        """What has been found."""
        return Par(self._moves, self.bound, self.positions)

    def search(
        self, given: beam.Beam, most: int, budget: int, should_stop: Callable[[], bool]
    ) -> tuple[Pairs, bool]:
        """A line of at most `most` moves, if one is found; whether there is certainly none."""
        state = given.state
        state[beam.WIDTH], state[beam.MOST], state[beam.GOAL] = len(given.rows), most, -1
        state[beam.BAR] = beam.SCORES
        flat = np.array(self.line, np.uint8).ravel()
        beam.keep_line(self.game, given, self.start.row, flat, len(self.line))
        given.rows[0] = self.start.row
        layers: list[tuple[I32, U8]] = []
        count = 1
        while count:
            at = 0
            while at < count and state[beam.GOAL] < 0:
                before = int(state[beam.EXPANDED])
                end = min(count, at + _STRIDE)
                at = beam.expand(self.game, given, at, end)
                self.positions += int(state[beam.EXPANDED]) - before
                if at < end:
                    if len(given.seen) >= _MOST_KEYS:
                        return [], False
                    seen = np.zeros(2 * len(given.seen), np.uint64)
                    rehash(given.seen, seen)
                    given = given._replace(seen=seen)
                if self.positions >= budget or should_stop():
                    return [], False
            if state[beam.GOAL] >= 0:
                return _traced(layers, int(state[beam.GOAL]), int(state[beam.GOAL_CARD])), False
            count = beam.descend(self.game, given)
            parents, made = given.found[:count, 0].copy(), given.found[:count, 1:].astype(np.uint8)
            layers.append((parents, made))
            given = given._replace(rows=given.following, following=given.rows)
        return [], not state[beam.DROPPED]


def _traced(layers: list[tuple[I32, U8]], at: int, card: int) -> Pairs:
    """The line to the position `at` of the last layer, and the move of `card` that wins."""
    line = [(card, OUT)]
    for parents, moves in reversed(layers):
        c, to = moves[at].tolist()
        line.append((c, to))
        at = int(parents[at])
    return line[::-1]


def _returns(line: Pairs, out: set[int]) -> bool:
    """Whether a line takes a card back from its foundation; `out`: the cards that are there."""
    for c, to in line:
        if c in out:
            return True
        if to == OUT:
            out.add(c)
    return False


def _tidied(game: U8, row: U8, line: Pairs) -> Pairs:
    """The line with safe cards played at once, as beams play them, and empty moves left out."""
    b = np.zeros(BOARD_SIZE, np.uint8)
    load(game, row, b)
    made: Pairs = []

    def play(c: int, to: int) -> None:
        put(game, b, c, to)
        made.append((c, to))

    def settle() -> None:
        f = 0
        while f < 1 << int(game[SHIFT]):
            c = safe_card(game, b, f)
            f = f + 1 if c == NONE else 0
            if c != NONE:
                play(c, OUT)

    settle()
    for c, to in line:
        if b[c] != OUT and not b[c] == to == FLOOR:
            play(c, to)
            settle()
    return made


def _lower_bound(start: Start) -> int:
    b, counts = np.zeros(BOARD_SIZE, np.uint8), np.zeros(FEATURES, np.int64)
    load(start.game, start.row, b)
    rate(start.game, b, counts)
    need = int(counts[NEED])
    return need if start.game[SHIFT] == 3 else max(need, forced_moves(start))
