"""Boards in the middle of a game, and the same boards with their hidden cards in another order."""

from __future__ import annotations

import random
from collections.abc import Callable

from engine.cards import FACE_DOWN
from engine.deals import deal, open_code
from engine.fair import Decision, Strength
from engine.fair.play import play
from engine.position import Position
from engine.rules import Rules, get_rules

RULES = "CRFSAPD"


def played_on(rule: str, number: int, moves: int) -> Position:
    """A deal after some random moves."""
    rules, position = get_rules(rule), deal(open_code(rule, number))
    rng = random.Random(f"{rule}/{number}/{moves}")
    for _ in range(moves):
        legal = rules.legal_moves(position)
        if not legal:
            break
        position = rules.apply(position, rng.choice(legal))
    return position


def with_hidden(position: Position, change: Callable[[list[int]], list[int]]) -> Position:
    """The position with another order of the face-down cards and the stock."""
    hidden = [card & ~FACE_DOWN for pile in position.tableau for card in pile if card & FACE_DOWN]
    cards = iter(change(hidden + list(position.stock)))
    tableau = tuple(
        bytes(next(cards) | FACE_DOWN if card & FACE_DOWN else card for card in pile)
        for pile in position.tableau
    )
    return position._replace(tableau=tableau, stock=bytes(cards))


def shuffled(position: Position, seed: int) -> Position:
    """The position with its hidden cards shuffled."""

    def change(cards: list[int]) -> list[int]:
        random.Random(seed).shuffle(cards)
        return cards

    return with_hidden(position, change)


def every_position(
    rules: Rules, start: Position, strength: Strength, seed: int
) -> tuple[list[Position], list[Decision]]:
    """The positions of a fair game, and its decisions."""
    played = play(rules, start, strength, seed)
    met = [start]
    for move in played.line:
        met.append(rules.apply(met[-1], move))
    return met, [decision for _, decision in played.decisions]
