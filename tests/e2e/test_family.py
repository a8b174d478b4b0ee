"""Stock and waste: Australian Patience by mouse and by finger, and its whole win."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.api import Player
from tests.e2e.conftest import Browse
from tests.e2e.lines import winning_line
from tests.e2e.table import Table
from tests.e2e.touch import PHONE, Phone
from tests.e2e.watch import REFUSED, Watch

CODE = "YU1-P-AAAAAAD"
LINE = winning_line(CODE)


def test_stock_and_waste_by_mouse(browse: Browse, player: Player) -> None:
    game = player.start(CODE)
    context = browse()
    player.enter(context)
    table = Table.open(context, game)

    def by_turns(text: str, at: int) -> None:
        (table.click if at % 2 or text == "s-w" else table.drag)(text, at)

    table.play(by_turns, LINE[:12])
    table.is_as_stored(player, game)
    player.play(player.see(game["id"]), LINE[12:-2])
    table.page.reload()
    table.wait()
    table.play(table.drag, LINE[-2:])
    table.has_won(520)


def test_stock_and_waste_by_finger(browse: Browse, player: Player) -> None:
    game = player.start(CODE)
    context = browse(**PHONE)
    player.enter(context)
    table = Phone.open(context, game)

    def by_turns(text: str, at: int) -> None:
        (table.tap if at % 2 or text == "s-w" else table.drag_by_finger)(text, at)

    table.play(by_turns, LINE[:12])
    table.is_as_stored(player, game)


def test_the_stock_by_key_down_to_its_last_card(
    browse: Browse, player: Player, watch: Watch
) -> None:
    watch.allow(REFUSED)
    game = player.start(CODE)
    context = browse()
    player.enter(context)
    table = Table.open(context, game)
    stock = int(game["stock"])
    for count in range(1, stock + 1):
        table.page.keyboard.press("d")
        table.reaches(count)
    table.page.keyboard.press("d")
    table.rests()
    stored = table.is_as_stored(player, game)
    assert (stored["stock"], stored["version"]) == (0, stock)
    expect(table.page.get_by_label("Stock, empty")).to_be_visible()
