"""What stands before every route: body sizes, same-origin writes, security headers.

Plain ASGI, so that streams pass through and a move costs no extra task.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app import i18n
from app.errors import BodyTooLarge, CrossSite, Problem
from app.i18n import gettext as _
from app.responses import problem_response

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
EMBED_HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY.replace(
        "form-action 'self'", "form-action 'none'"
    ).replace("frame-ancestors 'none'", "frame-ancestors *"),
    "cross-origin-resource-policy": "cross-origin",
    "cross-origin-opener-policy": "unsafe-none",
}
"""Of the one page that other sites may show in a frame: it has no forms and sets no cookies."""
SECURITY_HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "x-frame-options": "DENY",
}
_HSTS = "max-age=31536000"


class Gate:
    """Refuses cross-site writes and oversized bodies, answers HEAD, adds the security headers."""

    def __init__(self, app: ASGIApp, max_body_bytes: int) -> None:
        self.app = app
        self.max_body_bytes = max_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on, or answer it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        i18n.use(i18n.of_request(headers, scope.get("query_string", b"").decode("latin-1")))
        started, headless = False, scope["method"] == "HEAD"
        if headless:  # the routes know GET: its answer without the body
            scope = {**scope, "method": "GET"}

        async def send_guarded(message: Message) -> None:
            nonlocal started
            if headless and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            if message["type"] == "http.response.start":
                started = True
                answer = MutableHeaders(scope=message)
                answer.setdefault("content-language", i18n.language())
                may_be_framed = "frame-ancestors *" in answer.get("content-security-policy", "")
                for name, value in SECURITY_HEADERS.items():
                    if name != "x-frame-options" or not may_be_framed:
                        answer.setdefault(name, value)
                if scope["scheme"] == "https":
                    answer["strict-transport-security"] = _HSTS
            await send(message)

        try:
            if scope["method"] not in SAFE_METHODS:
                check_same_origin(headers)
                receive = self._bounded(headers, receive)
            await self.app(scope, receive, send_guarded)
        except Problem as problem:
            if started:
                raise
            response = problem_response(Request(scope), problem)
            await response(scope, receive, send_guarded)

    def _bounded(self, headers: Headers, receive: Receive) -> Receive:
        """The request's body stream, which ends with 413 where it grows too large.

        A server holds a body to its declared length; one of undeclared length is counted.
        """
        declared = headers.get("content-length")
        if declared is not None:
            if not _LENGTH.fullmatch(declared) or int(declared) > self.max_body_bytes:
                raise BodyTooLarge(
                    _("A request may have at most %(count)s bytes") % {"count": self.max_body_bytes}
                )
            return receive
        size = 0

        async def counted() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > self.max_body_bytes:
                raise HTTPException(BodyTooLarge.status)  # FastAPI lets no other error through
            return message

        return counted


_LENGTH = re.compile(r"[0-9]{1,18}", re.ASCII)
_DEFAULT_PORT = re.compile(r":(80|443)$")


def check_same_origin(headers: Headers) -> None:
    """Refuse a write that a browser marks as coming from another site.

    Programs that send neither `Sec-Fetch-Site` nor `Origin` are let through. Raises CrossSite.
    """
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        raise CrossSite(_("Play from this site’s own pages; the request came from another site"))
    origin = headers.get("origin")
    if origin is None:
        return
    host = host_of(headers)
    if _host_of_origin(origin) != host or not host:
        raise CrossSite(_("Play from this site’s own pages; the request came from another site"))


def host_of(headers: Headers) -> str:
    """The host that a request is for, as browsers write it in an origin; empty where none is."""
    return _DEFAULT_PORT.sub("", headers.get("host", "").lower())


def _host_of_origin(origin: str) -> str:
    """The host and port of an origin; empty for `null` and for what is no address."""
    try:
        return _DEFAULT_PORT.sub("", urlsplit(origin).netloc.lower())
    except ValueError:
        return ""
