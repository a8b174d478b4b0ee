"""What is said of a game: cards' names, announcements, messages."""

from __future__ import annotations

from app.games.service import Change
from app.games.store import Stored
from engine.cards import NAMES, card_words
from engine.moves import FOUNDATION, STOCK, TABLEAU

CARDS = {name: card_words(card) for card, name in enumerate(NAMES)}
"""Each card's name in words."""

FACE_DOWN = "face-down card"
STUCK = "No move is left. Take a move back, or start another game."
GOES_NOWHERE = "These cards can go nowhere now."


def announcement(change: Change, stored: Stored) -> str:
    """The one sentence that tells what a write did, for those who hear the table."""
    if change.kind == "undo":
        return "Move taken back"
    if change.kind == "redo":
        return "Move played again"
    move, outcome = change.move, change.outcome
    if move is None or outcome is None:
        return ""
    if move.source.zone == STOCK:
        said = f"{card_words(stored.game.position.waste[-1])} dealt to the waste"
    else:
        assert outcome.lead is not None
        said = card_words(outcome.lead)
        if move.size > 1:
            said += f" and {move.size - 1} more"
        if move.target.zone == FOUNDATION:
            said += " to its foundation"
        else:
            said += f" to pile {move.target.pile + 1}"
    if outcome.turned is not None and move.source.zone == TABLEAU:
        said += f"; {card_words(outcome.turned)} turned in pile {move.source.pile + 1}"
    if stored.status == "won":
        said += "; the game is won"
    return said
