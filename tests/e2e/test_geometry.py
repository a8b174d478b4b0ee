"""Every screen: nothing scrolls sideways, all cards are in view, nothing jumps while playing."""

from __future__ import annotations

import pytest

from tests.e2e.api import Player
from tests.e2e.conftest import Browse
from tests.e2e.lines import winning_line
from tests.e2e.table import Table, parts
from tests.e2e.touch import PHONE, Phone

SCREENS = [(320, 568), (360, 640), (667, 375), (768, 1024), (1280, 720), (1920, 1080)]
LONG = "YU1-C-AAAAABH"
"""After 8 moves 19 cards lie in pile 1, after 21 moves 25 in pile 3, after 25 moves 27."""

OUTSIDE = """() => [...document.querySelectorAll('.board .face, .board .slot')].map((each) => {
    const box = each.getBoundingClientRect();
    return box.width > 20 && box.left >= 0 && box.top >= 0 && box.right <= innerWidth
        && box.bottom <= innerHeight ? '' : JSON.stringify(box);
}).filter(Boolean)"""
SCROLLED = """() => {
    const root = document.documentElement;
    return [root.scrollWidth - root.clientWidth, root.scrollHeight - root.clientHeight,
        scrollX, scrollY, document.body.scrollLeft, document.body.scrollTop];
}"""
WATCH_SHIFTS = """() => {
    window.shifts = [];
    const note = ({ value, sources }) => {
        for (const { node, previousRect, currentRect } of sources) {
            const element = node?.nodeType === Node.TEXT_NODE ? node.parentElement : node;
            if (!element?.isConnected || element.closest('.pile > li')) continue;
            if (element.closest('.stat') && !element.matches('.stat')) continue;
            shifts.push([value, element.outerHTML.slice(0, 60), previousRect, currentRect]);
        }
    };
    new PerformanceObserver((list) => list.getEntries().forEach(note))
        .observe({ type: 'layout-shift' });
}"""


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_a_screen(browse: Browse, player: Player, width: int, height: int) -> None:
    """From the start through twenty moves; piles close up and open, and nothing else moves."""
    line = winning_line(LONG)[:20]
    game = player.start(LONG)
    context = browse(viewport={"width": width, "height": height})
    player.enter(context)
    table = Table.open(context, game)
    page = table.page
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate(SCROLLED) == [0] * 6
    page.evaluate(WATCH_SHIFTS)
    table.ask("press", [list(parts(move)) for move in line])
    table.rests()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    assert page.evaluate("shifts") == []
    assert page.evaluate(SCROLLED) == [0] * 6
    table.is_as_stored(player, game)


@pytest.mark.parametrize(("pile", "size", "moves"), [("t1", 19, 8), ("t3", 25, 21)])
def test_long_piles(browse: Browse, player: Player, pile: str, size: int, moves: int) -> None:
    """Reports 19: every index is seen whole, and every card is hit where it is seen."""
    game = player.start(LONG, winning_line(LONG)[:moves])
    context = browse()
    player.enter(context)
    table = Table.open(context, game)
    assert len(table.shown()["places"][pile]["cards"]) == size
    for width, height in [(320, 568), (667, 375), (1280, 720)]:
        table.page.set_viewport_size({"width": width, "height": height})
        table.page.wait_for_function("width => innerWidth === width", arg=width)
        assert table.page.evaluate(OUTSIDE) == []
        for count in range(1, size + 1):
            table.hold(pile, count)
            index = table.ask("index", pile, count)
            assert index["height"] >= 7, (width, count, index)
            assert index["covered"] < 1, (width, count, index)
        spot = table.hold(pile, size - 1)
        table.page.mouse.click(spot["x"], spot["y"])
        assert table.page.locator(".board .sel").count() == size - 1
        table.page.keyboard.press("Escape")


@pytest.mark.parametrize(("width", "height", "covered"), [(320, 568, 0), (667, 375, 3)])
def test_the_longest_piles_are_reached(
    browse: Browse, player: Player, width: int, height: int, covered: int
) -> None:
    """32 cards in a pile: all can be picked, on a low screen from the pile's well or its fan."""
    code = "YU1-F-AAAAACW"
    game = player.start(code, winning_line(code)[:38])
    context = browse(viewport={"width": width, "height": height})
    player.enter(context)
    table = Table.open(context, game)
    names = table.shown()["places"]["t4"]["cards"]
    assert len(names) == 32
    for count in range(1, 33 - covered):
        table.hold("t4", count)
    if covered:
        table.page.locator(".more").click()
        fan = table.page.locator("#fan button[data-card]")
        assert [each.get_attribute("data-card") for each in fan.all()] == names
        fan.nth(1).click()
        assert table.page.locator(".board .sel").count() == 31
    else:
        assert table.page.evaluate(OUTSIDE) == []


def test_ten_piles_on_a_phone(browse: Browse, player: Player) -> None:
    """Double Yukon at 360 wide: all there, and played by finger."""
    code = "YU1-D-AAAAAAB"
    line = winning_line(code)[:12]
    game = player.start(code)
    context = browse(**PHONE)
    player.enter(context)
    table = Phone.open(context, game)
    assert table.page.evaluate(OUTSIDE) == []
    assert table.page.evaluate(SCROLLED) == [0] * 6
    table.play(table.drag_by_finger, line[:6])
    table.play(table.tap, line[6:])
    table.is_as_stored(player, game)
