"""A player's display name."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.exc import IntegrityError
from starlette.responses import Response

from app.context import services
from app.errors import NameInvalid, NameTaken
from app.games.schemas import ProblemOut
from app.i18n import gettext as _
from app.players.names import clean_name
from app.players.service import find_or_create, local_address, remember, rename, token_of
from app.responses import is_htmx, page, see_other

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/v1/players", tags=["players"])


class NameIn(BaseModel):
    """A display name: 2 to 24 characters."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"name": "Klondike Kate"}]}
    )

    name: str = Field(max_length=200)


class PlayerOut(BaseModel):
    """A player as others see them."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Klondike Kate"}]})

    name: str | None


async def _named(request: Request, typed: str) -> tuple[str, str]:
    """Store the name; the name as stored and the player's token. Raises NameInvalid, NameTaken."""
    on, token = services(request), token_of(request)
    name = clean_name(typed)
    on.refused_names.check(name)

    def work() -> str:
        with on.database.write() as connection:
            player, kept = find_or_create(connection, token, on.now())
            rename(connection, player.id, name)
            return kept

    try:
        return name, await on.database.run(work)
    except IntegrityError as error:  # two players at the same moment, in two processes
        raise NameTaken(_("Somebody has just taken this name; choose another")) from error


@router.post("/players/me")
async def name_me(
    request: Request,
    name: Annotated[str, Form(max_length=200)] = "",
    goes_on: Annotated[str, Form(alias="next", max_length=200)] = "/",
) -> Response:
    """Take a display name: the fragment to htmx, 303 to a form."""
    try:
        taken, token = await _named(request, name)
    except NameInvalid as problem:
        if not is_htmx(request):
            raise
        return page(
            request, "_name.html", problem.status, named=None, name_error=problem.detail, typed=name
        )
    response: Response
    if is_htmx(request):
        response = page(request, "_name.html", named=taken, name_error=None, typed=taken)
    else:
        response = see_other(local_address(goes_on))
    remember(response, request, token, services(request).settings.secure_cookies)
    return response


_REFUSALS: dict[int | str, dict[str, Any]] = {
    403: {"model": ProblemOut, "description": "A write from another site"},
    409: {"model": ProblemOut, "description": "A name that another player has"},
    422: {"model": ProblemOut, "description": "A name that cannot be taken; `detail` says why"},
}


@api.put("/me", responses=_REFUSALS, summary="Take a display name")
async def name_me_json(request: Request, response: Response, given: NameIn) -> PlayerOut:
    """Take the display name that leaderboards show."""
    name, token = await _named(request, given.name)
    remember(response, request, token, services(request).settings.secure_cookies)
    return PlayerOut(name=name)
