"""What can be done in a race. Each function is one transaction, committed when it returns.

What a race does by itself (go, its end, an idle room) is done by whoever looks next, and by
`keep`, which every server calls several times a second: a restart loses nothing.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from app.db import Database
from app.errors import Busy, GameUnknown, NotInRace, RaceNotFound, RaceNotOver, RequestInvalid
from app.games import seals
from app.games import store as games_store
from app.games.service import GameService
from app.games.store import Stored
from app.i18n import gettext as _
from app.jobs.service import NEXT, JobService
from app.players import service as players
from app.races import machine, standing, store
from app.races.machine import PACES, STRENGTHS, Room
from app.races.standing import Runner
from engine.deals import SEALED_DEALS, commitment, parse_code, sealed_code
from engine.variants import BY_KEY, BY_RULE, Variant

_ID_BYTES = 12
_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_LATE_MS = 2_000
FIRST_MOVE_MS = 1_500
"""How long a computer player looks at the cards before its first move, at the least."""


@dataclass(frozen=True, slots=True)
class RaceView:
    """A race for one player, or for everybody (`me` None, and `code` only when it is open to all).

    `host` and `me` are seats, `game_id` is one's own game. `commitment` is None before go: until
    then a deal that can be won may still take the place of the first one. `event` rises with
    every change of the room and of its games. Times in ms since 1970; `now` is the server's.
    """

    id: str
    letters: str
    variant: Variant
    duel: bool
    state: machine.State
    host: int
    commitment: str | None
    code: str | None
    starts_at: int | None
    ended_at: int | None
    next_id: str | None
    now: int
    event: int
    runners: tuple[Runner, ...]
    me: int | None = None
    game_id: str | None = None

    @property
    def ranked(self) -> list[Runner]:
        """The runners as they stand; by seat before the race."""
        return standing.order(self.runners) if self.begun else list(self.runners)

    @property
    def begun(self) -> bool:
        """Whether the cards have been dealt."""
        return self.state in ("running", "over")

    @property
    def mine(self) -> Runner | None:
        """One's own entry."""
        return next((each for each in self.runners if each.seat == self.me), None)


@dataclass(frozen=True, slots=True)
class Entered:
    """A race that a player has come into, and the player's token (a new one at the first write)."""

    view: RaceView
    token: str


