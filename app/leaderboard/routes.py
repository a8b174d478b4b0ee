"""The leaderboard's page and its JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from app.context import know_player, services
from app.deals.codes import read_code
from app.errors import GameUnknown
from app.leaderboard.service import PERIODS, Board, deal_board, game_board
from app.players.service import token_of
from app.responses import page
from engine.variants import BY_KEY

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/v1", tags=["leaderboard"])

Period = Literal["day", "week", "all"]


class RowOut(BaseModel):
    """A result; `clean`: no undo and no hint; `first_try`: the player’s first game on the deal.

    `/games/{game_id}/replay` replays it; `code` and `game_id` are null while the deal is sealed.
    """

    place: int
    name: str | None
    score: int
    moves: int
    time_ms: int
    undos: int
    hints: int
    clean: bool
    first_try: bool
    won: bool
    me: bool
    code: str | None
    game_id: str | None
    when: int


class BoardOut(BaseModel):
    """A leaderboard: the rows in order, and your own row where it is further down."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "rows": [
                        {
                            "place": 1,
                            "name": "Klondike Kate",
                            "score": 625,
                            "moves": 104,
                            "time_ms": 238000,
                            "undos": 0,
                            "hints": 0,
                            "clean": True,
                            "first_try": True,
                            "won": True,
                            "me": False,
                            "code": "YU1-C-AAAAAAB",
                            "game_id": "kM3v9Qd1xT0aYw7cB2Zp",
                            "when": 1796083200000,
                        }
                    ],
                    "me": None,
                }
            ]
        }
    )

    rows: list[RowOut]
    me: RowOut | None


def _out(board: Board) -> BoardOut:
    rows = [RowOut.model_validate(asdict(row)) for row in board.rows]
    return BoardOut(rows=rows, me=RowOut.model_validate(asdict(board.me)) if board.me else None)


@router.get("/leaderboard")
async def leaderboard_page(request: Request, game: str = "all", period: str = "all") -> Response:
    """The leaderboard; what is no choice shows all."""
    on = services(request)
    key = game if game in BY_KEY else "all"
    within = period if period in PERIODS else "all"
    await know_player(request)
    board = await on.database.run(game_board, on.database, key, within, token_of(request), on.now())
    return page(
        request,
        "leaderboard.html",
        page="leaderboard",
        rows=board.rows,
        tab={"game": key, "period": within},
    )


@api.get("/leaderboard", summary="The leaderboard")
async def leaderboard(
    request: Request,
    game: Annotated[str, Query(description="A game’s key, or all", max_length=40)] = "all",
    period: Period = "all",
) -> BoardOut:
    """The best results, each player’s best on each deal; days and weeks are UTC."""
    if game != "all" and game not in BY_KEY:
        raise GameUnknown(f"“{game}” is no game; these are: all, {', '.join(BY_KEY)}")
    on = services(request)
    return _out(
        await on.database.run(game_board, on.database, game, period, token_of(request), on.now())
    )


@api.get("/deals/{code}/leaderboard", summary="A deal’s leaderboard")
async def deal_leaderboard(request: Request, code: str) -> BoardOut:
    """The best results on a deal, one a player."""
    on = services(request)
    return _out(
        await on.database.run(deal_board, on.database, read_code(code), token_of(request), on.now())
    )
