"""What the kernels know: cards as kernel ids, the game's tables, and the marks of a row.

Kernel ids. A card is `rank * width + suit`, suits in the order C D S H, `width` 4 for one pack and
8 for two (the second copy's suit is 4 higher). So `suit & 1` is the colour, `id ^ 2` the card's
twin (same rank and colour) and, with two packs, `id ^ 4` its copy.

A row says where each card lies: `row[c]` is the card below it, or one of the marks FLOOR (base of
a pile), OUT (on a foundation), STOCK, WASTE; plus DOWN if `c` lies face down. Piles have no
numbers in a row, so positions that differ in the order of the piles are one row.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.rules import Rules

U8 = npt.NDArray[np.uint8]
I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]
U64 = npt.NDArray[np.uint64]

FLOOR: Final = 120
OUT: Final = 121
STOCK: Final = 122
WASTE: Final = 123
NONE: Final = 127
DOWN: Final = 128

RANKS: Final = 13
SUIT_TO_KERNEL: Final = (2, 3, 1, 0)
"""The kernel's suit of each of the engine's suits S H D C."""
SUIT_FROM_KERNEL: Final = (3, 2, 0, 1)

# How a card may be known to be safe on its foundation (see safe.safe).
SAFE_NEVER: Final = 0
SAFE_COLOUR: Final = 1
SAFE_COLOUR_BACK: Final = 2
SAFE_ANY: Final = 3
SAFE_SUIT: Final = 4
SAFE_COLOUR_TWO: Final = 5
SAFE_UP_DOWN: Final = 6


# A game for the kernels is one flat array of bytes: at these places ...
CARDS: Final = 0
SHIFT: Final = 1  # width is 1 << shift
PILES: Final = 2  # how many piles there are
LIMIT: Final = 3  # the largest group that may be lifted
SAFE: Final = 4  # SAFE_NEVER ... SAFE_UP_DOWN
MERGED: Final = 5  # 1: states are told apart by which cards have moved; 0: by every link
BACK: Final = 6  # 1: foundation cards may come back
SUITED: Final = 7  # 1: a card has one parent (S, P), so the merged state is exact
DEALS: Final = 8  # the length of ORDER
ORDER: Final = 16  # the waste and stock in the order of dealing
ROOTED: Final = 128  # [c] 1: a king that is the base of its pile at the start
PARENTS: Final = 256  # [4 * c + i] the cards that c may lie on, padded with NONE
CHILDREN: Final = 768  # [4 * c + i] the cards that may lie on c
FITS: Final = 1280  # [128 * c + p] 1 if c may lie on p
GAME_SIZE: Final = FITS + 128 * 104


class Tables(NamedTuple):
    """The part of a game's array that the rules alone give."""

    width: int
    game: U8


def kernel_card(card: int, copy: int, width: int) -> int:
    """The kernel's id of the engine's card (0 … 51) in its copy 0 or 1."""
    return card % 13 * width + SUIT_TO_KERNEL[card // 13] + 4 * copy


def engine_card(card: int, width: int) -> int:
    """The engine's card (0 … 51) of a kernel id."""
    return SUIT_FROM_KERNEL[card % width % 4] * 13 + card // width


@cache
def tables(rules: Rules) -> Tables:
    """Compile the rules' table of fitting cards. Raises ValueError for a game not provided for."""
    variant = rules.variant
    build = variant.build
    one_way = build.direction == "down" and not build.wrap
    if variant.empty_pile != "king" or build.wrap:
        raise ValueError(f"{variant.name} cannot be solved yet")
    width = 4 * variant.decks
    cards = RANKS * width
    game = np.zeros(GAME_SIZE, np.uint8)
    game[PARENTS:FITS] = NONE
    for card in range(cards):
        number = 0
        for below in range(cards):
            if engine_card(card, width) in rules.accepts[engine_card(below, width)]:
                game[FITS + 128 * card + below] = 1
                game[PARENTS + 4 * card + number] = below
                number += 1
    for below in range(cards):
        children = [c for c in range(cards) if game[FITS + 128 * c + below]]
        game[CHILDREN + 4 * below : CHILDREN + 4 * below + len(children)] = children
    match, safe = build.match, SAFE_NEVER
    if one_way and match == "alternate-colour":
        if variant.decks == 2:
            safe = SAFE_NEVER if variant.worrying_back else SAFE_COLOUR_TWO
        else:
            safe = SAFE_COLOUR_BACK if variant.worrying_back else SAFE_COLOUR
    elif build.direction == "up-or-down" and (match, variant.decks) == ("same-suit", 1):
        safe = SAFE_UP_DOWN
    elif one_way and variant.decks == 1 and match in ("any", "same-suit"):
        safe = SAFE_ANY if match == "any" else SAFE_SUIT
    game[CARDS], game[SHIFT], game[SAFE] = cards, width.bit_length() - 1, safe
    game[LIMIT] = variant.max_group or cards
    game[SUITED] = safe == SAFE_SUIT
    return Tables(width, game)


def grown(array: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
    """A copy of `array` with `size` rows."""
    larger = np.empty((size, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
