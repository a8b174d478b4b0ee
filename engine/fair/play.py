"""A fair player's play of a whole deal."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engine.fair.decide import Decision, choose
from engine.fair.strengths import Strength
from engine.moves import Move
from engine.position import Position
from engine.rules import Rules
from engine.view import BoardView, board_view


class Played(NamedTuple):
    """What came of a game.

    `decisions`: each with the number of cards hidden at it; `seconds`: what each took by the clock
    that was given.
    """

    won: bool
    line: tuple[Move, ...]
    decisions: tuple[tuple[int, Decision], ...]
    seconds: tuple[float, ...]


def hidden_cards(view: BoardView) -> int:
    """How many cards are not visible."""
    return view.stock + sum(name is None for pile in view.tableau for name in pile)


def play(
    rules: Rules,
    start: Position,
    strength: Strength,
    seed: int = 1,
    clock: Callable[[], float] = lambda: 0.0,
) -> Played:
    """Play from a position to the win, or until the player sees nothing to do."""
    position = start
    line: list[Move] = []
    decisions: list[tuple[int, Decision]] = []
    seconds: list[float] = []
    while not rules.is_won(position):
        view = board_view(position)
        began = clock()
        decision = choose(rules, view, strength, seed)
        seconds.append(clock() - began)
        decisions.append((hidden_cards(view), decision))
        if not decision.moves:
            break
        for move in decision.moves:
            position = rules.apply(position, move)
            line.append(move)
    return Played(rules.is_won(position), tuple(line), tuple(decisions), tuple(seconds))
