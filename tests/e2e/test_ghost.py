"""A finished game raced as a ghost: it runs with the own clock, and the end says who was faster."""

from __future__ import annotations

import re
import time

from playwright.sync_api import Page, expect

from tests.e2e.api import Json, Player
from tests.e2e.conftest import PATIENCE_MS, Browse
from tests.e2e.lines import winning_line
from tests.e2e.table import Table
from tests.e2e.watch import Watch

CODE = "YU1-F-AAAAACT"
RACE = "Race the game of place 1"
LINE = winning_line(CODE)
REST_S = 20
"""How long the slow ghost looked at its cards in the middle of its game: more than a busy machine
takes to play the line."""
RUN_S = 4
"""How long a ghost that rested nowhere runs at the most."""
HALF = len(LINE) // 2


def won(player: Player, rest_s: float = 0) -> None:
    """A game that ends up on the deal's leaderboard."""
    game = player.play(player.start(CODE), LINE[:HALF])
    time.sleep(rest_s)
    assert player.play(game, LINE[HALF:])["status"] == "won"


def game_of(page: Page, player: Player) -> Json:
    """The game that a page has begun."""
    player.leave(page.context)
    return player.see(page.url.rpartition("/")[2])


def row(page: Page, seat: int) -> Json:
    """What the standing shows of a player."""
    shown = page.locator(f'#runners [data-seat="{seat}"]')
    return {
        "cards": int(shown.locator(".cards b").inner_text()),
        "moves": int(shown.locator(".detail").inner_text().split()[0]),
        "first": shown.evaluate("row => row === row.parentElement.firstElementChild"),
    }


def finish(page: Page, player: Player, game: Json) -> None:
    """Play the rest of the line; the page sees it when it is looked at again."""
    game = player.see(game["id"])
    assert player.play(game, LINE[game["version"] :])["status"] == "won"
    page.reload()


def test_a_ghost_that_is_ahead(browse: Browse, player: Player, other: Player) -> None:
    won(player)
    table = Table.start_from(browse(), f"/d/{CODE}", RACE)
    page, game = table.page, game_of(table.page, other)
    page.wait_for_timeout(1500)
    assert row(page, 2) == {"cards": 0, "moves": 0, "first": False}  # nothing runs before a move
    table.click(LINE[0], 0)
    table.reaches(1)
    ghost = page.locator('#runners [data-seat="2"]')
    expect(ghost).to_have_class(re.compile(r"\bwon\b"), timeout=3 * PATIENCE_MS)
    assert row(page, 2)["cards"] == 52
    assert row(page, 2)["first"]
    assert row(page, 1)["moves"] == 1
    expect(page.locator(".ghosted")).to_have_count(0)
    finish(page, other, game)
    expect(page.locator(".ghosted")).to_contain_text("faster than you by")
    page.locator(".ghosted a").click()
    page.wait_for_url("**/replay")


def test_a_ghost_that_is_behind(browse: Browse, player: Player, other: Player) -> None:
    won(player, REST_S)
    phone = browse(viewport={"width": 390, "height": 844})
    table = Table.start_from(phone, f"/d/{CODE}", RACE)
    page, game = table.page, game_of(table.page, other)
    table.click(LINE[0], 0)
    table.reaches(1)
    page.wait_for_function(
        """() => Number(document.querySelector('#runners [data-seat="2"] progress').value) > 0"""
    )
    halfway = row(page, 2)
    assert 0 < halfway["cards"] < 52
    expect(page.locator('#runners [data-seat="2"]')).to_have_class(re.compile(r"\bracing\b"))
    finish(page, other, game)
    expect(page.locator(".ghosted")).to_contain_text("you were faster by")
    expect(page.locator('#runners [data-seat="1"]')).to_have_class(re.compile(r"\bwon\b"))


def test_without_scripts(browse: Browse, player: Player, other: Player, watch: Watch) -> None:
    watch.allow(r"\.js.*: csp$")
    won(player)
    page = browse(java_script_enabled=False).new_page()
    page.goto(f"/d/{CODE}")
    page.get_by_role("button", name=RACE).click()
    page.wait_for_url("**/games/*")
    game = game_of(page, other)
    assert row(page, 2)["cards"] == 0
    other.play(game, LINE[:1])
    time.sleep(RUN_S)
    page.reload()
    assert row(page, 2)["cards"] == 52
    finish(page, other, game)
    expect(page.locator(".ghosted")).to_contain_text("faster than you by")
