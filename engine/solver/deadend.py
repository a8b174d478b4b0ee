# mypy: warn-return-any=False, disable-error-code="assignment,arg-type,return-value,call-overload"
"""The dead-end test of a position (compiled).

Relaxation: forget that a move covers its target and that it takes a place away. Grow two sets,
both monotone: `broken` (cards that may have left the card they lie on) and `clear` (cards that
may have been bare at some time).

- A bare card is clear; when the card on `x` breaks, `x` is clear.
- `c` breaks if it can be lifted (face up, or clear) and some fitting `t` is clear and not above
  `c`; or is above `c` but a card of the segment above `c` up to `t` has broken.
- A king breaks when a pile may be empty: one is, or a base card has broken.
- A card that is clear and the next of its suit goes out, which breaks it. With two packs a card of
  rank k may go as soon as any copy of rank k - 1 has gone (the two foundations of a suit are not
  counted: giving a place to one copy must not take it from the other).
- Stock cards can always be lifted; a waste card once those above it have broken. With worrying
  back, cards on the foundations count as clear.

Lemma: if not all cards go out, the position cannot be won. Proof: take a winning line. By
induction over its moves, every card that has left its place is broken and every card that has
been bare is clear. The first time `c` is moved, it goes onto a `t` that is bare at that moment,
so clear; if `t` lay above `c`, some card between has left its place before, so the third clause
applies. The last move plays the last card, so all cards are out. QED
"""

from __future__ import annotations

import numpy as np

from engine.solver.board import ABOVE, COLUMN, DEALT, DEPTH, FACE, HEIGHT, RAISED, USED, waste_top
from engine.solver.jit import kernel
from engine.solver.model import (
    BACK,
    CARDS,
    CHILDREN,
    DEALS,
    FLOOR,
    NONE,
    ORDER,
    OUT,
    PARENTS,
    PILES,
    SHIFT,
    STOCK,
    U8,
    WASTE,
)


@kernel
def _may_leave(b: U8, broken: U8, c: int, t: int) -> bool:
    """Whether `t` is not above `c`, or a card of the segment above `c` up to `t` has broken."""
    if b[c] >= OUT or b[t] >= OUT:
        return True
    if b[COLUMN + c] != b[COLUMN + t] or b[DEPTH + t] < b[DEPTH + c]:
        return True
    x = t
    while x != c:
        if broken[x]:
            return True
        x = b[x]
    return False


@kernel
def _is_place(b: U8, broken: U8, t: int) -> bool:
    """Whether the clear card `t` may lie in the tableau."""
    return (b[t] != STOCK and b[t] != WASTE) or broken[t] == 1


@kernel
def _may_lift(b: U8, clear: U8, c: int) -> bool:
    """Whether `c`, not on a foundation, may be lifted with all that lies on it."""
    if clear[c]:
        return True
    return not b[FACE + c] and b[c] < OUT


@kernel
def _raise_suit(game: U8, s: int, reach: U8, clear: U8, gone_out: U8, found: U8) -> int:
    """Send out every clear card of suit `s` whose turn has come; returns how many `found`."""
    count = 0
    shift = np.int64(game[SHIFT])
    while reach[s] <= 12:
        gone = False
        for copy in range(0, 1 << shift, 4):
            y = (np.int64(reach[s]) << shift) + s + copy
            if clear[y] and not gone_out[y]:
                gone_out[y] = 1
                found[count] = y
                count += 1
            if gone_out[y]:
                gone = True
        if not gone:
            break
        reach[s] += 1
    return count


