"""Races in JSON."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.races.standing import Runner
from app.races.view import RaceView

Strength = Literal["greedy", "casual", "strong", "expert"]
Pace = Literal["leisurely", "steady", "quick"]


class ComputerIn(BaseModel):
    """A computer player: how it thinks, and how fast it plays."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"strength": "strong", "pace": "steady"}]}
    )

    strength: Strength
    pace: Pace = "steady"


class NewRace(BaseModel):
    """Which game to race in; with `against` one to one with the computer, started at once."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"game": "yukon"},
                {"game": "yukon", "against": {"strength": "strong", "pace": "steady"}},
            ]
        },
    )

    game: Annotated[str, Field(max_length=40, description="A game’s key")]
    against: ComputerIn | None = None


class ReadyIn(BaseModel):
    """Whether you are ready."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"ready": True}]})

    ready: bool


class SeatIn(BaseModel):
    """A seat of the room."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"seat": 2}]})

    seat: Annotated[int, Field(ge=1, le=8)]


class RunnerOut(BaseModel):
    """A player as everybody sees them; a computer player has a `strength`.

    `cards` lie on the foundations, of `of`. `place` is null until it is certain, `game_id` until
    you may see the board: when you have finished too, or the race is over.
    """

    seat: int
    name: str | None
    strength: Strength | None
    pace: Pace | None
    state: Literal["waiting", "ready", "racing", "won", "ended"]
    cards: int
    of: int
    moves: int
    elapsed_ms: int
    place: int | None
    game_id: str | None


class RaceOut(BaseModel):
    """A race; times in ms since 1970 by the server’s clock, whose time is `now`.

    `state`: `lobby`, `countdown` (to `starts_at`), `running`, `over` or `closed`. `code` is null
    until you have finished, or the race is over; `commitment` is its SHA-256,
    null before go. `host` and `me` are
    seats, `game_id` is your own game, `next_id` the rematch. `event` rises with every change. In
    the stream `me` and `game_id` are null: everybody gets the same.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": "9dT0hB2pXqUuQf3k",
                    "letters": "KESTRN",
                    "game": "yukon",
                    "rule": "C",
                    "against_computer": False,
                    "state": "running",
                    "host": 1,
                    "commitment": "0d6be69b264717f2" * 4,
                    "code": None,
                    "starts_at": 1796112005000,
                    "ended_at": None,
                    "next_id": None,
                    "now": 1796112065000,
                    "event": 61,
                    "players": [
                        {
                            "seat": 1,
                            "name": "Kate",
                            "strength": None,
                            "pace": None,
                            "state": "racing",
                            "cards": 7,
                            "of": 52,
                            "moves": 31,
                            "elapsed_ms": 60000,
                            "place": None,
                            "game_id": None,
                        }
                    ],
                    "me": 1,
                    "game_id": "HkR2vB8aXq1LmN0pQwErT",
                }
            ]
        }
    )

    id: str
    letters: str
    game: str
    rule: str
    against_computer: bool
    state: Literal["lobby", "countdown", "running", "over", "closed"]
    host: int
    commitment: str | None
    code: str | None
    starts_at: int | None
    ended_at: int | None
    next_id: str | None
    now: int
    event: int
    players: list[RunnerOut]
    me: int | None
    game_id: str | None


def _runner_out(runner: Runner) -> RunnerOut:
    return RunnerOut.model_validate(
        {name: getattr(runner, name) for name in RunnerOut.model_fields}
    )


def race_out(view: RaceView) -> RaceOut:
    """The JSON of a race; its players as they stand."""
    return RaceOut(
        id=view.id,
        letters=view.letters,
        game=view.variant.key,
        rule=view.variant.rule,
        against_computer=view.duel,
        state=view.state,
        host=view.host,
        commitment=view.commitment,
        code=view.code,
        starts_at=view.starts_at,
        ended_at=view.ended_at,
        next_id=view.next_id,
        now=view.now,
        event=view.event,
        players=[_runner_out(each) for each in view.ranked],
        me=view.me,
        game_id=view.game_id,
    )
