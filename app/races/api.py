"""Races for programs: JSON under `/api/v1`, and the stream of a race's standing."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.responses import StreamingResponse

from app.context import services
from app.games.api import started_out
from app.games.schemas import GameOut, ProblemOut
from app.players.service import browser_of, remember, remember_browser, token_of
from app.races.hub import HEADERS, watcher_of
from app.races.schemas import ComputerIn, GhostOut, NewRace, RaceOut, ReadyIn, SeatIn
from app.races.view import Entered, RaceView

api = APIRouter(prefix="/api/v1/races", tags=["races"])

ghosts = APIRouter(prefix="/api/v1/games", tags=["games"])

_REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": ProblemOut, "description": text}
    for status, text in {
        403: "Not a player of this race, or not its host",
        404: "No such race",
        409: "Too late, too early, or the room is full or closed",
        422: "Unreadable",
    }.items()
}
_UNSEEN: dict[int | str, dict[str, Any]] = {404: _REFUSALS[404]}
_STREAM: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}},
    404: _REFUSALS[404],
    503: {"model": ProblemOut, "description": "Too many are watching"},
}


def _entered(
    request: Request, response: Response, entered: Entered, browser: str | None = None
) -> RaceOut:
    secure = services(request).settings.secure_cookies
    remember(response, request, entered.token, secure)
    if browser:
        remember_browser(response, request, browser, secure)
    response.headers["location"] = f"/api/v1/races/{entered.view.id}"
    return RaceOut.model_validate(entered.view)


@api.post("", status_code=201, responses={422: _REFUSALS[422]}, summary="Open a race’s room")
async def open_race(request: Request, response: Response, new: NewRace) -> RaceOut:
    """Open a room and come in, or play against the computer: then the countdown runs at once."""
    on, token = services(request), token_of(request)
    if new.against is None:
        browser = browser_of(request)
        entered = await on.database.run(on.races.open, token, new.game, browser)
        return _entered(request, response, entered, browser)
    against = new.against
    entered = await on.database.run(on.races.duel, token, new.game, against.strength, against.pace)
    return _entered(request, response, entered)


@api.get("/{race_id}", responses=_UNSEEN, summary="See a race")
async def see_race(request: Request, race_id: str) -> RaceOut:
    """A race by its id or its six letters: the whole standing."""
    on = services(request)
    return RaceOut.model_validate(await on.database.run(on.races.see, race_id, token_of(request)))


@api.post("/{race_id}/join", responses=_REFUSALS, summary="Come in")
async def join_race(request: Request, response: Response, race_id: str) -> RaceOut:
    """Come into the room; who is in it already stays."""
    on, browser = services(request), browser_of(request)
    entered = await on.database.run(on.races.join, race_id, token_of(request), browser)
    return _entered(request, response, entered, browser)


async def _changed(request: Request, work: Any, race_id: str, *args: Any) -> RaceOut:
    on = services(request)
    view: RaceView = await on.database.run(work, race_id, token_of(request), *args)
    return RaceOut.model_validate(view)


@api.post("/{race_id}/ready", responses=_REFUSALS, summary="Be ready, or not after all")
async def be_ready(request: Request, race_id: str, said: ReadyIn) -> RaceOut:
    """When two or more are there and all are ready, the countdown begins."""
    return await _changed(request, services(request).races.set_ready, race_id, said.ready)


@api.post("/{race_id}/leave", responses=_REFUSALS, summary="Leave the room")
async def leave_race(request: Request, race_id: str) -> RaceOut:
    """Leave before the race; the host’s place goes to the next player."""
    return await _changed(request, services(request).races.leave, race_id)


@api.post("/{race_id}/computers", responses=_REFUSALS, summary="Add a computer player")
async def add_computer(request: Request, race_id: str, computer: ComputerIn) -> RaceOut:
    """The host adds a computer player, who sees only face-up cards."""
    return await _changed(
        request, services(request).races.add_computer, race_id, computer.strength, computer.pace
    )


@api.post("/{race_id}/remove", responses=_REFUSALS, summary="Free a seat")
async def free_seat(request: Request, race_id: str, seat: SeatIn) -> RaceOut:
    """The host sends a player away before the race."""
    return await _changed(request, services(request).races.remove, race_id, seat.seat)


@api.post("/{race_id}/give-up", responses=_REFUSALS, summary="Give the race up")
async def give_race_up(request: Request, race_id: str) -> RaceOut:
    """Give up; who has finished already stays where they are."""
    return await _changed(request, services(request).races.give_up, race_id)


@api.post("/{race_id}/rematch", status_code=201, responses=_REFUSALS, summary="Once more")
async def race_again(request: Request, response: Response, race_id: str) -> RaceOut:
    """The same players’ next race on a new deal; the first who asks opens it."""
    on, browser = services(request), browser_of(request)
    entered = await on.database.run(on.races.rematch, race_id, token_of(request), browser)
    return _entered(request, response, entered, browser)


@api.get(
    "/{race_id}/events",
    responses=_STREAM,
    response_class=StreamingResponse,
    summary="Follow a race",
)
async def follow_race(request: Request, race_id: str) -> Response:
    """Server-sent events: the whole race as JSON at once, and after every change.

    `id` is the race’s `event`. A comment comes in every quarter of a minute of silence; `bye` ends
    a stream that a newer one of yours has replaced.
    """
    on = services(request)
    view = await on.database.run(on.races.see, race_id, token_of(request))
    stream = await on.hub.watch(
        view,
        watcher_of(request),
        "json",
        lambda seen: RaceOut.model_validate(seen).model_dump_json(),
    )
    return StreamingResponse(stream, media_type="text/event-stream", headers=HEADERS)


# --- ghosts -------------------------------------------------------------------------------

_UNRACED: dict[int | str, dict[str, Any]] = {
    status: {"model": ProblemOut, "description": text}
    for status, text in {
        403: "Sealed for you until you have finished it",
        404: "No such game",
        409: "It is under way",
        422: "A game that cannot be raced: without a move, or begun in the middle of another",
    }.items()
}


@ghosts.post("/{game_id}/race", status_code=201, responses=_UNRACED, summary="Race a game")
async def race_ghost(request: Request, response: Response, game_id: str) -> GameOut:
    """A new game on the deal of a finished one, which is raced as a ghost: see its `/ghost`."""
    on = services(request)
    started = await on.database.run(on.games.race, game_id, token_of(request))
    return started_out(request, response, started)


@ghosts.get("/{game_id}/ghost", responses=_UNSEEN, summary="See a game’s ghost")
async def see_ghost(request: Request, game_id: str) -> GhostOut:
    """How your game and its ghost stand."""
    on = services(request)
    return GhostOut.model_validate(
        await on.database.run(on.ghosts.of, game_id, token_of(request), on.now())
    )
