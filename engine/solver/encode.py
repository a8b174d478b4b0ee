"""From the engine's positions to rows, and from links back to the engine's moves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from engine.cards import FACE_DOWN
from engine.moves import FOUNDATION, OWN_FOUNDATION, TABLEAU, Move, Place
from engine.moves import WASTE as WASTE_ZONE
from engine.position import Position
from engine.rules import DEAL_FROM_STOCK, Rules
from engine.solver.model import (
    DEALS,
    DOWN,
    FLOOR,
    ORDER,
    OUT,
    PILES,
    ROOTED,
    STOCK,
    SUIT_FROM_KERNEL,
    SUIT_TO_KERNEL,
    U8,
    WASTE,
    kernel_card,
    tables,
)


class Start(NamedTuple):
    """A start position for the kernels: game, width, row, and the piles as kernel ids."""

    game: U8
    width: int
    row: U8
    piles: tuple[tuple[int, ...], ...]


def encode(rules: Rules, position: Position) -> Start:
    """Read a position of a game.

    Any number of piles is taken. Raises ValueError for a game that is not provided for, when a
    card is missing or there too often, or when a face-down card lies on a face-up one or on top.
    """
    made = tables(rules)
    width, variant = made.width, rules.variant
    row = np.full(13 * width, 255, np.uint8)
    copies: dict[int, int] = {}

    def take(card: int, below: int) -> int:
        copy = copies.get(card, 0)
        copies[card] = copy + 1
        if copy == variant.decks:
            raise ValueError("a card is there too often")
        number = kernel_card(card, copy, width)
        row[number] = below
        return number

    rooted = np.zeros(13 * width, np.uint8)
    piles = []
    for pile in position.tableau:
        ids: list[int] = []
        below = FLOOR
        face_up = False
        for byte in pile:
            hidden = byte & FACE_DOWN
            if hidden and face_up:
                raise ValueError("a face-down card lies on a face-up one")
            face_up = not hidden
            below = take(byte & ~FACE_DOWN, below | (DOWN if hidden else 0))
            ids.append(below)
        if ids and not face_up:
            raise ValueError("the top card of a pile lies face down")
        if ids and ids[0] >= 12 * width:
            rooted[ids[0]] = 1
        piles.append(tuple(ids))
    for foundation in position.foundations:
        for card in foundation:
            take(card, OUT)
    order = [take(card, WASTE) for card in position.waste]
    order += [take(card, STOCK) for card in reversed(position.stock)]
    if len(copies) != 52 or sum(copies.values()) != len(row):
        raise ValueError("a card is missing")
    game = made.game.copy()
    game[PILES] = len(position.tableau)
    game[DEALS] = len(order)
    game[ORDER : ORDER + len(order)] = order
    game[ROOTED : ROOTED + len(row)] = rooted
    return Start(game, width, row, tuple(piles))


def moves_of(start: Start, line: Iterable[tuple[int, int]]) -> list[Move]:
    """The engine's moves for a line of pairs (card, to). The line must be legal."""
    piles = [list(pile) for pile in start.piles]
    where = {card: index for index, pile in enumerate(piles) for card in pile}
    row, width = start.row, start.width
    waste = {card for card in range(len(row)) if row[card] == WASTE}
    moves = []
    for card, to in line:
        if to == WASTE:
            waste.add(card)
            moves.append(DEAL_FROM_STOCK)
            continue
        if card in where:
            index = where[card]
            at = piles[index].index(card)
            group = piles[index][at:]
            del piles[index][at:]
            source = Place(TABLEAU, index)
        else:
            group = [card]
            suit = SUIT_FROM_KERNEL[card % width % 4]
            source = Place(WASTE_ZONE) if card in waste else Place(FOUNDATION, suit * 2)
            waste.discard(card)
        if to == OUT:
            where.pop(card, None)
            moves.append(Move(source, 1, OWN_FOUNDATION))
            continue
        target = piles.index([]) if to == FLOOR else where[to]
        piles[target] += group
        where.update(dict.fromkeys(group, target))
        moves.append(Move(source, len(group), Place(TABLEAU, target)))
    return moves


def pairs_of(start: Start, moves: Iterable[Move]) -> list[tuple[int, int]]:
    """The pairs (card, to) of the engine's moves, which must be legal; undoes `moves_of`."""
    piles = [list(pile) for pile in start.piles]
    marks = [below & ~DOWN for below in start.row.tolist()]
    order = start.game[ORDER : ORDER + int(start.game[DEALS])].tolist()
    waste = [card for card in order if marks[card] == WASTE]
    stock = iter([card for card in order if marks[card] == STOCK])
    raised = [card for card, below in enumerate(marks) if below == OUT]
    line = []
    for source, size, target in moves:
        if source.zone == TABLEAU:
            group = piles[source.pile][-size:]
            del piles[source.pile][-size:]
        elif source.zone == WASTE_ZONE:
            group = [waste.pop()]
        elif source.zone == FOUNDATION:
            suit = SUIT_TO_KERNEL[source.pile // 2]
            group = [max(card for card in raised if card % start.width == suit)]
            raised.remove(group[0])
        else:
            group = [next(stock)]
        to = FLOOR
        if target.zone == TABLEAU:
            pile = piles[target.pile]
            to = pile[-1] if pile else FLOOR
            pile += group
        elif target.zone == WASTE_ZONE:
            to = WASTE
            waste += group
        else:
            to = OUT
            raised += group
        line.append((group[0], to))
    return line
