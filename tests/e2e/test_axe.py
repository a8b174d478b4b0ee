"""Nothing on any page that axe knows to shut somebody out: light and dark, both directions, two sizes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.e2e import axe
from tests.e2e.conftest import Browse
from tests.e2e.scenes import Scene, Site
from tests.e2e.server import Server
from tests.e2e.watch import REFUSED, Watch

SIZES = ({"width": 390, "height": 844}, {"width": 1280, "height": 800})
SCHEMES = ("light", "dark")


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
        for size in SIZES:
            page.set_viewport_size(size)
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                where = f"{scene.name} ({language}, {size['width']}, {scheme})"
                seen = axe.violations(page, colours_alone=scheme != SCHEMES[0])
                found += [f"{where}: {each}" for each in seen]
    assert found == []
