"""Friends for people: the link, what it asks, and the list on the account's page. Plain forms."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.account.routes import account_page
from app.context import know_player, services
from app.deals.art import qr_code
from app.errors import Problem
from app.players.service import remember, token_of
from app.responses import page, see_other

router = APIRouter(include_in_schema=False)


def url_of(request: Request, secret: str) -> str:
    """A link's whole address."""
    return f"{str(request.base_url).rstrip('/')}/friends/{secret}"


@router.post("/account/friends/link")
async def make_link(request: Request) -> Response:
    """A friends' link, with its QR code: the only time that it is shown."""
    on = services(request)
    secret, token = await on.database.run(on.friends.make_link, token_of(request))
    url = url_of(request, secret)
    response = await account_page(request, friends_link={"url": url, "qr": qr_code(url)})
    remember(response, request, token, on.settings.secure_cookies)
    return response


@router.post("/account/friends/link/end")
async def end_link(request: Request) -> Response:
    """No more friends by the link that is out."""
    on = services(request)
    await on.database.run(on.friends.end_link, token_of(request))
    return see_other("/account?done=friends-link-ended")


@router.get("/account/friends/{key}/remove")
async def ask_to_remove(request: Request, key: str) -> Response:
    """Whether to be friends no more."""
    on = services(request)
    found = await on.database.run(on.friends.of, token_of(request))
    friend = next((each for each in found.friends if each.key == key), None)
    if friend is None:
        return see_other("/account#friends")
    await know_player(request)
    return page(request, "leave.html", what="friend", friend=friend)


@router.post("/account/friends/{key}/remove")
async def remove(request: Request, key: str) -> Response:
    """Be friends no more."""
    on = services(request)
    await on.database.run(on.friends.remove, token_of(request), key)
    return see_other("/account?done=friend-removed")


async def _asked(request: Request, secret: str, refusal: Problem | None = None) -> Response:
    on = services(request)
    found = await on.database.run(on.friends.invitation, secret, token_of(request))
    await know_player(request)
    response = page(
        request,
        "befriend.html",
        refusal.status if refusal else 200,
        invitation=found,
        secret=secret,
        refusal=refusal.detail if refusal else None,
    )
    response.headers["cache-control"] = "no-store"
    return response


@router.get("/friends/{secret}")
async def ask(request: Request, secret: str) -> Response:
    """What a link opens: a question, so that looking makes nobody a friend."""
    return await _asked(request, secret)


@router.post("/friends/{secret}")
async def befriend(request: Request, secret: str) -> Response:
    """Become friends."""
    on = services(request)
    try:
        token = await on.database.run(on.friends.befriend, secret, token_of(request))
    except Problem as problem:
        if problem.status == 404:
            raise
        return await _asked(request, secret, problem)
    response = see_other("/account?done=friends")
    remember(response, request, token, on.settings.secure_cookies)
    return response
