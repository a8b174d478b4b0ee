"""A race's room as a state machine: pure, without a clock or a database.

    lobby ──all ready──▶ countdown ──go──▶ running ──all finished──▶ over
      │◀──not ready, left──┘
      └──everybody left, or nothing happened for long──▶ closed

Each function returns the room after it, or raises what `app.errors` has for it. Asked twice it
changes nothing the second time. `now` is the server's time in ms since 1970.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from app.errors import (
    NotInRace,
    NotTheHost,
    RaceClosed,
    RaceFull,
    RaceUnderWay,
)
from app.i18n import gettext as _

State = Literal["lobby", "countdown", "running", "over", "closed"]

LEAST, MOST = 2, 8
SPECTATORS = 200
COUNTDOWN_MS = 5_000
LIMIT_MS = 60 * 60_000
"""A race that is not over by then is: who is still playing is out of time."""
IDLE_MS = 60 * 60_000
"""A room in which nothing has happened for so long is closed."""

STRENGTHS = ("greedy", "casual", "strong", "expert")
PACES = {"leisurely": 6_000, "steady": 3_500, "quick": 1_800}
"""Milliseconds from one move of a computer player to the next, on the whole."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A player of a race. A computer player has a `strength` and a `pace`, and is always ready.

    `browser` is the hash of the browser's secret that the player came in with (None: it had none,
    or the race has begun).
    """

    seat: int
    player_id: int
    joined_at: int
    ready: bool = False
    strength: str | None = None
    pace: str | None = None
    game_id: str | None = None
    browser: bytes | None = None


@dataclass(frozen=True, slots=True)
class Room:
    """A race: `host` is a seat, `duel` a game against the computer, which nobody else joins.

    `starts_at` is when the countdown ends (or has ended), `next_id` the rematch.
    """

    id: str
    letters: str
    code: str
    rule: str
    duel: bool
    state: State
    host: int
    changed_at: int
    entries: tuple[Entry, ...] = ()
    version: int = 0
    starts_at: int | None = None
    ended_at: int | None = None
    next_id: str | None = None

    def entry(self, player_id: int | None) -> Entry | None:
        """A player's entry."""
        return next((each for each in self.entries if each.player_id == player_id), None)

    @property
    def gathers(self) -> bool:
        """Whether the race has not begun."""
        return self.state in ("lobby", "countdown")

    @property
    def shares_browser(self) -> bool:
        """Whether two players came in from one browser: then the race ranks nobody."""
        known = [each.browser for each in self.entries if each.browser is not None]
        return len(known) > len(set(known))

    @property
    def unlisted(self) -> bool:
        """Whether the race's games are on no leaderboard."""
        people = sum(each.strength is None for each in self.entries)
        return people < LEAST or self.shares_browser


def join(room: Room, player_id: int, now: int, browser: bytes | None = None) -> Room:
    """A player comes in; one who is in already stays, whatever has become of the race.

    Raises RaceUnderWay, RaceClosed, RaceFull.
    """
    if room.entry(player_id):
        return room
    _check_open(room)
    if room.state == "countdown" or room.duel:
        raise RaceUnderWay(_("The countdown runs already; you can watch"))
    return _seated(room, Entry(_free_seat(room), player_id, now, browser=browser), now)


def add_computer(room: Room, by: int, player_id: int, strength: str, pace: str, now: int) -> Room:
    """The host adds a computer player. Raises as `join` does, NotInRace and NotTheHost."""
    _check_open(room)
    _check_host(room, by)
    entry = Entry(_free_seat(room), player_id, now, True, strength, pace)
    return _gathered(_seated(replace(room, state="lobby"), entry, now), now)


def set_ready(room: Room, player_id: int, ready: bool, now: int) -> Room:
    """A player is ready, or not after all: the countdown begins, or is called off.

    Raises NotInRace, RaceUnderWay (the answer came too late), RaceClosed.
    """
    entry = _check_in(room, player_id)
    _check_open(room)
    if entry.ready == ready:
        return room
    entries = tuple(
        replace(each, ready=ready) if each.player_id == player_id else each for each in room.entries
    )
    return _gathered(replace(room, entries=entries), now)


