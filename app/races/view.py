"""A race as whoever asks may see it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlalchemy import Connection

from app.errors import RaceNotFound
from app.games import seals
from app.i18n import gettext as _
from app.races import machine, spectators, standing, store
from app.races.machine import Room
from app.races.standing import Runner
from engine.deals import commitment, parse_code
from engine.variants import BY_RULE, Variant


@dataclass(frozen=True, slots=True)
class RaceView:
    """A race for one player, or for everybody (`me` None, and `code` only when it is open to all).

    `host` and `me` are seats, `game_id` is one's own game. `commitment` is None before go: until
    then a deal that can be won may still take the place of the first one. `shares_browser`: two
    players have come in from one browser (known before go). `event` rises with every change of the
    room and of its games; `spectators`: how many watch. Times in ms since 1970; `now` is the
    server's.
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
    spectators: int = 0
    shares_browser: bool = False
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


def view_of(connection: Connection, room: Room, player_id: int | None, now: int) -> RaceView:
    """The race as this player may see it, or everybody (None). `now`: ms since 1970."""
    me = room.entry(player_id)
    is_over = room.state == "over"
    known = not seals.kept_from(connection, player_id, [room.code], now)
    runners = store.runners(connection, room, now)
    placed = standing.places(runners, is_over)
    event = room.version + sum(each.version for each in runners)
    shown = tuple(
        replace(
            each,
            place=placed.get(each.seat),
            game_id=each.game_id if known and each.state in ("won", "ended") else None,
        )
        for each in runners
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
        spectators=spectators.count(connection, room.id, now),
        shares_browser=room.shares_browser,
        me=me.seat if me else None,
        game_id=me.game_id if me else None,
    )


def read_ref(text: str) -> str:
    """A race's letters as people type them, or an id, or a link to it."""
    last = text.strip().rstrip("/").rpartition("/")[2]
    letters = "".join(char for char in last.upper() if char.isalpha())
    spaced = len(last) <= 2 * len(letters) and not any(char.isdigit() for char in last)
    return letters if spaced and store.LETTERS.fullmatch(letters) else last


def found(connection: Connection, ref: str, *, locked: bool = False) -> Room:
    """The room by its id, letters or link. Raises RaceNotFound."""
    room = store.find(connection, read_ref(ref), locked=locked)
    if room is None:
        raise RaceNotFound(_("No race has this link or these letters; they may be mistyped"))
    return room