class RaceService:
    """The races of one database."""

    def __init__(self, database: Database, games: GameService, jobs: JobService) -> None:
        self._database = database
        self._games = games
        self._jobs = jobs
        self.now: Callable[[], int] = games.now

    # --- reading --------------------------------------------------------------------------

    def see(self, ref: str, token: str | None) -> RaceView:
        """A race by its id or letters. Raises RaceNotFound."""
        self._settle(ref)
        with self._database.read() as connection:
            player = players.find(connection, token)
            return self._view(connection, _found(connection, ref), player.id if player else None)

    def shared(self, race_id: str) -> RaceView:
        """A race as everybody may see it. Raises RaceNotFound."""
        return self.see(race_id, None)

    def boards(self, view: RaceView) -> dict[int, Stored]:
        """The finished games that whoever the view is for may see, by seat."""
        with self._database.read() as connection:
            found = {
                each.seat: games_store.load(connection, each.game_id)
                for each in view.runners
                if each.game_id
            }
        return {seat: stored for seat, stored in found.items() if stored}

    def _view(self, connection: Connection, room: Room, player_id: int | None) -> RaceView:
        now, me = self.now(), room.entry(player_id)
        is_over = room.state == "over"
        known = not seals.kept_from(connection, player_id, [room.code], now)
        found = store.runners(connection, room, now)
        placed = standing.places(found, is_over)
        event = room.version + sum(each.version for each in found)
        shown = tuple(
            replace(
                each,
                place=placed.get(each.seat),
                game_id=each.game_id if known and each.state in ("won", "ended") else None,
            )
            for each in found
        )
        return RaceView(
            id=room.id,
            letters=room.letters,
            variant=BY_RULE[room.rule],
            duel=room.duel,
            state=room.state,
            host=room.host,
            commitment=None if room.gathers else commitment(parse_code(room.code)),
            code=room.code if known else None,
            starts_at=room.starts_at,
            ended_at=room.ended_at,
            next_id=room.next_id,
            now=now,
            event=event,
            runners=shown,
            me=me.seat if me else None,
            game_id=me.game_id if me else None,
        )

    # --- coming and going -----------------------------------------------------------------

    def open(self, token: str | None, key: str) -> Entered:
        """Open a room for a kind of game; who opens it is host. Raises GameUnknown."""
        with self._database.write() as connection:
            player, token = players.find_or_create(connection, token, self.now())
            room = self._opened(connection, _rule(key))
            room = self._saved(connection, room, machine.join(room, player.id, self.now()))
            view = self._view(connection, room, player.id)
        self._ask_for_deal(view)
        return Entered(view, token)

    def duel(self, token: str | None, key: str, strength: str, pace: str) -> Entered:
        """A game against the computer, whose countdown begins at once.

        Raises GameUnknown, RequestInvalid.
        """
        _check_opponent(strength, pace)
        with self._database.write() as connection:
            player, token = players.find_or_create(connection, token, self.now())
            room = self._dueling(connection, _rule(key), player.id, [(strength, pace)])
            view = self._view(connection, room, player.id)
        self._ask_for_deal(view)
        return Entered(view, token)

    def join(self, ref: str, token: str | None) -> Entered:
        """Come into a room. Raises RaceNotFound and what `machine.join` does."""
        self._settle(ref)
        with self._database.write() as connection:
            room = _found(connection, ref, locked=True)
            player, token = players.find_or_create(connection, token, self.now())
            room = self._saved(connection, room, machine.join(room, player.id, self.now()))
            return Entered(self._view(connection, room, player.id), token)

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

    def rematch(self, ref: str, token: str | None) -> Entered:
        """The same players' next race: opened by the first who asks, joined by the others.

        Computer players come along. Raises RaceNotFound, NotInRace, RaceNotOver, and for a rematch
        that has begun without the player what `machine.join` does.
        """
        self._settle(ref)
        with self._database.write() as connection:
            room = _found(connection, ref, locked=True)
            player = players.find(connection, token)
            entry = room.entry(player.id) if player else None
            if player is None or entry is None or token is None:
                raise NotInRace(_("Only who has played it asks for a rematch"))
            if room.state != "over":
                raise RaceNotOver(_("The race is not over yet"))
            made = _found(connection, room.next_id, locked=True) if room.next_id else None
            if made is None or made.state == "closed":
                made = self._rematched(connection, room, player.id)
                store.save(connection, room, replace(room, next_id=made.id))
            else:
                made = self._saved(connection, made, machine.join(made, player.id, self.now()))
            view = self._view(connection, made, player.id)
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

    def _rematched(self, connection: Connection, room: Room, player_id: int) -> Room:
        computers = [
            (each.strength, each.pace) for each in room.entries if each.strength and each.pace
        ]
        if room.duel:
            return self._dueling(connection, room.rule, player_id, computers)
        made = self._opened(connection, room.rule)
        after = machine.join(made, player_id, self.now())
        return self._saved(
            connection, made, self._with_computers(connection, after, player_id, computers)
        )

    def _dueling(
        self, connection: Connection, rule: str, player_id: int, computers: list[tuple[str, str]]
    ) -> Room:
        room = self._opened(connection, rule)
        after = machine.join(room, player_id, self.now())
        after = self._with_computers(connection, after, player_id, computers)
        after = machine.set_ready(after, player_id, True, self.now())
        return self._saved(connection, room, replace(after, duel=True))

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

    # --- what happens by itself -----------------------------------------------------------

    def keep(self) -> None:
        """Do what is due in all rooms."""
        with self._database.read() as connection:
            due = store.due(connection, self.now())
        for race_id in due:
            self._settle(race_id)

    def _settle(self, ref: str) -> None:
        """Do what is due in one room. Raises RaceNotFound."""
        with self._database.read() as connection:
            room = _found(connection, ref)
            if not self._is_due(connection, room):
                return
        with self._database.write() as connection:
            room = _found(connection, ref, locked=True)
            if self._is_due(connection, room):
                self._saved(connection, room, self._settled(connection, room))

    def _is_due(self, connection: Connection, room: Room) -> bool:
        now = self.now()
        if room.state == "running":
            return machine.is_late(room, now) or not store.playing(connection, room)
        return machine.begins(room, now) or machine.is_idle(room, now)

    def _settled(self, connection: Connection, room: Room) -> Room:
        now = self.now()
        if room.state == "countdown":
            return self._begun(connection, room)
        if room.state == "lobby":
            return machine.close(room, now)
        for game_id in store.playing(connection, room):
            self._games.end_within(connection, game_id)
        seals.open_at(connection, room.code, now)
        return machine.end(room, now)

    def _begun(self, connection: Connection, room: Room) -> Room:
        """Go: everybody's clock runs from the moment that was announced."""
        assert room.starts_at is not None
        now = self.now()
        at = room.starts_at if now - room.starts_at <= _LATE_MS else now  # the server was away
        humans = sum(each.strength is None for each in room.entries)
        return machine.begin(
            replace(room, starts_at=at),
            [
                self._games.deal_race(
                    connection,
                    each.player_id,
                    parse_code(room.code),
                    room.id,
                    at,
                    unlisted=each.strength is not None or humans < machine.LEAST,
                )
                for each in room.entries
            ],
            now,
        )

    # --- shared ---------------------------------------------------------------------------

    def _changed(
        self, ref: str, token: str | None, work: Callable[[Connection, Room, int], Room]
    ) -> RaceView:
        """Change a room as one of its players. Raises RaceNotFound and what the work does."""
        self._settle(ref)
        with self._database.write() as connection:
            room = _found(connection, ref, locked=True)
            player = players.find(connection, token)
            if player is None:
                raise NotInRace(_("You are not in this room"))
            room = self._saved(connection, room, work(connection, room, player.id))
            return self._view(connection, room, player.id)

    def _saved(self, connection: Connection, before: Room, after: Room) -> Room:
        saved = store.save(connection, before, after)
        if saved.state == "running" and before.state != "running":
            computers = [each.seat for each in saved.entries if each.strength]
            store.wake(connection, saved.id, computers, self.now() + FIRST_MOVE_MS)
        return saved


def read_ref(text: str) -> str:
    """A race's letters as people type them, or an id, or a link to it."""
    last = text.strip().rstrip("/").rpartition("/")[2]
    letters = "".join(char for char in last.upper() if char.isalpha())
    spaced = len(last) <= 2 * len(letters) and not any(char.isdigit() for char in last)
    return letters if spaced and store.LETTERS.fullmatch(letters) else last


def _found(connection: Connection, ref: str, *, locked: bool = False) -> Room:
    room = store.find(connection, read_ref(ref), locked=locked)
    if room is None:
        raise RaceNotFound(_("No race has this link or these letters; they may be mistyped"))
    return room


def _letters() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(6))


def _rule(key: str) -> str:
    if key not in BY_KEY:
        raise GameUnknown(
            _("“%(game)s” is no game; these are: %(games)s")
            % {"game": key[:40], "games": ", ".join(BY_KEY)}
        )
    return BY_KEY[key].rule


def _check_opponent(strength: str, pace: str) -> None:
    if strength not in STRENGTHS:
        raise RequestInvalid(f"“strength” is one of {', '.join(STRENGTHS)}")
    if pace not in PACES:
        raise RequestInvalid(f"“pace” is one of {', '.join(PACES)}")
