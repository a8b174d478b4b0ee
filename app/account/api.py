"""The account for programs: JSON under `/api/v1/account`, as the pages have it."""

from __future__ import annotations

from typing import Any

from anyio.to_thread import run_sync
from fastapi import APIRouter, Request, Response

from app.account.ceremonies import LASTS_MS, site_of
from app.account.devices import address_of, let_go, let_in, name_of
from app.account.passkeys import Begun, PasskeyId
from app.account.schemas import (
    AccountOut,
    DeleteIn,
    ExportOut,
    LinkOut,
    OptionsOut,
    PasskeyIn,
    PasskeyOut,
    PasskeySignInIn,
    PasskeysOut,
    PasswordIn,
    SignInIn,
    SignOutIn,
    SignUpIn,
    TakeIn,
)
from app.account.service import LINK_LASTS_MS, Entered
from app.context import services
from app.errors import RequestInvalid
from app.games.schemas import ProblemOut
from app.i18n import gettext as _
from app.players.service import remember, token_of
from app.security import host_of

api = APIRouter(prefix="/api/v1/account", tags=["account"])

CEREMONY = "ceremony"
"""The cookie that binds a passkey's challenge to the browser that asked for it."""
_REFUSALS: dict[int, str] = {
    403: "Refused: not your password, not your passkey, or a write from another site",
    404: "No such passkey, or a link that lets nobody in (any more)",
    409: "A name that another player has",
    422: "Unreadable, or it cannot be taken; `detail` says why",
    429: "Too many attempts: `retry-after` says for how long",
}


def _refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    return {each: {"model": ProblemOut, "description": _REFUSALS[each]} for each in statuses}


async def _account(request: Request, response: Response, token: str | None) -> AccountOut:
    on = services(request)
    response.headers["cache-control"] = "no-store"
    account = await on.database.run(on.accounts.of, token)
    return AccountOut.of(account, await on.database.run(on.passkeys.of, token))


async def _entered(request: Request, response: Response, entered: Entered) -> AccountOut:
    let_in(response, request, entered)
    return await _account(request, response, entered.token)


@api.get("", summary="See the account")
async def see_account(request: Request, response: Response) -> AccountOut:
    """The player of this cookie, as they see themselves."""
    return await _account(request, response, token_of(request))


@api.get(
    "/export",
    responses=_refusals(422),
    summary="Export everything",
)
async def export_account(request: Request, response: Response) -> ExportOut:
    """Everything that is kept of the player: name, settings, games with every move, results."""
    document = await run_sync(services(request).accounts.export, token_of(request))
    if document is None:
        raise RequestInvalid(_("Nobody has played on this device yet"))
    response.headers["cache-control"] = "no-store"
    return ExportOut.model_validate(document)


@api.post("/link", status_code=201, responses=_refusals(403), summary="Make a one-time link")
async def make_link(request: Request, response: Response) -> LinkOut:
    """A link that makes one other device the player’s, too; an earlier one ends."""
    on = services(request)
    secret, token = await on.database.run(on.accounts.make_link, token_of(request))
    remember(response, request, token, on.settings.secure_cookies)
    response.headers["cache-control"] = "no-store"
    url = f"{str(request.base_url).rstrip('/')}/take/{secret}"
    return LinkOut.of(url, on.now() + LINK_LASTS_MS)


@api.post("/take", responses=_refusals(403, 404, 422), summary="Use a one-time link up")
async def take_along(request: Request, response: Response, said: TakeIn) -> AccountOut:
    """Be the player whose link this is, as by `/take/…`: both devices have the same games then."""
    on, token = services(request), token_of(request)
    bring = said.games == "bring"
    entered = await on.database.run(on.accounts.take_along, said.secret, token, bring)
    return await _entered(request, response, entered)


# --- name and password --------------------------------------------------------------------


@api.post("/sign-up", responses=_refusals(403, 409, 422), summary="Take a name and a password")
async def sign_up(request: Request, response: Response, said: SignUpIn) -> AccountOut:
    """A name and a password for the player of this cookie, or for a new one."""
    on = services(request)
    token = await on.accounts.sign_up(token_of(request), said.name, said.password)
    remember(response, request, token, on.settings.secure_cookies)
    return await _account(request, response, token)


@api.post("/sign-in", responses=_refusals(403, 422, 429), summary="Sign in with name and password")
async def sign_in(request: Request, response: Response, said: SignInIn) -> AccountOut:
    """Be a player who has a name and a password."""
    entered = await services(request).accounts.sign_in(
        token_of(request), said.name, said.password, address_of(request), said.games == "bring"
    )
    return await _entered(request, response, entered)


