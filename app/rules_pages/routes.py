"""The rules' pages: the index, and one for each game."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import Response

from app.context import know_player
from app.i18n import LANGUAGES, asked
from app.responses import page
from app.rules_pages.service import all_rules, rules_of
from engine.variants import BY_KEY

router = APIRouter(include_in_schema=False)


def _addresses(request: Request) -> dict[str, str]:
    """The page's address in each language, and under `x-default` the one that asks the browser."""
    plain = str(request.url.replace(query="", fragment=""))
    return {"x-default": plain} | {code: f"{plain}?lang={code}" for code in LANGUAGES}


@router.get("/rules")
async def rules_index(request: Request) -> Response:
    """The rules of the whole family, side by side."""
    await know_player(request)
    return page(
        request,
        "rules.html",
        page="rules",
        games=all_rules(),
        key="",
        addresses=_addresses(request),
        asked=asked(request.url.query),
    )


@router.get("/rules/{game}")
async def game_rules(request: Request, game: str) -> Response:
    """One game's rules."""
    if game not in BY_KEY:
        raise HTTPException(404)
    await know_player(request)
    return page(
        request,
        "rules_game.html",
        page="rules",
        games=all_rules(),
        rules=rules_of(game),
        key=game,
        addresses=_addresses(request),
        asked=asked(request.url.query),
    )
