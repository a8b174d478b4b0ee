"""The page of a replay, and the table of one step for its script."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import Response

from app.context import services
from app.deals.codes import read_code
from app.errors import GameOver, GameUnderWay, NotYourGame, SolutionUnknown
from app.games.store import Stored
from app.games.table import shown_code, table_of, told_deal
from app.i18n import gettext as _
from app.players.service import remember, token_of
from app.replays import words
from app.replays.service import Replay, replay_of, solution_of
from app.responses import is_htmx, page, see_other
from app.security import EMBED_HEADERS
from engine.game import replay as played
from engine.moves import parse_line

router = APIRouter(include_in_schema=False)


MOST_LOOKS = 600


async def _finished(
    request: Request, game_id: str, *, by_all: bool = False
) -> tuple[Stored, Replay]:
    """A finished game that the viewer (`by_all`: everybody) may see, and its replay.

    Raises GameNotFound, NotYourGame, GameUnderWay.
    """
    on = services(request)
    stored = await on.database.run(on.games.see, game_id, None if by_all else token_of(request))
    if stored.status == "playing":
        raise GameUnderWay(_("It can be replayed once it is won or given up"))
    return stored, replay_of(stored, await on.database.run(on.games.log, game_id))


@router.get("/games/{game_id}/analysis")
async def analysis(
    request: Request, game_id: str, looks: Annotated[int, Query(ge=0, le=MOST_LOOKS)] = 0
) -> Response:
    """Which positions of a finished game could be won; while some are open it is asked again."""
    on = services(request)
    stored, shown = await _finished(request, game_id)
    if told_deal(stored) is None:
        raise NotYourGame(_("This deal is sealed until you have finished it"))
    found = await on.database.run(on.analyses.look, stored, shown)
    if looks >= MOST_LOOKS:
        found = replace(found, pending=False)
    known = await on.database.run(on.proofs.known, stored.code)
    return page(
        request,
        "_analysis.html" if is_htmx(request) else "analysis.html",
        game_id=game_id,
        variant=stored.code.variant,
        code=shown_code(stored),
        name=stored.player_name,
        status=stored.status,
        moves=stored.game.moves,
        par=known.par,
        shortest=known.shortest,
        found=found,
        looks=looks,
        said=words.step(shown.steps[found.lost_at]) if found.lost_at is not None else "",
    )


@router.post("/games/{game_id}/play-from")
async def play_from(
    request: Request, game_id: str, at: Annotated[int, Form(ge=0, le=1_000_000)]
) -> Response:
    """A practice game from a step of a finished one."""
    on = services(request)
    stored, shown = await _finished(request, game_id)
    if told_deal(stored) is None:
        raise NotYourGame(_("This deal is sealed until you have finished it"))
    game = shown.steps[min(at, len(shown.steps) - 1)].stored.game
    if game.is_won:
        raise GameOver(_("This game is won"))
    line = played(game.rules, game.start, game.line)  # its undos and undone moves stay behind
    started = await on.database.run(on.games.play_from, token_of(request), line, stored.code)
    response = see_other(f"/games/{started.stored.id}")
    remember(response, request, started.token, on.settings.secure_cookies)
    return response


@router.get("/games/{game_id}/replay")
async def replay(
    request: Request, game_id: str, at: Annotated[int, Query(ge=0, le=1_000_000)] = 0
) -> Response:
    """A finished game at step `at` (0: the deal); a step beyond the last is the last."""
    stored, shown = await _finished(request, game_id)
    is_for_all = await _is_for_all(request, game_id)
    embed = str(request.base_url.replace(path=f"/embed/{game_id}")) if is_for_all else ""
    return _shown(request, shown, at, f"/games/{game_id}/replay", stored, embed=embed)


async def _is_for_all(request: Request, game_id: str) -> bool:
    on = services(request)
    try:
        await on.database.run(on.games.see, game_id, None)
    except NotYourGame:
        return False
    return True


@router.get("/embed/{game_id}")
async def embedded(
    request: Request, game_id: str, at: Annotated[int, Query(ge=0, le=1_000_000)] = 0
) -> Response:
    """A finished game that everybody may see, for a frame on another site.

    It needs no cookie and sets none.
    """
    stored, shown = await _finished(request, game_id, by_all=True)
    response = _shown(request, shown, at, f"/embed/{game_id}", stored, embedded=True)
    response.headers.update(EMBED_HEADERS)
    return response


@router.get("/solutions/{code}")
async def solution(
    request: Request, code: str, at: Annotated[int, Query(ge=0, le=1_000_000)] = 0
) -> Response:
    """The best known line of a deal that can be won, at step `at`."""
    on, parsed = services(request), read_code(code)
    known = await on.database.run(on.proofs.known, parsed)
    if not known.line:
        raise SolutionUnknown(_("No winning line of this deal is known"))
    shown = solution_of(parsed, parse_line(known.line))
    stored = shown.steps[-1].stored
    return _shown(request, shown, at, f"/solutions/{parsed}", stored)


def _shown(
    request: Request,
    shown: Replay,
    at: int,
    here: str,
    stored: Stored,
    *,
    embed: str = "",
    embedded: bool = False,
) -> Response:
    last = len(shown.steps) - 1
    at = min(at, last)
    step = shown.steps[at]
    table = table_of(step.stored, services(request).now(), mine=False, change=step)
    whole = "embed.html" if embedded else "replay.html"
    return page(
        request,
        "_replay.html" if is_htmx(request) else whole,
        table=replace(table, win=None),
        here=here,
        at=at,
        last=last,
        said=words.step(step),
        marks=[(mark, words.mark(mark, shown)) for mark in shown.marks],
        name=stored.player_name,
        code=shown_code(stored),
        embed=embed,
        embedded=embedded,
        raceable=stored.game.moves > 0 and not stored.practice,
    )
