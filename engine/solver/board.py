# mypy: warn-return-any=False, disable-error-code="assignment,arg-type,return-value,call-overload"
"""A position as links, and the moves on it (compiled).

Any face-up card may move with all that lies on it, so a move changes one link: the card below the
group's base card. A board is a flat array of bytes that holds the links both ways; piles have no
numbers. `game` is the game's array (see model).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.solver.jit import kernel
from engine.solver.model import (
    CARDS,
    DEALS,
    FITS,
    FLOOR,
    LIMIT,
    NONE,
    ORDER,
    OUT,
    ROOTED,
    SHIFT,
    STOCK,
    U8,
    WASTE,
)

# b[c] is the card or mark below c; further parts of a board:
ABOVE: Final = 128  # [c] the card on c, or NONE
FACE: Final = 256  # [c] 1 if c lies face down
HEIGHT: Final = 384  # [s] cards on each foundation; two packs: HEIGHT[s] >= HEIGHT[s + 4]
USED: Final = 392  # piles that are not empty
DEALT: Final = 393  # cards dealt from the stock, with those in the waste at the start
HIDDEN: Final = 394  # face-down cards
RAISED: Final = 395  # cards on the foundations
LINKS: Final = 400  # the parts before this say everything; `measure` makes the others:
COLUMN: Final = 400  # [c] the base card of c's pile
DEPTH: Final = 528  # [c] how many cards lie below c
SIZE: Final = 656  # [c] the height of the pile with base card c
BOARD_SIZE: Final = 784


@kernel
def load(game: U8, row: U8, b: U8) -> None:
    """Set the board from a row."""
    n = np.int64(game[CARDS])
    two = game[SHIFT] == 3
    mask = 7 if two else 3
    for i in range(HEIGHT, LINKS):
        b[i] = 0
    for c in range(n):
        b[ABOVE + c] = NONE
    undealt = 0
    for c in range(n):
        below = row[c] & 127
        face = row[c] >> 7
        b[c] = below
        b[FACE + c] = face
        b[HIDDEN] += face
        if below < FLOOR:
            b[ABOVE + below] = c
        elif below == FLOOR:
            b[USED] += 1
        elif below == OUT:
            s = c & mask
            if two:
                s &= 3
                if b[HEIGHT + s] > c >> 3:
                    s += 4
            b[HEIGHT + s] += 1
            b[RAISED] += 1
        elif below == STOCK:
            undealt += 1
    b[DEALT] = game[DEALS] - undealt


@kernel
def save(game: U8, b: U8, row: U8) -> None:
    """Write the board as a row."""
    for c in range(np.int64(game[CARDS])):
        row[c] = b[c] | (b[FACE + c] << 7)


@kernel
def assign(source: U8, b: U8) -> None:
    """Copy the links and counts of `source` to `b`."""
    for i in range(LINKS):
        b[i] = source[i]


@kernel
def measure(game: U8, b: U8) -> None:
    """Set COLUMN, DEPTH and SIZE for the tableau's cards."""
    for base in range(np.int64(game[CARDS])):
        if b[base] == FLOOR:
            c = base
            depth = 0
            while c != NONE:
                b[COLUMN + c] = base
                b[DEPTH + c] = depth
                depth += 1
                c = np.int64(b[ABOVE + c])
            b[SIZE + base] = depth


@kernel
def waste_top(game: U8, b: U8) -> int:
    """The top card of the waste, or NONE."""
    i = np.int64(b[DEALT]) - 1
    while i >= 0:
        c = np.int64(game[ORDER + i])
        if b[c] == WASTE:
            return c
        i -= 1
    return NONE


@kernel
def foundation(game: U8, b: U8, c: int) -> int:
    """The foundation that takes `c` next, or -1; whether `c` can be lifted is not asked."""
    if game[SHIFT] == 2:
        return c & 3 if b[HEIGHT + (c & 3)] == c >> 2 else -1
    if b[HEIGHT + (c & 3)] == c >> 3:
        return c & 3
    return (c & 3) + 4 if b[HEIGHT + (c & 3) + 4] == c >> 3 else -1


@kernel
def put(game: U8, b: U8, c: int, to: int) -> None:
    """Move `c`, with all that lies on it, onto the card or mark `to`. Nothing is checked.

    A face-down card that this uncovers turns.
    """
    old = b[c]
    if old < FLOOR:
        b[ABOVE + old] = NONE
        if b[FACE + old]:
            b[FACE + old] = 0
            b[HIDDEN] -= 1
    elif old == FLOOR:
        b[USED] -= 1
    elif old == OUT:  # one pack only
        b[HEIGHT + (c & 3)] -= 1
        b[RAISED] -= 1
    if to < FLOOR:
        b[ABOVE + to] = c
    elif to == FLOOR:
        b[USED] += 1
    elif to == OUT:
        b[HEIGHT + foundation(game, b, c)] += 1
        b[RAISED] += 1
    elif to == WASTE:
        b[DEALT] += 1
    b[c] = to


@kernel
def may_lie(game: U8, b: U8, c: int, p: int) -> bool:
    """Whether the movable `c` may be put on `p`: it fits, `p` is bare, no cycle, the limit."""
    if p == NONE or b[ABOVE + p] != NONE or b[p] > FLOOR or not game[FITS + 128 * c + p]:
        return False
    size = 1
    x = b[ABOVE + c]
    while x != NONE:
        if x == p:
            return False
        size += 1
        x = b[ABOVE + x]
    return size <= game[LIMIT] and p != c


@kernel
def within_limit(game: U8, b: U8, c: int) -> bool:
    """Whether the group on `c` may be lifted at all."""
    size = 1
    x = b[ABOVE + c]
    while x != NONE:
        size += 1
        x = b[ABOVE + x]
    return size <= game[LIMIT]


@kernel
def may_go_out(game: U8, b: U8, y: int) -> bool:
    """Whether `y` can be lifted alone and is the next card of a foundation."""
    below = b[y]
    if b[ABOVE + y] != NONE or below in (OUT, STOCK):
        return False
    if foundation(game, b, y) < 0:
        return False
    return below != WASTE or waste_top(game, b) == y


@kernel
def proper(game: U8, b: U8, c: int) -> bool:
    """Whether `c` lies on a face-up card that it fits."""
    p = b[c]
    return p < FLOOR and game[FITS + 128 * c + p] == 1 and b[FACE + p] == 0


@kernel
def gone(game: U8, b: U8, c: int) -> bool:
    """Whether `c` has left where it lay at the start, or fitted there (see the package)."""
    below = b[c]
    if below < FLOOR:
        return game[FITS + 128 * c + below] == 1 and b[FACE + below] == 0
    if below == FLOOR:
        return c >> game[SHIFT] == 12 and game[ROOTED + c] == 0
    return below == OUT
