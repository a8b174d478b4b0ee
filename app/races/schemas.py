"""Races in JSON."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AliasPath, BaseModel, ConfigDict, Field

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

    model_config = ConfigDict(from_attributes=True)

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


_RACER: dict[str, Any] = {
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


class MarkOut(BaseModel):
    """How far a ghost had come at `at` ms of its clock: cards on the foundations, moves."""

    model_config = ConfigDict(from_attributes=True)

    at: int
    cards: int
    moves: int


class GhostOut(BaseModel):
    """A game of yours and its ghost as they stand at `now` (ms since 1970).

    `state`: `running`, or `over` once your game is. Until then the ghost stands as it did at your
    clock’s time, and its `game_id` is null. `marks` are all its steps, so that a program can go by
    its own clock; `time_ms` is its whole time. Of two wins the smaller `elapsed_ms` was faster.
    """

    model_config = ConfigDict(
        from_attributes=True,
        json_schema_extra={
            "examples": [
                {
                    "state": "running",
                    "now": 1796112065000,
                    "mine": _RACER,
                    "ghost": {**_RACER, "seat": 2, "name": "Leo", "cards": 4, "moves": 28},
                    "marks": [
                        {"at": 0, "cards": 0, "moves": 0},
                        {"at": 2100, "cards": 1, "moves": 1},
                    ],
                    "time_ms": 412600,
                }
            ]
        },
    )

    state: Literal["running", "over"]
    now: int
    mine: RunnerOut
    ghost: RunnerOut
    marks: list[MarkOut]
    time_ms: int


class RaceOut(BaseModel):
    """A race; times in ms since 1970 by the server’s clock, whose time is `now`.

    `state`: `lobby`, `countdown` (to `starts_at`), `running`, `over` or `closed`. `code` is null
    until you have finished, or the race is over; `commitment` is its SHA-256,
    null before go. `host` and `me` are
    seats, `game_id` is your own game, `next_id` the rematch. `event` rises with every change,
    except of `spectators`: how many watch. `players` come as they stand. In the stream `me` and
    `game_id` are null: everybody gets the same.
    """

    model_config = ConfigDict(
        from_attributes=True,
        validate_by_name=True,
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
                    "spectators": 3,
                    "players": [
                        _RACER,
                    ],
                    "me": 1,
                    "game_id": "HkR2vB8aXq1LmN0pQwErT",
                }
            ]
        },
    )

    id: str
    letters: str
    game: str = Field(validation_alias=AliasPath("variant", "key"))
    rule: str = Field(validation_alias=AliasPath("variant", "rule"))
    against_computer: bool = Field(validation_alias="duel")
    state: Literal["lobby", "countdown", "running", "over", "closed"]
    host: int
    commitment: str | None
    code: str | None
    starts_at: int | None
    ended_at: int | None
    next_id: str | None
    now: int
    event: int
    spectators: int
    players: list[RunnerOut] = Field(validation_alias="ranked")
    me: int | None
    game_id: str | None
