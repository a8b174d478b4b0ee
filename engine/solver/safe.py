# mypy: warn-return-any=False, disable-error-code="assignment,arg-type,return-value,call-overload"
"""Moves that can never hurt, played at once (compiled)."""

from __future__ import annotations

import numpy as np

from engine.solver.board import (
    FACE,
    HEIGHT,
    HIDDEN,
    may_go_out,
    may_lie,
    put,
    waste_top,
)
from engine.solver.jit import kernel
from engine.solver.model import (
    CARDS,
    DEALS,
    FITS,
    FLOOR,
    MERGED,
    NONE,
    OUT,
    PARENTS,
    SAFE,
    SAFE_ANY,
    SAFE_COLOUR,
    SAFE_COLOUR_BACK,
    SAFE_COLOUR_TWO,
    SAFE_NEVER,
    SAFE_SUIT,
    SAFE_UP_DOWN,
    SHIFT,
    U8,
)


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
    - up or down, same suit: the next lower card is out, so `y` can only hold the next higher, and
      be put on it. A king has none; and while `y` lies on its next higher it can do neither, nor
      go anywhere but out.
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
            b[HEIGHT + (s ^ 1)] >= k and b[HEIGHT + (s ^ 3)] >= k and b[HEIGHT + (s ^ 2)] >= k - 1
        )
    if kind == SAFE_ANY:
        return b[HEIGHT + (s ^ 1)] >= k and b[HEIGHT + (s ^ 2)] >= k and b[HEIGHT + (s ^ 3)] >= k
    if kind == SAFE_UP_DOWN:
        return k == 12 or b[y] == y + 4
    if kind == SAFE_COLOUR_TWO:
        if b[HEIGHT + (s ^ 1) + 4] < k or b[HEIGHT + (s ^ 3) + 4] < k:
            return False
        return b[y ^ 4] == OUT or (b[HEIGHT + s] == k and b[HEIGHT + s + 4] == k)
    return False


@kernel
def safe_card(game: U8, b: U8, s: int) -> int:
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
        clasped = p < FLOOR and b[FACE + p] and not b[FACE + c] and game[FITS + 128 * c + p]
        if clasped and may_lie(game, b, c, p ^ 2):
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
            c = safe_card(game, b, s)
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
