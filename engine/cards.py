"""Cards as small ints, and their names.

A card is an int 0 … 51: `suit * 13 + rank`, suits S H D C = 0 … 3, ranks A … K = 0 … 12. Both
copies of a card in a double pack are the same int. In a pile (a `bytes`) a face-down card
carries the bit `FACE_DOWN`.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.errors import CardError
from engine.faults import FAULTS

RANKS = "A23456789TJQK"
SUITS = "SHDC"
CARDS = 52
FACE_DOWN = 64
"""The flag of a face-down card's byte in a pile."""

ACE, KING = 0, 12
SPADES, HEARTS, DIAMONDS, CLUBS = range(4)

RANK_WORDS = (
    *("ace", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "jack", "queen", "king"),
)
SUIT_WORDS = ("spades", "hearts", "diamonds", "clubs")

NAMES: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The two-letter name of each card."""

_SIGNS = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C", "\ufe0e": None, "\ufe0f": None})
_BY_NAME = {name: card for card, name in enumerate(NAMES)}


def suit_of(card: int) -> int:
    """Suit 0 … 3 of a face-up card."""
    return card // 13


def rank_of(card: int) -> int:
    """Rank 0 (ace) … 12 (king) of a face-up card."""
    return card % 13


def is_red(card: int) -> bool:
    """Whether the face-up card is a heart or a diamond."""
    return 13 <= card < 39


def card_name(card: int) -> str:
    """The two-letter name of a face-up card, such as `TH`."""
    return NAMES[card]


def card_words(card: int) -> str:
    """The card in words, such as `ten of hearts`."""
    return f"{RANK_WORDS[card % 13]} of {SUIT_WORDS[card // 13]}"


def parse_card(text: str) -> int:
    """Read a card as people write it: `TH`, `10h`, `T♥`.

    Raises CardError when the text names no card.
    """
    name = text.strip().translate(_SIGNS).upper().replace("10", "T")
    if name not in _BY_NAME:
        raise CardError(FAULTS["no-card"], card=text.strip())
    return _BY_NAME[name]


def names(cards: Iterable[int]) -> list[str]:
    """The names of face-up cards, in order."""
    return [NAMES[card] for card in cards]
