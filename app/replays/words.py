"""What a replay says of its steps and marks."""

from __future__ import annotations

from app.games import words
from app.games.steps import Change
from app.i18n import gettext as _
from app.i18n import later, ngettext
from app.replays.service import Mark, Replay

_MARKS = {
    "first-up": later("First card on a foundation"),
    "all-turned": later("Last hidden card turned"),
    "back-down": later("A card taken back from a foundation"),
    "hint": later("Proven hint"),
    "fair": later("Fair hint"),
    "verdict": later("Asked whether it can still be won"),
    "won": later("Won"),
    "ended": later("Given up"),
}


def step(change: Change) -> str:
    """The sentence under the table at a step."""
    if change.kind == "deal":
        return _("The deal")
    said = words.announcement(change, change.stored)
    return said[:1].upper() + said[1:]


def mark(mark: Mark, replay: Replay) -> str:
    """A mark in the list."""
    if mark.kind == "undo":
        said = ngettext("%(count)s move taken back", "%(count)s moves taken back", mark.count)
        return said % {"count": mark.count}
    if mark.kind in ("hint", "fair") and mark.move is not None:
        return words.hint(mark.move, replay.steps[mark.step].stored.game)
    return _(_MARKS[mark.kind])
