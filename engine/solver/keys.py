# mypy: warn-return-any=False, disable-error-code="assignment,arg-type,return-value,call-overload"
"""What tells states apart, and the closed set of those met (compiled)."""

from __future__ import annotations

import numpy as np

from engine.solver.board import (
    ABOVE,
    DEALT,
    FACE,
    HEIGHT,
    gone,
)
from engine.solver.jit import kernel
from engine.solver.model import (
    CARDS,
    FLOOR,
    MERGED,
    NONE,
    SHIFT,
    SUITED,
    U8,
    U64,
)


@kernel
def mix(x: np.uint64) -> np.uint64:
    """A bijection of 64 bits that scatters (an xor-shift-multiply finaliser)."""
    x ^= x >> np.uint64(32)
    x *= np.uint64(0xD6E8FEB86659FD93)
    x ^= x >> np.uint64(32)
    x *= np.uint64(0xD6E8FEB86659FD93)
    return x ^ (x >> np.uint64(32))


@kernel
def _merged_key(game: U8, b: U8) -> np.uint64:
    low = np.uint64(0)
    high = np.uint64(0)
    n = np.int64(game[CARDS])
    for c in range(min(n, 52)):
        if gone(game, b, c):
            low |= np.uint64(1) << np.uint64(c)
    if game[SUITED]:
        return ~(low | (np.uint64(b[DEALT]) << np.uint64(52)))
    for c in range(52, n):
        if gone(game, b, c):
            high |= np.uint64(1) << np.uint64(c - 52)
    packed = np.uint64(1)
    for s in range(8):
        packed = (packed << np.uint64(4)) | np.uint64(b[HEIGHT + s])
    return mix(low ^ mix(high ^ mix(packed)))


@kernel
def _plain_key(game: U8, b: U8) -> np.uint64:
    key = np.uint64(b[DEALT])
    which = np.uint64(255 - 4 if game[SHIFT] == 3 else 255)  # copies are the same card
    for base in range(np.int64(game[CARDS])):
        if b[base] == FLOOR:
            pile = np.uint64(0x2545F4914F6CDD1D)
            c = base
            while c != NONE:
                face = (np.uint64(c) & which) | (np.uint64(b[FACE + c]) << np.uint64(7))
                pile = (pile ^ face) * np.uint64(0x9FB21C651E98DF25)
                pile ^= pile >> np.uint64(35)
                c = np.int64(b[ABOVE + c])
            key += mix(pile)
    return key


@kernel
def state_key(game: U8, b: U8) -> np.uint64:
    """What tells two settled states apart; never 0.

    Merged: the set of gone cards, the foundations and the cards dealt. With one parent a card
    (S, P) that is the whole state and the key is one to one: a gone card lies on its parent, and
    the foundations stand as high as settling takes them. In other games it forgets which of its
    parents a card lies on: good for finding wins, no proof when it runs empty.

    Plain: every pile from its base, faces included, in any order of the piles; 64 bits, so that
    among n states two are taken for one with probability n^2 / 2^65, 1 in 4 million for 3 million.
    """
    key = _merged_key(game, b) if game[MERGED] else _plain_key(game, b)
    return key if key != np.uint64(0) else np.uint64(1)


@kernel
def is_new(seen: U64, key: np.uint64) -> bool:
    """Add `key` to the closed set; whether it was not there."""
    mask = np.int64(len(seen) - 1)
    i = np.int64(mix(key) >> np.uint64(8)) & mask
    while seen[i] != np.uint64(0):
        if seen[i] == key:
            return False
        i = (i + 1) & mask
    seen[i] = key
    return True


@kernel
def rehash(old: U64, seen: U64) -> None:
    """Put the keys of `old` into the larger, zeroed `seen`."""
    for key in old:
        if key != np.uint64(0):
            is_new(seen, key)
