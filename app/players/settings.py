"""A player's settings: the form's page, and keeping what is chosen."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.context import know_player, services
from app.players import store
from app.players.service import find_or_create, local_address, remember, token_of
from app.prefs import Prefs
from app.responses import is_htmx, page, remember_prefs, see_other

router = APIRouter(include_in_schema=False)


@router.get("/settings")
async def see(request: Request) -> Response:
    """The settings."""
    await know_player(request)
    return page(request, "settings.html", page="settings")


@router.post("/settings")
async def choose(request: Request) -> Response:
    """Keep the settings: 204 to a script (which has shown them already), 303 to a form."""
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
    else:
        response = see_other(local_address(given.get("next", "/")))
    remember(response, request, kept, on.settings.secure_cookies)
    remember_prefs(response, request, prefs)
    return response
