# mypy: warn-return-any=False, disable-error-code="assignment,arg-type,return-value,call-overload"
"""Whether the gone cards of a slot state can be laid without a cycle (compiled).

For alternate colours, one pack. Each class has at most two kids and two slots, so at most two
ways to lie. Search: build the links in any way, look for a cycle, and branch over the classes on
it that have two ways and are not locked: some class of the cycle lies the other way in any good
arrangement. Branch j turns the j-th such class and locks it and those before it. Each step locks
a class, so the search ends; it is complete, so "no" is a proof.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.solver.jit import kernel, lowest
from engine.solver.model import I64, U64
from engine.solver.slots import ONE, UNDER

_LINK: Final = 0  # [c] the card below c, or -1
_MARK: Final = 64  # [c] the walk that met c

_COUNT: Final = 160  # [depth] classes on the cycle found there
_AT: Final = 192  # [depth] the next to turn
_CYCLE: Final = 224  # [32 * depth + j]
WORK_SIZE: Final = 224 + 32 * 32


@kernel
def _class_of(c: int) -> int:
    return (c >> 2) * 2 + (c & 1)


@kernel
def _turn(w: I64, kids: np.uint64, i: int) -> None:
    """Lay the kids of class `i` the other way."""
    c = (i >> 1) * 4 + (i & 1)
    if (kids >> np.uint64(c)) & ONE:
        w[_LINK + c] ^= 2
    if (kids >> np.uint64(c + 2)) & ONE:
        w[_LINK + c + 2] ^= 2


@kernel
def _find_cycle(w: I64, kids: np.uint64, locked: np.uint64, depth: int) -> bool:
    """Look for a cycle of the links; its classes that can be turned go to row `depth`."""
    for c in range(52):
        w[_MARK + c] = -1
    for first in range(52):
        c = first
        while c >= 0 and w[_MARK + c] < 0:
            w[_MARK + c] = first
            c = w[_LINK + c]
        if c >= 0 and w[_MARK + c] == first:
            count = 0
            x = c
            while True:
                i = _class_of(x)
                if (kids >> np.uint64(x)) & ONE and not (locked >> np.uint64(i)) & ONE:
                    listed = False
                    for j in range(count):
                        listed = listed or w[_CYCLE + 32 * depth + j] == i
                    if not listed:
                        w[_CYCLE + 32 * depth + count] = i
                        count += 1
                x = w[_LINK + x]
                if x == c:
                    break
            w[_COUNT + depth] = count
            w[_AT + depth] = 0
            return True
    return False


@kernel
def _any_cycle(w: I64, kids: np.uint64, locked: np.uint64, depth: int, c: int, p: int) -> bool:
    """A cycle with the links as they are, or with `c` on `p`."""
    if _find_cycle(w, kids, locked, depth):
        return True
    if c < 0:
        return False
    old = w[_LINK + c]
    w[_LINK + c] = p
    found = _find_cycle(w, kids, locked, depth)
    w[_LINK + c] = old
    return found


@kernel
def can_arrange(
    frame: U64, g: np.uint64, out: np.uint64, slots: np.uint64, c: int, p: int, w: I64
) -> bool:
    """Whether all placed cards (gone, not out) can lie on `slots` without a cycle.

    With `c` >= 0 (not gone): the same arrangement must also hold with `c` moved onto `p`, which
    nothing else may lie on. `w` is scratch of WORK_SIZE.
    """
    kids = g & ~out
    locked = np.uint64(0)
    for x in range(52):
        bit = ONE << np.uint64(x)
        w[_LINK + x] = -1
        if not bit & out and not bit & g and frame[UNDER + x]:
            w[_LINK + x] = lowest(frame[UNDER + x])
    for i in range(24):
        x = (i >> 1) * 4 + (i & 1)
        q = (x | 3) + 1 + (~x & 1)
        one = (kids >> np.uint64(x)) & ONE != np.uint64(0)
        two = (kids >> np.uint64(x + 2)) & ONE != np.uint64(0)
        if not one and not two:
            continue
        first = (slots >> np.uint64(q)) & ONE != np.uint64(0) and q != p
        second = (slots >> np.uint64(q + 2)) & ONE != np.uint64(0) and q + 2 != p
        if not (first or second) or (one and two and not (first and second)):
            return False
        if one:
            w[_LINK + x] = q if first else q + 2
        if two:
            w[_LINK + x + 2] = q + 2 if one or not first else q
        if not (first and second):
            locked |= ONE << np.uint64(i)
    depth = 0
    if not _any_cycle(w, kids, locked, depth, c, p):
        return True
    while depth >= 0:
        at = w[_AT + depth]
        row = _CYCLE + 32 * depth
        if at > 0:
            _turn(w, kids, w[row + at - 1])
        if at == w[_COUNT + depth]:
            for j in range(at):
                locked &= ~(ONE << np.uint64(w[row + j]))
            depth -= 1
            continue
        i = w[row + at]
        w[_AT + depth] = at + 1
        _turn(w, kids, i)
        locked |= ONE << np.uint64(i)
        depth += 1
        if not _any_cycle(w, kids, locked, depth, c, p):
            return True
    return False
