"""A deal's link goes from one player to another; both results stand on the deal's leaderboard."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.api import Player
from tests.e2e.conftest import Browse
from tests.e2e.lines import detour, winning_line
from tests.e2e.table import Table
from tests.e2e.watch import REFUSED, Watch


def take_name(page: Page, name: str) -> None:
    page.locator("#win").get_by_label("Your name on the leaderboard").fill(name)
    page.locator("#win").get_by_role("button", name="Save").click()
    expect(page.locator("#win #name")).to_contain_text(f"on the leaderboard as {name}")


def rows_shown(page: Page) -> list[list[str]]:
    rows = page.locator("table tbody tr").all()
    return [row.locator("td:visible").all_inner_texts() for row in rows]


def finish(table: Table, player: Player, moves: tuple[str, ...]) -> None:
    """Play up to the last three moves, which are played in the browser, to the win."""
    game = player.see(table.page.url.rpartition("/")[2])
    player.play(game, moves[:-3])
    table.page.reload()
    table.wait()
    table.play(table.drag, moves[-3:])
    table.has_won(625)


def test_both_play_a_deal_to_the_end(
    browse: Browse, player: Player, other: Player, own_deal: str
) -> None:
    line = winning_line(own_deal)
    game = player.start(own_deal)
    first = browse(permissions=["clipboard-read", "clipboard-write"])
    player.enter(first)
    table = Table.open(first, game)
    finish(table, player, line)
    take_name(table.page, "Ada")
    table.page.locator("#win").get_by_role("link", name="Share").click()
    expect(table.toast).to_contain_text("Link copied")
    link = table.page.evaluate("navigator.clipboard.readText()")
    assert link.endswith(f"/d/{own_deal}")

    second = browse()
    theirs = Table.start_from(second, link)
    other.leave(second)
    finish(theirs, other, detour(own_deal))
    take_name(theirs.page, "Ben")
    theirs.page.locator("#win").get_by_role("link", name="Ranking").click()
    expect(theirs.page).to_have_url(re.compile(f"/d/{own_deal}$"))

    third = browse()
    hers = Table.start_from(third, link)
    hers.play(hers.drag, line[:2])
    hers.page.get_by_role("link", name="Menu").click()
    hers.page.locator("#menu").get_by_role("link", name="New game").click()
    hers.page.locator("#new").get_by_role("button", name="Deal the cards").click()
    with hers.page.expect_navigation():
        hers.page.locator("#sure-yes").click()

    for page, me in ((table.page, 0), (theirs.page, 1), (hers.page, 2)):
        page.goto(link)
        rows = rows_shown(page)
        assert [row[0] for row in rows] == ["1", "2", "3"]
        assert [row[2] for row in rows] == [str(len(line)), str(len(line) + 2), "2"]
        assert [row[-2] for row in rows][:2] == ["625", "625"]
        assert "Ada" in rows[0][1]
        assert "Ben" in rows[1][1]
        assert "Not finished" in rows[2][1]
        assert ["You" in row[1] for row in rows] == [n == me for n in range(3)]


def test_a_name_is_asked_once(browse: Browse, player: Player, watch: Watch, own_deal: str) -> None:
    watch.allow(REFUSED)
    context = browse()
    line = winning_line(own_deal)
    game = player.start(own_deal, line[:-1])
    player.enter(context)
    table = Table.open(context, game)
    table.play(table.drag, line[-1:])
    form = table.page.locator("#win form#name")
    expect(form).to_be_visible()
    form.get_by_role("textbox").fill("x")
    form.get_by_role("button").click()
    expect(table.page.locator("#win [role=alert]")).to_be_visible()
    take_name(table.page, "Zoë")
    again = Table.open(context, player.start(own_deal, line[:-1]))
    again.play(again.drag, line[-1:])
    again.has_won(625)
    expect(again.page.locator("#win #name")).to_have_count(0)
    again.page.goto("/leaderboard")
    expect(again.page.locator("tr.me", has_text="Zoë").first).to_be_visible()
