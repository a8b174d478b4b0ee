"""The page of a replay, and the table of one step for its script."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from app.context import services
from app.errors import GameUnderWay
from app.games.table import shown_code, table_of
from app.i18n import gettext as _
from app.players.service import token_of
from app.replays import words
from app.replays.service import replay_of
from app.responses import is_htmx, page

router = APIRouter(include_in_schema=False)


@router.get("/games/{game_id}/replay")
async def replay(
    request: Request, game_id: str, at: Annotated[int, Query(ge=0, le=1_000_000)] = 0
) -> Response:
    """A finished game at step `at` (0: the deal); a step beyond the last is the last."""
    on = services(request)
    stored = await on.database.run(on.games.see, game_id, token_of(request))
    if stored.status == "playing":
        raise GameUnderWay(_("It can be replayed once it is won or given up"))
    shown = replay_of(stored, await on.database.run(on.games.log, game_id))
    last = len(shown.steps) - 1
    at = min(at, last)
    step = shown.steps[at]
    now = on.now()
    table = replace(table_of(step.stored, now, mine=False, change=step), win=None)
    return page(
        request,
        "_replay.html" if is_htmx(request) else "replay.html",
        table=table,
        at=at,
        last=last,
        said=words.step(step),
        marks=[(mark, words.mark(mark, shown)) for mark in shown.marks],
        name=stored.player_name,
        code=shown_code(stored),
    )
