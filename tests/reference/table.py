"""The table: every card where it lies."""

from dataclasses import dataclass

from tests.reference.cards import SUITS
from tests.reference.rules import Rules

Pile = list[tuple[str, bool]]


@dataclass
class Table:
    """A position. Every list runs from the bottom card to the top card.

    `piles` holds (card, face up). `foundations` has a name for each place: "S H D C", and in
    a double deck "S S2 H H2 D D2 C C2". The last card of `stock` is dealt next.
    """

    rules: Rules
    piles: list[Pile]
    foundations: dict[str, list[str]]
    waste: list[str]
    stock: list[str]

    def copy(self) -> "Table":
        """A table that can be changed without touching this one."""
        return Table(
            self.rules,
            [list(pile) for pile in self.piles],
            {name: list(cards) for name, cards in self.foundations.items()},
            list(self.waste),
            list(self.stock),
        )

    def all_cards(self) -> list[str]:
        """Every card of the table, sorted: the same list from the deal to the end."""
        cards = [card for pile in self.piles for card, _ in pile]
        for foundation in self.foundations.values():
            cards += foundation
        return sorted(cards + self.waste + self.stock)

    def face_down_count(self) -> int:
        """How many cards of the tableau are still face down."""
        return sum(not face_up for pile in self.piles for _, face_up in pile)


def empty_table(rules: Rules) -> Table:
    """A table with its places and no card."""
    names = [f"{suit}{copy}" for suit in SUITS for copy in ["", "2"][: rules.decks]]
    piles: list[Pile] = [[] for _ in range(rules.pile_count)]
    return Table(rules, piles, {name: [] for name in names}, [], [])
