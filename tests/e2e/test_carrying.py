"""Where a carried group lands: reports 17, 18 and 21."""

from __future__ import annotations

import pytest

from tests.e2e.api import Player
from tests.e2e.conftest import Browse
from tests.e2e.lines import winning_line
from tests.e2e.table import Table
from tests.e2e.touch import PHONE, Phone

ONE_CARD = ("YU1-C-AAAAABD", 4, "t4x12-t3")
EMPTY = ("YU1-F-AAAAABS", 26, "t6x12-t1")
CARRIED = """async () => {
    for (let n = 0; n < 3; n += 1) await new Promise(requestAnimationFrame);
    const face = document.querySelector('.carry .face');
    if (!face) return null;
    const { left, top } = face.getBoundingClientRect();
    return [left, top];
}"""
PLACE = """() => [scrollX, scrollY, visualViewport.offsetLeft, visualViewport.offsetTop,
    visualViewport.scale, document.body.scrollTop, document.querySelector('.field').scrollTop,
    ...[...document.querySelectorAll('.pile')].map((pile) => pile.scrollTop)]"""


@pytest.mark.parametrize(("code", "after", "move"), [ONE_CARD, EMPTY])
def test_twelve_cards(browse: Browse, player: Player, code: str, after: int, move: str) -> None:
    """Reports 18: the pile that the lead card covers most, though the hand is over another."""
    assert winning_line(code)[after] == move
    game = player.start(code, winning_line(code)[:after])
    context = browse(reduced_motion="no-preference")
    player.enter(context)
    table = Table.open(context, game)
    for grip, aside in ((0.5, 0.0), (0.95, 0.35), (0.05, -0.35)):
        version = table.version
        table.drag(move, grip=grip, aside=aside, steps=6)
        table.reaches(version + 1)
        table.rests()
        table.is_as_stored(player, game)
        assert table.section.get_attribute("data-last") == move
        table.page.keyboard.press("u")
        table.reaches(version + 2)
        table.rests()


def test_twelve_cards_by_finger(browse: Browse, player: Player) -> None:
    code, after, move = EMPTY
    game = player.start(code, winning_line(code)[:after])
    context = browse(**PHONE)
    player.enter(context)
    table = Phone.open(context, game)
    table.drag_by_finger(move, steps=6)
    table.reaches(after + 1)
    table.is_as_stored(player, game)


def test_a_finger_carries_and_does_not_scroll(browse: Browse, player: Player) -> None:
    """Reports 17: down and up over the whole screen, and back without a move."""
    code = ONE_CARD[0]
    game = player.start(code)
    context = browse(**PHONE)
    player.enter(context)
    table = Phone.open(context, game)
    page, finger = table.page, table.finger
    before = page.evaluate(PLACE)
    for place, count in (("t4", 2), ("t7", 5), ("t1", 1)):
        spot = table.hold(place, count)
        x, y = spot["x"], spot["y"]
        finger.press(x, y)
        for to in (620, 30, y + 5):
            for step in range(1, 5):
                finger.move(x, y + (to - y) * step / 4)
            assert page.evaluate(PLACE) == before
        assert page.evaluate(CARRIED) is not None
        finger.lift()
        table.rests()
    assert table.is_as_stored(player, game)["version"] == 0
    finger.slide((180, 630), (180, 300))
    finger.slide((340, 600), (20, 600))
    assert page.evaluate(PLACE) == before


def test_right_to_left(browse: Browse, player: Player) -> None:
    """Reports 21: the group is under the hand all the way, and lands where it is let go."""
    code = ONE_CARD[0]
    line = winning_line(code)
    game = player.start(code)
    context = browse()
    player.enter(context)
    table = Table.open(context, game)
    page = table.page
    page.evaluate("document.documentElement.dir = 'rtl'")
    for turn, (width, height) in enumerate([(1280, 720), (360, 640), (667, 375)]):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(CARRIED)
        assert table.ask("ground", "t1")["left"] < table.ask("ground", "t7")["left"]
        spot = table.hold("t7", 2)
        page.mouse.move(spot["x"], spot["y"])
        page.mouse.down()
        page.mouse.move(spot["x"] - 60, spot["y"] + 40, steps=3)
        left, top = page.evaluate(CARRIED)
        assert abs(left - spot["left"] + 60) < 2
        assert abs(top - spot["top"] - 40) < 6
        page.mouse.move(spot["x"], spot["y"] + 8)
        page.mouse.up()
        table.rests()
        table.play(table.drag, line[turn * 3 : turn * 3 + 3])
        table.is_as_stored(player, game)
