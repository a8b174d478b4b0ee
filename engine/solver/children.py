# mypy: warn-return-any=False, disable-error-code="assignment,arg-type,return-value,call-overload"
"""The moves from a state to every child state (compiled)."""

from __future__ import annotations

import numpy as np

from engine.solver.board import (
    ABOVE,
    DEALT,
    FACE,
    HEIGHT,
    USED,
    assign,
    gone,
    may_go_out,
    may_lie,
    proper,
    put,
    waste_top,
    within_limit,
)
from engine.solver.jit import kernel
from engine.solver.model import (
    BACK,
    CARDS,
    DEALS,
    FLOOR,
    MERGED,
    NONE,
    ORDER,
    OUT,
    PARENTS,
    PILES,
    SHIFT,
    STOCK,
    SUITED,
    U8,
    WASTE,
)


@kernel
def _add_move(found: U8, used: int, c: int, to: int, c2: int, to2: int) -> int:
    """Write a child's one or two moves into `found`; returns the index after it."""
    found[used] = c
    found[used + 1] = to
    found[used + 2] = c2
    found[used + 3] = to2
    return used + 4


@kernel
def _after_flip(game: U8, b: U8, c: int, p: int, scratch: U8, found: U8, used: int) -> int:
    """Add the child where one flip lets `c` be put on `p`, if there is one.

    A flip moves a card that lies properly to its other bare parent: off `p`, or off the path from
    `p` down to `c`. Any way gives the same merged state, so the first that is legal will do.
    """
    covered = b[ABOVE + p] != NONE
    w = b[ABOVE + p] if covered else p
    while w < FLOOR and w != c:
        if proper(game, b, w):
            for i in range(4):
                q = np.int64(game[PARENTS + 4 * w + i])
                if q == NONE:
                    break
                if q != p and may_lie(game, b, w, q):
                    assign(b, scratch)
                    put(game, scratch, w, q)
                    if may_lie(game, scratch, c, p):
                        return _add_move(found, used, w, q, c, p)
        if covered:
            break  # only the card on p itself can clear it
        w = b[w]
    return used


@kernel
def _placements(game: U8, b: U8, c: int, scratch: U8, found: U8, used: int) -> int:
    """Add the children where the movable `c` lies on a card or on an empty pile."""
    to_floor = c >> game[SHIFT] == 12 and b[c] != FLOOR and b[USED] < game[PILES]
    if to_floor and within_limit(game, b, c):
        used = _add_move(found, used, c, FLOOR, NONE, NONE)
    for i in range(4):
        p = np.int64(game[PARENTS + 4 * c + i])
        if p == NONE:
            break
        before = used
        if may_lie(game, b, c, p):
            used = _add_move(found, used, c, p, NONE, NONE)
        elif game[MERGED] and not game[SUITED] and b[p] <= FLOOR and not b[FACE + p]:
            used = _after_flip(game, b, c, p, scratch, found, used)
        if game[MERGED] and used > before:
            break
    return used


@kernel
def children(game: U8, b: U8, scratch: U8, found: U8) -> int:
    """Write the moves to every child state, 4 bytes each; returns their number times 4.

    Plain states: every legal move, except that a king which is a base card stays (the order of
    the piles means nothing). Merged states: only moves that change the merged state, so a card
    that is gone is not placed again, and one place is as good as another.
    """
    used = 0
    top = waste_top(game, b) if game[DEALS] else NONE
    for c in range(np.int64(game[CARDS])):
        below = b[c]
        if below == OUT:
            if game[BACK] and b[HEIGHT + (c & 3)] == (c >> 2) + 1:
                used = _placements(game, b, c, scratch, found, used)
            continue
        if b[FACE + c] or below == STOCK or (below == WASTE and c != top):
            continue
        if may_go_out(game, b, c):
            used = _add_move(found, used, c, OUT, NONE, NONE)
        if not game[MERGED] or not gone(game, b, c):
            used = _placements(game, b, c, scratch, found, used)
    if b[DEALT] < game[DEALS]:
        used = _add_move(found, used, game[ORDER + b[DEALT]], WASTE, NONE, NONE)
    return used
