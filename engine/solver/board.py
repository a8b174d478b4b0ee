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
    BACK,
    CARDS,
    DEALS,
    FITS,
    FLOOR,
    LIMIT,
    MERGED,
    NONE,
    ORDER,
    OUT,
    PARENTS,
    PILES,
    ROOTED,
    SAFE,
    SAFE_ANY,
    SAFE_COLOUR,
    SAFE_COLOUR_BACK,
    SAFE_COLOUR_TWO,
    SAFE_NEVER,
    SAFE_SUIT,
    SHIFT,
    STOCK,
    SUITED,
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
    if b[ABOVE + y] != NONE or below == OUT or below == STOCK:
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


@kernel
def safe(game: U8, b: U8, y: int) -> bool:
    """Whether playing the bare next card `y` up can never hurt.

    With `k` the rank of `y` (ace 0), `y` is in the way of nothing once no card that still has to
    be placed could need it as a parent:

    - alternate colour: both cards of the other colour and rank k - 1 are out, and stay out.
    - the same with worrying back: those two might come back to hold a card of rank k - 2 of the
      colour of `y`, so its twin suit must have played that card too. Then all cards of rank k - 2
      or less are out and none needs a place. (`y` itself may come back.)
    - any suit: all cards of rank k - 1 and less are out.
    - one parent, same suit: the only child of `y` is out already. Bringing it back would only
      give a place to cards that are out themselves.
    - two packs: as the first, for both copies; and the other copy of `y` must not wait for the
      foundation that `y` would take.
    - up or down: a card may need a higher or a lower parent, and nothing is known to be safe.
    """
    k = np.int64(y >> game[SHIFT])
    s = y & 3
    kind = game[SAFE]
    if kind == SAFE_SUIT:
        return True
    if kind == SAFE_COLOUR:
        return b[HEIGHT + (s ^ 1)] >= k and b[HEIGHT + (s ^ 3)] >= k
    if kind == SAFE_COLOUR_BACK:
        return (
            b[HEIGHT + (s ^ 1)] >= k
            and b[HEIGHT + (s ^ 3)] >= k
            and b[HEIGHT + (s ^ 2)] >= k - 1
        )
    if kind == SAFE_ANY:
        for other in range(4):
            if b[HEIGHT + other] < k:
                return False
        return True
    if kind == SAFE_COLOUR_TWO:
        if b[HEIGHT + (s ^ 1) + 4] < k or b[HEIGHT + (s ^ 3) + 4] < k:
            return False
        return b[y ^ 4] == OUT or (b[HEIGHT + s] == k and b[HEIGHT + s + 4] == k)
    return False


@kernel
def _safe_card(game: U8, b: U8, s: int) -> int:
    """A card that is safe to play up on foundation `s`, or NONE."""
    k = np.int64(b[HEIGHT + s])
    if k > 12:
        return NONE
    y = (k << game[SHIFT]) + s
    if may_go_out(game, b, y) and safe(game, b, y):
        return y
    if game[SHIFT] == 3 and may_go_out(game, b, y ^ 4) and safe(game, b, y ^ 4):
        return y ^ 4
    return NONE


@kernel
def _leaves_face_down(game: U8, b: U8) -> int:
    """A card on a fitting face-down card whose bare twin can take it, or NONE."""
    for c in range(np.int64(game[CARDS])):
        p = b[c]
        if p < FLOOR and b[FACE + p] and not b[FACE + c] and game[FITS + 128 * c + p]:
            if may_lie(game, b, c, p ^ 2):
                return c
    return NONE


@kernel
def settle(game: U8, b: U8, log: U8, used: int) -> int:
    """Play the moves that can never hurt until none is left.

    Writes pairs (card, to) into `log` from index `used`; returns the index after them.

    - Safe cards go to the foundations.
    - One parent (S, P): the waste's top card, not a king, goes onto its bare parent. Nothing else
      can use that place, the parent cannot go out before the card, and the card lies bare.
    - Alternate colour, one pack, merged states only: a card that lies on a fitting face-down card
      moves to that card's bare twin; it may return to the card, now face up, so it has lost
      nothing. (The limit on a group could stop the return, so searches that prove do without.)
    """
    if game[SAFE] == SAFE_NEVER:
        return used
    flips = game[MERGED] and (game[SAFE] == SAFE_COLOUR or game[SAFE] == SAFE_COLOUR_BACK)
    foundations = 1 << game[SHIFT]
    while True:
        c = NONE
        to = OUT
        for s in range(foundations):
            c = _safe_card(game, b, s)
            if c != NONE:
                break
        if c == NONE and game[DEALS]:
            c = waste_top(game, b)
            if c != NONE:
                to = np.int64(game[PARENTS + 4 * c])
                if not may_lie(game, b, c, to):
                    c = NONE
        if c == NONE and flips and b[HIDDEN]:
            c = _leaves_face_down(game, b)
            if c != NONE:
                to = np.int64(b[c]) ^ 2
        if c == NONE:
            return used
        put(game, b, c, to)
        log[used] = c
        log[used + 1] = to
        used += 2


@kernel
def _add_move(b: U8, found: U8, used: int, c: int, to: int, c2: int, to2: int) -> int:
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
                        return _add_move(b, found, used, w, q, c, p)
        if covered:
            break  # only the card on p itself can clear it
        w = b[w]
    return used


@kernel
def _placements(game: U8, b: U8, c: int, scratch: U8, found: U8, used: int) -> int:
    """Add the children where the movable `c` lies on a card or on an empty pile."""
    if c >> game[SHIFT] == 12 and b[c] != FLOOR and b[USED] < game[PILES]:
        if within_limit(game, b, c):
            used = _add_move(b, found, used, c, FLOOR, NONE, NONE)
    for i in range(4):
        p = np.int64(game[PARENTS + 4 * c + i])
        if p == NONE:
            break
        before = used
        if may_lie(game, b, c, p):
            used = _add_move(b, found, used, c, p, NONE, NONE)
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
            used = _add_move(b, found, used, c, OUT, NONE, NONE)
        if not game[MERGED] or not gone(game, b, c):
            used = _placements(game, b, c, scratch, found, used)
    if b[DEALT] < game[DEALS]:
        used = _add_move(b, found, used, game[ORDER + b[DEALT]], WASTE, NONE, NONE)
    return used