def leave(room: Room, player_id: int, now: int) -> Room:
    """A player leaves the room before the race: the next human player is host.

    The room closes with the last human. Once the race has begun a player is in it to the end (and
    may give up). Raises NotInRace, RaceUnderWay.
    """
    if room.entry(player_id) is None and room.gathers:
        raise NotInRace(_("You are not in this room"))
    if room.state in ("over", "closed"):
        return room
    if room.state == "running":
        _check_in(room, player_id)
        raise RaceUnderWay(_("The race has begun; you can give it up"))
    return _without(room, player_id, now)


def remove(room: Room, by: int, seat: int, now: int) -> Room:
    """The host sends somebody away, or takes a computer player out.

    Raises NotInRace, NotTheHost, RaceUnderWay, RaceClosed.
    """
    _check_open(room)
    _check_host(room, by)
    gone = next((each for each in room.entries if each.seat == seat), None)
    return room if gone is None or gone.player_id == by else _without(room, gone.player_id, now)


def begins(room: Room, now: int) -> bool:
    """Whether the countdown is over."""
    return room.state == "countdown" and room.starts_at is not None and now >= room.starts_at


def begin(room: Room, games: Iterable[str], now: int) -> Room:
    """Go: each player gets a game, in the order of the entries; browsers are forgotten."""
    entries = tuple(
        replace(each, game_id=game_id, browser=None)
        for each, game_id in zip(room.entries, games, strict=True)
    )
    return replace(room, state="running", entries=entries, changed_at=now)


def is_late(room: Room, now: int) -> bool:
    """Whether the time of the race is over."""
    return (
        room.state == "running" and room.starts_at is not None and now >= room.starts_at + LIMIT_MS
    )


def end(room: Room, now: int) -> Room:
    """Everybody has finished, given up, or run out of time."""
    return replace(room, state="over", ended_at=now, changed_at=now)


def is_idle(room: Room, now: int) -> bool:
    """Whether the room has been left alone for too long."""
    return room.state == "lobby" and now >= room.changed_at + IDLE_MS


def close(room: Room, now: int) -> Room:
    """The room is closed."""
    return replace(room, state="closed", starts_at=None, changed_at=now)


def _seated(room: Room, entry: Entry, now: int) -> Room:
    entries = tuple(sorted((*room.entries, entry), key=lambda each: each.seat))
    return replace(room, entries=entries, changed_at=now)


def _without(room: Room, player_id: int, now: int) -> Room:
    entries = tuple(each for each in room.entries if each.player_id != player_id)
    humans = [each for each in entries if each.strength is None]
    if not humans:
        return close(replace(room, entries=()), now)
    host = room.host
    if all(each.seat != host for each in humans):
        host = min(humans, key=lambda each: (each.joined_at, each.seat)).seat
    return _gathered(replace(room, entries=entries, host=host), now)


def _gathered(room: Room, now: int) -> Room:
    """The countdown runs while two or more are there and all are ready."""
    if len(room.entries) < LEAST or not all(each.ready for each in room.entries):
        return replace(room, state="lobby", starts_at=None, changed_at=now)
    if room.state == "countdown":
        return replace(room, changed_at=now)
    return replace(room, state="countdown", starts_at=now + COUNTDOWN_MS, changed_at=now)


def _free_seat(room: Room) -> int:
    taken = {each.seat for each in room.entries}
    seat = next((seat for seat in range(1, MOST + 1) if seat not in taken), None)
    if seat is None:
        raise RaceFull(_("Eight players are in already; you can watch"))
    return seat


def _check_open(room: Room) -> None:
    if room.state == "closed":
        raise RaceClosed(_("Everybody has left this room; open another one"))
    if not room.gathers:
        raise RaceUnderWay(
            _("The race is over") if room.state == "over" else _("The race has begun")
        )


def _check_in(room: Room, player_id: int) -> Entry:
    entry = room.entry(player_id)
    if entry is None:
        raise NotInRace(_("You are not in this room"))
    return entry


def _check_host(room: Room, player_id: int) -> None:
    if _check_in(room, player_id).seat != room.host:
        raise NotTheHost(_("Only the one who opened the room can do this"))