@api.post(
    "/password",
    status_code=204,
    responses=_refusals(403, 422, 429),
    summary="Change the password",
)
async def change_password(request: Request, said: PasswordIn) -> None:
    """Another password; all other devices are signed out."""
    await services(request).accounts.change_password(
        token_of(request), said.old, said.new, address_of(request)
    )


# --- passkeys -----------------------------------------------------------------------------


def _begun(request: Request, response: Response, begun: Begun) -> OptionsOut:
    secure = services(request).settings.secure_cookies
    response.set_cookie(
        CEREMONY,
        begun.ceremony,
        max_age=LASTS_MS // 1000,
        path=f"{api.prefix}/passkeys",
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https" if secure is None else secure,
    )
    response.headers["cache-control"] = "no-store"
    return OptionsOut(publicKey=begun.options)


def _ended(request: Request, response: Response) -> str:
    """The ceremony that an answer belongs to; the cookie goes."""
    response.delete_cookie(CEREMONY, path=f"{api.prefix}/passkeys")
    return request.cookies.get(CEREMONY, "")


@api.get("/passkeys", summary="See the passkeys")
async def see_passkeys(request: Request) -> PasskeysOut:
    """The player’s passkeys, the oldest first."""
    on = services(request)
    found = await on.database.run(on.passkeys.of, token_of(request))
    return PasskeysOut(passkeys=[PasskeyOut.of(each) for each in found])


@api.post("/passkeys/options", responses=_refusals(403, 422), summary="Begin to add a passkey")
async def begin_passkey(request: Request, response: Response) -> OptionsOut:
    """What a browser makes a passkey by. A cookie binds the answer to it, for five minutes."""
    on, site = services(request), site_of(host_of(request.headers))
    begun = await on.database.run(on.passkeys.begin_adding, token_of(request), site)
    return _begun(request, response, begun)


@api.post("/passkeys", status_code=201, responses=_refusals(403, 422), summary="Add a passkey")
async def add_passkey(request: Request, response: Response, said: PasskeyIn) -> PasskeyOut:
    """Keep the passkey that a browser has made, for the player of this cookie or a new one."""
    on, site = services(request), site_of(host_of(request.headers))
    ceremony, device = _ended(request, response), name_of(request)
    passkey, token = await on.database.run(
        on.passkeys.add, token_of(request), ceremony, site, said.credential, device
    )
    remember(response, request, token, on.settings.secure_cookies)
    return PasskeyOut.of(passkey)


@api.delete(
    "/passkeys/{passkey_id}",
    status_code=204,
    responses=_refusals(403, 404, 422),
    summary="Remove a passkey",
)
async def remove_passkey(request: Request, passkey_id: PasskeyId) -> None:
    """Let a passkey in no more."""
    on = services(request)
    await on.database.run(on.passkeys.remove, token_of(request), passkey_id)


@api.post(
    "/passkeys/sign-in/options", responses=_refusals(403), summary="Begin to sign in by a passkey"
)
async def begin_passkey_sign_in(request: Request, response: Response) -> OptionsOut:
    """What a browser asks for a passkey by. A cookie binds the answer to it, for five minutes."""
    on, site = services(request), site_of(host_of(request.headers))
    begun = await on.database.run(on.passkeys.begin_entering, token_of(request), site)
    return _begun(request, response, begun)


@api.post(
    "/passkeys/sign-in", responses=_refusals(403, 404, 422, 429), summary="Sign in by a passkey"
)
async def sign_in_by_passkey(
    request: Request, response: Response, said: PasskeySignInIn
) -> AccountOut:
    """Be the player whose passkey answers."""
    ceremony, site = _ended(request, response), site_of(host_of(request.headers))
    entered = await services(request).passkeys.enter(
        token_of(request),
        ceremony,
        site,
        said.credential,
        address_of(request),
        said.games == "bring",
    )
    return await _entered(request, response, entered)


# --- leaving ------------------------------------------------------------------------------


@api.post(
    "/delete", status_code=204, responses=_refusals(403, 422, 429), summary="Delete everything"
)
async def delete_account(request: Request, response: Response, said: DeleteIn) -> None:
    """Delete the player and everything of theirs, at once and for ever."""
    on = services(request)
    await on.accounts.delete(token_of(request), said.password, address_of(request))
    let_go(response)


@api.post("/sign-out", status_code=204, responses=_refusals(403, 422), summary="Sign out")
async def sign_out(request: Request, response: Response, said: SignOutIn) -> None:
    """Let this cookie in no more, or none of the player’s."""
    on = services(request)
    await on.database.run(on.accounts.sign_out, token_of(request), said.where == "everywhere")
    let_go(response)
