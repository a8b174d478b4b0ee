"""Reports 25: the game is there again after a reload, in another tab, after going back."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.e2e.api import Player
from tests.e2e.conftest import Browse
from tests.e2e.lines import winning_line
from tests.e2e.table import Table
from tests.e2e.watch import REFUSED, Watch

CODE = "YU1-C-AAAAABH"
LINE = winning_line(CODE)


def test_a_reload_brings_everything_back(browse: Browse, player: Player) -> None:
    game = player.start(CODE, LINE[:10])
    game = player.write(player.write(game, "undo"), "undo")
    context = browse()
    player.enter(context)
    table = Table.open(context, game)
    before = table.is_as_stored(player, game)
    clock = before["elapsed_ms"]
    table.page.reload()
    table.wait()
    after = table.is_as_stored(player, game)
    assert after["elapsed_ms"] >= clock
    shown = table.page.locator("#clock").inner_text()
    assert re.fullmatch(r"\d+:\d\d", shown)
    table.page.keyboard.press("r")
    table.reaches(game["version"] + 1)
    table.page.keyboard.press("r")
    table.reaches(game["version"] + 2)
    assert table.is_as_stored(player, game)["moves"] == 10


def test_another_tab_shows_the_same_and_heals(browse: Browse, player: Player, watch: Watch) -> None:
    """A move on a table that has moved on is not played: the table comes as it is, and a word."""
    watch.allow(REFUSED)
    game = player.start(CODE, LINE[:4])
    context = browse()
    player.enter(context)
    first, second = Table.open(context, game), Table.open(context, game)
    assert first.shown() == second.shown()
    first.play(first.drag, LINE[4:7])
    assert second.version == game["version"]
    second.drag(next(move for move in game["legal_moves"] if move not in LINE[4:7]))
    second.reaches(game["version"] + 3)
    expect(second.toast).to_contain_text("The table had moved on")
    second.rests()
    stored = second.is_as_stored(player, game)
    assert (stored["version"], stored["moves"]) == (game["version"] + 3, 7)
    assert first.shown() == second.shown()
    second.play(second.drag, LINE[7:8])
    first.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    first.reaches(game["version"] + 4)
    expect(first.toast).to_contain_text("The table had moved on")
    first.is_as_stored(player, game)


def test_the_same_move_in_two_tabs_is_played_once(browse: Browse, player: Player) -> None:
    game = player.start(CODE, LINE[:4])
    context = browse()
    player.enter(context)
    first, second = Table.open(context, game), Table.open(context, game)
    first.drag(LINE[4])
    first.reaches(game["version"] + 1)
    second.drag(LINE[4])
    second.reaches(game["version"] + 1)
    second.rests()
    assert second.is_as_stored(player, game)["moves"] == 5


def test_the_back_button_shows_the_game_as_it_is(browse: Browse, player: Player) -> None:
    game = player.start(CODE, LINE[:4])
    context = browse()
    player.enter(context)
    table = Table.open(context, game)
    table.play(table.drag, LINE[4:5])
    table.page.goto("/leaderboard")
    player.play(player.see(game["id"]), LINE[5:6])
    table.page.go_back()
    table.wait()
    table.reaches(game["version"] + 2)
    table.play(table.drag, LINE[6:8])
    table.is_as_stored(player, game)


def test_home_leads_back_into_the_game(browse: Browse, player: Player) -> None:
    game = player.start(CODE, LINE[:4])
    context = browse()
    player.enter(context)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("link", name="Resume").click()
    expect(page).to_have_url(re.compile(f"/games/{game['id']}$"))
    expect(page.locator("#table")).to_have_attribute("data-version", str(game["version"]))
