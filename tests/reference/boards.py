"""Board text: one line a pile, face-down cards in `<...>` (the formats, "Board text")."""

from collections.abc import Sequence

from tests.reference.cards import RANKS, is_card
from tests.reference.rules import Rules
from tests.reference.table import Pile, Table, empty_table


def board_lines(table: Table) -> list[str]:
    """The piles, left to right, each from the bottom card to the top card."""
    return [
        " ".join(card if face_up else f"<{card}>" for card, face_up in pile) for pile in table.piles
    ]


def board_text(table: Table) -> str:
    """The whole position: foundations, waste and stock where there is something to tell."""
    lines = []
    if any(table.foundations.values()):
        tops = [
            f"{name[0]}-{cards[-1][0] if cards else '0'}"
            for name, cards in table.foundations.items()
        ]
        lines.append("Foundations: " + " ".join(tops))
    if table.waste:
        lines.append("Waste: " + " ".join(table.waste))
    if table.stock:
        lines.append("Stock: " + " ".join(table.stock))
    lines += [line or "-" for line in board_lines(table)]
    return "\n".join(lines) + "\n"


def read_board(rules: Rules, lines: Sequence[str]) -> Table:
    """The position of a board text; the lines before the piles may be left out."""
    table = empty_table(rules)
    piles = []
    for line in lines:
        heading, colon, rest = line.partition(":")
        if not colon:
            piles.append(_read_pile(line))
        elif heading == "Foundations":
            _read_foundations(table, rest.split())
        elif heading == "Waste":
            table.waste = [_read_card(word) for word in rest.split()]
        elif heading == "Stock":
            table.stock = [_read_card(word) for word in rest.split()]
        else:
            raise ValueError(f"{heading!r} has no place in these games")
    if len(piles) != rules.pile_count:
        raise ValueError(f"{len(piles)} piles instead of {rules.pile_count}")
    table.piles = piles
    return table


def _read_pile(line: str) -> Pile:
    """A line of cards; an empty line or `-` is an empty pile."""
    words = [] if line.strip() == "-" else line.split()
    return [(_read_card(word.strip("<>")), not word.startswith("<")) for word in words]


def _read_card(word: str) -> str:
    if not is_card(word):
        raise ValueError(f"{word!r} is not a card")
    return word


def _read_foundations(table: Table, words: Sequence[str]) -> None:
    """`S-3` is spades up to the three, `S-0` an empty foundation; a suit may come twice."""
    for name, cards in table.foundations.items():
        tops = [word[2] for word in words if word[:2] == f"{name[0]}-"]
        place = 1 if name.endswith("2") else 0
        if place < len(tops) and tops[place] != "0":
            cards += [rank + name[0] for rank in RANKS[: RANKS.index(tops[place]) + 1]]
