"""A server of its own and a browser, for as long as something is measured."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests import browser as chromium
from tests.e2e.server import Server

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}


@contextmanager
def browsing() -> Iterator[tuple[Browser, Server]]:
    """A started browser, and a started server without workers."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(
            executable_path=chromium.ensure(), args=chromium.ARGUMENTS
        )
        try:
            yield browser, server
        finally:
            browser.close()
            server.kill()
