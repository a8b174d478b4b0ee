"""The daily deal: chosen while the page waits, played, kept sealed, and on its board."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.api import Player
from tests.e2e.conftest import PATIENCE_MS, Browse
from tests.e2e.server import Server
from tests.e2e.watch import Watch

PATIENCE_FOR_A_DEAL_MS = 5 * PATIENCE_MS  # the worker may be compiling


@pytest.fixture(scope="module")
def server(solving_server: Server) -> Server:
    return solving_server


def started(page: Page) -> str:
    page.goto("/daily")
    button = page.locator("#today").get_by_role("button", name="Play today’s deal")
    expect(button).to_be_visible(timeout=PATIENCE_FOR_A_DEAL_MS)
    button.click()
    page.wait_for_url("**/games/*")
    return page.url.rpartition("/")[2]


@pytest.mark.parametrize("scripts", [True, False])
def test_today_s_deal(browse: Browse, player: Player, watch: Watch, scripts: bool) -> None:
    if not scripts:  # whoever waits has a script that looks again
        watch.allow(r"\.js.*: csp$")
        started(browse().new_page())
    context = browse(java_script_enabled=scripts)
    page = context.new_page()
    game_id = started(page)
    expect(page.get_by_text("Sealed deal", exact=True)).to_be_visible()
    expect(page.locator("#menu").get_by_text("Can this still be won?")).to_have_count(0)
    player.leave(context)
    game = player.see(game_id)
    assert game["code"] is None
    player.play(game, game["legal_moves"][:1])
    page.goto("/")
    page.get_by_role("button", name="Go on").click()
    page.wait_for_url(f"**/games/{game_id}")
    game = player.write(player.see(game_id), "end")
    page.goto("/daily")
    expect(page.get_by_text("The first try was not won")).to_be_visible()
    row = page.locator("#board tr.me")
    expect(row).to_contain_text("Not finished")
    page.get_by_text("Sealed code").click()
    expect(page.locator(".seal")).to_contain_text(game["code"])
    row.get_by_role("link", name="Replay").click()
    expect(page.locator("#table")).to_have_attribute("data-last", "1")
