"""Leaderboards: sorted and filtered by links, page after page, the own row on each; and names."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from app.leaderboard import service
from tests.e2e.api import Player
from tests.e2e.conftest import Browse
from tests.e2e.lines import detour, winning_line
from tests.e2e.server import Server
from tests.e2e.watch import REFUSED, Watch


def moves_shown(page: Page) -> list[str]:
    return page.locator("tbody tr td:nth-child(3)").all_inner_texts()


@pytest.mark.parametrize("scripts", [True, False])
def test_sorted_and_filtered(
    browse: Browse, player: Player, watch: Watch, own_deal: str, scripts: bool
) -> None:
    if not scripts:
        watch.allow(r"\.js.*: csp$")
    line = winning_line(own_deal)
    game = player.start(own_deal, detour(own_deal)[:-1])
    game = player.write(player.write(game, "undo"), "redo")
    player.play(game, line[-1:])
    player.start(own_deal, line)
    context = browse(java_script_enabled=scripts)
    player.enter(context)
    page = context.new_page()
    page.goto(f"/d/{own_deal}")
    mine = page.locator("#board tr.me")
    expect(mine).to_have_count(1)
    expect(mine).to_contain_text("Clean")
    page.locator("#board").get_by_role("link", name="First try").click()
    page.wait_for_url("**first=1*")
    expect(mine).not_to_contain_text("Clean")
    page.locator("#board").get_by_role("link", name="Clean").click()
    page.wait_for_url("**clean=1**")
    expect(mine).to_have_count(0)
    page.locator("#board").get_by_role("link", name="First try").click()
    page.locator("#board").get_by_role("link", name="Time").click()
    page.wait_for_url("**sort=time**")
    expect(page.locator("#board th[aria-sort]")).to_have_text("Time")
    expect(mine).to_contain_text("Clean")


def test_page_after_page_with_the_own_row(
    browse: Browse, server: Server, player: Player, own_deal: str
) -> None:
    rows = service.ROWS
    for count in range(1, rows + 3):
        game = Player(server.url)
        start = game.start(own_deal)
        for _ in range(min(count, 3)):
            start = game.play(start, start["legal_moves"][:1])
        game.write(start, "end")
        game.close()
    start = player.start(own_deal)
    for _ in range(4):
        start = player.play(start, start["legal_moves"][:1])
    player.write(start, "end")
    context = browse()
    player.enter(context)
    page = context.new_page()
    page.goto(f"/d/{own_deal}")
    shown = page.locator("#board tbody tr")
    count = shown.count()
    assert count in (rows, rows + 1)  # the own row comes last where it is not among them
    expect(page.locator("#board tr.me")).to_have_count(1)
    page.get_by_role("link", name="Next").click()
    page.wait_for_url("**after=**")
    expect(shown.first.locator("td").first).to_have_text(str(rows + 1))
    expect(page.locator("#board tr.me")).to_have_count(1)
    page.get_by_role("link", name="From the top").click()
    expect(shown.first.locator("td").first).to_have_text("1")


def test_a_name_that_is_taken(
    browse: Browse, player: Player, other: Player, watch: Watch, own_deal: str
) -> None:
    watch.allow(REFUSED)
    game = player.start(own_deal, winning_line(own_deal))
    other.start(own_deal)
    theirs = browse()
    other.enter(theirs)
    page = theirs.new_page()
    page.goto("/")
    page.get_by_role("link", name="Menu").click()
    page.locator("#menu").get_by_label("Your name").fill("Tess of Yukon")
    page.locator("#menu").get_by_role("button", name="Save").click()
    expect(page.locator("#menu #name")).to_contain_text("Tess of Yukon")
    mine = browse()
    player.enter(mine)
    page = mine.new_page()
    page.goto(f"/games/{game['id']}")
    form = page.locator("#win form#name")
    form.get_by_role("textbox").fill("TESS of Yuk0n")
    form.get_by_role("button").click()
    expect(page.locator("#win [role=alert]")).to_contain_text("Somebody has this name")
    form.get_by_role("textbox").fill("Tess the second")
    form.get_by_role("button").click()
    expect(page.locator("#win #name")).to_contain_text("Tess the second")


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_tab_that_is_shown_is_seen_on_a_phone(browse: Browse, language: str) -> None:
    page = browse(viewport={"width": 390, "height": 844}, locale=language).new_page()
    for path in ("/leaderboard", "/statistics", "/daily"):
        page.goto(f"{path}?game=double-yukon")
        tab = page.locator(".tabs > [aria-current]")
        box = tab.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert page.evaluate("scrollY") == 0
