"""What a player sees, in the kernels' form: visible cards as links, hidden ones as slots."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np

from engine.cards import FACE_DOWN, NAMES
from engine.position import Position
from engine.rules import Rules
from engine.solver.encode import Start
from engine.solver.model import (
    DEALS,
    FLOOR,
    I32,
    ORDER,
    OUT,
    PILES,
    U8,
    WASTE,
    kernel_card,
    tables,
)
from engine.view import BoardView

_CARD_OF = {name: card for card, name in enumerate(NAMES)}
ON_FLOOR = -1
IN_STOCK = -2
NO_CARD = -1
_UNKNOWN = 63 | FACE_DOWN
"""A face-down card's byte where a position is made of a view."""


class Seen(NamedTuple):
    """A board view for the kernels.

    `game`: the game's array. `row`: the links of the visible cards; what lies on a face-down card
    is left open. `slots[k]`: a place of a face-down card as (the slot below it, ON_FLOOR or
    IN_STOCK; the face-up card on it or NO_CARD); slots go by pile from the base, then the stock in
    the order of dealing. `pool`: the cards that are not visible, in ascending order.
    `piles`: kernel ids; a face-down card is minus one minus its slot. `width`: see the solver.
    """

    game: U8
    row: U8
    slots: I32
    pool: U8
    piles: tuple[tuple[int, ...], ...]
    width: int

    @property
    def start(self) -> Start:
        """What `moves_of` needs."""
        return Start(self.game, self.width, self.row, self.piles)


def seen(rules: Rules, view: BoardView) -> Seen:
    """Read a board view. Raises ValueError when its cards are no pack of the game."""
    made = tables(rules)
    width, variant = made.width, rules.variant
    copies: Counter[int] = Counter()
    row = np.full(13 * width, 255, np.uint8)

    def take(name: str, below: int) -> int:
        card = _CARD_OF[name]
        if copies[card] == variant.decks:
            raise ValueError("a card is there too often")
        number = kernel_card(card, copies[card], width)
        copies[card] += 1
        row[number] = below
        return number

    slots: list[tuple[int, int]] = []
    piles = []
    for pile in view.tableau:
        ids: list[int] = []
        on = ON_FLOOR
        for name in pile:
            if name is None:
                if ids and ids[-1] >= 0:
                    raise ValueError("a face-down card lies on a face-up one")
                slots.append((on, NO_CARD))
                on = len(slots) - 1
                ids.append(-1 - on)
                continue
            below = FLOOR if not ids else ids[-1]
            number = take(name, below if below >= 0 else 255)
            if below < 0:
                slots[-1] = (slots[-1][0], number)
            ids.append(number)
        if ids and ids[-1] < 0:
            raise ValueError("the top card of a pile lies face down")
        piles.append(tuple(ids))
    for foundation in view.foundations:
        for name in foundation:
            take(name, OUT)
    order = [take(name, WASTE) for name in view.waste]
    slots += [(IN_STOCK, NO_CARD)] * view.stock
    pool = [
        kernel_card(card, copy, width)
        for card in range(52)
        for copy in range(copies[card], variant.decks)
    ]
    if len(pool) != len(slots):
        raise ValueError("a card is missing")
    game = made.game.copy()
    game[PILES] = len(view.tableau)
    game[DEALS] = len(order) + view.stock
    game[ORDER : ORDER + len(order)] = order
    return Seen(
        game,
        row,
        np.array(slots, np.int32).reshape(-1, 2),
        np.array(sorted(pool), np.uint8),
        tuple(piles),
        width,
    )


def shown(view: BoardView) -> Position:
    """The view as a position in which every face-down card is the same unknown card.

    Good for asking the rules what is legal, and for a move on it; a card that turns there stays
    unknown.
    """

    def cards(names: tuple[str | None, ...]) -> bytes:
        return bytes(_UNKNOWN if name is None else _CARD_OF[name] for name in names)

    return Position(
        tuple(map(cards, view.tableau)),
        tuple(map(cards, view.foundations)),
        bytes((_UNKNOWN,)) * view.stock,
        cards(view.waste),
        tuple(map(cards, view.cells)),
        cards(view.reserve),
    )
