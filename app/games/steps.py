"""What a write does to a game: the steps of moves, undos and endings, and how they answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection

from app.errors import GameNotFound, MoveIllegal, NothingToUndo, NotYourGame, StaleVersion
from app.games import store
from app.games.store import Stored
from app.i18n import gettext as _
from app.players import service as players
from engine.finish import finishing_line
from engine.game import Game
from engine.moves import Move
from engine.rules import Outcome


@dataclass(frozen=True, slots=True)
class Change:
    """A write's answer: the game after it, what the move did, and the move to animate."""

    stored: Stored
    move: Move | None = None
    outcome: Outcome | None = None
    kind: str = ""


Step = Callable[[Game], tuple[Game, Move | None, Outcome | None]]
Steps = list[tuple[Move | None, Step]]
"""Each step with the move that its event names."""


def found_game(connection: Connection, game_id: str, token: str | None = None) -> Stored:
    """A game, as the device with this token asks for it. Raises GameNotFound."""
    stored = store.load(connection, game_id, players.token_hash(token) if token else None)
    if stored is None:
        raise GameNotFound(_("There is no such game; it may have been typed wrongly"))
    return stored


def is_owner(stored: Stored, token: str | None) -> bool:
    """Whether the token is of a device of the game's player, which has asked for the game."""
    return token is not None and players.token_hash(token) == stored.token_hash


def owned_game(connection: Connection, game_id: str, token: str | None) -> Stored:
    """A game of the token's player. Raises GameNotFound, NotYourGame."""
    stored = found_game(connection, game_id, token)
    if not is_owner(stored, token):
        raise NotYourGame(_("Only its own player can change this game"))
    return stored


def undo(game: Game) -> tuple[Game, Move | None, Outcome | None]:
    """Take the last move back."""
    return game.undo(), game.line[-1], None


def redo(game: Game) -> tuple[Game, Move | None, Outcome | None]:
    """Play the last undone move again."""
    return game.redo(), game.undone[-1], None


def playing(move: Move) -> Step:
    """Play a move."""

    def step(game: Game) -> tuple[Game, Move | None, Outcome | None]:
        after, outcome = game.play_out(move)
        return after, move, outcome

    return step


def finishing(stored: Stored) -> Steps:
    """The moves to the foundations that win from here. Raises MoveIllegal."""
    line = finishing_line(stored.game.rules, stored.game.position)
    if line is None:
        raise MoveIllegal(_("The game cannot be finished from here by itself yet.")).on(stored)
    return [(move, playing(move)) for move in line]


def going_back(length: int) -> Callable[[Stored], Steps]:
    """Undo until the line has `length` moves. The steps raise NothingToUndo."""

    def undos(stored: Stored) -> Steps:
        game = stored.game
        if not game.floor <= length < len(game.line):
            raise NothingToUndo(_("The game does not go back to there.")).on(stored)
        return [(None, undo)] * (len(game.line) - length)

    return undos


def stale(stored: Stored) -> StaleVersion:
    """The refusal of a write made on another version."""
    return StaleVersion(_("The table had moved on; here it is as it stands")).on(stored)


def played_elsewhere(stored: Stored) -> StaleVersion:
    """The refusal of a write that lost against others again and again."""
    return StaleVersion(_("The game is being played elsewhere; try again")).on(stored)


def repeated(
    connection: Connection, stored: Stored, version: int, kind: str, move: str | None
) -> Change:
    """The answer to a write on another version: the current game when it is a repetition.

    Raises StaleVersion otherwise.
    """
    if store.event(connection, stored.id, version + 1) == (kind, move):
        return Change(stored)
    raise stale(stored)
