"""The account's pages: take along, sign up, in and out, export, delete. All are plain forms."""

from __future__ import annotations

from typing import Annotated, Any

from anyio.to_thread import run_sync
from fastapi import APIRouter, Form, Request
from starlette.responses import JSONResponse, Response

from app.account.devices import address_of, let_go, let_in
from app.account.passkeys import PasskeyId
from app.account.service import Entered
from app.context import services
from app.deals.art import qr_code
from app.errors import (
    NameInvalid,
    PasswordInvalid,
    Problem,
    RequestInvalid,
    SignInRefused,
    TooManyAttempts,
)
from app.i18n import gettext as _
from app.players.service import remember, token_of
from app.responses import page, see_other

router = APIRouter(include_in_schema=False)

Text = Annotated[str, Form(max_length=1000)]
_PRIVATE = {"cache-control": "no-store"}


async def account_page(request: Request, status: int = 200, **more: Any) -> Response:
    """The account page; `error` is said at the form `at`, which shows `typed` again."""
    on = services(request)
    account = await on.database.run(on.accounts.of, token_of(request))
    request.state.player = account.player if account else None
    more.setdefault("passkeys", await on.database.run(on.passkeys.of, token_of(request)))
    more.setdefault("friends", await on.database.run(on.friends.of, token_of(request)))
    shown = {
        "link": None,
        "friends_link": None,
        "at": "",
        "error": "",
        "typed_name": "",
        "done": "",
        **more,
    }
    response = page(request, "account.html", status, page="account", account=account, **shown)
    response.headers.update(_PRIVATE)
    return response


async def _refused(request: Request, at: str, problem: Problem, name: str = "") -> Response:
    response = await account_page(
        request, problem.status, at=at, error=problem.detail, typed_name=name
    )
    if problem.retry_after is not None:
        response.headers["retry-after"] = str(problem.retry_after)
    return response


def _entered(request: Request, entered: Entered, address: str) -> Response:
    """To a page, as the player that the device has just become."""
    response = see_other(address)
    let_in(response, request, entered)
    return response


def _left(address: str) -> Response:
    """The answer after which a device is nobody's."""
    response = see_other(address)
    let_go(response)
    return response


def _brings(games: str) -> bool:
    if games not in ("", "bring", "leave"):
        raise RequestInvalid("“games” is bring or leave")
    return games == "bring"


_DONE = (
    *("signed-in", "signed-up", "password", "passkey", "passkey-removed", "signed-out", "deleted"),
    *("friends", "friend-removed", "friends-link-ended"),
)


def _done(what: str) -> str:
    """The top of the account's page, which says what is done (a form's address names a part)."""
    return f"/account?done={what}#main"


@router.get("/account")
async def see(request: Request, done: str = "") -> Response:
    """The account; `done` is what has just been done."""
    return await account_page(request, done=done if done in _DONE else "")


# --- to another device --------------------------------------------------------------------


@router.post("/account/link")
async def make_link(request: Request) -> Response:
    """A one-time link, with its QR code: the only time that it is shown."""
    on = services(request)
    secret, token = await on.database.run(on.accounts.make_link, token_of(request))
    url = f"{str(request.base_url).rstrip('/')}/take/{secret}"
    response = await account_page(request, link={"url": url, "qr": qr_code(url)})
    remember(response, request, token, on.settings.secure_cookies)
    return response


@router.get("/take/{secret}")
async def ask_to_take(request: Request, secret: str) -> Response:
    """What a link opens: a question, so that previews of links use nothing up."""
    on, token = services(request), token_of(request)
    theirs = await on.database.run(on.accounts.linked, secret)
    mine = await on.database.run(on.accounts.of, token)
    response = page(request, "take.html", theirs=theirs, mine=mine, secret=secret)
    response.headers.update(_PRIVATE)
    return response


@router.post("/take/{secret}")
async def take(request: Request, secret: str, games: Text = "") -> Response:
    """Use a link up: this device becomes its player's."""
    on = services(request)
    bring = _brings(games)
    entered = await on.database.run(on.accounts.take_along, secret, token_of(request), bring)
    return _entered(request, entered, "/")


# --- name and password --------------------------------------------------------------------


