"""The fair player: what to play on a board of which only the visible cards are known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from engine.fair import ahead, samples
from engine.fair.seen import Seen, seen, shown
from engine.moves import Move
from engine.rules import Rules
from engine.solver import search
from engine.solver.encode import moves_of
from engine.solver.model import BACK, MERGED, SAFE, SAFE_ANY, SAFE_SUIT, SHIFT
from engine.solver.solve import UNWINNABLE, WINNABLE, solve
from engine.view import BoardView


class Strength(NamedTuple):
    """How a player thinks.

    `samples` of the hidden cards a decision, each solved with up to `budget` positions;
    `shown` of a hundred decisions are made by looking at the visible cards alone; of the plans
    found the `plans` most voted are tried on the samples, in rounds: all on the first
    `samples >> 2`, the better half on twice as many, and so on.
    """

    name: str
    samples: int
    budget: int = 100
    plans: int = 8
    visible: int = 0
    batches: int = 1
    ahead: int = 0


STRENGTHS: Final = {
    strength.name: strength
    for strength in (
        Strength("greedy", 0),
        Strength("casual", 1, visible=30),
        Strength("strong", 4, plans=4),
        Strength("expert", 64, plans=8, batches=3),
    )
}
"""The four players, the weakest first."""

BUDGET: Final = 200_000
"""Positions a decision, unless told otherwise: more than any strength needs."""

EXACT, PLAN, VISIBLE, NOTHING = "exact", "plan", "visible", "nothing"
_AHEAD: Final = 300
_FAR: Final = 3000
_SOLVER_BUDGET: Final = 20_000


class Decision(NamedTuple):
    """What to play.

    `moves`: to be played in order, up to the first that turns a card (or the win); empty when the
    player sees nothing to do. `how`: EXACT (nothing is hidden: the moves win), PLAN (`wins` of
    `samples` samples were won after it), VISIBLE (by the visible cards alone) or NOTHING.
    `lost`: proved that the game cannot be won from here. `positions`: what it cost.
    """

    moves: tuple[Move, ...]
    how: str
    wins: int = 0
    samples: int = 0
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
    table = seen(rules, view)
    return _Thought(rules, view, table, strength, seed, budget, should_stop).decided()


class _Thought:
    """One decision."""

    def __init__(
        self,
        rules: Rules,
        view: BoardView,
        table: Seen,
        strength: Strength,
        seed: int,
        budget: int,
        should_stop: Callable[[], bool],
    ) -> None:
        self.rules, self.view, self.table = rules, view, table
        self.strength, self.budget, self.should_stop = strength, budget, should_stop
        out = sum(map(len, view.foundations))
        self.seed = seed * 1_000_003 + len(table.pool) * 128 + out
        cards = len(table.row)
        self.game = table.game.copy()
        kind = self.game[SAFE]
        two_packs = self.game[SHIFT] == 3
        self.game[MERGED] = two_packs or kind in (SAFE_ANY, SAFE_SUIT)
        self.search, self.desk = _room(cards)
        self.desk.slot_of[:] = 127
        self.desk.counts[:] = 0
        weights = (8, 1, 1, 1) if two_packs else (16, 1, 1, 0)
        self.weights = weights
        self.search.state[search.UNPRUNED] = 0
        self.search.state[search.WEIGHTS : search.WEIGHTS + 4] = weights

    @property
    def spent(self) -> int:
        return int(self.desk.counts[samples.POSITIONS])

    def over(self) -> bool:
        return self.spent >= self.budget or self.should_stop()

    def decided(self) -> Decision:
        if sum(map(len, self.view.foundations)) == len(self.table.row):
            return Decision((), NOTHING)
        if self.strength.samples == 0:
            return self.greedy()
        if len(self.table.pool) == 0:
            return self.exact()
        chance = (self.seed * 0x9E3779B97F4A7C15 >> 20) % 100
        if chance < self.strength.visible:
            return self.visible()
        return self.planned()

    def made(self, line: list[int], how: str, wins: int = 0, count: int = 0) -> Decision:
        pairs = iter(line)
        moves = moves_of(self.table.start, zip(pairs, pairs, strict=True))
        return Decision(tuple(moves), how, wins, count, positions=self.spent)

    def first_sample(self) -> None:
        """Draw a sample without solving it."""
        t = self.table
        samples.draw(t.row, t.slots, t.pool, self.seed, 0, self.desk)

    def greedy(self) -> Decision:
        self.first_sample()
        self.plain(back=False)
        move = np.zeros(2, np.uint8)
        if not ahead.greedy(self.game, self.desk.rows[0], self.search, self.seed, move):
            return Decision((), NOTHING, positions=self.spent)
        return self.made(move.tolist(), VISIBLE)

    def plain(self, *, back: bool) -> None:
        self.game[MERGED] = 0
        self.game[BACK] = back

    def exact(self) -> Decision:
        position = shown(self.view)
        budget = min(_SOLVER_BUDGET, self.budget)
        found = solve(self.rules, position, budget, self.should_stop)
        self.desk.counts[samples.POSITIONS] += found.positions
        if found.verdict == WINNABLE:
            return Decision(found.moves, EXACT, positions=self.spent)
        if found.verdict == UNWINNABLE:
            return Decision((), NOTHING, lost=True, positions=self.spent)
        return self.greedy()

    def visible(self) -> Decision:
        """The best-looking of the ways to turn a card."""
        self.first_sample()
        scores = np.zeros(samples.MOST_PLANS, np.int32)
        for limit in (_AHEAD, _FAR):
            self.plain(back=self.rules.variant.worrying_back and limit == _FAR)
            self.desk.counts[samples.PLANS] = 0
            ahead.look_ahead(
                self.game, self.desk.rows[0], self.search, self.desk, limit, scores
            )
            found = int(self.desk.counts[samples.PLANS])
            if found:
                break
        else:
            return self.greedy()
        best = min(range(found), key=lambda j: (scores[j], self.length(j), j))
        return self.made(self.plan(best), VISIBLE)

    def length(self, j: int) -> int:
        return int(self.desk.infos[j, samples.LENGTH])

    def plan(self, j: int) -> list[int]:
        return self.desk.plans[j, : 2 * self.length(j)].tolist()

    def vote(self, first: int, last: int) -> int:
        t = self.table
        return samples.vote(
            self.game, t.row, t.slots, t.pool, self.view.stock, self.search, self.desk,
            first, last, self.seed, self.strength.budget,
        )  # fmt: skip

    def judge(self, j: int, last: int) -> int:
        return samples.judge(
            self.game, self.view.stock, self.search, self.desk,
            j, 0, last, self.seed, self.strength.budget,
        )  # fmt: skip

    def planned(self) -> Decision:
        """The plan that keeps most samples winnable."""
        size = self.strength.samples
        drawn = 0
        for _ in range(1 + self.strength.batches):
            while drawn < samples.MOST_SAMPLES:
                step = min(8, size)
                self.vote(drawn, drawn + step)
                drawn += step
                if drawn % size == 0 or self.over():
                    break
            if self.desk.counts[samples.PLANS] or self.over():
                break
        found = int(self.desk.counts[samples.PLANS])
        if not found:
            return self.visible()
        self.search.state[search.WEIGHTS : search.WEIGHTS + 4] = self.weights
        votes = self.desk.infos[:found, samples.VOTES]
        left = sorted(range(found), key=lambda j: (-votes[j], self.length(j), j))
        left = left[: self.strength.plans]
        if self.strength.ahead:
            self.first_sample()
            merged = self.game[MERGED]
            scores = np.zeros(samples.MOST_PLANS, np.int32)
            self.plain(back=False)
            ahead.look_ahead(self.game, self.desk.rows[0], self.search, self.desk, _AHEAD, scores)
            self.game[MERGED] = merged
            new = range(found, int(self.desk.counts[samples.PLANS]))
            left += sorted(new, key=lambda j: (scores[j], self.length(j), j))[: self.strength.ahead]
        drawn = min(drawn, max(size, 1))
        rounds = [size >> 2, size >> 1, size] if size >= 16 else [size]
        wins = {j: 0 for j in left}
        tried = 0
        for upto in rounds:
            for j in left:
                wins[j] = self.judge(j, upto)
                if self.over():
                    break
            tried = upto
            left.sort(key=lambda j: (-wins[j], self.length(j), j))
            if self.over():
                break
            if upto < size:
                left = left[: max(1, len(left) // 2)]
        best = left[0]
        return self.made(self.plan(best), PLAN, wins[best], tried)


_ROOMS: dict[int, tuple[search.Search, samples.Desk]] = {}


def _room(cards: int) -> tuple[search.Search, samples.Desk]:
    """Arrays to think with, kept from decision to decision."""
    if cards not in _ROOMS:
        _ROOMS[cards] = samples.new_search(cards), samples.new_desk(cards)
    return _ROOMS[cards]
