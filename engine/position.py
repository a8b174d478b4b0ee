"""Where every card lies: an immutable, hashable value; its faults; its compact form."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from engine.cards import CARDS, FACE_DOWN, NAMES, SUITS
from engine.faults import Fault
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
        *_tableau_faults(variant, position),
        *_foundation_faults(variant, position),
    ]


def _shape_faults(variant: Variant, position: Position) -> list[Fault]:
    found: list[Fault] = []
    game: dict[str, str | int] = {"game": variant.name}
    piles, foundations = len(position.tableau), len(position.foundations)
    if piles != variant.piles:
        more = tuple(f"t{number}" for number in range(variant.piles + 1, piles + 1))
        found.append(Fault("piles", {**game, "piles": variant.piles, "count": piles}, more))
    if foundations != variant.foundations.count:
        facts = {**game, "foundations": variant.foundations.count, "count": foundations}
        found.append(Fault("foundations", facts, ("f",)))
    if variant.stock is None and (position.stock or position.waste):
        places = ("s",) * bool(position.stock) + ("w",) * bool(position.waste)
        found.append(Fault("no-stock", game, places))
    if position.cells or position.reserve:
        found.append(Fault("no-cells", game))
    return found


def _zones(position: Position) -> list[tuple[str, bytes]]:
    """Every zone's place and cards, those of piles without their faces."""
    return [
        *((f"t{number}", _faceless(pile)) for number, pile in enumerate(position.tableau, 1)),
        *(("f", _faceless(pile)) for pile in position.foundations),
        *(("c", _faceless(pile)) for pile in position.cells),
        *(("s", position.stock), ("w", position.waste), ("r", position.reserve)),
    ]


def _faceless(pile: bytes) -> bytes:
    return bytes(card & ~FACE_DOWN for card in pile)


def _pack_faults(variant: Variant, position: Position) -> list[Fault]:
    zones = _zones(position)
    held = Counter(card for _, zone in zones for card in zone)
    found = [Fault("unknown-card", {"byte": card}) for card in sorted(held) if card >= CARDS]
    for card, name in enumerate(NAMES):
        if held[card] > variant.decks:
            places = tuple(dict.fromkeys(place for place, zone in zones if card in zone))
            found.append(Fault("too-many", {"card": name, "count": held[card]}, places))
        elif held[card] < variant.decks:
            code = "missing" if variant.decks == 1 else "missing-copies"
            found.append(Fault(code, {"card": name, "count": variant.decks - held[card]}))
    return found


def _tableau_faults(variant: Variant, position: Position) -> list[Fault]:
    found = []
    hiding = tuple(f"t{n}" for n, pile in enumerate(position.tableau, 1) if face_down_count(pile))
    if hiding and all(step[0] != "down" for step in variant.deal):
        found.append(Fault("no-face-down", {"game": variant.name}, hiding))
    for number, pile in enumerate(position.tableau, 1):
        facts, places = {"pile": number}, (f"t{number}",)
        if pile and pile[-1] & FACE_DOWN:
            found.append(Fault("top-face-down", facts, places))
        if any(pile[i] & FACE_DOWN and not pile[i - 1] & FACE_DOWN for i in range(1, len(pile))):
            found.append(Fault("face-down-above", facts, places))
    return found


def _foundation_faults(variant: Variant, position: Position) -> list[Fault]:
    found = []
    for index, pile in enumerate(position.foundations):
        suit = index // variant.decks
        if suit < len(SUITS) and pile != bytes(range(suit * 13, suit * 13 + 13))[: len(pile)]:
            found.append(Fault("foundation-order", {"suit": SUITS[suit]}, ("f",)))
    return found
