"""What can be done with a game. Each function is one transaction, committed when it returns."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from app.db import Database
from app.deals.codes import read_code
from app.errors import (
    GameNotFound,
    GameOver,
    GameUnknown,
    MoveIllegal,
    MoveUnreadable,
    NothingToUndo,
    NotYourGame,
    StaleVersion,
)
from app.games import results, store
from app.games.clock import Clock
from app.games.store import Stored
from app.players import service as players
from app.players.store import Player, lock
from engine.deals import OPEN_DEALS, DealCode, deal, open_code
from engine.errors import IllegalMoveError, MoveError, NothingToUndoError
from engine.finish import finishing_line
from engine.game import Game
from engine.moves import Move, parse_move
from engine.rules import Outcome, get_rules
from engine.variants import BY_KEY

_ID_BYTES = 15
_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Change:
    """A write's answer: the game after it, what the move did, and the move to animate."""

    stored: Stored
    move: Move | None = None
    outcome: Outcome | None = None
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Started:
    """A new game, and its player's token (a new one at the first write)."""

    stored: Stored
    token: str


Step = Callable[[Game], tuple[Game, Move | None, Outcome | None]]


class GameService:
    """The games of one database; `now` gives the time in ms since 1970."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self.now = now

    # --- starting -------------------------------------------------------------------------

    def start(self, token: str | None, key: str, code_text: str, left: str) -> Started:
        """Start a game: of the kind `key` on a fresh open deal, or on the deal `code_text`.

        `left` is the id of a game of the player's that ends with it, or empty. Raises
        GameUnknown, CodeUnreadable, and for `left` GameNotFound and NotYourGame.
        """
        wanted = read_code(code_text) if code_text.strip() else None
        if wanted is None and key not in BY_KEY:
            raise GameUnknown(f"“{key[:40]}” is no game; these are: {', '.join(BY_KEY)}")
        with self._database.write() as connection:
            now = self.now()
            player, token = players.find_or_create(connection, token, now)
            if left:
                self._leave(connection, left, token)
            code = wanted or self._fresh(connection, player.id, BY_KEY[key].rule)
            return Started(self._create(connection, player, token, code, now), token)

    def restart(self, game_id: str, token: str | None) -> Started:
        """The same deal from its start, as a new game; the old one ends.

        Raises GameNotFound, NotYourGame.
        """
        with self._database.write() as connection:
            old = owned_game(connection, game_id, token)
            assert token is not None
            self._leave(connection, game_id, token)
            player = Player(old.player_id, old.player_name)
            new = self._create(connection, player, token, old.code, self.now(), sealed=old.sealed)
            return Started(new, token)

    def _fresh(self, connection: Connection, player_id: int, rule: str) -> DealCode:
        """An open deal that the player has not had."""
        while True:
            code = open_code(rule, secrets.randbelow(OPEN_DEALS))
            if not store.has_played(connection, player_id, code):
                return code

    def _create(
        self,
        connection: Connection,
        player: Player,
        token: str,
        code: DealCode,
        now: int,
        *,
        sealed: bool = False,
    ) -> Stored:
        lock(connection, player.id)
        stored = Stored(
            id=secrets.token_urlsafe(_ID_BYTES),
            player_id=player.id,
            token_hash=players.token_hash(token),
            player_name=player.name,
            code=code,
            sealed=sealed,
            first_try=not store.has_played(connection, player.id, code),
            status="playing",
            version=0,
            game=Game.new(get_rules(code.rule), deal(code)),
            hints=0,
            plan="",
            created_at=now,
            changed_at=now,
            clock=Clock(),
        )
        store.create(connection, stored)
        return stored

    def _leave(self, connection: Connection, game_id: str, token: str) -> None:
        """End a game that the player leaves for another, if it is under way."""
        for _ in range(_ATTEMPTS):
            stored = owned_game(connection, game_id, token)
            if stored.status != "playing" or self._end(connection, stored):
                return
        raise StaleVersion("The game is being played elsewhere; try again")

    def _end(self, connection: Connection, stored: Stored) -> Stored | None:
        now = self.now()
        ended = replace(
            stored,
            status="ended",
            version=stored.version + 1,
            changed_at=now,
            clock=stored.clock.stopped(now),
        )
        if not store.save(connection, ended, "end", None):
            return None
        if ended.game.moves:
            results.add(connection, ended)
        return ended

    # --- reading --------------------------------------------------------------------------

    def see(self, game_id: str, token: str | None) -> Stored:
        """A game, for anybody; a sealed one under way for its own player only.

        Raises GameNotFound, NotYourGame.
        """
        with self._database.read() as connection:
            stored = _found(connection, game_id)
        if stored.sealed and stored.status == "playing" and not is_owner(stored, token):
            raise NotYourGame("This deal is sealed while its player plays it")
        return stored

    def player(self, token: str | None) -> Player | None:
        """The player with this token."""
        with self._database.read() as connection:
            return players.find(connection, token)

    def latest(self, token: str | None) -> Stored | None:
        """The player's game under way that changed last, or None."""
        with self._database.read() as connection:
            player = players.find(connection, token)
            return store.latest_playing(connection, player.id) if player else None

    def standing(self, game_id: str) -> results.Standing | None:
        """Where a finished game stands on its deal."""
        with self._database.read() as connection:
            return results.standing(connection, game_id)

    # --- playing --------------------------------------------------------------------------

    def move(self, game_id: str, token: str | None, text: str, version: int) -> Change:
        """Play a move on `version`.

        Raises GameNotFound, NotYourGame, StaleVersion, GameOver, MoveUnreadable, MoveIllegal;
        all but the first two carry the game as it stands.
        """
        try:
            move = parse_move(text)
        except MoveError as error:
            with self._database.read() as connection:
                stored = owned_game(connection, game_id, token)
            raise MoveUnreadable(str(error)).on(stored) from error

        return self._change(game_id, token, version, "move", move, _playing(move))

    def undo(self, game_id: str, token: str | None, version: int) -> Change:
        """Take the last move back. Raises as `move` does, NothingToUndo for MoveIllegal."""
        return self._change(game_id, token, version, "undo", None, _undo)

    def redo(self, game_id: str, token: str | None, version: int) -> Change:
        """Play the last undone move again. Raises as `undo` does."""
        return self._change(
            game_id, token, version, "redo", None, lambda game: (game.redo(), game.undone[-1], None)
        )

    def _change(
        self,
        game_id: str,
        token: str | None,
        version: int,
        kind: str,
        move: Move | None,
        step: Step,
    ) -> Change:
        for _ in range(_ATTEMPTS):
            with self._database.write() as connection:
                stored = owned_game(connection, game_id, token)
                if version != stored.version:
                    return _repeated(connection, stored, version, kind, move)
                if stored.status != "playing":
                    raise GameOver("This game is over; start another one").on(stored)
                change = self._played(stored, kind, step)
                if store.save(connection, change.stored, kind, str(move) if move else None):
                    if change.stored.status == "won":
                        results.add(connection, change.stored)
                    return change
        raise StaleVersion("The game is being played elsewhere; try again").on(stored)

    def _played(self, stored: Stored, kind: str, step: Step) -> Change:
        try:
            game, move, outcome = step(stored.game)
        except IllegalMoveError as error:
            refusal = error.refusal
            raise MoveIllegal(f"{refusal.text}.", rule=refusal.code, move=str(refusal.move)).on(
                stored
            ) from error
        except NothingToUndoError as error:
            raise NothingToUndo(f"{error}.").on(stored) from error
        now = self.now()
        clock = stored.clock.moved(now)
        if game.is_won:
            clock = clock.stopped(now)
        after = replace(
            stored,
            game=game,
            status="won" if game.is_won else "playing",
            version=stored.version + 1,
            changed_at=now,
            clock=clock,
        )
        return Change(after, move, outcome, kind)

    def finish(self, game_id: str, token: str | None, version: int) -> Change:
        """Play the game out: the moves to the foundations that win from here, each an event.

        Raises as `move` does; MoveIllegal when they alone do not win.
        """
        return self._several(game_id, token, version, "move", _finishing)

    def back(self, game_id: str, token: str | None, version: int, length: int) -> Change:
        """Undo until the line has `length` moves, each undo an event.

        Raises as `undo` does; NothingToUndo when the last 100 moves do not reach back so far.
        """

        def undos(stored: Stored) -> list[tuple[Move | None, Step]]:
            game = stored.game
            if not max(game.floor, 0) <= length < len(game.line):
                raise NothingToUndo("The game does not go back to there").on(stored)
            return [(None, _undo)] * (len(game.line) - length)

        return self._several(game_id, token, version, "undo", undos)

    def note(self, stored: Stored, token: str | None, kind: str, move: Move | None) -> Change:
        """Log a hint or a verdict given on this version, and count it.

        `stored` holds what else changes (its plan). Raises StaleVersion when the game has moved
        on meanwhile.
        """
        with self._database.write() as connection:
            owned_game(connection, stored.id, token)
            noted = replace(
                stored,
                hints=stored.hints + 1,
                version=stored.version + 1,
                changed_at=self.now(),
            )
            if not store.save(connection, noted, kind, str(move) if move else None):
                raise _stale(owned_game(connection, stored.id, token))
            return Change(noted, kind=kind)

    def _several(
        self,
        game_id: str,
        token: str | None,
        version: int,
        kind: str,
        steps: Callable[[Stored], list[tuple[Move | None, Step]]],
    ) -> Change:
        """Several moves or undos in one transaction: all of them or none."""
        with self._database.write() as connection:
            stored = owned_game(connection, game_id, token)
            if version != stored.version:
                raise _stale(stored)
            if stored.status != "playing":
                raise GameOver("This game is over; start another one").on(stored)
            change = Change(stored)
            for move, step in steps(stored):
                change = self._played(change.stored, kind, step)
                if not store.save(connection, change.stored, kind, str(move) if move else None):
                    raise StaleVersion("The game is being played elsewhere; try again").on(stored)
            if change.stored.status == "won":
                results.add(connection, change.stored)
            return change

    def end(self, game_id: str, token: str | None, version: int | None) -> Stored:
        """Give the game up. Ending an ended game changes nothing.

        `version` may be None: whatever the game's version is. Raises GameNotFound, NotYourGame,
        StaleVersion, and GameOver for a won game.
        """
        for _ in range(_ATTEMPTS):
            with self._database.write() as connection:
                stored = owned_game(connection, game_id, token)
                if stored.status == "ended":
                    return stored
                if stored.status == "won":
                    raise GameOver("This game is won").on(stored)
                if version is not None and version != stored.version:
                    raise _stale(stored)
                ended = self._end(connection, stored)
                if ended:
                    return ended
        raise StaleVersion("The game is being played elsewhere; try again").on(stored)

    def report(self, game_id: str, token: str | None, state: str) -> None:
        """A page's report to the clock: hidden, shown, paused or tick.

        Raises GameNotFound, NotYourGame.
        """
        with self._database.write() as connection:
            stored = owned_game(connection, game_id, token)
            if stored.status == "playing":
                store.save_clock(connection, stored, stored.clock.reported(state, self.now()))


