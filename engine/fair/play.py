"""A fair player's play of a whole deal."""

from __future__ import annotations

from typing import NamedTuple

from engine.fair.decide import Decision, choose
from engine.fair.strengths import Strength
from engine.moves import Move
from engine.position import Position
from engine.rules import Rules
from engine.view import board_view


class Played(NamedTuple):
    """What came of a game: the moves, whether it was won, how many cards were out at the end."""

    won: bool
    line: tuple[Move, ...]
    out: int
    decisions: tuple[tuple[int, Decision], ...]
    """Each decision with the number of cards hidden at it."""


def play(rules: Rules, start: Position, strength: Strength, seed: int = 1) -> Played:
    """Play from a position to the win, or until the player sees nothing to do."""
    position = start
    line: list[Move] = []
    decisions: list[tuple[int, Decision]] = []
    while not rules.is_won(position):
        view = board_view(position)
        hidden = view.stock + sum(name is None for pile in view.tableau for name in pile)
        decision = choose(rules, view, strength, seed)
        decisions.append((hidden, decision))
        if not decision.moves:
            break
        for move in decision.moves:
            position = rules.apply(position, move)
            line.append(move)
    out = sum(map(len, position.foundations))
    return Played(rules.is_won(position), tuple(line), out, tuple(decisions))
