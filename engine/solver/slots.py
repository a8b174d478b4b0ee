# mypy: warn-return-any=False, disable-error-code="assignment,arg-type,return-value,call-overload"
"""The slot space of one pack: which cards are gone, how high the foundations stand (compiled).

A state is a mask of gone cards `g`, the cleared cards `cl` (they follow from `g`) and the packed
foundation heights `f`; where each gone card lies is forgotten. What remains of the rules is that
the gone cards of a class, two twins, must find distinct places among its two twin parents. (Where
any suit fits, a class is four cards under four; with worrying back `gone` needs still less.)

`frame` is the start position as masks; bit `c` of a mask is the kernel's card `c`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.solver.jit import kernel, lowest, popcount
from engine.solver.model import DOWN, FITS, FLOOR, NONE, OUT, PARENTS, PILES, U8, U64

ONE = np.uint64(1)
LOW: Final = np.uint64(0x3333333333333)
ODD: Final = np.uint64(0x5555555555555)
ONES: Final = np.uint64(0x1111111111111)
KINGS: Final = np.uint64(0xF000000000000)
ALL: Final = np.uint64(0xFFFFFFFFFFFFF)

# The parts of a frame:
FACE_UP: Final = 0  # dealt face up
BASES: Final = 1  # base cards of the piles
GONE: Final = 2  # gone at the start: out, or on a fitting face-up card
CLEARED: Final = 3  # clear at the start
HEIGHTS: Final = 4  # the foundations at the start
PILE_COUNT: Final = 5
LIFTED: Final = 6  # cards of piles that are left out of account (see gone)
RETURNS: Final = 7  # 1: worrying back
CLASPED: Final = 8  # cards that lie on a fitting face-down card
FIXED: Final = 9  # cards with a RIGID mask
UNDER: Final = 16  # [c] the card below c at the start, as a mask
RIGID: Final = 80  # [4 * c + i] the cards above c up to its parent i, if that lies above it
FRAME_SIZE: Final = 288


@kernel
def frame_of(game: U8, row: U8, returns: int, frame: U64) -> None:
    """Set `frame` from a row of a one-pack game without a stock."""
    frame[:] = np.uint64(0)
    frame[PILE_COUNT] = np.uint64(game[PILES])
    frame[RETURNS] = np.uint64(returns)
    covered = np.uint64(0)
    for c in range(52):
        bit = ONE << np.uint64(c)
        below = row[c] & 127
        if row[c] < DOWN:
            frame[FACE_UP] |= bit
        if below == OUT:
            frame[GONE] |= bit
            frame[HEIGHTS] += ONE << np.uint64(4 * (c & 3))
        elif below == FLOOR:
            frame[BASES] |= bit
        else:
            under = ONE << np.uint64(below)
            frame[UNDER + c] = under
            if game[FITS + 128 * c + below] and row[below] < DOWN:
                frame[GONE] |= bit
            else:
                covered |= under
                if game[FITS + 128 * c + below]:
                    frame[CLASPED] |= bit
    frame[CLEARED] = ALL & ~covered
    for c in range(52):
        for i in range(4):
            p = np.int64(game[PARENTS + 4 * c + i])
            if p == NONE:
                break
            between = np.uint64(0)
            x = p
            while x < FLOOR and x != c:
                between |= ONE << np.uint64(x)
                x = np.int64(row[x] & 127)
            if x == c:
                frame[RIGID + 4 * c + i] = between
                frame[FIXED] |= ONE << np.uint64(c)


@kernel
def height(f: np.uint64, s: int) -> int:
    """The height of foundation `s`."""
    return np.int64((f >> np.uint64(4 * s)) & np.uint64(15))


@kernel
def out_mask(f: np.uint64) -> np.uint64:
    """The cards on the foundations."""
    out = np.uint64(0)
    for s in range(4):
        column = ONES << np.uint64(s)
        out |= column & ((ONE << np.uint64(4 * height(f, s))) - ONE)
    return out


@kernel
def roomy_parents(slots: np.uint64, kids: np.uint64) -> np.uint64:
    """The possible parents whose class has more slots than kids (aces have no kids)."""
    one, two = slots & LOW, (slots >> np.uint64(2)) & LOW
    kid, twin = kids & LOW, (kids >> np.uint64(2)) & LOW
    any_kid, both = kid | twin, kid & twin
    any_kid = (((any_kid & ODD) << ONE) | ((any_kid >> ONE) & ODD)) << np.uint64(4)
    both = (((both & ODD) << ONE) | ((both >> ONE) & ODD)) << np.uint64(4)
    room = ((one & two) & ~both) | ((one | two) & ~any_kid)
    return room | (room << np.uint64(2))


@kernel
def roomy_children(parents: np.uint64) -> np.uint64:
    """The children of the classes that `roomy_parents` found."""
    x = parents >> np.uint64(4)
    return ((x & ODD) << ONE) | ((x >> ONE) & ODD)


@kernel
def parents_of(c: int) -> np.uint64:
    """The cards that `c` may lie on."""
    if c >= 48:
        return np.uint64(0)
    return np.uint64(5) << np.uint64((c | 3) + 1 + (~c & 1))


@kernel
def rigid(frame: U64, c: int, p: int, g: np.uint64) -> bool:
    """Whether `p` was dealt above `c` and no link between them has been broken."""
    between = frame[RIGID + 4 * c + ((p >> 1) & 1)]
    return between != np.uint64(0) and (between & g) == np.uint64(0)


@kernel
def can_lie(frame: U64, g: np.uint64, slots: np.uint64, kids: np.uint64, c: int, p: int) -> bool:
    """Whether `c` may be put on `p`, its placed twin being on the other parent."""
    if (slots >> np.uint64(p)) & ONE == np.uint64(0) or rigid(frame, c, p, g):
        return False
    if (kids >> np.uint64(c ^ 2)) & ONE == np.uint64(0):
        return True
    other = p ^ 2
    if (slots >> np.uint64(other)) & ONE == np.uint64(0):
        return False
    return not rigid(frame, c ^ 2, other, g)


@kernel
def can_place(frame: U64, g: np.uint64, slots: np.uint64, kids: np.uint64, c: int) -> bool:
    """Whether `c`, of a class with room, has a parent to be put on."""
    if not (frame[FIXED] >> np.uint64(c & ~2)) & np.uint64(5):
        return True
    parents = parents_of(c) & slots
    while parents:
        p = lowest(parents)
        parents &= parents - ONE
        if can_lie(frame, g, slots, kids, c, p):
            return True
    return False


@kernel
def can_raise(frame: U64, g: np.uint64, kids: np.uint64, y: int) -> bool:
    """Whether the one kid of the class above `y` can lie on the twin of `y`."""
    if y < 4:
        return True
    held = kids & (np.uint64(5) << np.uint64((y & ~3) - 4 + (~y & 1)))
    return held == np.uint64(0) or not rigid(frame, lowest(held), y ^ 2, g)


@kernel
def empty_piles(frame: U64, g: np.uint64, out: np.uint64) -> int:
    """How many piles are empty."""
    used = popcount(frame[BASES] & ~g) + popcount(KINGS & g & ~out)
    return np.int64(frame[PILE_COUNT]) - np.int64(used)


@kernel
def is_safe(f: np.uint64, y: int, returns: bool) -> bool:
    """The rule of `safe.safe` for alternate colour."""
    s, k = y & 3, y >> 2
    if height(f, s ^ 1) < k or height(f, s ^ 3) < k:
        return False
    return not returns or height(f, s ^ 2) >= k - 1


@kernel
def is_dead(frame: U64, g: np.uint64, cl: np.uint64, f: np.uint64) -> bool:
    """The dead-end test of a state: the relaxation of `deadend` in slot space.

    Growing sets: broken, clear, out; a card may go onto a class with more slots than kids, where
    kids are the cards gone at the entry and not yet out, and slots all that are clear (without
    worrying back those not out at the entry). Places are never used up. By induction over any
    line from the state its gone, cleared and raised cards stay inside these sets.
    """
    out0 = out_mask(f)
    out, broken, clear = out0, g, cl
    barred = np.uint64(0) if frame[RETURNS] else out0
    hollow = empty_piles(frame, g, out0) > 0
    base0 = frame[BASES] & ~g
    held0 = KINGS & g & ~out0
    while True:
        last_out, last_broken = out, broken
        slots = clear & ~barred
        parents = roomy_parents(slots, g & ~out)
        for s in range(4):
            k = height(f, s)
            while k <= 12:
                y = ONE << np.uint64(4 * k + s)
                if not y & clear & parents:
                    break
                out |= y
                if not y & broken:
                    broken |= y
                    clear |= frame[UNDER + 4 * k + s]
                k += 1
            f = (f & ~(np.uint64(15) << np.uint64(4 * s))) | (np.uint64(k) << np.uint64(4 * s))
        if out == ALL:
            return False
        if not hollow and (base0 & broken) | (held0 & out):
            hollow = True
        able = roomy_children(parents) & ~KINGS
        if hollow:
            able |= KINGS & ~frame[BASES]
        able &= (frame[FACE_UP] | clear) & ~broken
        while able:
            c = lowest(able)
            able &= able - ONE
            if c < 48 and (frame[FIXED] >> np.uint64(c)) & ONE:
                places = parents_of(c) & slots
                free = False
                while places and not free:
                    p = lowest(places)
                    places &= places - ONE
                    free = not rigid(frame, c, p, broken)
                if not free:
                    continue
            broken |= ONE << np.uint64(c)
            clear |= frame[UNDER + c]
        if out == last_out and broken == last_broken:
            return True
