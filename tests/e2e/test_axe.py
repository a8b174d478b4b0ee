"""What axe knows to shut people out is on no page: light, dark, both directions, two sizes.

Every language, size and scheme is read; all of them together when YUKON_AXE is `all`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import product
from typing import Literal

import pytest
from playwright.sync_api import Page, ViewportSize

from app.main import create_app
from tests.e2e import axe
from tests.e2e.conftest import Browse
from tests.e2e.scenes import Scene, Site
from tests.e2e.server import Server
from tests.e2e.watch import REFUSED, Watch

SIZES: tuple[ViewportSize, ...] = ({"width": 390, "height": 844}, {"width": 1280, "height": 800})
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
ALL = list(product(SIZES, SCHEMES))
READ = (
    {"en": ALL, "ar": ALL}
    if os.environ.get("YUKON_AXE") == "all"
    else {"en": [ALL[0]], "ar": [ALL[-1]]}
)


@pytest.fixture(scope="module")
def site(server: Server) -> Iterator[Site]:
    site = Site(server.url)
    yield site
    site.close()


def show(page: Page, scene: Scene) -> None:
    """Bring a page to a scene."""
    if scene.path:
        page.set_viewport_size(SIZES[0])
        page.emulate_media(media=scene.media)
        answer = page.goto(scene.path)
        assert answer is not None
        assert (scene.name, answer.status) == (scene.name, scene.status)
    if scene.act:
        scene.act(page)


@pytest.mark.parametrize(("language", "direction"), [("en", "ltr"), ("ar", "rtl")])
def test_no_page_has_a_violation(
    browse: Browse, site: Site, watch: Watch, language: str, direction: str
) -> None:
    watch.allow(REFUSED, "status of 404")
    context = browse(viewport=SIZES[0], locale=language)
    context.add_init_script(path=axe.SCRIPT)
    site.enter(context)
    page = context.new_page()
    found = []
    for scene in site.scenes():
        show(page, scene)
        assert page.locator("html").get_attribute("dir") == direction
        for size, scheme in READ[language]:
            page.set_viewport_size(size)
            page.emulate_media(color_scheme=scheme)
            where = f"{scene.name} ({language}, {size['width']}, {scheme})"
            only_colours = scheme != SCHEMES[0] and (size, SCHEMES[0]) in READ[language]
            seen = axe.violations(page, colours_alone=only_colours)
            found += [f"{where}: {each}" for each in seen]
    assert found == []


NO_PAGES = (
    "/manifest.webmanifest",
    "/sw.js",
    "/healthz",
    "/favicon.ico",
    "/robots.txt",
    "/pictures/{code}.png",
    "/statistics.csv",
    "/account/export",
    "/races/{race_id}/events",
    "/fares/{code}",
    "/proofs/{code}",
    "/daily/today",
    "/games/{game_id}/record",
    "/games/{game_id}/ghost",
    "/games/{game_id}/board",
    "/boards/{code}.txt",
    "/d",
    "/d/",
    "/r/{letters}",
    "/account/passkeys/{passkey_id}/remove",  # needs a device; test_account opens it
    "/take/{secret}",  # a link is used up by its page's button; test_account opens it
)
"""What answers GET with no page of its own: files, streams, parts of pages, other addresses."""


def test_every_page_is_among_them(site: Site) -> None:
    given = [scene.path.partition("?")[0] for scene in site.scenes() if scene.path]
    paths = [
        route
        for included in create_app().routes
        for route in getattr(getattr(included, "original_router", None), "routes", [])
        if "GET" in route.methods and not route.path.startswith("/api/")
        if route.name != "look"  # a write's address that is opened again leads back to its game
    ]
    missing = [
        each.path
        for each in paths
        if each.path not in NO_PAGES and not any(map(each.path_regex.match, given))
    ]
    assert paths
    assert missing == []
