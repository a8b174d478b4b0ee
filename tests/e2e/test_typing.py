"""Cards that are typed, and what cannot be done with them."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.api import Player
from tests.e2e.conftest import Browse
from tests.e2e.lines import winning_line
from tests.e2e.table import Table

CODE = "YU1-C-AAAAABH"
LINE = winning_line(CODE)
UP = next(at for at, move in enumerate(LINE) if at and move.endswith("-f"))


@pytest.fixture
def table(browse: Browse, player: Player) -> Table:
    game = player.start(CODE, LINE[:UP])
    context = browse()
    player.enter(context)
    return Table.open(context, game)


def test_a_card_that_is_not_seen_plays_no_other(table: Table) -> None:
    """What is typed after it was meant for it, not for the card that has the focus."""
    shown = table.shown()
    up = {name for place in shown["places"].values() for name in place["cards"]}
    hidden = next(
        rank + suit for rank in "A23456789TJQK" for suit in "SHDC" if rank + suit not in up
    )
    home = next(move for move in shown["legal"] if move.endswith("-f"))
    top = shown["places"][home.partition("-")[0]]["cards"][-1]
    table.page.keyboard.type(top.lower())
    for text in (f"{hidden.lower()} f", f"{hidden.lower()} e"):
        table.page.keyboard.type(text)
        expect(table.toast).to_contain_text(f"{hidden} is not face up")
        table.rests()
    assert table.version == UP


def test_a_typed_move_without_a_place_says_so(table: Table) -> None:
    places = table.shown()["places"]
    assert all(place["cards"] for key, place in places.items() if key[0] == "t")
    king = next(
        name for key, place in places.items() for name in place["cards"]
        if key[0] == "t" and name[0] == "K"
    )  # fmt: skip
    table.page.keyboard.type(f"{king.lower()} e")
    expect(table.toast).to_contain_text("There is no place for this card.")
    table.page.keyboard.press("Escape")
    table.page.wait_for_timeout(2600)
    one, two = next(place["cards"] for place in places.values() if len(place["cards"]) > 2)[:2]
    table.page.evaluate("document.querySelector('.toast')?.remove()")
    table.page.keyboard.type(f"{one.lower()} {two.lower()}")
    expect(table.toast).to_contain_text("There is no place for this card.")
    assert table.version == UP


def test_undo_and_redo_as_everywhere(table: Table) -> None:
    before = table.shown()["places"]
    table.page.keyboard.press("Control+z")
    table.reaches(UP + 1)
    table.page.keyboard.press("Control+Shift+Z")
    table.reaches(UP + 2)
    assert table.shown()["places"] == before


def test_another_s_win_is_not_shown_as_one_s_own(browse: Browse, player: Player) -> None:
    code = "YU1-S-AAAAAAV"
    game = player.start(code, winning_line(code))
    page = browse().new_page()
    page.goto(f"/games/{game['id']}")
    expect(page.get_by_text("This is another player’s game.")).to_be_visible()
    expect(page.locator("#win")).to_have_count(0)
