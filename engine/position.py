"""Where every card lies: an immutable, hashable value; its faults; its compact form."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from engine.cards import CARDS, FACE_DOWN, NAMES, SUITS
from engine.variants import Variant

NO_CARDS = b""


class Position(NamedTuple):
    """Where every card lies.

    Piles are bytes of cards, base card first, top card last; in the tableau a face-down card
    carries `FACE_DOWN`. `foundations` follow the suits S H D C, for a double pack with each
    suit's two piles side by side. The stock's last card is dealt next; its cards lie face down
    without needing the flag. `cells` holds one pile a cell, `reserve` one pile; both stay empty
    in games without them.
    """

    tableau: tuple[bytes, ...]
    foundations: tuple[bytes, ...]
    stock: bytes = NO_CARDS
    waste: bytes = NO_CARDS
    cells: tuple[bytes, ...] = ()
    reserve: bytes = NO_CARDS


class Fault(NamedTuple):
    """What is wrong with a position: a stable `code`, and a sentence for people."""

    code: str
    text: str


def face_down_count(pile: bytes) -> int:
    """How many cards of a tableau pile lie face down."""
    return sum(1 for card in pile if card & FACE_DOWN)


def encode(position: Position) -> bytes:
    """The position as bytes, short enough for a database column; `decode` reads it back."""
    zones = (
        b"\xff".join(position.tableau),
        b"\xff".join(position.foundations),
        position.stock,
        position.waste,
        b"\xff".join(position.cells),
        position.reserve,
    )
    return b"\xfe".join(zones)


def decode(data: bytes) -> Position:
    """Read what `encode` wrote. Raises ValueError when `data` is not of that form."""
    tableau, foundations, stock, waste, cells, reserve = data.split(b"\xfe")
    return Position(
        tuple(tableau.split(b"\xff")),
        tuple(foundations.split(b"\xff")),
        stock,
        waste,
        tuple(cells.split(b"\xff")) if cells else (),
        reserve,
    )


def faults(variant: Variant, position: Position) -> list[Fault]:
    """Every fault of a position under a game at once; an empty list when it can be played.

    Checked: the number of piles and foundations, that each card is there as often as the packs
    hold it, that face-down cards lie below face-up ones and never on top, that each foundation
    goes from the ace upwards in its suit, and that the zones used exist in the game.
    """
    return [
        *_shape_faults(variant, position),
        *_pack_faults(variant, position),
        *_tableau_faults(position),
        *_foundation_faults(variant, position),
    ]


def _shape_faults(variant: Variant, position: Position) -> list[Fault]:
    found = []
    if len(position.tableau) != variant.piles:
        found.append(
            Fault(
                "piles",
                f"{variant.name} has {variant.piles} piles, not {len(position.tableau)}",
            )
        )
    if len(position.foundations) != variant.foundations.count:
        found.append(
            Fault(
                "foundations",
                f"{variant.name} has {variant.foundations.count} foundations, "
                f"not {len(position.foundations)}",
            )
        )
    if variant.stock is None and (position.stock or position.waste):
        found.append(Fault("no-stock", f"{variant.name} has no stock and no waste"))
    if position.cells or position.reserve:
        found.append(Fault("no-cells", f"{variant.name} has no cells and no reserve"))
    return found


def _pack_faults(variant: Variant, position: Position) -> list[Fault]:
    held = Counter(
        card & ~FACE_DOWN
        for zone in (*position.tableau, *position.foundations, *position.cells)
        for card in zone
    )
    held.update(position.stock + position.waste + position.reserve)
    found = [
        Fault("unknown-card", f"byte {card} is no card") for card in sorted(held) if card >= CARDS
    ]
    for card, name in enumerate(NAMES):
        if held[card] > variant.decks:
            found.append(Fault("too-many", f"{name} is there {held[card]} times"))
        elif held[card] < variant.decks:
            times = "" if variant.decks == 1 else f" {variant.decks - held[card]} times"
            found.append(Fault("missing", f"{name} is missing{times}"))
    return found


def _tableau_faults(position: Position) -> list[Fault]:
    found = []
    for number, pile in enumerate(position.tableau, 1):
        if pile and pile[-1] & FACE_DOWN:
            found.append(Fault("top-face-down", f"the top card of pile {number} lies face down"))
        if any(pile[i] & FACE_DOWN and not pile[i - 1] & FACE_DOWN for i in range(1, len(pile))):
            found.append(
                Fault("face-down-above", f"pile {number} has a face-down card on a face-up one")
            )
    return found


def _foundation_faults(variant: Variant, position: Position) -> list[Fault]:
    found = []
    for index, pile in enumerate(position.foundations):
        suit = index // variant.decks
        if suit < len(SUITS) and pile != bytes(range(suit * 13, suit * 13 + 13))[: len(pile)]:
            found.append(
                Fault(
                    "foundation-order",
                    f"the foundation of {SUITS[suit]} does not go from the ace upwards in suit",
                )
            )
    return found
