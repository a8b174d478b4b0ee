# mypy: warn-return-any=False, disable-error-code="assignment,arg-type,return-value,call-overload"
"""Proofs that a position cannot be won where any suit fits and cards come back (compiled).

A state is the set of gone cards alone: slot space (`slots`) without the foundations' heights.

**Lacks.** A card of rank r lies on any clear card of rank r + 1. So the gone cards of rank r that
are not out have slots if `gone(r) - out(r) <= clear(r + 1) - out(r + 1)`. As `out(r) - out(r + 1)`
is the number of foundations that stand at height r + 1 exactly, that says: at least
`gone(r) - clear(r + 1)` foundations stand at r + 1. Kings lack a pile each that neither a base card
nor an empty pile gives; a king that is out stands for a foundation at 13.

**Heights.** A foundation can stand at any height up to its top, the first card of the suit that is
not gone and clear: cards come back. A step of a line is a step here if *some* heights meet all
lacks, the step's own included, and the line's are such. So every line is a path here, on which
cards only become gone; where no path makes all cards gone and clear, the position cannot be won.

**Lifted piles.** Count the cards of some piles as gone and clear, and never as lying anywhere:
there are fewer lacks and higher tops, so every line still is a path. Most losses are due to some of
the piles; with the others lifted a few states prove what would take millions.

**No loss.** A card whose four parents are clear makes no lack, ever: it is put down at once. So is
a king, if no king can lack a pile, and a next card is raised whose rank all foundations can reach
(their lower cards are out then, and lack nothing).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from engine.solver.jit import kernel, lowest, popcount
from engine.solver.model import I64, U8, U64, grown
from engine.solver.refute import FULL, PROVED, REACHED, RUNNING
from engine.solver.slots import (
    BASES,
    CLEARED,
    FACE_UP,
    FIXED,
    FRAME_SIZE,
    GONE,
    KINGS,
    LIFTED,
    ONE,
    PILE_COUNT,
    RIGID,
    UNDER,
    frame_of,
)

STACKED, SEEN, EXPANDED, DONE = range(4)
_MOST_CHILDREN = 128
_RANK = np.uint64(15)
_MET: Final = ONE << np.uint64(63)
_NONE: Final = -1


class Outline(NamedTuple):
    """The arrays of one refutation; it stops and goes on at any expansion.

    `stack[i]`: gone and cleared cards of an open state. `seen[i]`: the gone cards (with bit 63
    set) of a state met, by open addressing. `state`: the counters STACKED ... DONE. `work`: tops
    and lacks of the state that is expanded, and of its child.
    """

    frame: U64
    stack: U64
    seen: U64
    state: I64
    work: I64


@kernel
def _tops(g: np.uint64, cl: np.uint64, tops: I64) -> None:
    """How high each foundation can stand."""
    both = g & cl
    for s in range(4):
        k = 0
        while k <= 12 and (both >> np.uint64(4 * k + s)) & ONE:
            k += 1
        tops[s] = k


@kernel
def _lacks(frame: U64, kids: np.uint64, broken: np.uint64, clear: np.uint64, lacks: I64) -> None:
    """How many foundations must stand at each height 1 ... 13 (below 0: so many are spare)."""
    kids &= ~frame[LIFTED]
    for r in range(12):
        rank = _RANK << np.uint64(4 * r)
        lacks[r + 1] = np.int64(popcount(kids & rank))
        lacks[r + 1] -= np.int64(popcount(clear & (rank << np.uint64(4))))
    piles = popcount(kids & KINGS) + popcount(frame[BASES] & ~broken)
    lacks[13] = np.int64(piles) - np.int64(frame[PILE_COUNT])


@kernel
def _are_met(lacks: I64, more: int, t0: int, t1: int, t2: int, t3: int) -> bool:
    """Whether foundations with these tops can meet all lacks, and one more at height `more`.

    The highest lack takes the highest top, and so on.
    """
    if t0 < t1:
        t0, t1 = t1, t0
    if t2 < t3:
        t2, t3 = t3, t2
    if t0 < t2:
        t0, t2 = t2, t0
    if t1 < t3:
        t1, t3 = t3, t1
    if t1 < t2:
        t1, t2 = t2, t1
    for height in range(13, 0, -1):
        lack = lacks[height] + (height == more)
        while lack > 0:
            if t0 < height:
                return False
            t0, t1, t2, t3 = t1, t2, t3, _NONE
            lack -= 1
    return True


@kernel
def _may_raise(lacks: I64, tops: I64, s: int) -> bool:
    """Whether foundation `s` may leave the height at which it stands: the others meet all lacks."""
    t0, t1, t2, t3 = tops[0], tops[1], tops[2], tops[3]
    if s == 0:
        t0 = _NONE
    elif s == 1:
        t1 = _NONE
    elif s == 2:
        t2 = _NONE
    else:
        t3 = _NONE
    return _are_met(lacks, _NONE, t0, t1, t2, t3)


@kernel
def _is_rigid(frame: U64, g: np.uint64, c: int, p: int) -> bool:
    """Whether `p` was dealt above `c` and no link between them has been broken."""
    between = frame[RIGID + 4 * c + (p & 3)]
    return between != np.uint64(0) and (between & g) == np.uint64(0)


@kernel
def _may_place(frame: U64, g: np.uint64, cl: np.uint64, c: int, lacks: I64, tops: I64) -> bool:
    """Whether `c`, which is not gone and not the base card that is a king, finds a place."""
    height = (c >> 2) + 1
    t0, t1, t2, t3 = tops[0], tops[1], tops[2], tops[3]
    if not _are_met(lacks, height, t0, t1, t2, t3):
        return False
    if not (frame[FIXED] >> np.uint64(c)) & ONE:
        return True
    for s in range(4):  # a parent to lie on must not be out
        p = 4 * height + s
        if (cl >> np.uint64(p)) & ONE and not _is_rigid(frame, g, c, p):
            u0 = min(t0, height) if s == 0 else t0
            u1 = min(t1, height) if s == 1 else t1
            u2 = min(t2, height) if s == 2 else t2
            u3 = min(t3, height) if s == 3 else t3
            if _are_met(lacks, height, u0, u1, u2, u3):
                return True
    return False


@kernel
def _movable(frame: U64, g: np.uint64, cl: np.uint64) -> np.uint64:
    """The cards that are not gone and face up, without kings that are base cards."""
    return (frame[FACE_UP] | cl) & ~g & ~(KINGS & frame[BASES])


@kernel
def is_dead(frame: U64, g: np.uint64, cl: np.uint64, tops: I64, lacks: I64) -> bool:
    """The dead-end test of a state: what a line could reach if what it puts down lacked nothing.

    Growing sets: broken and clear, with the lacks of the state's own gone cards, which clear cards
    only lessen. By induction over any line its gone and cleared cards stay inside these sets.
    `tops` and `lacks` are scratch.
    """
    broken, clear = g, cl
    while True:
        before = broken
        _tops(broken, clear, tops)
        if tops[0] + tops[1] + tops[2] + tops[3] == 52:
            return False
        _lacks(frame, g, broken, clear, lacks)
        for s in range(4):
            k = np.int64(tops[s])
            y = 4 * k + s
            if k > 12 or (broken >> np.uint64(y)) & ONE or not (clear >> np.uint64(y)) & ONE:
                continue
            if _may_raise(lacks, tops, s):
                broken |= ONE << np.uint64(y)
                clear |= frame[UNDER + y]
        able = _movable(frame, broken, clear)
        while able:
            c = lowest(able)
            able &= able - ONE
            if _may_place(frame, broken, clear, c, lacks, tops):
                broken |= ONE << np.uint64(c)
                clear |= frame[UNDER + c]
        if broken == before:
            return True


@kernel
def _free(frame: U64, g: np.uint64, cl: np.uint64, tops: I64) -> int:
    """A card that can become gone without loss, or -1; sets the tops."""
    _tops(g, cl, tops)
    least = min(min(tops[0], tops[1]), min(tops[2], tops[3]))
    for s in range(4):
        y = 4 * np.int64(tops[s]) + s
        if tops[s] <= 12 and tops[s] == least and (cl & ~g) >> np.uint64(y) & ONE:
            return y
    able = _movable(frame, g, cl) & ~frame[FIXED]
    others = popcount(frame[BASES] & ~g & ~KINGS)
    kings = able & KINGS
    if kings and np.int64(others) + 4 <= np.int64(frame[PILE_COUNT]):
        return lowest(kings)
    able &= ~KINGS
    while able:
        c = lowest(able)
        able &= able - ONE
        parents = _RANK << np.uint64(4 * (c >> 2) + 4)
        if cl & parents == parents:
            return c
    return -1


@kernel
def _is_new(seen: U64, g: np.uint64) -> bool:
    mask = np.int64(len(seen) - 1)
    x = g * np.uint64(0xD6E8FEB86659FD93)
    x ^= x >> np.uint64(32)
    x *= np.uint64(0xD6E8FEB86659FD93)
    i = np.int64(x >> np.uint64(20)) & mask
    g |= _MET
    while seen[i]:
        if seen[i] == g:
            return False
        i = (i + 1) & mask
    seen[i] = g
    return True


@kernel
def rehash_outline(old: U64, seen: U64) -> None:
    """Put the states of `old` into the larger, zeroed `seen`."""
    for i in range(len(old)):
        if old[i]:
            _is_new(seen, old[i] & ~_MET)


@kernel
def _add(o: Outline, g: np.uint64, cl: np.uint64) -> None:
    """Settle a state, and stack it unless met or dead."""
    frame, tops, lacks = o.frame, o.work[2], o.work[3]
    c = _free(frame, g, cl, tops)
    while c >= 0:
        g |= ONE << np.uint64(c)
        cl |= frame[UNDER + c]
        c = _free(frame, g, cl, tops)
    if not _is_new(o.seen, g):
        return
    o.state[SEEN] += 1
    if tops[0] + tops[1] + tops[2] + tops[3] == 52:
        o.state[DONE] = 1
    if is_dead(frame, g, cl, tops, lacks):
        return
    top = o.state[STACKED]
    o.stack[top, 0] = g
    o.stack[top, 1] = cl
    o.state[STACKED] = top + 1


@kernel
def begin_outline(game: U8, row: U8, lifted: np.uint64, o: Outline) -> None:
    """Begin a refutation of `row` with the cards of some piles lifted (`seen` must be clear)."""
    frame = o.frame
    frame_of(game, row, 1, frame)
    frame[LIFTED] = lifted
    frame[BASES] &= ~lifted
    frame[GONE] |= lifted
    frame[CLEARED] |= lifted
    o.state[:] = 0
    _add(o, frame[GONE], frame[CLEARED])


@kernel
def exhaust(o: Outline, expansions: int) -> int:
    """Expand up to so many states, depth first. Returns as `refute` does."""
    frame, tops, lacks = o.frame, o.work[0], o.work[1]
    for _ in range(expansions):
        if o.state[DONE]:
            return REACHED
        top = o.state[STACKED] - 1
        if top < 0:
            return PROVED
        if top + _MOST_CHILDREN > len(o.stack):
            return FULL
        if 4 * (o.state[SEEN] + _MOST_CHILDREN) > 3 * len(o.seen):
            return FULL
        o.state[STACKED] = top
        o.state[EXPANDED] += 1
        g, cl = o.stack[top, 0], o.stack[top, 1]
        _tops(g, cl, tops)
        _lacks(frame, g, g, cl, lacks)
        for s in range(4):
            y = 4 * np.int64(tops[s]) + s
            if tops[s] <= 12 and (cl & ~g) >> np.uint64(y) & ONE and _may_raise(lacks, tops, s):
                _add(o, g | ONE << np.uint64(y), cl | frame[UNDER + y])
        able = _movable(frame, g, cl)
        while able:
            c = lowest(able)
            able &= able - ONE
            if _may_place(frame, g, cl, c, lacks, tops):
                _add(o, g | ONE << np.uint64(c), cl | frame[UNDER + c])
    return REACHED if o.state[DONE] else RUNNING


def new_outline() -> Outline:
    """A small refutation; `enlarge_outline` makes it larger."""
    return Outline(
        frame=np.zeros(FRAME_SIZE, np.uint64),
        stack=np.empty((1024, 2), np.uint64),
        seen=np.zeros(8192, np.uint64),
        state=np.zeros(4, np.int64),
        work=np.zeros((4, 16), np.int64),
    )


def enlarge_outline(o: Outline) -> Outline:
    """The same refutation with twice the room where it is short."""
    if o.state[STACKED] - 1 + _MOST_CHILDREN > len(o.stack):
        o = o._replace(stack=grown(o.stack, 2 * len(o.stack)))
    if 4 * (o.state[SEEN] + _MOST_CHILDREN) > 3 * len(o.seen):
        seen = np.zeros(2 * len(o.seen), np.uint64)
        rehash_outline(o.seen, seen)
        o = o._replace(seen=seen)
    return o
