"""The page where a board, a record or a code is pasted, and its JSON."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import anyio.to_thread
from fastapi import APIRouter, Form, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from app.boards.service import Pasted, Report, read
from app.context import know_player, services
from app.errors import BoardUnreadable, CodeUnreadable
from app.games.schemas import GameOut, ProblemOut, game_out
from app.games.service import Started
from app.players.service import remember, token_of
from app.responses import page, see_other
from engine.boardtext import board_text
from engine.deals import deal, parse_code
from engine.variants import VARIANTS

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/v1/boards", tags=["games"])

_LONGEST = 65_536  # a request's own limit is about the same
_EXAMPLE = board_text(deal(parse_code("YU1-C-AAAAAAB")))
_LABELS = "Foundations: S-3 H-0 D-A C-0\nWaste: 5H 9C\nStock: TC 5D"
Wish = Literal["", "deal", "on", "watch"]
"""What is wanted of a record: its deal, playing on from its end, or its replay."""

_REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": ProblemOut, "description": text}
    for status, text in {
        403: "`from` is another player’s game, or a write from another site",
        404: "`from` is no game",
        409: "`from` is being played elsewhere",
        422: "Nothing that can be played: `faults` lists everything that is wrong",
    }.items()
}


class BoardIn(BaseModel):
    """A pasted text: a board text, a game record, or a deal’s code.

    `game` says which game a board is of. A record becomes a game that has its moves.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"game": "yukon", "text": _EXAMPLE}]},
        populate_by_name=True,
    )

    text: Annotated[str, Field(min_length=1, max_length=_LONGEST)]
    game: Annotated[str, Field(max_length=40, description="A game’s key")] = ""
    left: Annotated[
        str,
        Field(alias="from", max_length=40, description="A game of yours that this one replaces"),
    ] = ""


def _show(request: Request, status: int = 200, **shown: Any) -> Response:
    context: dict[str, Any] = {
        "typed": "",
        "game": VARIANTS[0].key,
        "left": "",
        "report": None,
        "error": None,
        "pasted": None,
        "example": _EXAMPLE,
        "labels": _LABELS,
        **shown,
    }
    return page(request, "import.html", status, page="play", **context)


@router.get("/import")
async def ask(
    request: Request,
    left: Annotated[str, Query(alias="from", max_length=40)] = "",
    game: Annotated[str, Query(max_length=40)] = "",
) -> Response:
    """The page to paste on; `from` is the game that ends with what is begun here."""
    await know_player(request)
    return _show(request, left=left, game=game or VARIANTS[0].key)


@router.post("/import")
async def paste(
    request: Request,
    text: Annotated[str, Form(max_length=_LONGEST)] = "",
    game: Annotated[str, Form(max_length=40)] = "",
    left: Annotated[str, Form(alias="from", max_length=40)] = "",
    wish: Annotated[Wish, Form()] = "",
) -> Response:
    """Play what is pasted; or say everything that is wrong with it, the text kept."""
    await know_player(request)
    kept: dict[str, Any] = {"typed": text, "game": game, "left": left}
    try:
        pasted = await anyio.to_thread.run_sync(read, text, game)
    except (BoardUnreadable, CodeUnreadable) as problem:
        report = problem.about if isinstance(problem.about, Report) else None
        return _show(request, problem.status, report=report, error=problem.detail, **kept)
    if pasted.game is not None and not wish:
        return _show(request, pasted=pasted, **kept)
    started = await _start(request, pasted, left, wish)
    watched = wish == "watch" and pasted.game is not None
    response = see_other(f"/games/{started.stored.id}{'/replay' if watched else ''}")
    remember(response, request, started.token, services(request).settings.secure_cookies)
    return response


@api.post("", status_code=201, responses=_REFUSALS, summary="Start a game on a pasted board")
async def start(request: Request, response: Response, given: BoardIn) -> GameOut:
    """Start a game on a board, or on the deal of a code; or take up a record where it ends.

    A game on a board without a code counts nowhere, and its `code` is null.
    """
    on = services(request)
    pasted = await anyio.to_thread.run_sync(read, given.text, given.game)
    wish: Wish = "watch" if pasted.is_over else "on"
    started = await _start(request, pasted, given.left, wish)
    remember(response, request, started.token, on.settings.secure_cookies)
    response.headers["location"] = f"/api/v1/games/{started.stored.id}"
    return game_out(started.stored, on.now())


async def _start(request: Request, pasted: Pasted, left: str, wish: Wish) -> Started:
    on, token = services(request), token_of(request)
    if pasted.game is None or wish in ("", "deal"):
        return await on.database.run(on.games.start_on, token, pasted.code, left)
    left, is_over = ("", True) if wish == "watch" else (left, False)
    return await on.database.run(on.games.play_from, token, pasted.game, pasted.code, left, is_over)
