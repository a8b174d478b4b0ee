"""Board text: the form in which the tools of the field exchange positions.

One line a pile, left to right; cards from the base card to the top card; face-down cards in
`<…>`; an empty pile is an empty line or `-`. Lines with a label may stand before the piles::

    Foundations: S-3 H-0 D-A C-0
    Waste: 5H 9C
    Stock: TC 5D

The waste's last card is its top card, the stock's last card is dealt next; PySolFC's `Talon:` is
a stock whose first card is dealt next. A double pack names each suit twice under `Foundations`.
Lines that start with `#` are comments.
"""

from __future__ import annotations

import re

from engine.cards import FACE_DOWN, NAMES, RANKS, SUITS, names, parse_card
from engine.errors import BoardError, CardError
from engine.faults import Fault
from engine.position import Position, faults
from engine.variants import Variant

_LABELS = ("foundations", "freecells", "waste", "stock", "talon", "reserve")
_LABEL = re.compile(r"\s*([A-Za-z]+)\s*:(.*)")
_FOUNDATION = re.compile(r"([SHDC♠♥♦♣])-?(10|1[0-3]|[0-9ATJQK])?", re.IGNORECASE | re.ASCII)
_SIGNS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
_LONGEST = 4000


def pile_lines(position: Position) -> list[str]:
    """The tableau's lines: one a pile, `-` for an empty one."""
    return [_pile_line(pile) for pile in position.tableau]


def _pile_line(pile: bytes) -> str:
    if not pile:
        return "-"
    return " ".join(
        f"<{NAMES[card & ~FACE_DOWN]}>" if card & FACE_DOWN else NAMES[card] for card in pile
    )


def board_text(position: Position) -> str:
    """The board text of a position, with its final line break."""
    lines = []
    if any(position.foundations):
        decks = len(position.foundations) // len(SUITS)
        tops = [
            f"{SUITS[index // decks]}-{RANKS[len(pile) - 1] if pile else '0'}"
            for index, pile in enumerate(position.foundations)
        ]
        lines.append(f"Foundations: {' '.join(tops)}")
    if position.waste:
        lines.append(f"Waste: {' '.join(names(position.waste))}")
    if position.stock:
        lines.append(f"Stock: {' '.join(names(position.stock))}")
    return "\n".join([*lines, *pile_lines(position)]) + "\n"


class _Reader:
    """Collects the zones and every fault while the lines go by."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.faults: list[Fault] = []
        self.piles: list[bytes] = []
        self.foundations = [b""] * variant.foundations.count
        self.zones = {"waste": b"", "stock": b""}
        self._number = 0  # of the line that is read
        self._pile_lines: list[int] = []
        self._full: list[bool] = []  # whether a pile's line says something, readable or not
        self._lines: dict[str, int] = {}  # of the other places

    def line(self, number: int, line: str) -> None:
        """Read a line: one with a label, or a pile."""
        self._number = number
        label = _LABEL.match(line)
        if label and label[1].lower() in _LABELS:
            self._labelled(label[1].lower(), label[2])
        else:
            bare = line.strip().removeprefix(":").strip()
            self.piles.append(b"" if bare == "-" else self._cards(bare, faces=True))
            self._pile_lines.append(number)
            self._full.append(bare not in ("", "-"))

    def _fault(self, code: str, **facts: str | int) -> None:
        self.faults.append(Fault(code, facts, (), (self._number,)))

    def _cards(self, text: str, *, faces: bool = False) -> bytes:
        """Read cards separated by spaces; face-down ones only where `faces`."""
        cards = []
        for word in text.split():
            hidden = word.startswith("<") and word.endswith(">")
            if hidden and not faces:
                self._fault("face-down-here", card=word[:20])
            try:
                card = parse_card(word[1:-1] if hidden else word)
            except CardError:
                self._fault("no-card", card=(word[1:-1] if hidden else word)[:20])
                continue
            cards.append(card | FACE_DOWN if hidden and faces else card)
        return bytes(cards)

    def _labelled(self, label: str, text: str) -> None:
        """Read a line with a label; empty lines before it are no piles."""
        if not any(self._full):
            for rows in (self.piles, self._pile_lines, self._full):
                rows.clear()
        if label == "foundations":
            self._lines["f"] = self._number
            self._read_foundations(text)
        elif label in ("waste", "stock", "talon"):
            zone = "waste" if label == "waste" else "stock"
            self._lines[zone[0]] = self._number
            cards = self._cards(text)
            self.zones[zone] = cards[::-1] if label == "talon" else cards
        elif text.replace("-", "").strip():
            self._fault(f"no-{label}", game=self.variant.name)

    def _read_foundations(self, text: str) -> None:
        decks = self.variant.decks
        seen = dict.fromkeys(SUITS, 0)
        for word in text.split() if text.strip() != "-" else []:
            match = _FOUNDATION.fullmatch(word)
            if match is None:
                self._fault("foundation-form", word=word[:20])
                continue
            suit = _SIGNS.get(match[1], match[1]).upper()
            rank = (match[2] or "0").upper()
            height = RANKS.index(rank) + 1 if rank in RANKS else int(rank)
            if seen[suit] == decks:
                self._fault("foundation-often", suit=suit)
                continue
            base = SUITS.index(suit)
            self.foundations[base * decks + seen[suit]] = bytes(
                range(base * 13, base * 13 + height)
            )
            seen[suit] += 1

    def position(self) -> Position:
        """The position read; raises BoardError with every fault."""
        piles = self.piles
        for end in (-1, 0):  # empty lines too many: those at the end first
            while len(piles) > self.variant.piles and not self._full[end]:
                del piles[end], self._pile_lines[end], self._full[end]
        self._lines |= {f"t{pile}": line for pile, line in enumerate(self._pile_lines, 1)}
        piles += [b""] * (self.variant.piles - len(piles))
        position = Position(
            tuple(piles),
            tuple(self.foundations),
            stock=self.zones["stock"],
            waste=self.zones["waste"],
        )
        found = self.faults + [self._lined(fault) for fault in faults(self.variant, position)]
        if found:
            raise BoardError(found)
        return position

    def _lined(self, fault: Fault) -> Fault:
        """A position's fault with the lines where it lies."""
        lines = {self._lines[place] for place in fault.places if place in self._lines}
        return fault._replace(lines=tuple(sorted(lines)))


def parse_board(text: str, variant: Variant) -> Position:
    """Read a board text as a position of a game.

    Empty piles at the end may be missing, and empty lines too many to be piles are passed over.
    Raises BoardError, which carries everything that is wrong at once, never only the first fault.
    """
    if len(text) > _LONGEST:
        raise BoardError([Fault("too-long", {"most": _LONGEST})])
    reader = _Reader(variant)
    for number, line in enumerate(text.split("\n"), 1):
        if not line.lstrip().startswith("#"):
            reader.line(number, line)
    return reader.position()
