"""Home, the page to start a game on, and the health check."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from sqlalchemy import text
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response

from app.config import ROOT
from app.context import Services, know_player, services
from app.games.table import picture_of, table_of
from app.i18n import direction, language
from app.i18n import gettext as _
from app.players.service import token_of
from app.responses import page, see_other
from engine.variants import VARIANTS

router = APIRouter(include_in_schema=False)
_UNDER_WAY = 12
"""How many games under way Home looks at: the one to resume, and of the others those with moves."""


@router.get("/")
async def home(request: Request) -> Response:
    """Home: the game under way, others that were begun, and a new one."""
    on, token = services(request), token_of(request)
    found = await on.database.run(on.games.under_way, token, _UNDER_WAY)
    stored = found[0] if found else None
    rule = stored.code.rule if stored else VARIANTS[0].rule
    daily = await on.database.run(on.daily.seen, rule, token)
    await know_player(request)
    return page(
        request,
        "home.html",
        page="play",
        daily=daily,
        resume=table_of(stored, on.now()) if stored else None,
        others=[table_of(each, on.now()) for each in found[1:] if each.game.moves],
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


@router.get("/offline")
async def offline(request: Request) -> Response:
    """What a browser keeps to show while there is no connection."""
    return page(request, "offline.html")


@router.get("/manifest.webmanifest")
async def manifest(request: Request) -> Response:
    """What makes the site a program on a home screen, in the visitor's language."""
    pages = services(request).pages
    icons = [
        {"src": pages.static("icons/192.png"), "sizes": "192x192", "type": "image/png"},
        {"src": pages.static("icons/512.png"), "sizes": "512x512", "type": "image/png"},
        {
            "src": pages.static("icons/maskable-512.png"),
            "sizes": "512x512",
            "type": "image/png",
            "purpose": "maskable",
        },
        {"src": pages.static("icon.svg"), "sizes": "any", "type": "image/svg+xml"},
    ]
    return JSONResponse(
        {
            "name": _("Yukon Solitaire"),
            "short_name": _("Yukon"),
            "description": _("Yukon and its family of solitaires."),
            "lang": language(),
            "dir": direction(language()),
            "id": "/",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": "#c3d4db",
            "theme_color": "#0d2a31",
            "icons": icons,
            "shortcuts": [{"name": _("New game"), "url": "/new"}],
        },
        media_type="application/manifest+json",
        headers={"cache-control": "no-cache", "vary": "Accept-Language, Cookie"},
    )


@router.get("/sw.js")
async def service_worker() -> Response:
    """The service worker, at the root so that every page is within its reach."""
    return FileResponse(
        ROOT / "static" / "sw.js",
        media_type="text/javascript",
        headers={"cache-control": "no-cache"},
    )


@router.get("/favicon.ico")
async def favicon() -> Response:
    """The icon, for whoever asks for it by this old name."""
    return FileResponse(
        ROOT / "static" / "icons" / "192.png", headers={"cache-control": "max-age=86400"}
    )


@router.get("/robots.txt")
async def robots() -> Response:
    """What search engines may read: everything but players' own pages and what is computed."""
    closed = ("/account", "/settings", "/statistics", "/take/", "/r/", "/fares/", "/proofs/")
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in closed)]
    return PlainTextResponse("\n".join(lines) + "\n")


_WRITES = {
    "/games": "/new",
    "/players/me": "/",
    **{f"/account/{what}": "/account" for what in ("sign-up", "sign-in", "link", "password")},
    **{
        f"/races/{{race_id}}/{what}": "/races/{race_id}"
        for what in ("join", "ready", "leave", "computers", "remove", "give-up", "rematch")
    },
}
"""Addresses that a refused form leaves in the browser, and the page that has the form."""


def _add_look(write: str, form: str) -> None:
    async def look(request: Request) -> Response:
        return see_other(form.format(**request.path_params))

    router.add_api_route(write, look, methods=["GET"])


for _write, _form in _WRITES.items():
    _add_look(_write, _form)


def _ready(on: Services) -> None:
    with on.database.read() as connection:
        connection.execute(text("SELECT 1 FROM games LIMIT 1"))


@router.get("/healthz")
async def healthz(request: Request) -> Response:
    """200 when the server is ready: the database answers and has its tables."""
    on = services(request)
    await on.database.run(_ready, on)
    return PlainTextResponse("ok")
