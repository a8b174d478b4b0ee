"""Home, the page to start a game on, and the health check."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from sqlalchemy import text
from starlette.responses import PlainTextResponse, Response

from app.context import Services, know_player, services
from app.games.table import picture_of, table_of
from app.players.service import token_of
from app.responses import page
from engine.variants import VARIANTS

router = APIRouter(include_in_schema=False)


@router.get("/")
async def home(request: Request) -> Response:
    """Home: the game under way, and a new one."""
    on, token = services(request), token_of(request)
    stored = await on.database.run(on.games.latest, token)
    rule = stored.code.rule if stored else VARIANTS[0].rule
    daily = await on.database.run(on.daily.today, rule, token)
    await know_player(request)
    return page(
        request,
        "home.html",
        page="play",
        daily=daily,
        resume=table_of(stored, on.now()) if stored else None,
        picture=picture_of(stored.game.position, stored.code.variant) if stored else None,
        error=None,
        typed="",
    )


@router.get("/new")
async def new(
    request: Request,
    left: Annotated[str, Query(alias="from", max_length=40)] = "",
    game: Annotated[str, Query(max_length=40)] = "",
    code: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """The page to start a game on; `from` is the game that ends with it."""
    await know_player(request)
    return page(request, "new.html", page="play", error=None, typed=code, left=left, game=game)


def _ready(on: Services) -> None:
    with on.database.read() as connection:
        connection.execute(text("SELECT 1 FROM games LIMIT 1"))


@router.get("/healthz")
async def healthz(request: Request) -> Response:
    """200 when the server is ready: the database answers and has its tables."""
    on = services(request)
    await on.database.run(_ready, on)
    return PlainTextResponse("ok")
