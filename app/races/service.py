"""What can be done in a race. Each function is one transaction, committed when it returns."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable
from dataclasses import replace

from sqlalchemy import Connection

from app.db import Database
from app.errors import Busy, NotInRace, RaceNotOver, RequestInvalid
from app.games import seals
from app.games import store as games_store
from app.games.service import GameService
from app.games.store import Stored
from app.i18n import gettext as _
from app.jobs.service import NEXT, JobService
from app.keys import variant_of
from app.players import service as players
from app.races import machine, store
from app.races.due import Due
from app.races.machine import PACES, STRENGTHS, Room
from app.races.view import Entered, RaceView, found, view_of
from engine.deals import SEALED_DEALS, sealed_code

_ID_BYTES = 12
_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ"


class RaceService:
    """The races of one database."""

    def __init__(self, database: Database, games: GameService, jobs: JobService) -> None:
        self._database = database
        self._games = games
        self._jobs = jobs
        self._due = Due(database, games)
        self.now: Callable[[], int] = games.now

    # --- reading --------------------------------------------------------------------------

    def see(self, ref: str, token: str | None) -> RaceView:
        """A race by its id or letters. Raises RaceNotFound."""
        with self._database.read() as connection:
            player = players.find(connection, token)
            player_id = player.id if player else None
            room = found(connection, ref)
            view = view_of(connection, room, player_id, self.now())
        if not self._due.is_due(room, any(each.state == "racing" for each in view.runners)):
            return view
        self._due.settle(ref)
        with self._database.read() as connection:
            return view_of(connection, found(connection, ref), player_id, self.now())

    def shared(self, race_id: str) -> RaceView:
        """A race as everybody may see it. Raises RaceNotFound."""
        return self.see(race_id, None)

    def boards(self, view: RaceView) -> dict[int, Stored]:
        """The finished games that whoever the view is for may see, by seat."""
        with self._database.read() as connection:
            boards = {
                each.seat: games_store.load(connection, each.game_id)
                for each in view.runners
                if each.game_id
            }
        return {seat: stored for seat, stored in boards.items() if stored}

    # --- coming and going -----------------------------------------------------------------

    def open(self, token: str | None, key: str, browser: str | None = None) -> Entered:
        """Open a room for a kind of game; who opens it is host. Raises GameUnknown."""
        with self._database.write() as connection:
            player, token = players.find_or_create(connection, token, self.now())
            room = self._opened(connection, variant_of(key).rule)
            after = machine.join(room, player.id, self.now(), _hash(browser))
            room = self._due.saved(connection, room, after)
            view = view_of(connection, room, player.id, self.now())
        self._ask_for_deal(view)
        return Entered(view, token)

    def duel(self, token: str | None, key: str, strength: str, pace: str) -> Entered:
        """A game against the computer, whose countdown begins at once.

        Raises GameUnknown, RequestInvalid.
        """
        _check_opponent(strength, pace)
        with self._database.write() as connection:
            player, token = players.find_or_create(connection, token, self.now())
            room = self._dueling(connection, variant_of(key).rule, player.id, [(strength, pace)])
            view = view_of(connection, room, player.id, self.now())
        self._ask_for_deal(view)
        return Entered(view, token)

    def join(self, ref: str, token: str | None, browser: str | None = None) -> Entered:
        """Come into a room. Raises RaceNotFound and what `machine.join` does."""
        self._due.settle(ref)
        with self._database.write() as connection:
            room = found(connection, ref, locked=True)
            player, token = players.find_or_create(connection, token, self.now())
            after = machine.join(room, player.id, self.now(), _hash(browser))
            room = self._due.saved(connection, room, after)
            return Entered(view_of(connection, room, player.id, self.now()), token)

    def set_ready(self, ref: str, token: str | None, ready: bool) -> RaceView:
        """Say that one is ready, or not after all. Raises as `machine.set_ready` does."""
        return self._changed(
            ref, token, lambda _c, room, me: machine.set_ready(room, me, ready, self.now())
        )

    def leave(self, ref: str, token: str | None) -> RaceView:
        """Leave the room before the race. Raises as `machine.leave` does."""
        return self._changed(ref, token, lambda _c, room, me: machine.leave(room, me, self.now()))

    def remove(self, ref: str, token: str | None, seat: int) -> RaceView:
        """The host sends somebody away. Raises as `machine.remove` does."""
        return self._changed(
            ref, token, lambda _c, room, me: machine.remove(room, me, seat, self.now())
        )

    def add_computer(self, ref: str, token: str | None, strength: str, pace: str) -> RaceView:
        """The host adds a computer player. Raises as `machine.add_computer`, RequestInvalid."""
        _check_opponent(strength, pace)

        def added(connection: Connection, room: Room, me: int) -> Room:
            computer = players.create_computer(connection, self.now())
            return machine.add_computer(room, me, computer, strength, pace, self.now())

        return self._changed(ref, token, added)

    def give_up(self, ref: str, token: str | None) -> RaceView:
        """Give the race up; what has been given up or won already stays as it is.

        Raises RaceNotFound, NotInRace, RaceNotOver (it has not begun).
        """
        view = self.see(ref, token)
        if view.me is None:
            raise NotInRace(_("You are not in this room"))
        if view.game_id is None:
            raise RaceNotOver(_("The race has not begun; you can leave the room"))
        if view.mine and view.mine.state == "racing":
            self._games.end(view.game_id, token, None)
        return self.see(ref, token)

    def rematch(self, ref: str, token: str | None, browser: str | None = None) -> Entered:
        """The same players' next race: opened by the first who asks, joined by the others.

        Computer players come along. Raises RaceNotFound, NotInRace, RaceNotOver, and for a rematch
        that has begun without the player what `machine.join` does.
        """
        self._due.settle(ref)
        with self._database.write() as connection:
            room = found(connection, ref, locked=True)
            player = players.find(connection, token)
            entry = room.entry(player.id) if player else None
            if player is None or entry is None or token is None:
                raise NotInRace(_("Only who has played it asks for a rematch"))
            if room.state != "over":
                raise RaceNotOver(_("The race is not over yet"))
            made = found(connection, room.next_id, locked=True) if room.next_id else None
            if made is None or made.state == "closed":
                made = self._rematched(connection, room, player.id, browser)
                store.save(connection, room, replace(room, next_id=made.id))
            else:
                after = machine.join(made, player.id, self.now(), _hash(browser))
                made = self._due.saved(connection, made, after)
            view = view_of(connection, made, player.id, self.now())
        if view.state in ("lobby", "countdown"):
            self._ask_for_deal(view)
        return Entered(view, token)

    def _ask_for_deal(self, view: RaceView) -> None:
        """Have a worker look for a deal that can be won, while the players gather.

        Where none has come by go, the deal is any: everybody has the same cards.
        """
        payload = {"rule": view.variant.rule, "race": view.id}
        with contextlib.suppress(Busy):
            self._jobs.ask("race", view.id, payload, NEXT)

    def _rematched(
        self, connection: Connection, room: Room, player_id: int, browser: str | None
    ) -> Room:
        computers = [
            (each.strength, each.pace) for each in room.entries if each.strength and each.pace
        ]
        if room.duel:
            return self._dueling(connection, room.rule, player_id, computers)
        made = self._opened(connection, room.rule)
        after = machine.join(made, player_id, self.now(), _hash(browser))
        return self._due.saved(
            connection, made, self._with_computers(connection, after, player_id, computers)
        )

    def _dueling(
        self, connection: Connection, rule: str, player_id: int, computers: list[tuple[str, str]]
    ) -> Room:
        room = self._opened(connection, rule)
        after = machine.join(room, player_id, self.now())
        after = self._with_computers(connection, after, player_id, computers)
        after = machine.set_ready(after, player_id, True, self.now())
        return self._due.saved(connection, room, replace(after, duel=True))

    def _with_computers(
        self, connection: Connection, room: Room, host: int, computers: list[tuple[str, str]]
    ) -> Room:
        for strength, pace in computers:
            computer = players.create_computer(connection, self.now())
            room = machine.add_computer(room, host, computer, strength, pace, self.now())
        return room

    def _opened(self, connection: Connection, rule: str) -> Room:
        code = sealed_code(rule, secrets.randbelow(SEALED_DEALS))
        seals.add(connection, code, None)
        letters = _letters()
        while store.has_letters(connection, letters):
            letters = _letters()
        room = Room(
            id=secrets.token_urlsafe(_ID_BYTES),
            letters=letters,
            code=str(code),
            rule=rule,
            duel=False,
            state="lobby",
            host=1,
            changed_at=self.now(),
        )
        store.create(connection, room)
        return room

    def keep(self) -> None:
        """Do what is due in all rooms."""
        self._due.keep()

    # --- shared ---------------------------------------------------------------------------

    def _changed(
        self, ref: str, token: str | None, work: Callable[[Connection, Room, int], Room]
    ) -> RaceView:
        """Change a room as one of its players. Raises RaceNotFound and what the work does."""
        self._due.settle(ref)
        with self._database.write() as connection:
            room = found(connection, ref, locked=True)
            player = players.find(connection, token)
            if player is None:
                raise NotInRace(_("You are not in this room"))
            room = self._due.saved(connection, room, work(connection, room, player.id))
            return view_of(connection, room, player.id, self.now())


def _letters() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(6))


def _check_opponent(strength: str, pace: str) -> None:
    if strength not in STRENGTHS:
        raise RequestInvalid(f"“strength” is one of {', '.join(STRENGTHS)}")
    if pace not in PACES:
        raise RequestInvalid(f"“pace” is one of {', '.join(PACES)}")


def _hash(browser: str | None) -> bytes | None:
    return players.token_hash(browser) if browser else None
