"""The places of a table as its template gets them: cards with names, and forms' values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from app.games import words
from app.i18n import gettext as _
from engine.cards import RANKS
from engine.moves import FOUNDATION, Move, Place
from engine.view import BoardView

_SUITS = "SHDC"
_NOWHERE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class CardCell:
    """A card of the table; `name` and `label` are None and a word while it lies face down.

    `pick` is the move source that lifts it (`t4x3`), `target_move` the move that plays the
    selected group onto it, each None where it does not apply.
    """

    name: str | None
    label: str
    index: int
    of: int
    pick: str | None
    selected: bool
    target_move: str | None


@dataclass(frozen=True, slots=True)
class PileCell:
    """A tableau pile, `n` from 1.

    Hashable, and made of nothing but what its template shows, so that the rendered pile can be
    kept: `names` of its cards (None: face down), `lifted`: how many top cards are selected,
    `target_move`: the move that plays the selected group here.
    """

    n: int
    names: tuple[str | None, ...]
    lifted: int = 0
    target_move: str | None = None

    @property
    def key(self) -> str:
        """Its place, as moves write it."""
        return f"t{self.n}"

    @property
    def down(self) -> int:
        """How many cards lie face down."""
        return self.names.count(None)

    @property
    def up(self) -> int:
        """How many cards lie face up."""
        return len(self.names) - self.down

    @property
    def cards(self) -> list[CardCell]:
        """The cards, base card first."""
        size = len(self.names)
        return [self._card(name, index, size) for index, name in enumerate(self.names, 1)]

    def _card(self, name: str | None, index: int, size: int) -> CardCell:
        left = size - index + 1
        if name is None:
            return CardCell(None, _(words.FACE_DOWN), index, size, None, False, None)
        pick = f"t{self.n}" if left == 1 else f"t{self.n}x{left}"
        target = self.target_move if left == 1 else None
        return CardCell(name, words.named(name), index, size, pick, left <= self.lifted, target)


@dataclass(frozen=True, slots=True)
class FoundationCell:
    """A foundation; `key` is its place as a move's source writes it (`fS`). Hashable."""

    n: int
    suit: str
    key: str
    cards: tuple[str, ...]
    selected: bool = False
    target_move: str | None = None

    @property
    def top(self) -> CardCell | None:
        """The top card."""
        if not self.cards:
            return None
        name, size = self.cards[-1], len(self.cards)
        return CardCell(
            name, words.named(name), size, size, self.key, self.selected, self.target_move
        )


@dataclass(frozen=True, slots=True)
class StockCell:
    """The stock; `move` deals from it, None when it is empty."""

    count: int
    move: str | None
    selected: bool = False


@dataclass(frozen=True, slots=True)
class WasteCell:
    """The waste; `target_move` is the hinted deal from the stock."""

    cards: tuple[str, ...]
    top: CardCell | None
    target_move: str | None = None


def targets_of(moves: list[Move], picked: str) -> dict[str, str]:
    """The legal moves of the picked group by target (`t2`, `f`)."""
    found = {}
    for move in moves:
        source, _, target = str(move).partition("-")
        if source == picked:
            found[target] = str(move)
    return found


def _lifted(selected: str | None, place: str) -> int:
    """How many top cards of the pile `place` are selected."""
    if selected is None:
        return 0
    source, _, count = selected.partition("x")
    return int(count or 1) if source == place else 0


def foundation_cells(
    view: BoardView, decks: int, selected: str | None = None, up_move: str | None = None
) -> list[FoundationCell]:
    """The foundations; `up_move` plays the selected card to the one that takes it next."""
    up = _card_of(selected, view) if up_move else None
    cells = []
    for index, pile in enumerate(view.foundations):
        suit, copy = divmod(index, decks)
        key = Place(FOUNDATION, suit * 2 + copy).text
        takes = up is not None and up == _SUITS[suit] + str(len(pile))
        cells.append(
            FoundationCell(
                index + 1, _SUITS[suit], key, pile, selected == key, up_move if takes else None
            )
        )
        up = None if takes else up
    return cells


def pile_cells(
    view: BoardView, selected: str | None = None, targets: Mapping[str, str] = _NOWHERE
) -> list[PileCell]:
    """The piles; `targets` are the moves of the selected group by place."""
    return [
        PileCell(n, pile, _lifted(selected, f"t{n}"), targets.get(f"t{n}"))
        for n, pile in enumerate(view.tableau, 1)
    ]


def waste_cell(
    view: BoardView, selected: str | None = None, target_move: str | None = None
) -> WasteCell:
    """The waste."""
    if not view.waste:
        return WasteCell((), None, target_move)
    name, size = view.waste[-1], len(view.waste)
    top = CardCell(name, words.named(name), size, size, "w", selected == "w", target_move)
    return WasteCell(view.waste, top, target_move)


def _card_of(selected: str | None, view: BoardView) -> str | None:
    """The selected top card of a pile or the waste as suit and rank from 0, such as `H3`."""
    if selected is None:
        return None
    pile = view.waste if selected == "w" else view.tableau[int(selected[1:]) - 1]
    name = pile[-1] if pile else None
    return f"{name[1]}{RANKS.index(name[0])}" if name else None
