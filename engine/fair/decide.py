"""The fair player: what to play on a board of which only the visible cards are known."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from engine.deals import deal, open_code
from engine.fair.chances import chance
from engine.fair.compiled import ahead, plans, samples
from engine.fair.seen import seen, shown
from engine.fair.strengths import STRENGTHS, Strength, method
from engine.moves import Move
from engine.rules import Rules, get_rules
from engine.solver import search
from engine.solver.encode import moves_of
from engine.solver.model import BACK, MERGED, NONE
from engine.solver.solve import UNWINNABLE, WINNABLE, solve
from engine.view import BoardView, board_view

BUDGET: Final = 200_000
"""Positions a decision, unless told otherwise: more than any strength needs."""

EXACT, PLAN, VISIBLE, NOTHING = "exact", "plan", "visible", "nothing"
_LIMITS: Final = (300, 3000)
_AT_ONCE: Final = 16
_SOLVER_BUDGET: Final = 20_000


class Decision(NamedTuple):
    """What to play.

    `moves`: to be played in order, up to the first that turns a card (or the win); empty when the
    player sees nothing to do. `how`: EXACT (nothing is hidden: the moves win), PLAN (`wins` of
    `samples` samples were won after it), VISIBLE (by the visible cards alone) or NOTHING.
    `chance`: about so many such games in ten are won, measured; None where it was not.
    `lost`: proved that the game cannot be won from here. `positions`: what it cost.
    """

    moves: tuple[Move, ...]
    how: str
    wins: int = 0
    samples: int = 0
    chance: int | None = None
    lost: bool = False
    positions: int = 0

    @property
    def move(self) -> Move | None:
        """The next move."""
        return self.moves[0] if self.moves else None

    @property
    def share(self) -> float | None:
        """The share of the samples that were won after it; None if none was tried."""
        if self.how == EXACT:
            return 1.0
        return self.wins / self.samples if self.samples else None


def _never() -> bool:
    return False


def choose(
    rules: Rules,
    view: BoardView,
    strength: Strength,
    seed: int = 1,
    budget: int = BUDGET,
    should_stop: Callable[[], bool] = _never,
) -> Decision:
    """What a player of this strength plays on a board.

    The same view, strength, seed and budget (positions to expand) give the same decision on any
    machine. `should_stop` is asked every few milliseconds; when it is true the best of what is
    known then is played. Raises ValueError for a view that is no board of the game.
    """
    return Thought(rules, view, strength, seed, budget, should_stop).decided()


def warm_up() -> None:
    """Compile everything, or load it from the cache: seconds that no request should wait for."""
    rules = get_rules("F")
    view = board_view(deal(open_code("F", 1)))
    for strength in STRENGTHS.values():
        choose(rules, view, strength)
        Thought(rules, view, strength, 1, BUDGET, _never).visible()


class Thought:
    """One decision in the making."""

    def __init__(
        self,
        rules: Rules,
        view: BoardView,
        strength: Strength,
        seed: int,
        budget: int,
        should_stop: Callable[[], bool],
    ) -> None:
        self.rules, self.view, self.strength = rules, view, strength
        self.budget, self.should_stop = budget, should_stop
        self.table = seen(rules, view)
        self.method = method(rules)
        self.size = max(1, round(strength.samples * self.method.share))
        self.weights = np.array(self.method.weights, np.int64)
        self.game = self.table.game.copy()
        out = sum(map(len, view.foundations))
        self.seed = seed * 1_000_003 + len(self.table.pool) * 128 + out
        self.search, self.desk = _room(len(self.table.row))
        self.desk.slot_of[:] = NONE
        self.desk.counts[:] = 0
        self.search.state[search.UNPRUNED] = 0

    @property
    def spent(self) -> int:
        """Positions expanded so far."""
        return int(self.desk.counts[plans.POSITIONS])

    @property
    def found(self) -> int:
        """How many plans lie on the desk."""
        return int(self.desk.counts[plans.PLANS])

    def over(self) -> bool:
        """Whether the budget is spent or the caller wants an end."""
        return self.spent >= self.budget or self.should_stop()

    def decided(self) -> Decision:
        """The decision."""
        if sum(map(len, self.view.foundations)) == len(self.table.row):
            return Decision((), NOTHING)
        if self.strength.samples == 0:
            return self.greedy()
        if len(self.table.pool) == 0:
            return self.exact()
        if (self.seed * 0x9E3779B97F4A7C15 >> 20) % 100 < self.strength.careless:
            return self.greedy()
        return self.planned()

    def made(self, line: list[int], how: str, wins: int = 0, tried: int = 0) -> Decision:
        """A decision to play a plan's moves."""
        pairs = iter(line)
        moves = moves_of(self.table.start, zip(pairs, pairs, strict=True))
        likely = None
        if tried:
            likely = chance(self.rules.variant.rule, len(self.table.pool), wins / tried)
        return Decision(self.straight(moves), how, wins, tried, likely, positions=self.spent)

    def straight(self, moves: list[Move]) -> tuple[Move, ...]:
        """The moves without those that lead from a position back to it."""
        position = shown(self.view)
        way, met = [], [position]
        for move in moves[:-1]:  # nothing turns before the last
            position = self.rules.apply(position, move)
            way.append(move)
            met.append(position)
            first = met.index(position)
            del way[first:], met[first + 1 :]
        return (*way, *moves[-1:])

    def exact(self) -> Decision:
        """Nothing is hidden: the solver's line."""
        budget = min(_SOLVER_BUDGET, self.budget)
        found = solve(self.rules, shown(self.view), budget, self.should_stop)
        self.desk.counts[plans.POSITIONS] += found.positions
        if found.verdict == WINNABLE:
            return Decision(found.moves, EXACT, chance=10, positions=self.spent)
        if found.verdict == UNWINNABLE:
            return Decision((), NOTHING, chance=0, lost=True, positions=self.spent)
        return self.greedy()

    def first_sample(self, *, back: bool = False) -> None:
        """A sample on the desk, and the game set to look at its visible cards' moves."""
        t = self.table
        samples.draw(t.row, t.slots, t.pool, self.seed, 0, self.desk)
        self.game[MERGED] = 0
        self.game[BACK] = back

    def greedy(self) -> Decision:
        """The greedy move."""
        self.first_sample()
        move = np.zeros(2, np.uint8)
        if not ahead.greedy(self.game, self.desk.rows[0], self.search, self.seed, move):
            return Decision((), NOTHING, positions=self.spent)
        return self.made(move.tolist(), VISIBLE)

    def visible(self) -> Decision:
        """The best-looking of the ways to turn a card."""
        scores = np.zeros(plans.MOST_PLANS, np.int32)
        for limit in _LIMITS:
            back = self.rules.variant.worrying_back and limit == _LIMITS[-1]
            self.first_sample(back=back)
            self.desk.counts[plans.PLANS] = 0
            row = self.desk.rows[0]
            ahead.look_ahead(self.game, row, self.search, self.desk, limit, scores)
            if self.found:
                best = min(range(self.found), key=lambda j: (scores[j], self.length(j), j))
                return self.made(self.plan(best), VISIBLE)
        return self.greedy()

    def length(self, j: int) -> int:
        """How many moves a plan has."""
        return int(self.desk.infos[j, plans.LENGTH])

    def plan(self, j: int) -> list[int]:
        """A plan as kernel cards and where they go, in turn."""
        moves: list[int] = self.desk.plans[j, : 2 * self.length(j)].tolist()
        return moves

    def vote(self, first: int, last: int) -> None:
        """Draw and solve samples."""
        t, stock = self.table, self.view.stock
        self.game[MERGED] = self.method.merged
        samples.vote(
            self.game, t.row, t.slots, t.pool, stock, self.search, self.desk,
            first, last, self.seed, self.method.positions, self.weights,
        )  # fmt: skip

    def judge(self, j: int, last: int) -> int:
        """How many of the first samples are won after plan `j`."""
        won = 0
        for first in range(0, last, _AT_ONCE):
            upto = min(last, first + _AT_ONCE)
            won += samples.judge(
                self.game, self.view.stock, self.search, self.desk,
                j, first, upto, self.seed, self.method.positions, self.weights,
            )  # fmt: skip
            if self.over():
                break
        return won

    def voted(self) -> int:
        """Draw samples until one is won, a few times over; how many there are."""
        drawn = 0
        for _ in range(1 + self.strength.batches):
            end = min(drawn + self.size, plans.MOST_SAMPLES)
            while drawn < end:
                self.vote(drawn, min(drawn + _AT_ONCE, end))
                drawn = min(drawn + _AT_ONCE, end)
                if self.over():
                    return drawn
            if self.found:
                break
        return drawn

    def look_further(self) -> None:
        """Add the shortest ways to turn a card to the plans; what they are worth is tried then.

        A sample's win often moves more than it needs before its first card turns.
        """
        if self.strength.ahead:
            self.first_sample()
            scores = np.zeros(plans.MOST_PLANS, np.int32)
            row = self.desk.rows[0]
            ahead.look_ahead(self.game, row, self.search, self.desk, self.strength.ahead, scores)
            self.game[MERGED] = self.method.merged

    def planned(self) -> Decision:
        """The plan that keeps most samples winnable; the shorter of two that keep as many.

        All plans are tried on a quarter of the samples, the better half on a second quarter, the
        best quarter on all.
        """
        drawn = self.voted()
        if not self.found:
            return self.visible()
        self.look_further()
        votes = self.desk.infos[: self.found, plans.VOTES]
        left = sorted(range(self.found), key=lambda j: (-votes[j], self.length(j), j))
        left = left[: self.strength.plans]
        size = min(drawn, self.size)
        rounds = (size // 4, size // 2, size) if size >= _AT_ONCE else (size,)
        tried, wins = 0, dict.fromkeys(left, 0)
        for upto in rounds:
            known = dict(wins)
            for judged, j in enumerate(left, 1):
                wins[j] = self.judge(j, upto)
                if self.over():
                    if tried:
                        wins = known  # the last full round counts
                    else:
                        left, tried = left[:judged], upto  # what has been tried at all
                    break
            else:
                tried = upto
            left.sort(key=lambda j: (-wins[j], self.length(j), j))
            if self.over():
                break
            if upto < size:
                left = left[: max(1, len(left) // 2)]
        best = left[0]
        return self.made(self.plan(best), PLAN, wins[best], tried)


class _Rooms(threading.local):
    """Arrays to think with, kept from decision to decision, each thread its own."""

    def __init__(self) -> None:
        self.of: dict[int, tuple[search.Search, plans.Desk]] = {}


_ROOMS = _Rooms()


def _room(cards: int) -> tuple[search.Search, plans.Desk]:
    """The arrays for a game of `cards` cards."""
    if cards not in _ROOMS.of:
        _ROOMS.of[cards] = samples.new_search(cards), plans.new_desk(cards)
    return _ROOMS.of[cards]
