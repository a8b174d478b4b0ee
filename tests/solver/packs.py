"""Small packs, and the plain exhaustive search that the solver must agree with.

A small pack has the top ranks of a pack in play and the others on the foundations, so the same
rules and the same code play it.
"""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt

from engine.cards import FACE_DOWN
from engine.position import Position
from engine.rules import Rules, get_rules

SHAPES: dict[str, tuple[tuple[int, int], ...]] = {
    "F": ((3, 2), (3, 3), (4, 2), (4, 3), (5, 3), (6, 3)),
    "C": ((3, 2), (3, 3), (4, 2), (4, 3), (5, 3)),
    "R": ((1, 1), (2, 1), (2, 2), (3, 1), (3, 2)),
    "S": ((3, 2), (4, 2), (4, 3), (5, 3), (5, 4), (6, 4)),
    "A": ((3, 2), (4, 2), (4, 3), (5, 3), (5, 4)),
    "P": ((3, 2), (4, 2), (4, 3), (5, 3), (6, 3)),
    "D": ((2, 3), (3, 3), (3, 4), (3, 5)),
}
"""The (ranks, piles) of each rule's small packs."""


def small_pack(rule: str, number: int) -> Position:
    """The small pack with this number; the same for ever."""
    rng = random.Random(f"{rule}/{number}")
    rules = get_rules(rule)
    decks = rules.variant.decks
    ranks, piles = SHAPES[rule][number % len(SHAPES[rule])]
    cards = [s * 13 + r for s in range(4) for r in range(13 - ranks, 13)] * decks
    rng.shuffle(cards)
    foundations = tuple(
        bytes(range(s * 13, s * 13 + 13 - ranks)) for s in range(4) for _ in range(decks)
    )
    stock = waste = b""
    if rules.variant.stock is not None:
        kept = piles * rng.randint(2, 4)
        rest = cards[min(kept, len(cards) - 2) :]
        cards = cards[: min(kept, len(cards) - 2)]
        waste, stock = bytes(rest[:1]), bytes(rest[1:])
    down = face_down_layout(rng, piles, rules)
    tableau = []
    for pile in range(piles):
        column = cards[pile::piles]
        hidden = min(down[pile], len(column) - 1)
        tableau.append(bytes(c | FACE_DOWN if i < hidden else c for i, c in enumerate(column)))
    return Position(tuple(tableau), foundations, stock, waste)


def fits_table(rules: Rules) -> npt.NDArray[np.uint8]:
    """`[card, top]` is 1 where the engine lets the card be put on the top card."""
    fits = np.zeros((52, 52), np.uint8)
    for top in range(52):
        fits[list(rules.accepts[top]), top] = 1
    return fits


def face_down_layout(rng: random.Random, piles: int, rules: Rules) -> list[int]:
    """How many cards of each pile lie face down: none, a staircase or any."""
    kind = 3 if rules.variant.stock else rng.randrange(4)
    if kind == 0:
        return [pile + 1 for pile in range(piles)]
    if kind == 1:
        return [min(pile + 1, 3) for pile in range(piles)]
    if kind == 2:
        return [rng.randrange(4) for _ in range(piles)]
    return [0] * piles


def exhaust(rules: Rules, start: Position, limit: int) -> bool | None:
    """Whether the position can be won, by trying everything; None when `limit` states are met.

    Every legal move of the engine, no pruning; positions are the same when only the order of
    their piles differs.
    """
    met = set()
    stack = [start]
    while stack:
        position = stack.pop()
        key = (
            tuple(sorted(position.tableau)),
            position.foundations,
            position.stock,
            position.waste,
        )
        if key in met:
            continue
        if rules.is_won(position):
            return True
        met.add(key)
        if len(met) > limit:
            return None
        stack += [rules.apply_legal(position, move) for move in rules.legal_moves(position)]
    return False
