"""Two players become friends by a link, see their own leaderboard, and part again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.api import Player
from tests.e2e.conftest import Browse
from tests.e2e.lines import winning_line
from tests.e2e.watch import Watch

CODE = "YU1-F-AAAAACE"
LINE = winning_line(CODE)


def friends_link(page: Page) -> str:
    page.goto("/account")
    page.get_by_role("button", name="Make a friends’ link").click()
    expect(page.locator("#friends").get_by_role("img", name="QR code of this link")).to_be_visible()
    link = page.locator("#friends").get_by_role("link", name="Copy link").get_attribute("href")
    assert link
    return link


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_from_the_link_to_the_end(
    browse: Browse, player: Player, other: Player, watch: Watch, scripts: bool
) -> None:
    watch.allow(r"\.js.*: csp$")
    watch.allow("status of 404")
    for who, name in ((player, "Kate Carmack"), (other, "Skookum Jim")):
        who.start(CODE, LINE)
        who.send_form("/players/me", name=f"{name} {int(scripts)}")
    mine = browse(java_script_enabled=scripts)
    theirs = browse(java_script_enabled=scripts, viewport={"width": 390, "height": 844})
    player.enter(mine)
    other.enter(theirs)
    here, there = mine.new_page(), theirs.new_page()
    link = friends_link(here)

    there.goto(link)
    expect(there.get_by_text("This link is from Kate Carmack")).to_be_visible()
    there.get_by_role("button", name="Be friends").click()
    expect(there.get_by_text("You are friends now")).to_be_visible()
    expect(there.locator("#friends")).to_contain_text("Kate Carmack")

    here.goto("/leaderboard")
    here.get_by_role("link", name="Friends", exact=True).click()
    expect(here.locator("tbody tr")).to_have_count(2)
    expect(here.locator("tbody")).to_contain_text("Skookum Jim")
    here.get_by_role("link", name="Moves").click()
    expect(here).to_have_url(re.compile("friends=1.*sort=moves|sort=moves.*friends=1"))

    here.goto("/account")
    here.get_by_role("link", name="Remove the friend Skookum Jim").click()
    here.get_by_role("button", name="Remove").click()
    expect(here.get_by_text("You are friends no more")).to_be_visible()
    here.get_by_role("button", name="End the link").click()
    there.goto("/leaderboard?friends=1")
    expect(there.locator("tbody tr")).to_have_count(1)
    there.goto(link)
    expect(there.get_by_role("heading", name="leads nowhere")).to_be_visible()
