"""A finished game step by step: each move, undo and redo of its log, and what to look at in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

from sqlalchemy import Row

from app.games.clock import Clock
from app.games.steps import Change
from app.games.store import Stored
from engine.cards import FACE_DOWN
from engine.deals import DealCode, deal
from engine.game import Game
from engine.moves import Move, parse_move
from engine.rules import get_rules

CHANGES = ("move", "undo", "redo")
"""The events that change the table; each is a step of a replay."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A step worth looking at.

    `kind` is `first-up`, `all-turned`, `undo`, `hint`, `verdict`, `back-down`, `won` or `ended`;
    `count` says how many undos came in a row, `move` what was hinted.
    """

    step: int
    kind: str
    count: int = 1
    move: Move | None = None


@dataclass(frozen=True, slots=True)
class Replay:
    """Step 0 is the deal; each step holds the game as its player had it after one event."""

    steps: tuple[Change, ...]
    marks: tuple[Mark, ...]


def replay_of(stored: Stored, log: Iterable[Row[Any]]) -> Replay:
    """The replay of a finished game. Raises the engine's errors where a log cannot be."""
    game = Game.new(stored.game.rules, stored.game.start)
    steps = [Change(_at(stored, game, 0, 0), kind="deal")]
    marks: list[Mark] = []
    before: list[Game] = []  # the game at each length of the line: undo need not play it again
    hints = 0
    for event in log:
        move, outcome = None, None
        if event.kind == "move":
            before.append(game)
            move = parse_move(event.move)
            game, outcome = game.play_out(move)
        elif event.kind == "undo":
            move, earlier = game.line[-1], before.pop()
            game = replace(
                earlier,
                undone=(*game.undone, move),
                moves=game.moves,
                undos=game.undos + 1,
                floor=game.floor,
            )
        elif event.kind == "redo":
            before.append(game)
            move = game.undone[-1]
            game = game.redo()
        elif event.kind in ("hint", "fair", "verdict"):
            hints += 1
            hinted = parse_move(event.move) if event.move else None
            marks.append(Mark(len(steps) - 1, event.kind, move=hinted))
        if event.kind in CHANGES:
            after = _at(stored, game, hints, event.elapsed_ms)
            steps.append(Change(after, move, outcome, event.kind))
            _mark(marks, steps)
    marks.append(Mark(len(steps) - 1, stored.status))
    return Replay(tuple(steps), tuple(marks))


def solution_of(code: DealCode, line: Iterable[Move]) -> Replay:
    """The replay of a line that wins a deal. Raises IllegalMoveError where it does not."""
    game = Game.new(get_rules(code.rule), deal(code))
    nobodys = Stored("", 0, b"", None, code, False, False, "ended", 0, game, 0, "", 0, 0, Clock())
    steps = [Change(_at(nobodys, game, 0, 0), kind="deal")]
    marks: list[Mark] = []
    for move in line:
        game, outcome = game.play_out(move)
        steps.append(Change(_at(nobodys, game, 0, 0), move, outcome, "move"))
        _mark(marks, steps)
    marks.append(Mark(len(steps) - 1, "won"))
    return Replay(tuple(steps), tuple(marks))


def _at(stored: Stored, game: Game, hints: int, elapsed_ms: int) -> Stored:
    status: Literal["won", "ended"] = "won" if game.is_won else "ended"
    return replace(stored, game=game, status=status, hints=hints, clock=Clock(elapsed_ms))


def _mark(marks: list[Mark], steps: list[Change]) -> None:
    """Mark the last step when it is one to look at."""
    number, step = len(steps) - 1, steps[-1]
    kinds = {mark.kind for mark in marks}
    if step.kind == "undo":
        last = marks[-1] if marks else None
        if last and last.kind == "undo" and last.step + last.count == number:
            marks[-1] = replace(last, count=last.count + 1)
        else:
            marks.append(Mark(number, "undo"))
    elif step.outcome is None:
        return
    elif step.outcome.raised is not None and "first-up" not in kinds:
        marks.append(Mark(number, "first-up"))
    elif step.move is not None and step.move.source.zone == "f":
        marks.append(Mark(number, "back-down"))
    elif step.outcome.turned is not None and not _hides(step.stored) and "all-turned" not in kinds:
        marks.append(Mark(number, "all-turned"))


def _hides(stored: Stored) -> bool:
    return any(card & FACE_DOWN for pile in stored.game.position.tableau for card in pile)
