"""The JSON of games, as the contract in docs/formats.md has it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from app.games.store import Stored
from app.games.table import shown_code, status_of
from engine.view import board_view

FACE_DOWN = "??"
GAME_EXAMPLE: dict[str, Any] = {
    "id": "kM3v9Qd1xT0aYw7cB2Zp",
    "game": "yukon",
    "rule": "C",
    "code": "YU1-C-AAAAAAB",
    "version": 1,
    "status": "playing",
    "score": 0,
    "moves": 1,
    "undos": 0,
    "hints": 0,
    "elapsed_ms": 4021,
    "tableau": [
        ["6H"],
        ["??", "6D", "6C", "9S", "9H", "7D"],
        ["??", "??", "2D", "5H", "TH", "7C", "2H", "AC", "JD", "4S"],
        ["??", "??", "??", "8C", "QS"],
        ["??", "??", "??", "??", "4D", "KH", "JS", "KD", "4H"],
        ["??", "??", "??", "??", "??", "QC", "TD", "QD", "4C", "5D"],
        ["??", "??", "??", "??", "??", "??", "2C", "8H", "AD", "7H", "TC"],
    ],
    "foundations": [[], [], [], []],
    "stock": 0,
    "waste": [],
    "cells": [],
    "reserve": [],
    "can_undo": True,
    "can_redo": False,
    "legal_moves": ["t3x2-t4", "t3-t6", "t2x2-t7"],
}

MoveText = Annotated[
    str, Field(min_length=1, max_length=16, examples=["t4x3-t2"], description="A move’s notation")
]
Version = Annotated[
    int,
    Field(
        strict=True,
        ge=0,
        le=2**31 - 1,
        examples=[7],
        description="The version the write is made on",
    ),
]


class NewGame(BaseModel):
    """Which game to start: a kind of game on a fresh deal, or the deal of a code."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"game": "yukon"}, {"code": "YU1-C-AAAAAAB"}]},
        populate_by_name=True,
    )

    game: Annotated[str | None, Field(max_length=40, description="A game’s key")] = None
    code: Annotated[str | None, Field(max_length=2048, description="A deal code")] = None
    difficulty: Annotated[
        Literal["easy", "medium", "hard"] | None,
        Field(description="A winnable deal that was measured to be so hard, none that you had"),
    ] = None
    left: Annotated[
        str | None,
        Field(alias="from", max_length=40, description="A game of yours that this one replaces"),
    ] = None

    @model_validator(mode="after")
    def _one_of(self) -> NewGame:
        if (self.game is None) == (self.code is None):
            raise ValueError("give either “game” or “code”")
        if self.difficulty and self.code is not None:
            raise ValueError("a code names its deal; “difficulty” goes with “game”")
        return self


class MoveIn(BaseModel):
    """A move, and the version of the game that it is made on."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"move": "t4-f", "version": 7}]}
    )

    move: MoveText
    version: Version


class VersionIn(BaseModel):
    """The version of the game that a write is made on."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"version": 7}]})

    version: Version


class BackIn(BaseModel):
    """Undo until the line has `length` moves."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"length": 12, "version": 31}]}
    )

    length: Annotated[int, Field(ge=0, le=10_000)]
    version: Version


class ClockIn(BaseModel):
    """A page’s report to the clock."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"state": "hidden"}]})

    state: Literal["hidden", "shown", "paused", "tick"]


class GameOut(BaseModel):
    """A game as its player sees it; `??` is a face-down card.

    `code` is null while a sealed deal is being played. `foundations` lists spades, hearts,
    diamonds, clubs (two packs: each suit’s two piles side by side).
    """

    model_config = ConfigDict(json_schema_extra={"examples": [GAME_EXAMPLE]})

    id: str
    game: str
    rule: str
    code: str | None
    version: int
    status: Literal["playing", "won", "stuck", "ended"]
    score: int
    moves: int
    undos: int
    hints: int
    elapsed_ms: int
    tableau: list[list[str]]
    foundations: list[list[str]]
    stock: int
    waste: list[str]
    cells: list[list[str]]
    reserve: list[str]
    can_undo: bool
    can_redo: bool
    legal_moves: list[str]


class ProblemOut(BaseModel):
    """A refused request (RFC 9457, `application/problem+json`); `code` is stable.

    With 409 and 422 on a game, `game` is the game as it stands; `rule` names the broken rule.
    """

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "examples": [
                {
                    "type": "/problems/move-illegal",
                    "title": "The rules refuse this move",
                    "status": 422,
                    "detail": "Only a king goes on an empty pile, not the ten of hearts.",
                    "code": "move-illegal",
                    "rule": "empty-pile",
                    "move": "t4x3-t2",
                }
            ]
        },
    )

    type: str
    title: str
    status: int
    detail: str
    code: str


def game_out(stored: Stored, now: int) -> GameOut:
    """The JSON of a game at `now`."""
    game, view = stored.game, board_view(stored.game.position)
    playing = stored.status == "playing"
    legal = game.legal_moves() if playing else []
    return GameOut(
        id=stored.id,
        game=game.rules.variant.key,
        rule=stored.code.rule,
        code=shown_code(stored),
        version=stored.version,
        status=status_of(stored, legal),
        score=game.score.points,
        moves=game.moves,
        undos=game.undos,
        hints=stored.hints,
        elapsed_ms=stored.clock.at(now),
        tableau=[[name or FACE_DOWN for name in pile] for pile in view.tableau],
        foundations=[list(pile) for pile in view.foundations],
        stock=view.stock,
        waste=list(view.waste),
        cells=[list(pile) for pile in view.cells],
        reserve=list(view.reserve),
        can_undo=playing and game.can_undo,
        can_redo=playing and game.can_redo,
        legal_moves=[str(move) for move in legal],
    )
