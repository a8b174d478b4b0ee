"""A player's settings: the form's page, and keeping what is chosen."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.context import know_player, services
from app.players import store
from app.players.service import find_or_create, local_address, remember, token_of
from app.prefs import Prefs
from app.responses import is_htmx, page, see_other

router = APIRouter(include_in_schema=False)
COOKIE = "prefs"
_LIFETIME_S = 365 * 24 * 3600


def remember_prefs(response: Response, request: Request, prefs: Prefs) -> None:
    """Set the cookie that pages read the settings from; scripts read it too."""
    secure = services(request).settings.secure_cookies
    response.set_cookie(
        COOKIE,
        prefs.text,
        max_age=_LIFETIME_S,
        samesite="lax",
        secure=request.url.scheme == "https" if secure is None else secure,
        path="/",
    )


@router.get("/settings")
async def see(request: Request) -> Response:
    """The settings."""
    await know_player(request)
    return page(request, "settings.html", page="settings")


@router.post("/settings")
async def choose(request: Request) -> Response:
    """Keep the settings: 204 to a script (which has shown them already), 303 to a form.

    A new language has the page loaded again.
    """
    given = {key: str(value) for key, value in (await request.form()).items()}
    prefs = Prefs.of(given)
    on, token = services(request), token_of(request)

    def work() -> str:
        with on.database.write() as connection:
            player, kept = find_or_create(connection, token, on.now())
            store.keep_prefs(connection, player.id, prefs.text)
            return kept

    kept = await on.database.run(work)
    response: Response
    if is_htmx(request):
        response = Response(status_code=204)
        if prefs.lang != Prefs.read(request.cookies.get(COOKIE)).lang:
            response.headers["hx-refresh"] = "true"
    else:
        response = see_other(local_address(given.get("next", "/")))
    remember(response, request, kept, on.settings.secure_cookies)
    remember_prefs(response, request, prefs)
    return response
