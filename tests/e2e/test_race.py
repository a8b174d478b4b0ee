"""A race in browsers: two players to the end, one away for a while, a spectator, a rematch."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.api import Json, Player
from tests.e2e.conftest import PATIENCE_MS, Browse
from tests.e2e.table import Table
from tests.e2e.watch import UNREACHABLE, Watch

GO_MS = 3 * PATIENCE_MS


def enter(page: Page, link: str) -> None:
    page.goto(link)
    page.get_by_role("button", name="Come in").click()
    expect(page.get_by_role("button", name="I am ready")).to_be_visible()


def at_the_table(page: Page, player: Player) -> Json:
    """The game that a page has been sent to at go."""
    page.wait_for_url("**/games/*", timeout=GO_MS)
    player.leave(page.context)
    return player.see(page.url.rpartition("/")[2])


def row(seat: int) -> str:
    return f'#runners [data-seat="{seat}"]'


def test_a_race_to_the_end(browse: Browse, player: Player, other: Player, watch: Watch) -> None:
    watch.allow(UNREACHABLE)
    host = browse().new_page()
    host.goto("/races")
    host.get_by_role("button", name="Open a room").click()
    host.wait_for_url("**/races/*")
    room = host.url
    letters = host.locator(".letters").inner_text().replace("\n", "").replace(" ", "")

    guest = browse(viewport={"width": 390, "height": 844}).new_page()
    guest.goto("/races")
    guest.get_by_label("Or come into a room by its six letters").fill(letters.lower())
    guest.get_by_role("button", name="Come in").click()
    guest.wait_for_url(room)
    guest.get_by_role("button", name="Come in").click()
    expect(host.locator(".runner")).to_have_count(2)
    watcher = browse().new_page()
    watcher.goto(room)

    guest.get_by_role("button", name="I am ready").click()
    expect(host.locator(row(2))).to_contain_text("Ready")
    host.get_by_role("button", name="I am ready").click()
    expect(watcher.locator("#count-down")).to_be_visible()
    game, theirs = at_the_table(host, player), at_the_table(guest, other)
    assert game["tableau"] == theirs["tableau"]
    expect(watcher.locator(".runner.racing")).to_have_count(2)

    player.play(game, game["legal_moves"][:1])
    for page in (watcher, guest):
        expect(page.locator(f"{row(1)} .cards")).to_be_visible()
        expect(page.locator(f"{row(1)} .detail")).to_contain_text("1 move")

    guest.context.set_offline(True)
    player.play(player.see(game["id"]), player.see(game["id"])["legal_moves"][:1])
    expect(watcher.locator(f"{row(1)} .detail")).to_contain_text("2 moves")
    guest.context.set_offline(False)
    expect(guest.locator(f"{row(1)} .detail")).to_contain_text("2 moves")
    table = Table(guest)
    expect(table.section).to_have_attribute("data-status", "playing")
    move = other.see(theirs["id"])["legal_moves"][0]
    other.play(other.see(theirs["id"]), [move])
    expect(host.locator(f"{row(2)} .detail")).to_contain_text("1 move")

    host.get_by_role("link", name="Menu").click()
    host.get_by_role("link", name="Give the race up").click()
    host.get_by_role("button", name="Give up").click()
    host.wait_for_url(room)
    expect(host.get_by_text("You have given up")).to_be_visible()
    expect(watcher.locator(".runner.ended")).to_have_count(1)
    expect(watcher.locator(".boards")).to_have_count(0)
    other.write(other.see(theirs["id"]), "end")
    for page in (host, guest, watcher):
        expect(page.locator(".boards .pic")).to_have_count(2)
        assert page.url == room
    watcher.get_by_role("link", name=re.compile("^Replay of")).first.click()
    expect(watcher.locator("#table")).to_be_visible()

    host.get_by_role("button", name="Rematch").click()
    host.wait_for_url(lambda url: "/races/" in url and url != room)
    guest.get_by_role("button", name="Come into the rematch").click()
    guest.wait_for_url(host.url)
    expect(host.locator(".runner")).to_have_count(2)


def test_without_scripts(browse: Browse, player: Player, other: Player, watch: Watch) -> None:
    watch.allow(r"\.js.*: csp$")
    host = browse(java_script_enabled=False).new_page()
    host.goto("/races")
    host.get_by_role("button", name="Open a room").click()
    guest = browse(java_script_enabled=False).new_page()
    enter(guest, host.url)
    guest.get_by_role("button", name="I am ready").click()
    host.get_by_role("button", name="I am ready").click()
    for page, who in ((host, player), (guest, other)):
        game = at_the_table(page, who)  # the page looks again by itself
        assert game["status"] == "playing"
        expect(page.locator("#runners .runner")).to_have_count(2)