@router.post("/account/sign-up")
async def sign_up(request: Request, name: Text = "", password: Text = "") -> Response:
    """A name and a password for the player of this device."""
    on = services(request)
    try:
        token = await on.accounts.sign_up(token_of(request), name, password)
    except (NameInvalid, PasswordInvalid) as problem:
        return await _refused(request, "sign-up", problem, name)
    response = see_other(_done("signed-up"))
    remember(response, request, token, on.settings.secure_cookies)
    return response


@router.post("/account/sign-in")
async def sign_in(
    request: Request, name: Text = "", password: Text = "", games: Text = ""
) -> Response:
    """Be a player who has a name and a password, on this device."""
    on, bring = services(request), _brings(games)
    try:
        entered = await on.accounts.sign_in(
            token_of(request), name, password, address_of(request), bring
        )
    except (SignInRefused, TooManyAttempts) as problem:
        return await _refused(request, "sign-in", problem, name)
    return _entered(request, entered, _done("signed-in"))


@router.post("/account/password")
async def change_password(request: Request, old: Text = "", new: Text = "") -> Response:
    """Another password."""
    try:
        await services(request).accounts.change_password(
            token_of(request), old, new, address_of(request)
        )
    except (SignInRefused, PasswordInvalid, TooManyAttempts) as problem:
        return await _refused(request, "password", problem)
    return see_other(_done("password"))


# --- passkeys (the scripts add them and sign in by them, by way of the API) --------------------


@router.get("/account/passkeys/{passkey_id}/remove")
async def ask_to_remove(request: Request, passkey_id: PasskeyId) -> Response:
    """Whether to let a passkey in no more."""
    on, token = services(request), token_of(request)
    account = await on.database.run(on.accounts.of, token)
    passkeys = await on.database.run(on.passkeys.of, token)
    found = next((each for each in passkeys if each.id == passkey_id), None)
    if found is None:
        return see_other("/account")
    last = len(passkeys) == 1 and account is not None and not account.player.has_password
    return page(
        request, "leave.html", what="passkey", account=account, passkey=found, last=last, error=""
    )


@router.post("/account/passkeys/{passkey_id}/remove")
async def remove_passkey(request: Request, passkey_id: PasskeyId) -> Response:
    """Let a passkey in no more."""
    on = services(request)
    await on.database.run(on.passkeys.remove, token_of(request), passkey_id)
    return see_other(_done("passkey-removed"))


# --- leaving ------------------------------------------------------------------------------


async def _ask(request: Request, what: str) -> Response:
    """Whether the player is sure; who has no account is shown the account's page."""
    on = services(request)
    account = await on.database.run(on.accounts.of, token_of(request))
    if account is None:
        return see_other("/account")
    return page(request, "leave.html", what=what, account=account, error="")


@router.get("/account/sign-out")
async def ask_to_sign_out(request: Request) -> Response:
    """Whether to sign out, on this device or on all."""
    return await _ask(request, "sign-out")


@router.post("/account/sign-out")
async def sign_out(request: Request, where: Text = "here") -> Response:
    """Sign out: `where` is here or everywhere."""
    if where not in ("here", "everywhere"):
        raise RequestInvalid("“where” is here or everywhere")
    on = services(request)
    await on.database.run(on.accounts.sign_out, token_of(request), where == "everywhere")
    return _left(_done("signed-out"))


# --- everything ---------------------------------------------------------------------------


@router.get("/account/export")
async def export(request: Request) -> Response:
    """Everything that is kept of the player, as a file."""
    on = services(request)
    document = await run_sync(on.accounts.export, token_of(request))
    if document is None:
        return see_other("/account")
    name = {"content-disposition": 'attachment; filename="yukon-export.json"'}
    return JSONResponse(document, headers={**_PRIVATE, **name})


@router.get("/account/delete")
async def ask_to_delete(request: Request) -> Response:
    """Whether to delete everything."""
    return await _ask(request, "delete")


@router.post("/account/delete")
async def delete(request: Request, password: Text = "", sure: Text = "") -> Response:
    """Delete the player and everything of theirs."""
    on, token = services(request), token_of(request)
    account = await on.database.run(on.accounts.of, token)
    if account is None:
        return see_other("/account")
    try:
        if sure != "yes":
            raise RequestInvalid(_("Say that you are sure"))
        await on.accounts.delete(token, password, address_of(request))
    except Problem as problem:
        shown = {"what": "delete", "account": account, "error": problem.detail}
        return page(request, "leave.html", problem.status, **shown)
    return _left(_done("deleted"))
