"""No page is wider than small phones in any language, and no word is cut."""

from __future__ import annotations

from contextlib import closing

import pytest
from playwright.sync_api import ViewportSize

from app.i18n import LANGUAGES, direction
from tests.e2e.api import Player
from tests.e2e.conftest import Browse
from tests.e2e.server import Server

PLAYED = "YU1-C-AAAAAAB"
PAGES = (
    *("/", "/import", f"/d/{PLAYED}", "/rules", "/rules/double-yukon"),
    *("/leaderboard", "/statistics", "/daily", "/settings", "/account", "/races", "/new"),
)
_PHONES: tuple[ViewportSize, ...] = ({"width": 360, "height": 740}, {"width": 320, "height": 568})
_WIDER = "document.documentElement.scrollWidth - innerWidth"
_BOXES = ".tabbar a, .seg a, .seg label, .btn, .games label, h1, h2"
_CUT = f"""[...document.querySelectorAll('{_BOXES}')]
    .filter((box) => box.clientWidth > 0 && box.scrollWidth > box.clientWidth + 1)
    .map((box) => box.textContent.trim())"""


@pytest.fixture(scope="module", autouse=True)
def _a_row(server: Server) -> None:
    """The leaderboards, and that of a deal, have a row."""
    with closing(Player(server.url)) as player:
        player.write(player.start(PLAYED, ["t4-t6"]), "end")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_fits_a_small_phone(browse: Browse, server: Server, language: str) -> None:
    page = browse(viewport=_PHONES[0], locale=language).new_page()
    for path in PAGES:
        page.goto(f"{server.url}{path}")
        root = page.locator("html")
        assert root.get_attribute("lang") == language
        assert root.get_attribute("dir") == direction(language)
        for phone in _PHONES:
            page.set_viewport_size(phone)
            wide = page.evaluate(_WIDER)
            assert (path, phone["width"], wide) == (path, phone["width"], 0)
        page.set_viewport_size(_PHONES[0])
        assert (path, page.evaluate(_CUT)) == (path, [])
