"""Friends for programs: JSON under `/api/v1/account/friends`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from app.account.schemas import LinkOut
from app.context import services
from app.friends.routes import url_of
from app.friends.service import LINK_LASTS_MS
from app.games.schemas import ProblemOut
from app.players.service import remember, token_of

api = APIRouter(prefix="/api/v1/account/friends", tags=["account"])

_REFUSALS: dict[int, str] = {
    403: "A write from another site",
    404: "No such friend, or a link that makes no friends (any more)",
    409: "One of the two has as many friends as fit",
    422: "Unreadable, or your own link",
}
_FRIEND: dict[str, Any] = {
    "id": "mT0qXv3LkR8wZb1c",
    "name": "Leo",
    "since": "2026-12-01T08:00:00.000+00:00",
}


def _refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    return {each: {"model": ProblemOut, "description": _REFUSALS[each]} for each in statuses}


class FriendOut(BaseModel):
    """A friend: `id` names the friendship, for you alone; `name` is null for a guest."""

    model_config = ConfigDict(json_schema_extra={"examples": [_FRIEND]})

    id: str
    name: str | None
    since: str


class FriendsOut(BaseModel):
    """Your friends, the latest first; `link_ends`: when the link that is out ends."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"friends": [_FRIEND], "link_ends": "2026-12-08T08:00:00.000+00:00"}]
        }
    )

    friends: list[FriendOut]
    link_ends: str | None


class FriendIn(BaseModel):
    """A friends’ link, or what stands behind its `/friends/`."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"link": "https://yukon.example/friends/" + "A" * 43}]},
    )

    link: str = Field(max_length=1000)


def _time(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")


async def _friends(request: Request, response: Response, token: str | None) -> FriendsOut:
    on = services(request)
    response.headers["cache-control"] = "no-store"
    found = await on.database.run(on.friends.of, token)
    return FriendsOut(
        friends=[
            FriendOut(id=each.key, name=each.name, since=_time(each.since))
            for each in found.friends
        ],
        link_ends=None if found.link_ends is None else _time(found.link_ends),
    )


@api.get("", summary="See your friends")
async def see_friends(request: Request, response: Response) -> FriendsOut:
    """The friends of the player of this cookie."""
    return await _friends(request, response, token_of(request))


@api.post("/link", status_code=201, responses=_refusals(403), summary="Make a friends’ link")
async def make_link(request: Request, response: Response) -> LinkOut:
    """A link that makes whoever opens it your friend, for a week; an earlier one ends."""
    on = services(request)
    secret, token = await on.database.run(on.friends.make_link, token_of(request))
    remember(response, request, token, on.settings.secure_cookies)
    response.headers["cache-control"] = "no-store"
    return LinkOut.of(url_of(request, secret), on.now() + LINK_LASTS_MS)


@api.delete("/link", status_code=204, responses=_refusals(403), summary="End the friends’ link")
async def end_link(request: Request) -> None:
    """No more friends by the link that is out; friends stay friends."""
    on = services(request)
    await on.database.run(on.friends.end_link, token_of(request))


@api.post("", responses=_refusals(403, 404, 409, 422), summary="Become friends")
async def befriend(request: Request, response: Response, said: FriendIn) -> FriendsOut:
    """Become friends with the player whose link this is; who is already stays so."""
    on = services(request)
    secret = said.link.strip().rpartition("/friends/")[2]
    token = await on.database.run(on.friends.befriend, secret, token_of(request))
    remember(response, request, token, on.settings.secure_cookies)
    return await _friends(request, response, token)


@api.delete(
    "/{friend_id}",
    status_code=204,
    responses=_refusals(403, 404),
    summary="Be friends no more",
)
async def remove_friend(request: Request, friend_id: str) -> None:
    """Be friends with somebody no more, on both sides."""
    on = services(request)
    await on.database.run(on.friends.remove, token_of(request), friend_id)
