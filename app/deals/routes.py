"""A deal's page and its JSON."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

import anyio.to_thread
from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from app.context import know_player, services
from app.deals.art import picture, qr_code
from app.deals.codes import read_code
from app.errors import Problem
from app.games.schemas import FACE_DOWN, ProblemOut
from app.games.table import picture_of
from app.leaderboard.routes import After, choices, read_choices
from app.leaderboard.service import board, deal_summary, of_deal
from app.players.service import token_of
from app.responses import page, see_other, text_file
from engine.boardtext import board_text
from engine.deals import deal
from engine.view import board_view

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/v1/deals", tags=["deals"])

MOST_LOOKS = 90
"""How often a page that shows a deal looks whether it has been worked out."""

_UNREADABLE: dict[int | str, dict[str, Any]] = {
    422: {"model": ProblemOut, "description": "A code that cannot be read"}
}


class DealOut(BaseModel):
    """A deal as it starts; `??` is a face-down card. `best` is its best win's moves.

    `verdict` is null while nobody has looked; `winnable` has a stored line that replays to a win.
    `par` is the best known line's length, `bound` a proved lower bound.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "code": "YU1-P-AAAAAAB",
                    "game": "australian",
                    "rule": "P",
                    "tableau": [
                        ["QH", "8D", "JC", "6D"],
                        ["3D", "JH", "KC", "2D"],
                        ["9D", "5S", "6S", "8C"],
                        ["5C", "3H", "3S", "4D"],
                        ["2S", "KS", "3C", "QC"],
                        ["TS", "9C", "8S", "2C"],
                        ["7S", "AS", "AH", "6C"],
                    ],
                    "stock": 23,
                    "waste": ["5H"],
                    "players": 3,
                    "best": 98,
                    "verdict": "winnable",
                    "par": 84,
                    "bound": 61,
                }
            ]
        }
    )

    code: str
    game: str
    rule: str
    tableau: list[list[str]]
    stock: int
    waste: list[str]
    players: int
    best: int | None
    verdict: Literal["winnable", "unwinnable", "unproven"] | None
    par: int | None
    bound: int | None


@router.get("/d/")
@router.get("/d")
async def any_deal() -> Response:
    """A deal's address without a code: there is where one can be typed."""
    return see_other("/new#code-in")


@router.get("/d/{code:path}")
async def deal_page(
    request: Request,
    code: str,
    sort: str = "",
    clean: str = "",
    first: str = "",
    friends: str = "",
    after: After = "",
) -> Response:
    """A deal's page; a code typed another way is sent to its own address."""
    on = services(request)
    try:
        parsed = read_code(code)
    except Problem as problem:
        return page(
            request,
            "new.html",
            404,
            page="play",
            error=problem.detail,
            typed=code[:200],
            left="",
            game="",
        )
    if str(parsed) != code:
        return see_other(f"/d/{parsed}")
    await know_player(request)
    summary = await on.database.run(deal_summary, on.database, parsed)
    known = await on.database.run(on.proofs.ask, parsed)
    asked, token = read_choices(sort, clean, first, friends), token_of(request)
    filters = of_deal(parsed, asked)
    found = await on.database.run(board, on.database, filters, token, on.now(), after)
    site = str(request.base_url).rstrip("/")
    url = f"{site}/d/{parsed}"
    return page(
        request,
        "deal.html",
        page="deals",
        deal={
            "code": str(parsed),
            "variant": parsed.variant,
            "picture": picture_of(deal(parsed), parsed.variant),
            "best": summary.best,
            "players": summary.players,
            "url": url,
            "qr": qr_code(url),
            "image": f"{site}/pictures/{parsed}.png",
        },
        known=known,
        looks=0,
        board=found,
        chosen=choices(f"/d/{parsed}", {}, asked),
    )


@router.get("/pictures/{code}.png")
async def deal_picture(code: str) -> Response:
    """The picture of the deal that links show; it never changes."""
    png = await anyio.to_thread.run_sync(picture, str(read_code(code)))
    return Response(
        png, media_type="image/png", headers={"cache-control": "public, max-age=31536000"}
    )


@router.get("/boards/{code}.txt")
async def deal_text(request: Request, code: str) -> Response:
    """A deal's board text, face-down cards included, and its code, by which it is that deal."""
    on, parsed = services(request), read_code(code)
    position = await on.database.run(on.games.tell, parsed, token_of(request))
    return text_file(f"# {parsed}\n{board_text(position)}", f"{parsed}-board.txt")


@router.get("/fares/{code}")
async def fares(
    request: Request, code: str, looks: Annotated[int, Query(ge=0, le=MOST_LOOKS)] = 0
) -> Response:
    """How the fair player fares on a deal, for a page that waits for it."""
    on, parsed = services(request), read_code(code)
    found = await on.database.run(on.proofs.fares, parsed)
    if looks >= MOST_LOOKS:
        found = replace(found, pending=False)
    return page(request, "_fares.html", fares=found, code=str(parsed), looks=looks)


@router.get("/proofs/{code}")
async def proof(
    request: Request, code: str, looks: Annotated[int, Query(ge=0, le=MOST_LOOKS)] = 0
) -> Response:
    """What is known of a deal, for a page that waits for it; `looks` counts how often it has."""
    on = services(request)
    parsed = read_code(code)
    summary = await on.database.run(deal_summary, on.database, parsed)
    known = await on.database.run(on.proofs.ask, parsed)
    if looks == MOST_LOOKS:
        known = replace(known, pending=False)
    shown = {
        "code": str(parsed),
        "variant": parsed.variant,
        "best": summary.best,
        "players": summary.players,
    }
    return page(request, "_proof.html", deal=shown, known=known, looks=looks)


@api.get("/{code}", responses=_UNREADABLE, summary="A deal")
async def see_deal(request: Request, code: str) -> DealOut:
    """A deal as it starts, and what is known of it."""
    on = services(request)
    parsed = read_code(code)
    summary = await on.database.run(deal_summary, on.database, parsed)
    known = await on.database.run(on.proofs.ask, parsed)
    view = board_view(deal(parsed))
    return DealOut(
        code=str(parsed),
        game=parsed.variant.key,
        rule=parsed.rule,
        tableau=[[name or FACE_DOWN for name in pile] for pile in view.tableau],
        stock=view.stock,
        waste=list(view.waste),
        players=summary.players,
        best=summary.best,
        verdict=known.verdict,
        par=known.par,
        bound=known.bound,
    )
