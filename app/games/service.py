"""What can be done with a game. Each function is one transaction, committed when it returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row

from app.db import Database
from app.errors import (
    GameOver,
    GameUnderWay,
    MoveIllegal,
    MoveUnreadable,
    NoGhost,
    NothingToUndo,
    NotYourGame,
    Problem,
)
from app.games import results, seals, steps, store
from app.games.kept import KeptGames
from app.games.starting import ATTEMPTS, Pick, Started, Starting, _no_pick
from app.games.steps import (
    Change,
    Step,
    Steps,
    found_game,
    is_owner,
    owned_game,
    played_elsewhere,
    repeated,
    stale,
)
from app.games.store import Stored
from app.i18n import gettext as _
from app.players import service as players
from app.players.store import Player, lock
from engine.deals import DealCode, deal
from engine.errors import IllegalMoveError, MoveError, NothingToUndoError
from engine.moves import Move, parse_move
from engine.position import Position

__all__ = ["GameService", "Started"]


class GameService(Starting):
    """The games of one database; `now` gives the time in ms since 1970."""

    def __init__(
        self,
        database: Database,
        now: Callable[[], int],
        pick: Pick = _no_pick,
        fastest_move_ms: int = 0,
    ) -> None:
        super().__init__(database, now, pick, fastest_move_ms)
        self._kept = KeptGames()

    # --- reading --------------------------------------------------------------------------

    def see(self, game_id: str, token: str | None) -> Stored:
        """A game, for anybody; one on a sealed deal for those who may know the deal.

        A sealed game under way is its own player's alone. Raises GameNotFound, NotYourGame.
        """
        with self._database.read() as connection:
            stored = found_game(connection, game_id, token)
            if not stored.code.sealed or is_owner(stored, token):
                return stored
            if stored.sealed and stored.status == "playing":
                raise NotYourGame(_("This deal is sealed while its player plays it"))
            self._refuse_kept(connection, stored.code, token)
        return stored

    def race(self, game_id: str, token: str | None) -> Started:
        """A new game on the deal of a finished one, which is raced against as a ghost.

        It counts as any game on that deal. Raises GameNotFound, NotYourGame, GameUnderWay, and
        NoGhost for a practice game or one without a move.
        """
        with self._database.write() as connection:
            now = self.now()
            ghost = found_game(connection, game_id)
            self._refuse_kept(connection, ghost.code, token)
            if ghost.status == "playing":
                raise GameUnderWay(_("It can be raced once it is won or given up"))
            if ghost.practice or not ghost.game.moves:
                raise NoGhost(_("Only a game that was played from the deal can be raced"))
            player, token = players.find_or_create(connection, token, now)
            new = self._create(connection, player, token, ghost.code, now, ghost_id=ghost.id)
            return Started(new, token)

    def tell(self, code: DealCode, token: str | None) -> Position:
        """What a code deals, face-down cards included. Raises NotYourGame for a sealed one."""
        with self._database.read() as connection:
            self._refuse_kept(connection, code, token)
        return deal(code)

    def _refuse_kept(self, connection: Connection, code: DealCode, token: str | None) -> None:
        player = players.find(connection, token)
        if seals.kept_from(connection, player.id if player else None, [str(code)], self.now()):
            raise NotYourGame(_("This deal is sealed until you have finished it"))

    def log(self, game_id: str) -> list[Row[Any]]:
        """A game's events, oldest first: version, kind, move, at, elapsed_ms."""
        with self._database.read() as connection:
            return store.log(connection, game_id)

    def player(self, token: str | None) -> Player | None:
        """The player with this token."""
        with self._database.read() as connection:
            return players.find(connection, token)

    def under_way(self, token: str | None, most: int) -> list[Stored]:
        """The player's games under way, at most so many, the one that changed last first."""
        with self._database.read() as connection:
            player = players.find(connection, token)
            return store.under_way(connection, player.id, most) if player else []

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
            raise MoveUnreadable(error.said(_)).on(stored) from error

        return self._change(game_id, token, version, "move", move, steps.playing(move))

    def undo(self, game_id: str, token: str | None, version: int) -> Change:
        """Take the last move back. Raises as `move` does, NothingToUndo for MoveIllegal."""
        return self._change(game_id, token, version, "undo", None, steps.undo)

    def redo(self, game_id: str, token: str | None, version: int) -> Change:
        """Play the last undone move again. Raises as `undo` does."""
        return self._change(game_id, token, version, "redo", None, steps.redo)

    def _change(
        self,
        game_id: str,
        token: str | None,
        version: int,
        kind: str,
        move: Move | None,
        step: Step,
    ) -> Change:
        kept = self._kept.get(game_id, version)
        if kept is not None and is_owner(kept, token):
            change = self._changed_kept(kept, kind, move, step)
            if change is not None:
                return change
        for _attempt in range(ATTEMPTS):
            with self._database.write() as connection:
                stored = owned_game(connection, game_id, token)
                if version != stored.version:
                    return repeated(connection, stored, version, kind, str(move) if move else None)
                if stored.status != "playing":
                    raise GameOver(_("This game is over; start another one")).on(stored)
                if stored.game.moves == 0:
                    stored = _first_moved(connection, stored)
                change = self._played(stored, kind, step)
                saved = store.save(connection, change.stored, kind, str(move) if move else None)
                if saved and change.stored.status == "won":
                    self._count(connection, change.stored)
            if saved:
                self._kept.keep(change.stored)
                return change
        raise played_elsewhere(stored)

    def _changed_kept(
        self, kept: Stored, kind: str, move: Move | None, step: Step
    ) -> Change | None:
        """A move on the game as it was last written here; None when it has to be read afresh.

        So has a first move, a win and whatever is refused: those look at more than the game.
        """
        self._kept.forget(kept.id)
        if kept.game.moves == 0:
            return None
        try:
            change = self._played(kept, kind, step)
        except Problem:
            return None
        if change.stored.status == "won":
            return None
        with self._database.write() as connection:
            if not store.save(
                connection, change.stored, kind, str(move) if move else None, over=kept
            ):
                return None
        self._kept.keep(change.stored)
        return change

    def _played(self, stored: Stored, kind: str, step: Step) -> Change:
        try:
            game, move, outcome = step(stored.game)
        except IllegalMoveError as error:
            refusal = error.refusal
            raise MoveIllegal(f"{refusal.said(_)}.", rule=refusal.code, move=str(refusal.move)).on(
                stored
            ) from error
        except NothingToUndoError as error:
            raise NothingToUndo(f"{_(str(error))}.").on(stored) from error
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

    def play_computer(self, connection: Connection, game_id: str, text: str) -> Stored:
        """A computer player's move, by the same rules and into the same log.

        Raises GameNotFound, and what the rules raise; a game that is over is left as it is.
        """
        stored = found_game(connection, game_id)
        if stored.status != "playing":
            return stored
        change = self._played(stored, "move", steps.playing(parse_move(text)))
        if not store.save(connection, change.stored, "move", text):
            raise played_elsewhere(stored)
        if change.stored.status == "won":
            self._count(connection, change.stored)
        return change.stored

    def finish(self, game_id: str, token: str | None, version: int) -> Change:
        """Play the game out: the moves to the foundations that win from here, each an event.

        Raises as `move` does; MoveIllegal when they alone do not win.
        """
        return self._several(game_id, token, version, "finish", steps.finishing)

    def back(self, game_id: str, token: str | None, version: int, length: int) -> Change:
        """Undo until the line has `length` moves, each undo an event.

        Raises as `undo` does; NothingToUndo when the last 100 moves do not reach back so far.
        """
        return self._several(game_id, token, version, "back", steps.going_back(length))

    def _several(
        self,
        game_id: str,
        token: str | None,
        version: int,
        kind: str,
        planned: Callable[[Stored], Steps],
    ) -> Change:
        """Several moves or undos in one transaction: all of them or none."""
        with self._database.write() as connection:
            stored = owned_game(connection, game_id, token)
            if version != stored.version:
                return _repeated_several(connection, stored, version, kind)
            if stored.status != "playing":
                raise GameOver(_("This game is over; start another one")).on(stored)
            change, event = Change(stored), "undo" if kind == "back" else "move"
            for move, step in planned(stored):
                change = self._played(change.stored, kind, step)
                if not store.save(connection, change.stored, event, str(move) if move else None):
                    raise played_elsewhere(stored)
            if change.stored.status == "won":
                self._count(connection, change.stored, by_hand=stored)
            return change

    def note(
        self,
        game_id: str,
        token: str | None,
        version: int,
        kind: str,
        move: Move | None,
        plan: str | None,
    ) -> Change:
        """Log a hint or a verdict given on this version, count it, and keep the hint's plan.

        The same one noted twice is counted once. Raises GameNotFound, NotYourGame, StaleVersion.
        """
        text = str(move) if move else None
        with self._database.write() as connection:
            stored = owned_game(connection, game_id, token)
            if version != stored.version:
                return replace(repeated(connection, stored, version, kind, text), kind=kind)
            noted = replace(
                stored,
                hints=stored.hints + 1,
                plan=stored.plan if plan is None else plan,
                version=stored.version + 1,
                changed_at=self.now(),
            )
            if not store.save(connection, noted, kind, text):
                raise stale(owned_game(connection, game_id, token))
            return Change(noted, kind=kind)

    def report(self, game_id: str, token: str | None, state: str) -> None:
        """A page's report to the clock: hidden, shown, paused or tick.

        Raises GameNotFound, NotYourGame.
        """
        with self._database.write() as connection:
            stored = owned_game(connection, game_id, token)
            if stored.status == "playing" and not stored.race_id:  # a race's clock never stops
                store.save_clock(connection, stored, stored.clock.reported(state, self.now()))
        self._kept.forget(game_id)


def _first_moved(connection: Connection, stored: Stored) -> Stored:
    """A game at its first move: it is a first try when no other game on its deal has begun."""
    lock(connection, stored.player_id)
    return replace(stored, first_try=not store.has_begun(connection, stored))


def _repeated_several(connection: Connection, stored: Stored, version: int, kind: str) -> Change:
    """As `repeated`, for what was several events."""
    made = store.event(connection, stored.id, version + 1)
    if kind == "back" and made == ("undo", None):
        return Change(stored)
    if kind == "finish" and stored.status == "won":
        later = [event for event in store.log(connection, stored.id) if event.version > version]
        if all(event.kind == "move" and event.move.endswith("-f") for event in later):
            return Change(stored)
    raise stale(stored)
