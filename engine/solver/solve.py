"""The verdict on a position: which searches are tried, in what order, and the replay of a win."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from engine.deals import deal, open_code
from engine.errors import IllegalMoveError
from engine.moves import Move
from engine.position import Position
from engine.rules import Rules, get_rules
from engine.solver import gone, keys, refute, tasks
from engine.solver.encode import Start, encode, moves_of
from engine.solver.model import SAFE, SAFE_ANY, SAFE_NEVER, SAFE_SUIT, SAFE_UP_DOWN, SHIFT

WINNABLE: Final = "winnable"
UNWINNABLE: Final = "unwinnable"
UNPROVEN: Final = "unproven"

BUDGET: Final = "budget"
STOPPED: Final = "stopped"
MEMORY: Final = "memory"

_FIRST_SLICE: Final = 512
_LARGEST_SLICE: Final = 4096


class Solution(NamedTuple):
    """What `solve` found.

    `verdict`: WINNABLE (then `moves` wins from the position and has been replayed by the rules),
    UNWINNABLE (every possibility was exhausted) or UNPROVEN (then `limit` says what was met:
    BUDGET, STOPPED or MEMORY). `positions`: how many positions were expanded.
    """

    verdict: str
    moves: tuple[Move, ...]
    positions: int
    limit: str | None


def _never() -> bool:
    return False


def solve(
    rules: Rules,
    position: Position,
    budget: int,
    should_stop: Callable[[], bool] = _never,
    *,
    seed: int = 1,
    memory: int = tasks.MEMORY,
) -> Solution:
    """Decide a position of one of the seven games, or say which limit was met.

    `budget` is the number of positions to expand: the same input gives the same answer on any
    machine. `should_stop` is asked every few thousand positions (some tens of milliseconds) and
    ends the search when true; the clock is the caller's. `memory`: the most bytes of each of the
    up to three searches; a deal in ten thousand needs gigabytes. Raises ValueError for a position
    that is none of the game's (see `encode`).
    """
    start = encode(rules, position)
    if rules.is_won(position):
        return Solution(WINNABLE, (), 0, None)
    active = _tasks(rules, start, seed, memory)
    spent, limit, size = 0, BUDGET, _FIRST_SLICE
    while active:
        for task in list(active):
            room = min(size * task.pace, budget - spent)
            if room <= 0:
                return Solution(UNPROVEN, (), spent, BUDGET)
            before = task.positions
            ended = task.run(room)
            spent += task.positions - before
            if ended == tasks.WON:
                assert isinstance(task, tasks.Win)
                moves = moves_of(start, task.line())
                return Solution(WINNABLE, replayed(rules, position, moves), spent, None)
            if ended == tasks.LOST:
                return Solution(UNWINNABLE, (), spent, None)
            if ended != tasks.OPEN:
                active.remove(task)
                limit = MEMORY
            if should_stop():
                return Solution(UNPROVEN, (), spent, STOPPED)
        size = min(2 * size, _LARGEST_SLICE)
    return Solution(UNPROVEN, (), spent, limit)


def warm_up() -> None:
    """Compile everything, or load it from the cache: seconds that no request should wait for.

    Call it at install and when a worker starts.
    """
    rules = get_rules("F")
    solve(rules, deal(open_code("F", 1)), 1000)
    solve(rules, deal(open_code("F", 28)), 3000)
    keys.rehash(np.zeros(8, np.uint64), np.zeros(16, np.uint64))
    solve(get_rules("R"), deal(open_code("R", 2110)), 100)
    gone.rehash_outline(np.zeros(8, np.uint64), np.zeros(16, np.uint64))
    refute.rehash_states(np.zeros((8, 2), np.uint64), np.zeros((16, 2), np.uint64))


def replayed(rules: Rules, position: Position, moves: list[Move]) -> tuple[Move, ...]:
    """The moves, once the rules have accepted each and the win at the end.

    Raises RuntimeError otherwise: then the solver has a fault, and no verdict leaves it.
    """
    try:
        for move in moves:
            position = rules.apply(position, move)
    except IllegalMoveError as error:
        raise RuntimeError(f"the solver found a line that is not legal: {error}") from error
    if not rules.is_won(position):
        raise RuntimeError("the solver found a line that does not win")
    return tuple(moves)


def _tasks(rules: Rules, start: Start, seed: int, memory: int) -> list[tasks.Task]:
    """The searches for a position's game, in the order in which they get their slices."""
    plain, merged = tasks.PLAIN_STATES, tasks.MERGED_STATES
    safe, back = start.game[SAFE], rules.variant.worrying_back
    win = partial(tasks.Win, start, memory=memory)
    if safe in (SAFE_NEVER, SAFE_UP_DOWN):
        return [
            win(seed, (plain,), restarts=False, pace=4),
            win(seed, (plain,), attempts_before=1),
        ]
    if safe == SAFE_SUIT:  # worrying back is useless there (see safe.safe)
        return [win(seed, (merged,), exact=True)]
    # with memory to spare one search is not begun anew: some deals are won by patience alone
    patient = [win(seed, (plain,), back=back, restarts=False)] if memory > tasks.MEMORY else []
    if start.game[SHIFT] == 3:
        return [win(seed, (merged, merged, merged, plain) * 4), *patient]
    kinds = (merged, plain) if safe == SAFE_ANY else (plain, merged)
    proof: tasks.Task
    if safe == SAFE_ANY:
        proof = tasks.Outlines(start, memory=memory)
    else:
        proof = tasks.Refute(start, returns=back, memory=memory)
    found: list[tasks.Task] = [win(seed, kinds, complete=not back), proof]
    if back:
        found.append(win(seed + 1, kinds, back=True))
    return found + patient
