"""Watching browsers: whatever goes wrong in a page fails the test that opened it."""

from __future__ import annotations

import re

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, WebError

REFUSED = r"the server responded with a status of 4(09|22)"
"""The browser's own console line about a refused move."""
UNREACHABLE = r"net::ERR_(CONNECTION|INTERNET|EMPTY|FAILED)|ERR_ABORTED|htmx:error: Failed to fetch"
"""What a browser says of a server that is not there."""


class Watch:
    """Collects console errors and warnings, page errors, failed requests, and foreign hosts.

    A violated Content-Security-Policy is an error of the console.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._allowed: list[re.Pattern[str]] = []
        self.problems: list[str] = []
        self.requests: list[str] = []

    def follow(self, context: BrowserContext) -> None:
        """Watch all pages of a browser profile."""
        context.on("console", self._console)
        context.on("weberror", self._page_error)
        context.on("request", self._request)
        context.on("requestfailed", self._failed)

    def allow(self, *patterns: str) -> None:
        """Problems of these kinds are what the test is about."""
        self._allowed += [re.compile(pattern) for pattern in patterns]

    def unexpected(self) -> list[str]:
        """All problems that are not allowed."""
        return [each for each in self.problems if not any(a.search(each) for a in self._allowed)]

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            self.problems.append(f"console {message.type}: {message.text}")

    def _page_error(self, error: WebError) -> None:
        self.problems.append(f"page error: {error.error}")

    def _request(self, request: Request) -> None:
        self.requests.append(f"{request.method} {request.url.removeprefix(self._url)}")
        if not request.url.startswith((f"{self._url}/", "data:", "blob:")):
            self.problems.append(f"another host: {request.url}")

    def _failed(self, request: Request) -> None:
        if request.method == "GET" and request.failure == "net::ERR_ABORTED":
            return  # its page was left before it came
        if "/static/" in request.url and request.failure == "net::ERR_FAILED":
            return  # the same by way of the service worker; what is not there answers 404
        self.problems.append(f"failed: {request.method} {request.url}: {request.failure}")
