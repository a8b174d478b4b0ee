"""Daily deals as people and programs meet them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from app import days
from app.daily import store
from app.daily.store import Daily
from app.db import Database
from app.errors import Busy, DailyNotReady
from app.games import seals
from app.games.results import day_of
from app.games.service import GameService, Started
from app.games.store import playing_sealed
from app.i18n import gettext as _
from app.jobs.service import LATER, SOON, JobService
from app.players import service as players
from engine.variants import BY_RULE, Variant

Mark = Literal["won", "lost", "later", "missed", "open", "future"]
WEEK = 7


@dataclass(frozen=True, slots=True)
class Square:
    """A day of the calendar; `code` is its deal's, once the day is over.

    `mark`: the first try was `won` or `lost`, the deal was won `later`; `missed`: not played;
    `open`: today, not finished; `future`.
    """

    day: int
    mark: Mark
    code: str | None


@dataclass(frozen=True, slots=True)
class Today:
    """A day's deal for one player.

    `state` is `ready`, `pending` (a worker is choosing) or `nobody` (no worker works). `code` is
    None while it is sealed for this player. `game_id` is their game under way; `first` whether
    the first try was won (None: not finished). `ends_at` in ms since 1970.
    """

    day: int
    variant: Variant
    state: Literal["ready", "pending", "nobody"]
    ends_at: int
    commitment: str | None = None
    code: str | None = None
    game_id: str | None = None
    first: bool | None = None
    streak: int = 0
    week: tuple[Square, ...] = ()


class DailyService:
    """The daily deals of one database."""

    def __init__(self, database: Database, games: GameService, jobs: JobService) -> None:
        self._database = database
        self._games = games
        self._jobs = jobs

    def today(self, rule: str, token: str | None, *, ask: bool = True) -> Today:
        """Today's deal; a worker is asked for it, and for tomorrow's, where there is none.

        Without `ask` nothing is asked for, and a deal that is not there is `pending`.
        """
        day = day_of(self._games.now())
        daily = self._of_day(day, rule)
        if not ask:
            return self._for(token, day, rule, daily, "ready")
        state = "ready" if daily else self._asked(day, rule, SOON)
        if daily and self._of_day(days.after(day), rule) is None:
            self._asked(days.after(day), rule, LATER)
        elif state == "ready" and daily is None:  # made since it was looked for
            daily = self._of_day(day, rule)
        return self._for(token, day, rule, daily, state)

    def seen(self, rule: str, token: str | None) -> Today:
        """Today's deal as it is known; nothing is asked for."""
        return self.today(rule, token, ask=False)

    def _of_day(self, day: int, rule: str) -> Daily | None:
        with self._database.read() as connection:
            return store.of_day(connection, day, rule)

    def _asked(self, day: int, rule: str, priority: int) -> Literal["ready", "pending", "nobody"]:
        subject, payload = f"{day}:{rule}", {"day": day, "rule": rule}
        try:
            job = self._jobs.ask("daily", subject, payload, priority)
        except Busy:
            return "pending"
        if job.state == "done":
            return "ready"
        return "nobody" if self._jobs.is_left(job) else "pending"

    def _for(
        self,
        token: str | None,
        day: int,
        rule: str,
        daily: Daily | None,
        state: Literal["ready", "pending", "nobody"],
    ) -> Today:
        now = self._games.now()
        tries: Mapping[int, bool] = {}
        later: set[int] = set()
        game_id = code = None
        first = days.after(day, 1 - WEEK)
        with self._database.read() as connection:
            player = players.find(connection, token)
            player_id = player.id if player else None
            if player_id is not None:
                tries = store.first_tries(connection, player_id, rule)
                later = store.later_wins(connection, player_id, rule)
            if daily is not None:
                kept = seals.kept_from(connection, player_id, [str(daily.code)], now)
                code = None if kept else str(daily.code)
                if player_id is not None:
                    under_way = playing_sealed(connection, player_id, daily.code)
                    game_id = under_way.id if under_way else None
            known = {each.day: each for each in store.between(connection, rule, first, day)}
        week = [
            _square(days.after(day, back), day, known, tries, later) for back in range(1 - WEEK, 1)
        ]
        return Today(
            day,
            BY_RULE[rule],
            state if daily or state != "ready" else "pending",
            days.end_of(day),
            daily.commitment if daily else None,
            code,
            game_id,
            tries.get(day),
            streak_of(tries, day),
            tuple(week),
        )

    def month(self, rule: str, month: int, token: str | None) -> list[Square]:
        """The calendar of a month, yyyymm."""
        today, all_days = day_of(self._games.now()), days.month_days(month)
        with self._database.read() as connection:
            player = players.find(connection, token)
            tries = store.first_tries(connection, player.id, rule) if player else {}
            later = store.later_wins(connection, player.id, rule) if player else set()
            found = store.between(connection, rule, all_days[0], min(all_days[-1], today))
        known = {daily.day: daily for daily in found}
        return [_square(day, today, known, tries, later) for day in all_days]

    def play(self, rule: str, token: str | None) -> Started:
        """Today's deal: the player's game under way on it, or a new one. Raises DailyNotReady."""
        daily = self._of_day(day_of(self._games.now()), rule)
        if daily is None:
            raise DailyNotReady(_("Today’s deal is being chosen; try again in a minute"))
        return self._games.deal_sealed(token, daily.code)

    def board_of(self, rule: str, day: int) -> Daily | None:
        """The deal whose leaderboard belongs to a day up to today."""
        if day > day_of(self._games.now()):
            return None
        return self._of_day(day, rule)


def _square(
    day: int, today: int, known: Mapping[int, Daily], tries: Mapping[int, bool], later: set[int]
) -> Square:
    daily = known.get(day) if day < today else None
    code = str(daily.code) if daily else None
    if day > today:
        return Square(day, "future", None)
    if tries.get(day):
        return Square(day, "won", code)
    if day in later:
        return Square(day, "later", code)
    if day in tries:
        return Square(day, "lost", code)
    return Square(day, "open" if day == today else "missed", code)


def streak_of(tries: Mapping[int, bool], today: int) -> int:
    """How many days in a row, up to today or yesterday, were won at the first try."""
    day, streak = today, 0
    if today not in tries:  # still to be played: the streak up to yesterday stands
        day = days.after(today, -1)
    while tries.get(day):
        streak, day = streak + 1, days.after(day, -1)
    return streak