@kernel
def hopeless(game: U8, b: U8, work: U8) -> bool:
    """Whether the relaxation proves that the measured board cannot be won.

    `work` is scratch of 9 x 512 bytes.
    """
    n = np.int64(game[CARDS])
    clear, broken, gone_out, todo = work[0], work[1], work[2], work[3]
    waiting_card, waiting_on, breaking, found = work[4], work[5], work[6], work[7]
    reach = work[8]
    for s in range(4):
        reach[s] = b[HEIGHT + s]
    tail = 0  # todo[head:tail]: cards newly clear
    outs = np.int64(b[RAISED])
    for c in range(n):
        below = b[c]
        broken[c] = 0
        gone_out[c] = below == OUT
        clear[c] = 0
        if below < OUT:
            clear[c] = b[ABOVE + c] == NONE
        elif below == STOCK or (below == OUT and game[BACK]):
            clear[c] = 1
        if clear[c]:
            todo[tail] = c
            tail += 1
    if game[DEALS] > 0:
        c = waste_top(game, b)
        if c != NONE:
            clear[c] = 1
            todo[tail] = c
            tail += 1
    hollow = b[USED] < game[PILES]
    kings_due = hollow
    head = 0
    waiting = 0
    while outs < n:
        count = 0
        if head < tail:
            t = np.int64(todo[head])
            head += 1
            s = t & 3
            if not gone_out[t] and t >> np.int64(game[SHIFT]) <= reach[s]:
                if t >> np.int64(game[SHIFT]) < reach[s]:
                    gone_out[t] = 1
                    outs += 1
                    breaking[count] = t
                    count += 1
                else:
                    raised = _raise_suit(game, s, reach, clear, gone_out, found)
                    outs += raised
                    for i in range(raised):
                        breaking[count] = found[i]
                        count += 1
            if _is_place(b, broken, t):
                for i in range(4):
                    c = game[CHILDREN + 4 * t + i]
                    if c == NONE:
                        break
                    if broken[c] or b[c] == OUT or not _may_lift(b, clear, c):
                        continue
                    if _may_leave(b, broken, c, t):
                        breaking[count] = c
                        count += 1
                    else:
                        waiting_card[waiting] = c
                        waiting_on[waiting] = t
                        waiting += 1
            if not broken[t] and (b[FACE + t] or b[t] > OUT):  # only now it may be lifted
                if hollow and t >> np.int64(game[SHIFT]) == 12:
                    breaking[count] = t
                    count += 1
                for i in range(4):
                    p = game[PARENTS + 4 * t + i]
                    if p == NONE:
                        break
                    if clear[p] and _is_place(b, broken, p):
                        if _may_leave(b, broken, t, p):
                            breaking[count] = t
                            count += 1
                        else:
                            waiting_card[waiting] = t
                            waiting_on[waiting] = p
                            waiting += 1
        elif kings_due:
            kings_due = False
            for c in range(12 << np.int64(game[SHIFT]), n):
                below = b[c]
                if not broken[c] and below != OUT and below != FLOOR and _may_lift(b, clear, c):
                    breaking[count] = c
                    count += 1
        else:
            keep = 0
            for i in range(waiting):
                c = np.int64(waiting_card[i])
                if broken[c]:
                    continue
                if _may_leave(b, broken, c, np.int64(waiting_on[i])):
                    breaking[count] = c
                    count += 1
                else:
                    waiting_card[keep] = c
                    waiting_on[keep] = waiting_on[i]
                    keep += 1
            waiting = keep
            if count == 0:
                return True
        while count > 0:
            count -= 1
            c = np.int64(breaking[count])
            if broken[c]:
                continue
            broken[c] = 1
            below = b[c]
            x = NONE  # the card that is clear now
            if below < n:
                x = np.int64(below)
            elif below == FLOOR:
                kings_due = kings_due or not hollow
                hollow = True
            elif below != OUT:
                todo[tail] = c  # from now on it is a place as well
                tail += 1
                if below == WASTE:
                    i = np.int64(b[DEALT]) - 1
                    while i >= 0 and (b[game[ORDER + i]] != WASTE or broken[game[ORDER + i]]):
                        i -= 1
                    if i >= 0:
                        x = np.int64(game[ORDER + i])
            if x != NONE and not clear[x]:
                clear[x] = 1
                todo[tail] = x
                tail += 1
    return False
