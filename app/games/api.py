"""Games for programs: JSON under `/api/v1`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Request, Response

from app.context import Services, services
from app.errors import Problem
from app.games.schemas import (
    BackIn,
    ClockIn,
    GameOut,
    MoveIn,
    NewGame,
    ProblemOut,
    VersionIn,
    game_out,
)
from app.games.service import Started
from app.games.store import Stored
from app.players.service import remember, token_of

router = APIRouter(prefix="/api/v1/games", tags=["games"])

_REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": ProblemOut, "description": text}
    for status, text in {
        403: "Another player’s game, or a write from another site",
        404: "No such game",
        409: "Made on an older version; `game` is the game as it stands",
        422: "Refused by the rules, or unreadable; `detail` says why",
    }.items()
}
_UNSEEN: dict[int | str, dict[str, Any]] = {403: _REFUSALS[403], 404: _REFUSALS[404]}


async def _answered(on: Services, work: Callable[..., Any], *args: Any) -> Any:
    """Do a game's work; a refusal takes the game as it stands along."""
    try:
        return await on.database.run(work, *args)
    except Problem as problem:
        if isinstance(problem.about, Stored):
            stored = problem.about
            problem.extra["game"] = game_out(stored, on.now()).model_dump()
        raise


def _json(on: Services, stored: Stored) -> Response:
    """A game's JSON, written once (FastAPI would validate it a second time)."""
    return Response(game_out(stored, on.now()).model_dump_json(), media_type="application/json")


def started_out(request: Request, response: Response, started: Started) -> GameOut:
    """The answer to whoever has started a game."""
    on = services(request)
    remember(response, request, started.token, on.settings.secure_cookies)
    response.headers["location"] = f"/api/v1/games/{started.stored.id}"
    return game_out(started.stored, on.now())


@router.post("", status_code=201, responses=_REFUSALS, summary="Start a game")
async def start(request: Request, response: Response, new: NewGame) -> GameOut:
    """Start a game; the first write of a program without a cookie makes a new player."""
    on = services(request)
    started = await on.database.run(
        on.games.start,
        token_of(request),
        new.game or "",
        new.code or "",
        new.left or "",
        new.difficulty or "",
    )
    return started_out(request, response, started)


@router.get("/{game_id}", response_model=GameOut, responses=_UNSEEN, summary="See a game")
async def see(request: Request, game_id: str) -> Response:
    """A game as it stands; face-down cards are `??`."""
    on = services(request)
    stored = await on.database.run(on.games.see, game_id, token_of(request))
    return _json(on, stored)


@router.post("/{game_id}/moves", response_model=GameOut, responses=_REFUSALS, summary="Play a move")
async def move(request: Request, game_id: str, made: MoveIn) -> Response:
    """Play a move. The same move sent again on the same version is answered as if once."""
    on = services(request)
    change = await _answered(on, on.games.move, game_id, token_of(request), made.move, made.version)
    return _json(on, change.stored)


@router.post(
    "/{game_id}/undo",
    response_model=GameOut,
    responses=_REFUSALS,
    summary="Take the last move back",
)
async def undo(request: Request, game_id: str, made: VersionIn) -> Response:
    """Take the last move back; the last 100 can be."""
    on = services(request)
    change = await _answered(on, on.games.undo, game_id, token_of(request), made.version)
    return _json(on, change.stored)


@router.post(
    "/{game_id}/redo",
    response_model=GameOut,
    responses=_REFUSALS,
    summary="Play an undone move again",
)
async def redo(request: Request, game_id: str, made: VersionIn) -> Response:
    """Play the last undone move again."""
    on = services(request)
    change = await _answered(on, on.games.redo, game_id, token_of(request), made.version)
    return _json(on, change.stored)


@router.post(
    "/{game_id}/finish", response_model=GameOut, responses=_REFUSALS, summary="Play it out"
)
async def finish(request: Request, game_id: str, made: VersionIn) -> Response:
    """Play the moves to the foundations that win from here, when they alone do."""
    on = services(request)
    change = await _answered(on, on.games.finish, game_id, token_of(request), made.version)
    return _json(on, change.stored)


@router.post("/{game_id}/back", response_model=GameOut, responses=_REFUSALS, summary="Go back")
async def back(request: Request, game_id: str, made: BackIn) -> Response:
    """Undo until the line has so many moves."""
    on = services(request)
    change = await _answered(
        on, on.games.back, game_id, token_of(request), made.version, made.length
    )
    return _json(on, change.stored)


@router.post(
    "/{game_id}/end", response_model=GameOut, responses=_REFUSALS, summary="Give the game up"
)
async def end(request: Request, game_id: str, made: VersionIn) -> Response:
    """Give the game up; its result is written when a move has been made."""
    on = services(request)
    stored = await _answered(on, on.games.end, game_id, token_of(request), made.version)
    return _json(on, stored)


@router.post(
    "/{game_id}/restart", status_code=201, responses=_REFUSALS, summary="Start the deal again"
)
async def restart(request: Request, response: Response, game_id: str) -> GameOut:
    """The same deal as a new game; the old one ends."""
    on = services(request)
    started = await on.database.run(on.games.restart, game_id, token_of(request))
    return started_out(request, response, started)


@router.post(
    "/{game_id}/clock", status_code=204, responses=_REFUSALS, summary="Report to the clock"
)
async def clock(request: Request, game_id: str, report: ClockIn) -> Response:
    """Tell the clock whether the table is hidden, shown or paused; `tick` while it is shown."""
    on = services(request)
    await on.database.run(on.games.report, game_id, token_of(request), report.state)
    return Response(status_code=204)
