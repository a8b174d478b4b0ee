"""Races for people: where one begins, the room, the standing, and the finish."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import Response, StreamingResponse

from app.context import know_player, services
from app.deals.art import qr_code
from app.errors import Problem
from app.games.table import picture_of
from app.i18n import language
from app.pages import Pages
from app.players.service import browser_of, remember, remember_browser, token_of
from app.races import words
from app.races.hub import HEADERS, watcher_of
from app.races.machine import MOST, PACES, STRENGTHS
from app.races.view import Entered, RaceView
from app.responses import page, see_other
from engine.variants import VARIANTS

router = APIRouter(include_in_schema=False)

Text = Annotated[str, Form(max_length=40)]

CHOICES = {
    "strengths": [(key, words.STRENGTHS[key], words.STRENGTHS_TOLD[key]) for key in STRENGTHS],
    "paces": [(key, words.PACES[key]) for key in PACES],
}
"""What the forms with computer players offer."""


@router.get("/races")
async def begin(
    request: Request,
    game: Annotated[str, Query(max_length=40)] = "",
    letters: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """Where a race begins; with a room's letters it goes there."""
    on, error = services(request), None
    if letters:
        try:
            view = await on.database.run(on.races.see, letters, token_of(request))
            return see_other(f"/races/{view.id}")
        except Problem as problem:
            error = problem
    await know_player(request)
    return page(
        request,
        "races.html",
        error.status if error else 200,
        page="play",
        chosen=game or VARIANTS[0].key,
        error=error.detail if error else None,
        typed=letters,
        **CHOICES,
    )


def _entered(request: Request, entered: Entered, browser: str | None = None) -> Response:
    response = see_other(f"/races/{entered.view.id}")
    secure = services(request).settings.secure_cookies
    remember(response, request, entered.token, secure)
    if browser:
        remember_browser(response, request, browser, secure)
    return response


@router.post("/races")
async def open_race(
    request: Request, game: Text = "", strength: Text = "", pace: Text = "steady"
) -> Response:
    """Open a room; with a strength, play against the computer."""
    on, token = services(request), token_of(request)
    if strength:
        return _entered(request, await on.database.run(on.races.duel, token, game, strength, pace))
    browser = browser_of(request)
    entered = await on.database.run(on.races.open, token, game, browser)
    return _entered(request, entered, browser)


@router.get("/r/{letters}")
async def by_letters(request: Request, letters: str) -> Response:
    """A room's short address."""
    on = services(request)
    view = await on.database.run(on.races.see, letters, token_of(request))
    return see_other(f"/races/{view.id}")


@router.get("/races/{race_id}")
async def see_race(request: Request, race_id: str) -> Response:
    """A race: its room, its standing, its finish; who plays in it is sent to the table."""
    on = services(request)
    view = await on.database.run(on.races.see, race_id, token_of(request))
    if view.mine and view.mine.state == "racing":
        return see_other(f"/games/{view.game_id}")
    return await _room(request, view)


async def _room(request: Request, view: RaceView, refusal: Problem | None = None) -> Response:
    on = services(request)
    stored = await on.database.run(on.races.boards, view)
    await know_player(request)
    link = str(request.base_url.replace(path=f"/r/{view.letters}"))
    return page(
        request,
        "race.html",
        refusal.status if refusal else 200,
        page="play",
        race=view,
        refusal=refusal.detail if refusal else None,
        boards={
            seat: picture_of(each.game.position, view.variant) for seat, each in stored.items()
        },
        most=MOST,
        link=link,
        qr=qr_code(link) if view.state in ("lobby", "countdown") and not view.duel else "",
        **CHOICES,
    )


async def _came_in(request: Request, work: Any, race_id: str) -> Response:
    """Answer a form that seats a player."""
    browser = browser_of(request)
    return await _changed(request, work, race_id, browser, browser=browser)


async def _changed(
    request: Request, work: Any, race_id: str, *args: Any, browser: str | None = None
) -> Response:
    """Answer a form: 303 to the race; a refusal shows the race as it stands, and why."""
    on, token = services(request), token_of(request)
    try:
        done: RaceView | Entered = await on.database.run(work, race_id, token, *args)
    except Problem as problem:
        if problem.status == 404:
            raise
        view = await on.database.run(on.races.see, race_id, token)
        return await _room(request, view, problem)
    if isinstance(done, Entered):
        return _entered(request, done, browser)
    return see_other(f"/races/{done.id}")


@router.post("/races/{race_id}/join")
async def join_race(request: Request, race_id: str) -> Response:
    """Come in."""
    return await _came_in(request, services(request).races.join, race_id)


@router.post("/races/{race_id}/ready")
async def be_ready(request: Request, race_id: str, ready: Text = "1") -> Response:
    """Ready, or not after all (`ready` empty or 0)."""
    is_ready = ready not in ("", "0")
    return await _changed(request, services(request).races.set_ready, race_id, is_ready)


@router.post("/races/{race_id}/leave")
async def leave_race(request: Request, race_id: str) -> Response:
    """Leave the room."""
    return await _changed(request, services(request).races.leave, race_id)


@router.post("/races/{race_id}/computers")
async def add_computer(
    request: Request, race_id: str, strength: Text = "", pace: Text = "steady"
) -> Response:
    """Add a computer player."""
    return await _changed(request, services(request).races.add_computer, race_id, strength, pace)


@router.post("/races/{race_id}/remove")
async def free_seat(
    request: Request, race_id: str, seat: Annotated[int, Form(ge=1, le=MOST)]
) -> Response:
    """Send a player away."""
    return await _changed(request, services(request).races.remove, race_id, seat)


@router.post("/races/{race_id}/give-up")
async def give_race_up(request: Request, race_id: str) -> Response:
    """Give the race up."""
    return await _changed(request, services(request).races.give_up, race_id)


@router.post("/races/{race_id}/rematch")
async def race_again(request: Request, race_id: str) -> Response:
    """Once more, on a new deal."""
    return await _came_in(request, services(request).races.rematch, race_id)


def standing_text(pages: Pages, view: RaceView) -> str:
    """A race's standing as everybody may see it, in the language that is spoken."""
    return pages.environment.get_template("_standing.html").render(race=view, me=None)


@router.get("/races/{race_id}/events")
async def follow_race(request: Request, race_id: str) -> Response:
    """The race's standing as it changes: the fragment of it, in the page's language."""
    on = services(request)
    view = await on.database.run(on.races.see, race_id, token_of(request))
    stream = await on.hub.watch(
        view,
        watcher_of(request),
        f"html {language()}",
        lambda seen: standing_text(on.pages, seen),
    )
    return StreamingResponse(stream, media_type="text/event-stream", headers=HEADERS)
