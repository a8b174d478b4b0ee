"""Ghosts: a finished game beside the table of who plays its deal now, as it stood at that time.

A ghost's progress is read from its own log: cards on the foundations and moves at the times of its
clock. The other game's clock says how far it has come, so that a pause pauses both. Its cards are
shown to nobody before the other game is over.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile

from app.db import Database
from app.errors import GameNotFound
from app.games import seals
from app.games import store as games_store
from app.games.service import GameService
from app.games.steps import is_owner
from app.games.store import Stored
from app.i18n import gettext as _
from app.races import standing, store
from app.races.standing import Runner, RunnerState
from app.replays.service import replay_of


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a game had come at `at` ms of its clock."""

    at: int
    cards: int
    moves: int


@dataclass(frozen=True, slots=True)
class GhostRace:
    """A game and its ghost, with the fields that the standing's templates show of a race.

    `id` is the game's. `marks` are the ghost's, in order; `time_ms` is its whole time.
    """

    id: str
    state: str
    now: int
    runners: tuple[Runner, Runner]
    marks: tuple[Mark, ...]
    time_ms: int
    me: int = 1
    duel: bool = False
    begun: bool = True
    event: int = 0
    spectators: int = 0
    starts_at: None = None
    next_id: None = None

    @property
    def ranked(self) -> list[Runner]:
        """The two as they stand, the first one first."""
        return standing.order(self.runners)

    @property
    def mine(self) -> Runner:
        """Who plays."""
        return self.runners[0]

    @property
    def ghost(self) -> Runner:
        """The game that was played before."""
        return self.runners[1]


class GhostService:
    """The ghosts of one database."""

    def __init__(self, database: Database, games: GameService) -> None:
        self._database = database
        self._games = games

    def of(self, game_id: str, token: str | None, now: int) -> GhostRace:
        """The ghost of a player's own game. Raises GameNotFound where there is none."""
        stored = self._games.see(game_id, token)
        found = self.beside(stored, now) if is_owner(stored, token) else None
        if found is None:
            raise GameNotFound(_("This game has no ghost"))
        return found

    def beside(self, stored: Stored, now: int) -> GhostRace | None:
        """A game's ghost as its owner sees it at `now`; None where there is none (any more)."""
        if stored.ghost_id is None:
            return None
        with self._database.read() as connection:
            ghost = games_store.load(connection, stored.ghost_id)
            if ghost is None:  # its player has deleted it
                return None
            log = games_store.log(connection, ghost.id)
            strength = store.strength_of(connection, ghost.id)
            kept = seals.kept_from(connection, stored.player_id, [str(stored.code)], now)
        marks = tuple(
            Mark(
                step.stored.clock.elapsed_ms,
                _cards(step.stored),
                step.stored.game.moves,
            )
            for step in replay_of(ghost, log).steps
        )
        is_over = stored.status != "playing"
        mine = _runner(stored, 1, stored.player_name or _("You"), stored.clock.at(now))
        if is_over:
            whose = _runner(ghost, 2, _name(stored, ghost), ghost.clock.elapsed_ms)
        else:
            whose = _at(ghost, marks, stored, now)
        whose = replace(
            whose,
            strength=strength,
            is_ghost=True,
            game_id=ghost.id if is_over and not kept else None,
        )
        placed = standing.places((mine, whose), is_over)
        return GhostRace(
            id=stored.id,
            state="over" if is_over else "running",
            now=now,
            runners=(
                replace(mine, place=placed.get(1)),
                replace(whose, place=placed.get(2)),
            ),
            marks=marks,
            time_ms=ghost.clock.elapsed_ms,
        )


def _cards(stored: Stored) -> int:
    return sum(map(len, stored.game.position.foundations))


def _name(stored: Stored, ghost: Stored) -> str:
    if stored.player_id == ghost.player_id:
        return _("Your earlier game")
    return ghost.player_name or _("Guest")


def _runner(stored: Stored, seat: int, name: str | None, elapsed_ms: int) -> Runner:
    state: RunnerState = "racing" if stored.status == "playing" else stored.status
    return Runner(
        seat,
        stored.player_id,
        name,
        None,
        None,
        state,
        cards=_cards(stored),
        of=13 * len(stored.game.position.foundations),
        moves=stored.game.moves,
        elapsed_ms=elapsed_ms,
        finished_at=elapsed_ms if state != "racing" else None,
    )


def _at(ghost: Stored, marks: tuple[Mark, ...], stored: Stored, now: int) -> Runner:
    """The ghost of a game under way at that game's time; before its first move nothing runs."""
    whole = _runner(ghost, 2, _name(stored, ghost), ghost.clock.elapsed_ms)
    time = stored.clock.at(now)
    if stored.game.moves and time >= ghost.clock.elapsed_ms:
        return whole
    passed = list(takewhile(lambda mark: mark.at <= time, marks)) if stored.game.moves else []
    mark = passed[-1] if passed else marks[0]
    return replace(
        whole, state="racing", cards=mark.cards, moves=mark.moves, elapsed_ms=time, finished_at=None
    )
