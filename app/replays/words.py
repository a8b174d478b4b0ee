"""What a replay says of its steps and marks."""

from __future__ import annotations

from app.games import words
from app.games.steps import Change
from app.replays.service import Mark, Replay

_MARKS = {
    "first-up": "First card on a foundation",
    "all-turned": "Last hidden card turned",
    "back-down": "A card taken back from a foundation",
    "verdict": "Asked whether it can still be won",
    "won": "Won",
    "ended": "Given up",
}


def step(change: Change) -> str:
    """The sentence under the table at a step."""
    if change.kind == "deal":
        return "The deal"
    said = words.announcement(change, change.stored)
    return said[:1].upper() + said[1:]


def mark(mark: Mark, replay: Replay) -> str:
    """A mark in the list."""
    if mark.kind == "undo":
        return "A move taken back" if mark.count == 1 else f"{mark.count} moves taken back"
    if mark.kind == "hint" and mark.move is not None:
        return words.hint(mark.move, replay.steps[mark.step].stored.game)
    return _MARKS[mark.kind]
