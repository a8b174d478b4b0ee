"""No page is wider than a small phone in any language, and no word is cut."""

from __future__ import annotations

import pytest

from app.i18n import LANGUAGES, direction
from tests.e2e.conftest import Browse
from tests.e2e.server import Server

PAGES = (
    *("/", "/import", "/d/YU1-C-AAAAAAB", "/rules", "/rules/double-yukon"),
    *("/leaderboard", "/statistics", "/daily", "/settings"),
)
_PHONE = {"width": 360, "height": 740}
_WIDER = "document.documentElement.scrollWidth - innerWidth"
_BOXES = ".tabbar a, .seg a, .seg label, .btn, .games label, h1, h2"
_CUT = f"""[...document.querySelectorAll('{_BOXES}')]
    .filter((box) => box.clientWidth > 0 && box.scrollWidth > box.clientWidth + 1)
    .map((box) => box.textContent.trim())"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_fits_a_small_phone(browse: Browse, server: Server, language: str) -> None:
    page = browse(viewport=_PHONE, locale=language).new_page()
    for path in PAGES:
        page.goto(f"{server.url}{path}")
        root = page.locator("html")
        assert root.get_attribute("lang") == language
        assert root.get_attribute("dir") == direction(language)
        assert (path, page.evaluate(_WIDER), page.evaluate(_CUT)) == (path, 0, [])
