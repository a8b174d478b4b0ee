"""The cascade of a win: the deck's own faces, moved by transforms alone; anything ends it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.api import Json, Player
from tests.e2e.conftest import DESK, Browse
from tests.e2e.lines import winning_line
from tests.e2e.table import Table
from tests.e2e.touch import PHONE

CODE = "YU1-F-AAAAAAB"
DRAWN = ".cascade, .band"
# What is drawn is noted as it comes; so a test cannot look too late.
_NOTE = """() => {
    window.noted = { cards: 0, faces: [], properties: [], hits: 0, moved: false };
    new MutationObserver(() => {
        const cards = [...document.querySelectorAll(".cascade .face")];
        if (!cards.length || noted.cards) return;
        noted.cards = cards.length;
        noted.faces = cards.map((face) => face.querySelector("use").getAttribute("href"));
        const own = (each) => each.effect.target.matches(".cascade .face, .band");
        noted.properties = [...new Set(document.getAnimations().filter(own)
            .flatMap((each) => each.effect.getKeyframes()).flatMap(Object.keys))];
        const at = (face) => face.getBoundingClientRect().x;
        const start = cards.map(at);
        const tick = () => {
            const now = [...document.querySelectorAll(".cascade .face")];
            if (!now.length) return;
            for (const face of now) {
                const { x, y, width, height } = face.getBoundingClientRect();
                const hit = document.elementFromPoint(x + width / 2, y + height / 2);
                if (hit?.closest(".cascade, .band")) noted.hits += 1;
            }
            noted.moved ||= now.some((face, n) => Math.abs(at(face) - start[n]) > 20);
            requestAnimationFrame(tick);
        };
        requestAnimationFrame(tick);
    }).observe(document.getElementById("game"), { childList: true, subtree: true });
}"""
_STOP = """() => {
    const isOurs = ({ effect }) => !effect.target.closest(".air");  // the last card may still fly
    for (const each of document.getAnimations().filter(isOurs)) each.pause();
}"""
_KEYFRAME = {"offset", "computedOffset", "easing", "composite", "transform"}

Won = Callable[..., Page]


@pytest.fixture
def won(browse: Browse, player: Player) -> Won:
    """Plays the last move of a game and returns the page that shows it."""

    def make(
        code: str = CODE, last: Callable[[Table, str], object] = Table.click, **how: Any
    ) -> Page:
        context = browse(**{"reduced_motion": "no-preference", **how})
        line = winning_line(code)
        game: Json = player.start(code, line[:-1])
        player.enter(context)
        table = Table.open(context, game)
        table.page.evaluate(_NOTE)
        last(table, line[-1])
        return table.page

    return make


def leaves_nothing(page: Page) -> None:
    """The panel is there; nothing is drawn any more, and nothing of it stays on the table."""
    expect(page.locator(DRAWN)).to_have_count(0)
    expect(page.locator("#win .pts")).to_have_text("625")
    page.wait_for_function("() => document.getAnimations().length === 0")
    assert page.locator(".board .face[style], #win[style], .scrim[style]").count() == 0
    assert page.evaluate("() => getComputedStyle(document.getElementById('win')).opacity") == "1"


def stands_still(page: Page) -> None:
    """In the middle of it."""
    page.wait_for_function("() => noted.cards")
    page.evaluate(_STOP)


@pytest.mark.parametrize(
    "how",
    [
        {"viewport": DESK},
        {"viewport": PHONE["viewport"]},
        {"viewport": {"width": 740, "height": 360}},
        {"viewport": DESK, "locale": "ar"},
    ],
    ids=["desk", "phone", "on its side", "right to left"],
)
def test_it_runs_and_leaves_nothing(won: Won, how: dict[str, Any]) -> None:
    page = won(**how)
    expect(page.locator("#win")).to_be_focused()
    page.wait_for_function("() => noted.cards")
    leaves_nothing(page)
    noted = page.evaluate("() => noted")
    assert noted["cards"] == len(set(noted["faces"])) == 48
    assert all(page.locator(face).count() == 1 for face in noted["faces"])
    assert set(noted["properties"]) <= _KEYFRAME
    assert noted["moved"]
    assert noted["hits"] == 0


def test_none_is_drawn_for_those_who_want_less_motion(won: Won) -> None:
    page = won(reduced_motion="reduce")
    leaves_nothing(page)
    assert page.evaluate("() => noted.cards") == 0


def _tap(page: Page) -> None:
    box = page.locator("#win .pri").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def _hide(page: Page) -> None:
    page.evaluate(
        """() => {
            Object.defineProperty(document, "hidden", { value: true, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )


@pytest.mark.parametrize(
    "end",
    [
        lambda page: page.keyboard.press("Shift"),
        _hide,
        lambda page: page.emulate_media(reduced_motion="reduce"),
    ],
    ids=["key", "hidden page", "less motion"],
)
def test_anything_ends_it(won: Won, end: Callable[[Page], object]) -> None:
    page = won()
    stands_still(page)
    assert page.locator(DRAWN).count() == 2
    end(page)
    leaves_nothing(page)


def test_a_tap_ends_it_and_presses_nothing_unseen(won: Won) -> None:
    """A tap where the button will be is no press of it; the next one is."""
    page = won()
    stands_still(page)
    address = page.url
    _tap(page)
    leaves_nothing(page)
    assert page.url == address
    with page.expect_navigation():
        _tap(page)
    assert page.url != address


def test_a_page_that_is_not_seen_draws_none(won: Won) -> None:
    def last(table: Table, move: str) -> None:
        table.page.evaluate("() => Object.defineProperty(document, 'hidden', { value: true })")
        table.click(move)

    page = won(last=last)
    leaves_nothing(page)
    assert page.evaluate("() => noted.cards") == 0