def _found(connection: Connection, game_id: str) -> Stored:
    stored = store.load(connection, game_id)
    if stored is None:
        raise GameNotFound("There is no such game; it may have been typed wrongly")
    return stored


def is_owner(stored: Stored, token: str | None) -> bool:
    """Whether the token's player is the game's."""
    return token is not None and players.token_hash(token) == stored.token_hash


def owned_game(connection: Connection, game_id: str, token: str | None) -> Stored:
    """A game of the token's player. Raises GameNotFound, NotYourGame."""
    stored = _found(connection, game_id)
    if not is_owner(stored, token):
        raise NotYourGame("Only its own player can change this game")
    return stored


def _undo(game: Game) -> tuple[Game, Move | None, Outcome | None]:
    return game.undo(), game.line[-1], None


def _playing(move: Move) -> Step:
    def step(game: Game) -> tuple[Game, Move | None, Outcome | None]:
        after, outcome = game.play_out(move)
        return after, move, outcome

    return step


def _finishing(stored: Stored) -> list[tuple[Move | None, Step]]:
    line = finishing_line(stored.game.rules, stored.game.position)
    if line is None:
        raise MoveIllegal("The game cannot be finished from here by itself yet.").on(stored)
    return [(move, _playing(move)) for move in line]


def _stale(stored: Stored) -> StaleVersion:
    return StaleVersion("The table had moved on; here it is as it stands").on(stored)


def _repeated(
    connection: Connection, stored: Stored, version: int, kind: str, move: Move | None
) -> Change:
    """The answer to a write on another version: the current game when it is a repetition."""
    made = store.event(connection, stored.id, version + 1)
    if made == (kind, str(move) if move else None):
        return Change(stored)
    raise _stale(stored)
