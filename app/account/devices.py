"""What a device says of itself, and which cookies make it a player's or nobody's."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import Response

from app.account.service import Entered
from app.context import services
from app.players.service import COOKIE, remember
from app.prefs import Prefs
from app.responses import PREFS_COOKIE, remember_prefs

_LONGEST = 2000
_BROWSERS = (  # the first that fits: most call themselves by the others' names, too
    ("Edge", r"\bEdg(e|A|iOS)?/"),
    ("Opera", r"\bOPR/"),
    ("Samsung Internet", r"\bSamsungBrowser/"),
    ("Firefox", r"\b(Firefox|FxiOS)/"),
    ("Chrome", r"\b(Chrome|Chromium|CriOS)/"),
    ("Safari", r"\bVersion/\S+ .*\bSafari/"),
)
_SYSTEMS = (
    ("iPhone", r"\biPhone\b"),
    ("iPad", r"\biPad\b"),
    ("Android", r"\bAndroid\b"),
    ("ChromeOS", r"\bCrOS\b"),
    ("Windows", r"\bWindows\b"),
    ("Mac", r"\bMacintosh\b"),
    ("Linux", r"\bLinux\b"),
)


def name_of(request: Request) -> str:
    """`Firefox · Windows`; empty where neither is known."""
    said = request.headers.get("user-agent", "")[:_LONGEST]
    parts = (
        next((name for name, pattern in known if re.search(pattern, said)), "")
        for known in (_BROWSERS, _SYSTEMS)
    )
    return " · ".join(part for part in parts if part)


def address_of(request: Request) -> str:
    """Where a request comes from, as the server (or the proxy it trusts) says."""
    return request.client.host if request.client else ""


def let_in(response: Response, request: Request, entered: Entered) -> None:
    """The cookies of the player that the device has just become."""
    remember(response, request, entered.token, services(request).settings.secure_cookies)
    if entered.prefs is not None:
        remember_prefs(response, request, Prefs.read(entered.prefs))


def let_go(response: Response) -> None:
    """No cookies: the device is nobody's."""
    response.delete_cookie(COOKIE)
    response.delete_cookie(PREFS_COOKIE)
