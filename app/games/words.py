"""What is said of a game: cards' names, announcements, messages; in the request's language."""

from __future__ import annotations

from app.games.steps import Change
from app.games.store import Stored
from app.i18n import gettext as _
from app.i18n import later, ngettext
from engine.cards import NAMES, card_words
from engine.game import Game
from engine.moves import FOUNDATION, STOCK, TABLEAU, Move

CARDS = {name: card_words(card) for card, name in enumerate(NAMES)}
"""Each card's name in English words."""

FACE_DOWN = later("face-down card")
STUCK = later("No move is left. Take a move back, or start another game.")
GOES_NOWHERE = later("These cards can go nowhere now.")


def card(number: int) -> str:
    """The card in words."""
    return _(card_words(number))


def named(name: str) -> str:
    """The card with this two-letter name in words."""
    return _(CARDS[name])


def announcement(change: Change, stored: Stored) -> str:
    """The one sentence that tells what a write did, for those who hear the table."""
    if change.kind == "undo":
        return _("Move taken back")
    if change.kind == "redo":
        return _("Move played again")
    if change.kind == "back":
        return _("Back after move %(number)s") % {"number": len(stored.game.line)}
    move, outcome = change.move, change.outcome
    if move is None or outcome is None:
        return ""
    if move.source.zone == STOCK:
        said = _("%(card)s dealt to the waste") % {"card": card(stored.game.position.waste[-1])}
    else:
        assert outcome.lead is not None
        said = _moved(move, outcome.lead)
    if outcome.turned is not None and move.source.zone == TABLEAU:
        turned = {"card": card(outcome.turned), "pile": move.source.pile + 1}
        said += _("; %(card)s turned in pile %(pile)s") % turned
    if stored.status == "won":
        said += _("; the game is won")
    return said


def hint(move: Move, game: Game) -> str:
    """The hinted move, for those who hear the table."""
    outcome = game.rules.outcome(game.position, move)
    if outcome.lead is None:
        return _("Hint: deal from the stock")
    return _("Hint: %(move)s") % {"move": _moved(move, outcome.lead)}


def _moved(move: Move, lead: int) -> str:
    facts = {"card": card(lead), "pile": move.target.pile + 1, "more": move.size - 1}
    if move.target.zone == FOUNDATION:
        return _("%(card)s to its foundation") % facts
    if move.size == 1:
        return _("%(card)s to pile %(pile)s") % facts
    return (
        ngettext(
            "%(card)s and %(more)s more to pile %(pile)s",
            "%(card)s and %(more)s more to pile %(pile)s",
            move.size - 1,
        )
        % facts
    )
