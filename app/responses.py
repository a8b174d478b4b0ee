"""Answers that every feature shares: problem documents, error pages, pages, redirects."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)

from app import i18n
from app.errors import Problem
from app.i18n import gettext as _
from app.prefs import Prefs

PROBLEM_JSON = "application/problem+json"
API_PREFIX = "/api/"
PREFS_COOKIE = "prefs"
_PREFS_S = 365 * 24 * 3600


def wants_json(request: Request) -> bool:
    """Whether the request is a program's (under `/api/`)."""
    return request.url.path.startswith(API_PREFIX)


def is_htmx(request: Request) -> bool:
    """Whether htmx asks, for a fragment."""
    return request.headers.get("hx-request") == "true"


def problem_document(problem: Problem) -> dict[str, Any]:
    """The members of a problem's document."""
    return {
        "type": f"/problems/{problem.code}",
        "title": _(problem.title),
        "status": problem.status,
        "detail": problem.detail,
        "code": problem.code,
        **problem.extra,
    }


def problem_response(request: Request, problem: Problem) -> Response:
    """A refused request's answer: a problem document for programs, a page for people."""
    response = _problem_response(request, problem)
    if problem.retry_after is not None:
        response.headers["retry-after"] = str(problem.retry_after)
    return response


def _problem_response(request: Request, problem: Problem) -> Response:
    if wants_json(request):
        return JSONResponse(
            problem_document(problem), status_code=problem.status, media_type=PROBLEM_JSON
        )
    return page(
        request,
        "error.html",
        status_code=problem.status,
        status=problem.status,
        title=_(problem.title),
        detail=problem.detail,
    )


def remember_prefs(response: Response, request: Request, prefs: Prefs) -> None:
    """Set the cookie that pages read the settings from; scripts read it too."""
    secure = request.app.state.services.settings.secure_cookies
    response.set_cookie(
        PREFS_COOKIE,
        prefs.text,
        max_age=_PREFS_S,
        samesite="lax",
        secure=request.url.scheme == "https" if secure is None else secure,
        path="/",
    )


def page(request: Request, template: str, status_code: int = 200, **context: Any) -> HTMLResponse:
    """Render a template; the application's pages are in `app.state.pages`.

    Where the page knows its player, the settings are the player's, from whichever of their
    devices they were chosen on; else those of the cookie.
    """
    prefs = Prefs.read(request.cookies.get(PREFS_COOKIE))
    player = getattr(request.state, "player", None)
    elsewhere = None
    if player is not None and player.prefs is not None and player.prefs != prefs.text:
        prefs = elsewhere = Prefs.read(player.prefs)
        if not i18n.asked(request.url.query):
            i18n.use(i18n.choose(prefs.lang, request.headers.get("accept-language", "")))
    html = request.app.state.pages.render(request, template, {"prefs": prefs, **context})
    response = HTMLResponse(
        html,
        status_code=status_code,
        headers={"cache-control": "private, no-cache", "vary": "HX-Request, Accept-Language"},
    )
    if elsewhere is not None:
        remember_prefs(response, request, elsewhere)
    return response


def text_file(text: str, name: str) -> PlainTextResponse:
    """A text to read in the browser, which saves it under this name."""
    return PlainTextResponse(text, headers={"content-disposition": f'inline; filename="{name}"'})


def see_other(address: str) -> RedirectResponse:
    """303: look there."""
    return RedirectResponse(address, status_code=303)
