# mypy: disable-error-code="assignment,arg-type,return-value,call-overload,untyped-decorator"
"""A plain exhaustive search, compiled, that shares nothing with the solver.

It works on columns of cards as the engine has them, tries every legal move, prunes nothing and
knows no dominance; positions are the same when only the order of their piles differs (64-bit
hashes). `packs.exhaust` is the same thing over the engine itself, and checks this one.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from engine.position import Position
from engine.rules import Rules
from tests.solver.packs import fits_table

_compiled: Any = numba.njit
U8 = npt.NDArray[np.uint8]
_WIDE = 128  # bytes of a state: piles ended by 255, the waste ended by 255, 8 foundations, dealt
_END = 255
_DEPTH = _WIDE - 1  # where a state says how many moves it took


@_compiled
def _hash(state: U8, piles: int) -> int:
    total = np.uint64(0)
    at = 0
    for pile in range(piles + 1):
        h = np.uint64(88172645463325252 if pile < piles else 1181783497276652981)
        while state[at] != 255:
            h = (h ^ np.uint64(state[at])) * np.uint64(6364136223846793005)
            h ^= h >> np.uint64(29)
            at += 1
        at += 1
        h = (h ^ (h >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
        total += h ^ (h >> np.uint64(29))
    for i in range(9):
        total = (total ^ np.uint64(state[at + i])) * np.uint64(2862933555777941757)
        total ^= total >> np.uint64(31)
    return total | np.uint64(1)


@_compiled
def _search(
    start: U8,
    piles: int,
    decks: int,
    fits: U8,
    back: int,
    group: int,
    stock: U8,
    limit: int,
    breadth: bool,
) -> int:
    """1 more than the moves of a win (of a shortest one if `breadth`), 0 if none, -1 if unknown."""
    size = 1
    while size < 3 * limit:
        size *= 2
    met = np.zeros(size, np.uint64)
    stack = np.empty((64 * limit // 8 + 1024, 128), np.uint8)
    stack[0] = start
    head = 0
    top = 1
    count = 0
    ends = np.empty(piles + 2, np.int64)
    while head < top:
        if breadth:
            here = stack[head].copy()
            head += 1
        else:
            top -= 1
            here = stack[top].copy()
        key = _hash(here, piles)
        i = np.int64(key >> np.uint64(20)) & (size - 1)
        while met[i] != 0 and met[i] != key:
            i = (i + 1) & (size - 1)
        if met[i] == key:
            continue
        met[i] = key
        count += 1
        if count > limit or top + 600 > len(stack):
            return -1
        at = 0
        for pile in range(piles + 1):
            while here[at] != 255:
                at += 1
            ends[pile] = at
            at += 1
        found = at
        done = 0
        for s in range(4 * decks):
            done += here[found + s]
        if done == 52 * decks:
            return np.int64(here[_DEPTH]) + 1
        # from: a tableau card, the waste's top, a foundation's top; to: a pile or a foundation
        for source in range(piles + 1 + 4 * decks):
            if source <= piles:
                low = 0 if source == 0 else ends[source - 1] + 1
                high = ends[source]
                if source == piles:
                    low = max(low, high - 1)
                if low == high:
                    continue
            else:
                if not back or here[found + source - piles - 1] == 0:
                    continue
                low = 0
                high = 1
            for at in range(low, high):
                if source <= piles:
                    card = here[at]
                    if card >= 64:
                        continue
                    lifted = high - at
                else:
                    f = source - piles - 1
                    card = (f // decks) * 13 + here[found + f] - 1
                    lifted = 1
                if lifted > group:
                    continue
                for target in range(piles + 1):
                    if target == source and target < piles:
                        continue
                    goal = -1
                    if target == piles:
                        if lifted > 1 or source > piles:
                            continue
                        for copy in range(decks):
                            f = card // 13 * decks + copy
                            if here[found + f] == card % 13:
                                goal = f
                                break
                        if goal < 0:
                            continue
                    else:
                        first = 0 if target == 0 else ends[target - 1] + 1
                        if first == ends[target]:
                            if card % 13 != 12:
                                continue
                        elif not fits[card, here[ends[target] - 1] & 63]:
                            continue
                    new = stack[top]
                    top += 1
                    new[_DEPTH] = here[_DEPTH] + 1
                    w = 0
                    for pile in range(piles + 1):
                        a = 0 if pile == 0 else ends[pile - 1] + 1
                        b = ends[pile]
                        if pile == source:
                            b = at
                        for k in range(a, b):
                            new[w] = here[k]
                            w += 1
                        if pile == source and pile < piles and b > a and new[w - 1] >= 64:
                            new[w - 1] -= 64
                        if pile == target and pile < piles:
                            if source <= piles:
                                for k in range(at, high):
                                    new[w] = here[k]
                                    w += 1
                            else:
                                new[w] = card
                                w += 1
                        new[w] = 255
                        w += 1
                    for k in range(9):
                        new[w + k] = here[found + k]
                    if goal >= 0:
                        new[w + goal] += 1
                    if source > piles:
                        new[w + source - piles - 1] -= 1
        dealt = here[found + 8]
        if dealt < len(stock):
            new = stack[top]
            top += 1
            new[: ends[piles]] = here[: ends[piles]]
            new[ends[piles]] = stock[dealt]
            new[ends[piles] + 1 : found + 10] = here[ends[piles] : found + 9]
            new[found + 9] = dealt + 1
            new[_DEPTH] = here[_DEPTH] + 1
    return 0


def oracle(rules: Rules, position: Position, limit: int) -> bool | None:
    """Whether the position can be won; None when more than `limit` states are met."""
    found = _searched(rules, position, limit, breadth=False)
    return None if found < 0 else found > 0


def fewest_moves(rules: Rules, position: Position, limit: int) -> int | None:
    """The moves of a shortest win; None when there is none or more than `limit` states are met."""
    found = _searched(rules, position, limit, breadth=True)
    return found - 1 if found > 0 else None


def _searched(rules: Rules, position: Position, limit: int, *, breadth: bool) -> int:
    variant = rules.variant
    state = np.zeros(_WIDE, np.uint8)
    ended = bytes([_END])
    heights = bytes(len(pile) for pile in position.foundations)
    data = b"".join(pile + ended for pile in (*position.tableau, position.waste))
    data += heights + bytes(9 - len(heights))
    state[: len(data)] = list(data)
    found: int = _search(
        state,
        len(position.tableau),
        variant.decks,
        fits_table(rules),
        int(variant.worrying_back),
        variant.max_group or 200,
        np.array(list(reversed(position.stock)), np.uint8),
        limit,
        breadth,
    )
    return found
