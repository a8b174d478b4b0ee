"""A finished game raced as a ghost: it runs with the own clock, and the end says who was faster."""

from __future__ import annotations

import re
import time

from playwright.sync_api import Page, expect
from sqlalchemy import update

from app import models
from app.db import Database
from tests.e2e.api import Json, Player
from tests.e2e.conftest import PATIENCE_MS, Browse
from tests.e2e.lines import winning_line
from tests.e2e.server import Server
from tests.e2e.table import Table
from tests.e2e.watch import Watch

RACE = "Race the game of place 1"
REST_MS = 600_000
"""How long the slow ghost looked at its cards in the middle of its game."""


def won(player: Player, code: str) -> Json:
    """A game that ends up on the deal's leaderboard."""
    game = player.start(code, winning_line(code))
    assert game["status"] == "won"
    return game


def rested(server: Server, game: Json) -> None:
    """Let a game have rested in its middle: what would have been stored then."""
    database = Database(server.settings)
    later = {"elapsed_ms": models.events.c.elapsed_ms + REST_MS}
    mine = models.events.c.game_id == game["id"]
    with database.write() as connection:
        half = models.events.c.version > game["version"] // 2
        assert connection.execute(update(models.events).where(mine, half).values(later)).rowcount
        of = models.games.c.id == game["id"]
        whole = {"elapsed_ms": models.games.c.elapsed_ms + REST_MS}
        assert connection.execute(update(models.games).where(of).values(whole)).rowcount == 1
    database.close()


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
    rest = winning_line(game["code"])[game["version"] :]
    assert player.play(game, rest)["status"] == "won"
    page.reload()


def test_a_ghost_that_is_ahead(
    browse: Browse, player: Player, other: Player, own_deal: str
) -> None:
    won(player, own_deal)
    table = Table.start_from(browse(), f"/d/{own_deal}", RACE)
    page, game = table.page, game_of(table.page, other)
    page.wait_for_timeout(1500)
    assert row(page, 2) == {"cards": 0, "moves": 0, "first": False}  # nothing runs before a move
    table.click(winning_line(own_deal)[0], 0)
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


def test_a_ghost_that_is_behind(
    browse: Browse, server: Server, player: Player, other: Player, own_deal: str
) -> None:
    rested(server, won(player, own_deal))
    phone = browse(viewport={"width": 390, "height": 844})
    table = Table.start_from(phone, f"/d/{own_deal}", RACE)
    page, game = table.page, game_of(table.page, other)
    table.click(winning_line(own_deal)[0], 0)
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


def test_without_scripts(
    browse: Browse, player: Player, other: Player, watch: Watch, own_deal: str
) -> None:
    watch.allow(r"\.js.*: csp$")
    theirs = won(player, own_deal)
    page = browse(java_script_enabled=False).new_page()
    page.goto(f"/d/{own_deal}")
    page.get_by_role("button", name=RACE).click()
    page.wait_for_url("**/games/*")
    game = game_of(page, other)
    assert row(page, 2)["cards"] == 0
    other.play(game, winning_line(own_deal)[:1])
    time.sleep(theirs["elapsed_ms"] / 1000)
    page.reload()
    assert row(page, 2)["cards"] == 52
    finish(page, other, game)
    expect(page.locator(".ghosted")).to_contain_text("faster than you by")
