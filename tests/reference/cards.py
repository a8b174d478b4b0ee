"""Cards are two letters, rank then suit: "AS", "TH", "KD" (the formats, "Cards")."""

RANKS = "A23456789TJQK"
SUITS = "SHDC"


def rank(card: str) -> int:
    """The card's rank as a number: ace 1 (low) to king 13."""
    return RANKS.index(card[0]) + 1


def suit(card: str) -> str:
    """The card's suit letter."""
    return card[1]


def colour(card: str) -> str:
    """Hearts and diamonds are red, spades and clubs are black."""
    return "red" if suit(card) in "HD" else "black"


def is_card(text: str) -> bool:
    """Is this the two-letter name of a card?"""
    return len(text) == 2 and text[0] in RANKS and text[1] in SUITS
