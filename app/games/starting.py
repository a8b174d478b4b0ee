"""How games begin and end. Each function is one transaction, committed when it returns."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from sqlalchemy import Connection

from app.db import Database
from app.deals.codes import read_code
from app.errors import DifficultyUnknown, GameInRace, GameOver
from app.games import results, review, store
from app.games.clock import Clock
from app.games.steps import found_game, owned_game, played_elsewhere, stale
from app.games.store import Stored
from app.i18n import gettext as _
from app.keys import variant_of
from app.players import service as players
from app.players.store import Player, lock
from engine.deals import OPEN_DEALS, DealCode, deal, open_code, parse_code
from engine.game import Game
from engine.rules import get_rules

_ID_BYTES = 15
ATTEMPTS = 3
DIFFICULTIES = ("easy", "medium", "hard")
Pick = Callable[[Connection, str, str, int], str | None]
"""Picks a deal's code: of a rule and a difficulty, none that the player (an id) has had."""


def _no_pick(_connection: Connection, _rule: str, _difficulty: str, _player_id: int) -> None:
    """Where there is no catalogue."""


@dataclass(frozen=True, slots=True)
class Started:
    """A new game, and its player's token (a new one at the first write)."""

    stored: Stored
    token: str


class Starting:
    """The games of one database; `now` gives the time in ms since 1970."""

    def __init__(
        self,
        database: Database,
        now: Callable[[], int],
        pick: Pick = _no_pick,
        fastest_move_ms: int = 0,
    ) -> None:
        self._database = database
        self.now = now
        self._pick = pick
        self._fastest_move_ms = fastest_move_ms

    def start(
        self, token: str | None, key: str, code_text: str, left: str, difficulty: str = ""
    ) -> Started:
        """Start a game: of the kind `key` on a fresh open deal, or on the deal `code_text`.

        `left` is the id of a game of the player's that ends with it, or empty; `difficulty` one of
        DIFFICULTIES, or empty for any deal. The deal is none that the player has had. Raises
        GameUnknown, CodeUnreadable, DifficultyUnknown, and for `left` GameNotFound, NotYourGame.
        """
        wanted = read_code(code_text) if code_text.strip() or not key else None
        rule = wanted.rule if wanted else variant_of(key).rule
        if difficulty and difficulty not in DIFFICULTIES:
            raise DifficultyUnknown(
                _("“%(level)s” is no difficulty; these are: %(levels)s")
                % {"level": difficulty[:40], "levels": ", ".join(DIFFICULTIES)}
            )
        if wanted is not None:
            return self.start_on(token, wanted, left)
        with self._database.write() as connection:
            now = self.now()
            player, token = players.find_or_create(connection, token, now)
            if left:
                self._leave(connection, left, token)
            code = self._fresh(connection, player.id, rule, difficulty)
            return Started(self._create(connection, player, token, code, now), token)

    def start_on(self, token: str | None, code: DealCode, left: str) -> Started:
        """Start a game on a deal, or on a board without a code: then it counts nowhere.

        Raises GameNotFound and NotYourGame for `left`.
        """
        with self._database.write() as connection:
            now = self.now()
            player, token = players.find_or_create(connection, token, now)
            if left:
                self._leave(connection, left, token)
            return Started(self._create(connection, player, token, code, now), token)

    def deal_sealed(self, token: str | None, code: DealCode) -> Started:
        """A game on a sealed deal: the player's own that is under way on it, or a new one."""
        with self._database.write() as connection:
            now = self.now()
            player, token = players.find_or_create(connection, token, now)
            lock(connection, player.id)
            under_way = store.playing_sealed(connection, player.id, code)
            new = under_way or self._create(connection, player, token, code, now, sealed=True)
            return Started(new, token)

    def restart(self, game_id: str, token: str | None) -> Started:
        """The same deal from its start, as a new game; the old one ends.

        So does another that the player has under way on a sealed deal: there is one at a time, or
        its code would stay hidden from whoever has just won it. Raises GameNotFound, NotYourGame,
        GameInRace.
        """
        with self._database.write() as connection:
            old = owned_game(connection, game_id, token)
            assert token is not None
            _refuse_in_race(old)
            self._leave(connection, game_id, token)
            player = Player(old.player_id, old.player_name)
            while old.sealed and (other := store.playing_sealed(connection, player.id, old.code)):
                _refuse_in_race(other)
                self._leave(connection, other.id, token)
            new = self._create(
                connection,
                player,
                token,
                old.code,
                self.now(),
                sealed=old.sealed,
                ghost_id=old.ghost_id,
            )
            return Started(new, token)

    def play_from(
        self, token: str | None, game: Game, code: DealCode, left: str = "", over: bool = False
    ) -> Started:
        """A practice game on a deal from where a game has led; it counts nowhere.

        The moves stand in its log, as if they had been played at once. With `over` it is over: to
        be replayed, not played on. Raises GameNotFound and NotYourGame for `left`.
        """
        with self._database.write() as connection:
            now = self.now()
            player, token = players.find_or_create(connection, token, now)
            if left:
                self._leave(connection, left, token)
            stored = self._new(player, players.token_hash(token), code, now, sealed=False)
            status: Literal["playing", "won", "ended"] = "ended" if over else "playing"
            status = "won" if game.is_won else status
            version = len(game.line) + (status == "ended")
            stored = replace(stored, practice=True, status=status, game=game, version=version)
            store.create(connection, stored)
            store.log_line(connection, stored)
            return Started(stored, token)

    def _fresh(
        self, connection: Connection, player_id: int, rule: str, difficulty: str
    ) -> DealCode:
        """An open deal that the player has not had, of this difficulty unless it is empty."""
        if difficulty:
            picked = self._pick(connection, rule, difficulty, player_id)
            if picked is None:
                raise DifficultyUnknown(
                    _("There is no such deal that you have not had; take another difficulty")
                )
            return parse_code(picked)
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
        ghost_id: str | None = None,
    ) -> Stored:
        stored = self._new(player, players.token_hash(token), code, now, sealed=sealed)
        stored = replace(stored, ghost_id=ghost_id)
        store.create(connection, stored)
        return stored

    def deal_race(
        self,
        connection: Connection,
        player_id: int,
        code: DealCode,
        race_id: str,
        now: int,
        *,
        unlisted: bool,
    ) -> str:
        """A player's game in a race, whose clock runs from `now`; its id."""
        stored = self._new(Player(player_id, None), b"", code, now, sealed=True)
        clock = Clock(counted_to=now)
        stored = replace(stored, race_id=race_id, unlisted=unlisted, clock=clock)
        store.create(connection, stored)
        return stored.id

    def _new(
        self, player: Player, token_hash: bytes, code: DealCode, now: int, *, sealed: bool
    ) -> Stored:
        return Stored(
            id=secrets.token_urlsafe(_ID_BYTES),
            player_id=player.id,
            token_hash=token_hash,
            player_name=player.name,
            code=code,
            sealed=sealed,
            first_try=True,
            status="playing",
            version=0,
            game=Game.new(get_rules(code.rule), deal(code)),
            hints=0,
            plan="",
            created_at=now,
            changed_at=now,
            clock=Clock(),
            practice=code.is_board,
        )

    def _leave(self, connection: Connection, game_id: str, token: str) -> None:
        """End a game that the player leaves for another, if it is under way."""
        for _attempt in range(ATTEMPTS):
            stored = owned_game(connection, game_id, token)
            if stored.status != "playing" or stored.race_id or self._end(connection, stored):
                return  # a race is given up only by saying so
        raise played_elsewhere(stored)

    def end_within(self, connection: Connection, game_id: str) -> None:
        """End a game inside a transaction, whoever asks: its player has become one who plays it
        already, its race's time is over, or a computer player goes no further.

        It is over already when another write came first.
        """
        stored = found_game(connection, game_id)
        if stored.status == "playing":
            self._end(connection, stored)

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
            self._count(connection, ended)
        return ended

    def _count(self, connection: Connection, stored: Stored, by_hand: Stored | None = None) -> None:
        """Write the result of a game that is over; `by_hand`: before what the server played."""
        pace = review.too_fast(connection, by_hand or stored, self._fastest_move_ms)
        results.add(connection, stored, too_fast=pace)

    def end(self, game_id: str, token: str | None, version: int | None) -> Stored:
        """Give the game up. Ending an ended game changes nothing.

        `version` may be None: whatever the game's version is. Raises GameNotFound, NotYourGame,
        StaleVersion, and GameOver for a won game.
        """
        for _attempt in range(ATTEMPTS):
            with self._database.write() as connection:
                stored = owned_game(connection, game_id, token)
                if stored.status == "ended":
                    return stored
                if stored.status == "won":
                    raise GameOver(_("This game is won")).on(stored)
                if version is not None and version != stored.version:
                    raise stale(stored)
                ended = self._end(connection, stored)
                if ended:
                    return ended
        raise played_elsewhere(stored)


def _refuse_in_race(stored: Stored) -> None:
    """A race has one deal and one try. Raises GameInRace for a game under way in one."""
    if stored.race_id and stored.status == "playing":
        raise GameInRace(
            _("A race is played once from its start; take moves back, or give it up")
        ).on(stored)
