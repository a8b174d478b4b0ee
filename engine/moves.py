"""One move, and its text.

The notation::

    t4x3-t2   the top 3 cards of tableau pile 4 onto pile 2
    t4-f      the top card of pile 4 to its foundation
    fS-t2     worrying back: the top spade of the foundations onto pile 2 (fS2: the second of two)
    s-w       one deal from the stock to the waste
    w-t3 w-f  the waste's top card

Piles count from 1; `x1` is left out. The axes that come later (`s-t` stock to the tableau, `c1`
cells, `r` reserve) are places of the same notation and already read and written here, so that a
record of any game of the family has one reader; the rules of the seven games refuse them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from engine.cards import SUITS
from engine.errors import MoveError

TABLEAU, FOUNDATION, STOCK, WASTE, CELL, RESERVE = "t", "f", "s", "w", "c", "r"


class Place(NamedTuple):
    """A zone and the pile in it.

    `pile` counts from 0: tableau piles from the left, cells; for a foundation as a source
    `suit * 2 + copy` (copy 0 or 1 of a double pack, always doubled so that a text has one
    meaning); -1 for a foundation as a target (the card's own) and for the tableau as a whole
    (where a deal from the stock goes); 0 elsewhere.
    """

    zone: str
    pile: int = 0

    @property
    def text(self) -> str:
        """The place as a move's text writes it."""
        if self.pile < 0 or self.zone in (STOCK, WASTE, RESERVE):
            return self.zone
        if self.zone == FOUNDATION:
            return f"f{SUITS[self.pile // 2]}{'2' if self.pile % 2 else ''}"
        return f"{self.zone}{self.pile + 1}"


OWN_FOUNDATION = Place(FOUNDATION, -1)
WHOLE_TABLEAU = Place(TABLEAU, -1)


class Move(NamedTuple):
    """`size` cards from the top of `source` onto `target`; `str()` is its notation."""

    source: Place
    size: int
    target: Place

    def __str__(self) -> str:
        return move_text(self)


@lru_cache(maxsize=16384)
def move_text(move: Move) -> str:
    """The notation of a move."""
    lifted = f"x{move.size}" if move.size != 1 else ""
    return f"{move.source.text}{lifted}-{move.target.text}"


_PLACE = r"t[1-9]\d?|f[SHDC]2?|[swr]|c[1-9]\d?"
_TARGET = r"f|t[1-9]\d?|(?<=\bs-)t|w|c[1-9]\d?"
_MOVE = re.compile(rf"({_PLACE})(?:x([1-9]\d{{0,2}}))?-({_TARGET})", re.IGNORECASE | re.ASCII)


def _place(text: str) -> Place:
    zone = text[0].lower()
    if zone == FOUNDATION and len(text) > 1:
        return Place(FOUNDATION, SUITS.index(text[1].upper()) * 2 + (len(text) == 3))
    if len(text) > 1:
        return Place(zone, int(text[1:]) - 1)
    return {FOUNDATION: OWN_FOUNDATION, TABLEAU: WHOLE_TABLEAU}.get(zone, Place(zone))


@lru_cache(maxsize=16384)
def parse_move(text: str) -> Move:
    """Read a move's notation, either case.

    Raises MoveError when the text is no move. Whether the move is legal is the rules' word.
    """
    match = _MOVE.fullmatch(text.strip())
    if match is None:
        raise MoveError(
            "“{typed}” is no move; moves are written like t4-f or t4x3-t2", typed=text.strip()[:40]
        )
    source, size, target = match.groups()
    return Move(_place(source), int(size or 1), _place(target))


def parse_line(text: str) -> list[Move]:
    """Read moves separated by white space. Raises MoveError at the first that is none."""
    return [parse_move(word) for word in text.split()]
