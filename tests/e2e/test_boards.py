"""A pasted board: what is wrong with it, mended, played to the win; what is exported comes back."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from engine.boardtext import board_text
from engine.deals import deal, parse_code
from tests.e2e.api import Player
from tests.e2e.conftest import Browse
from tests.e2e.lines import winning_line
from tests.e2e.table import Table, shown_of
from tests.e2e.watch import REFUSED, Watch

pysol_deals: Any = import_module("pysol_cards.deal_game")
pysol_cards: Any = import_module("pysol_cards.cards")
CODE = "YU1-F-AAAAACT"
WINS_24 = """
t7-f t6x5-t4 t4x9-t2 t3x5-t4 t3-f t6-t1 t4x2-t3 t5x5-t3 t7x2-t6 t2x8-t7 t7x10-t2 t6x3-t7 t7x4-t6
t6x5-t3 t3x13-t5 t5x5-t6 t7-t5 t2x16-t3 t3-t2 t1x2-t6 t3x2-t1 t7-t3 t6x6-t5 t5x10-t6 t5-f
t4x4-t5 t4-f t7-t1 t6x4-t7 t7x3-t6 t6x2-t7 t4-t6 t3x10-t4 t1-t7 t3x3-t1 t4x7-t3 t5x5-t4 t1-t5
t3x2-t7 t3-f t3-f t7x4-t6 t1x3-t7 t6x14-t1 t6-f t4-f t5x2-t4 t7-f t1x11-t6 t7x5-t1 t4x4-t7
t5x3-t4 t4x4-t7 t7x9-t4 t5-t7 t5-f t6-f t2-f t2-f t6-f t4-f t5-f t3-f t1-f t6-f t1-f t4-f t4-f
t6-f t1-f t4x9-t3 t3x4-t4 t3-f t4-f t6-f t6-f t3-f t3-f t4-f t4-f t1-f t6-f t1-f t1-f t3-f t4-f
t3-f t4-f t6-f t6-f t1-f t6-f t3-f t4-f t3-f t7-f t1-f t1-f t6-f t3-f
"""
"""A line that wins PySolFC's Yukon number 24 with fixed foundations."""


def pysolfc_board(number: int) -> str:
    """Yukon as PySolFC's own tool writes it, tens as 10."""
    game = pysol_deals.Game("yukon", number, 1)
    return str(game.calc_deal_string(number, pysol_cards.CardRenderer(False)))


def paste(page: Page, text: str, game: str | None = None) -> None:
    page.get_by_label("Board, record or code").fill(text)
    if game:
        page.get_by_text(game, exact=True).click()
    page.get_by_role("button", name="Play", exact=True).click()


def game_id(page: Page) -> str:
    page.wait_for_url(re.compile(r"/games/[^/]+$"))
    return page.url.rpartition("/")[2]


@pytest.mark.parametrize("scripts", [True, False])
def test_a_pysolfc_board_is_mended_and_played_to_the_win(
    browse: Browse, player: Player, watch: Watch, scripts: bool
) -> None:
    watch.allow(REFUSED, *([] if scripts else [r"\.js.*: csp$"]))
    board = pysolfc_board(24)
    broken = board.replace("7C\n", "7X\n", 1).replace("<4C> KH", "4C <KH>", 1)
    context = browse(java_script_enabled=scripts)
    page = context.new_page()
    page.goto("/new")
    page.get_by_role("link", name="Paste a board").click()
    paste(page, broken, "Yukon, fixed foundations")
    report = page.get_by_role("alert")
    expect(report.get_by_role("heading")).to_have_text("3 things are wrong")
    told = [" ".join(text.split()) for text in report.get_by_role("listitem").all_inner_texts()]
    assert told == [
        "“7X” is no card; cards are written like 7H, TS or KD. Line 1 7X",
        "Pile 2 has a face-down card on a face-up one. Line 2 4C <KH> 5C 3H 8S JD",
        "7C is missing.",
    ]
    assert page.get_by_label("Board, record or code").input_value() == broken
    expect(page.get_by_label("Yukon, fixed foundations")).to_be_checked()

    paste(page, board)
    found = game_id(page)
    player.leave(context)
    game = player.see(found)
    assert game["code"] is None
    line = WINS_24.split()
    game = player.play(game, line[:-5] if scripts else line[:-1])
    if scripts:
        table = Table.open(context, game)
        expect(table.page.locator(".bar .code")).to_have_text("Own board")
        table.play(table.click, line[-5:])
        table.has_won(625)
        table.is_as_stored(player, game)
        page = table.page
    else:
        player.play(game, line[-1:])
        page.reload()
    expect(page.locator("#win .pts")).to_have_text("625")
    expect(page.locator("#win")).to_contain_text("Practice")
    expect(page.locator("#win a[href^='/d/']")).to_have_count(0)
    page.goto("/statistics")
    expect(page.get_by_text("Nothing played here yet")).to_be_visible()


def test_a_deal_s_board_and_a_game_s_record_come_back(browse: Browse, player: Player) -> None:
    line = winning_line(CODE)
    game = player.start(CODE, line[:-1])
    context = browse(permissions=["clipboard-read", "clipboard-write"])
    player.enter(context)
    page = context.new_page()
    page.goto(f"/d/{CODE}")
    expect(page.get_by_role("link", name="Board as text")).to_be_hidden()  # a warning comes first
    page.get_by_text("On paper, or as text").click()
    expect(page.get_by_text("The board’s text shows the face-down cards too.")).to_be_visible()
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Board as text").click()
    assert downloading.value.suggested_filename == f"{CODE}-board.txt"
    exported = downloading.value.path().read_text()
    assert exported == f"# {CODE}\n{board_text(deal(parse_code(CODE)))}"
    page.get_by_role("button", name="Copy board").click()
    expect(page.locator(".toast")).to_contain_text("Board copied")
    assert page.evaluate("navigator.clipboard.readText()") == exported
    page.goto("/import?game=yukon-fixed")
    paste(page, exported)
    again = player.see(game_id(page))
    fresh = player.start(CODE)
    assert shown_of(again)["places"] == shown_of(fresh)["places"]

    table = Table.open(context, game)
    table.play(table.drag, line[-1:])
    table.has_won(625)
    page = table.page
    page.goto(f"/games/{game['id']}")
    page.wait_for_function("() => document.documentElement.classList.contains('ready')")
    record = saved(page, "Game record")
    page.goto("/import")
    paste(page, record)
    found = page.get_by_role("status").filter(has_text="A game record")
    expect(found).to_contain_text(f"{CODE} · {len(line)} moves · won")
    page.get_by_role("button", name="Replay").click()
    page.wait_for_url(re.compile(r"/replay$"))
    page.goto(f"{page.url}?at={len(line)}")
    expect(page.locator("#table")).to_have_attribute("data-at", str(len(line)))
    expect(page.locator("#table")).to_have_class(re.compile("won"))


def saved(page: Page, name: str) -> str:
    """What a link of the menu lets one save."""
    address = page.locator("#menu a", has_text=name).get_attribute("href")
    assert address is not None
    answer = page.request.get(address)
    assert answer.ok
    return answer.text()
