# mypy: warn-return-any=False, disable-error-code="assignment,arg-type,return-value,call-overload"
"""Proofs that a position cannot be won, in slot space (compiled).

Depth first over the states of `slots`, each met once, in an exact closed set. Every real line is
a line here, so a search that ends without all cards out is a proof; one that gets there proves
nothing. In the strict form a move also needs an arrangement of the placed cards without a cycle,
before it and after it (`arrange`): dearer by the state, and needed for few positions.

With worrying back, playing a gone card up and bringing it back are moves of this space too; such
a child lives exactly when its parent does and is not tested.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.solver.arrange import WORK_SIZE, can_arrange
from engine.solver.jit import kernel, lowest
from engine.solver.model import I64, U8, U64, grown
from engine.solver.slots import (
    ALL,
    BASES,
    CLASPED,
    CLEARED,
    FACE_UP,
    FRAME_SIZE,
    GONE,
    HEIGHTS,
    KINGS,
    ONE,
    RETURNS,
    UNDER,
    can_lie,
    can_place,
    can_raise,
    empty_piles,
    frame_of,
    height,
    is_dead,
    is_safe,
    out_mask,
    parents_of,
    roomy_children,
    roomy_parents,
)

RUNNING, REACHED, PROVED, FULL = 0, 1, 2, 3
"""What `refute` reports: not done, a state with all cards out, a proof, the arrays must grow."""
STACKED, SEEN, EXPANDED, DONE, STRICT = range(5)
_MOST_CHILDREN = 128


class Refutation(NamedTuple):
    """A refutation's arrays; it stops and goes on at any expansion.

    `stack[i]`: gone, cleared, heights of an open state. `seen[i]`: gone and heights (with bit 63
    set) of a state met, by open addressing. `state`: the counters STACKED ... DONE.
    """

    frame: U64
    stack: U64
    seen: U64
    state: I64
    work: I64


@kernel
def _is_new(seen: U64, g: np.uint64, f: np.uint64) -> bool:
    mask = np.int64(len(seen) - 1)
    x = (g ^ (f * np.uint64(0x9E3779B97F4A7C15))) * np.uint64(0xD6E8FEB86659FD93)
    x ^= x >> np.uint64(32)
    x *= np.uint64(0xD6E8FEB86659FD93)
    i = np.int64(x >> np.uint64(24)) & mask
    f |= ONE << np.uint64(63)
    while seen[i, 1]:
        if seen[i, 0] == g and seen[i, 1] == f:
            return False
        i = (i + 1) & mask
    seen[i, 0] = g
    seen[i, 1] = f
    return True


@kernel
def rehash_states(old: U64, seen: U64) -> None:
    """Put the states of `old` into the larger, zeroed `seen`."""
    for i in range(len(old)):
        if old[i, 1]:
            _is_new(seen, old[i, 0], old[i, 1] & ~(ONE << np.uint64(63)))


@kernel
def _add(r: Refutation, g: np.uint64, cl: np.uint64, f: np.uint64, tested: bool) -> None:
    """Settle a state (safe cards out, clasped cards off), and stack it unless met or dead.

    A clasped card that can go to the twin of the face-down card below it goes there: it frees a
    slot of the class that it takes one of, so nothing is lost.
    """
    frame = r.frame
    returns = frame[RETURNS] != np.uint64(0)
    again = True
    while again:
        again = False
        for s in range(4):
            k = height(f, s)
            if k > 12:
                continue
            y = 4 * k + s
            bit = ONE << np.uint64(y)
            if bit & cl and is_safe(f, y, returns):
                f += ONE << np.uint64(4 * s)
                if not bit & g:
                    g |= bit
                    cl |= frame[UNDER + y]
                again = True
        clasped = frame[CLASPED] & ~g
        if clasped and not again:
            out = out_mask(f)
            slots, kids = cl & ~out, g & ~out
            clasped &= roomy_children(roomy_parents(slots, kids))
            clasped &= frame[FACE_UP] | cl
            while clasped:
                c = lowest(clasped)
                clasped &= clasped - ONE
                if can_lie(frame, g, slots, kids, c, lowest(frame[UNDER + c]) ^ 2):
                    if r.state[STRICT] and not can_arrange(
                        frame, g, out, slots, c, lowest(frame[UNDER + c]) ^ 2, r.work
                    ):
                        continue
                    g |= ONE << np.uint64(c)
                    cl |= frame[UNDER + c]
                    again = True
                    break
    if not _is_new(r.seen, g, f):
        return
    r.state[SEEN] += 1
    if out_mask(f) == ALL:
        r.state[DONE] = 1
    if tested and is_dead(frame, g, cl, f):
        return
    top = r.state[STACKED]
    r.stack[top, 0] = g
    r.stack[top, 1] = cl
    r.stack[top, 2] = f
    r.state[STACKED] = top + 1


@kernel
def begin(game: U8, row: U8, returns: int, strict: int, r: Refutation) -> None:
    """Begin a refutation of `row` (`seen` must be clear)."""
    frame_of(game, row, returns, r.frame)
    r.state[:] = 0
    r.state[STRICT] = strict
    _add(r, r.frame[GONE], r.frame[CLEARED], r.frame[HEIGHTS], True)


@kernel
def _expand(r: Refutation, g: np.uint64, cl: np.uint64, f: np.uint64) -> None:
    frame = r.frame
    strict = r.state[STRICT] != 0
    returns = frame[RETURNS] != np.uint64(0)
    out = out_mask(f)
    slots, kids = cl & ~out, g & ~out
    parents = roomy_parents(slots, kids)
    children = roomy_children(parents)
    empties = empty_piles(frame, g, out)
    for s in range(4):
        k = height(f, s)
        y = 4 * k + s
        bit = ONE << np.uint64(y)
        raisable = k <= 12 and bit & cl & parents and can_raise(frame, g, kids, y)
        if raisable and (not strict or can_arrange(frame, g, out, slots & ~bit, -1, -1, r.work)):
            fresh = not bit & g
            under = frame[UNDER + y] if fresh else np.uint64(0)
            _add(r, g | bit, cl | under, f + (ONE << np.uint64(4 * s)), fresh or not returns)
        if returns and k > 0:
            y -= 4
            bit = ONE << np.uint64(y)
            room = empties > 0 if y >= 48 else children & bit != np.uint64(0)
            plain = not strict or y >= 48
            if room and (plain or can_arrange(frame, g, out & ~bit, slots & ~bit, -1, -1, r.work)):
                _add(r, g, cl, f - (ONE << np.uint64(4 * s)), False)
    able = children & ~KINGS
    if empties > 0:
        able |= KINGS & ~frame[BASES]
    able &= (frame[FACE_UP] | cl) & ~g
    while able:
        c = lowest(able)
        able &= able - ONE
        if c < 48:
            if not can_place(frame, g, slots, kids, c):
                continue
            if strict:
                free = False
                places = parents_of(c) & slots
                while places and not free:
                    p = lowest(places)
                    places &= places - ONE
                    free = can_lie(frame, g, slots, kids, c, p) and can_arrange(
                        frame, g, out, slots, c, p, r.work
                    )
                if not free:
                    continue
        _add(r, g | (ONE << np.uint64(c)), cl | frame[UNDER + c], f, True)


@kernel
def refute(r: Refutation, expansions: int) -> int:
    """Expand up to so many states. Returns RUNNING, REACHED, PROVED or FULL."""
    for _ in range(expansions):
        if r.state[DONE]:
            return REACHED
        top = r.state[STACKED] - 1
        if top < 0:
            return PROVED
        if top + _MOST_CHILDREN > len(r.stack):
            return FULL
        if 3 * (r.state[SEEN] + _MOST_CHILDREN) > 2 * len(r.seen):
            return FULL
        r.state[STACKED] = top
        r.state[EXPANDED] += 1
        _expand(r, r.stack[top, 0], r.stack[top, 1], r.stack[top, 2])
    return REACHED if r.state[DONE] else RUNNING


def new_refutation() -> Refutation:
    """A small refutation; `enlarge_refutation` makes it larger."""
    return Refutation(
        frame=np.zeros(FRAME_SIZE, np.uint64),
        stack=np.empty((1024, 3), np.uint64),
        seen=np.zeros((8192, 2), np.uint64),
        state=np.zeros(8, np.int64),
        work=np.zeros(WORK_SIZE, np.int64),
    )


def enlarge_refutation(r: Refutation) -> Refutation:
    """The same refutation with twice the room where it is short."""
    if r.state[STACKED] - 1 + _MOST_CHILDREN > len(r.stack):
        r = r._replace(stack=grown(r.stack, 2 * len(r.stack)))
    if 3 * (r.state[SEEN] + _MOST_CHILDREN) > 2 * len(r.seen):
        seen = np.zeros((2 * len(r.seen), 2), np.uint64)
        rehash_states(r.seen, seen)
        r = r._replace(seen=seen)
    return r
