"""What is said of a game: cards' names, announcements, messages."""

from __future__ import annotations

from app.games.steps import Change
from app.games.store import Stored
from engine.cards import NAMES, card_words
from engine.game import Game
from engine.moves import FOUNDATION, STOCK, TABLEAU, Move

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
    if change.kind == "back":
        return f"Back after move {len(stored.game.line)}"
    move, outcome = change.move, change.outcome
    if move is None or outcome is None:
        return ""
    if move.source.zone == STOCK:
        said = f"{card_words(stored.game.position.waste[-1])} dealt to the waste"
    else:
        assert outcome.lead is not None
        said = _moved(move, outcome.lead)
    if outcome.turned is not None and move.source.zone == TABLEAU:
        said += f"; {card_words(outcome.turned)} turned in pile {move.source.pile + 1}"
    if stored.status == "won":
        said += "; the game is won"
    return said


def hint(move: Move, game: Game) -> str:
    """The hinted move, for those who hear the table."""
    outcome = game.rules.outcome(game.position, move)
    if outcome.lead is None:
        return "Hint: deal from the stock"
    return f"Hint: {_moved(move, outcome.lead)}"


def _moved(move: Move, lead: int) -> str:
    more = f" and {move.size - 1} more" if move.size > 1 else ""
    if move.target.zone == FOUNDATION:
        return f"{card_words(lead)}{more} to its foundation"
    return f"{card_words(lead)}{more} to pile {move.target.pile + 1}"
