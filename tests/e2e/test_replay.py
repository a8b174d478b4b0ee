"""A replay: opened from the leaderboard, stepped, played, shared at a step, and without scripts."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.api import Player
from tests.e2e.conftest import Browse
from tests.e2e.lines import game_after, winning_line
from tests.e2e.watch import Watch

CODE = "YU1-F-AAAAACT"
LINE = winning_line(CODE)


def played(player: Player, code: str = CODE) -> str:
    """A game that was won, with two moves taken back on the way."""
    line = winning_line(code)
    game = player.start(code, line[:10])
    for what in ("undo", "undo", "redo", "redo"):
        game = player.write(game, what)
    return str(player.play(game, line[10:])["id"])


def at(page: Page, step: int) -> None:
    expect(page.locator("#table")).to_have_attribute("data-at", str(step))
    expect(page).to_have_url(re.compile(rf"/replay\?at={step}$"))


def tops(page: Page) -> list[str | None]:
    piles = page.locator(".board .pile").all()
    cards = [pile.locator("button.card").last for pile in piles]
    return [card.get_attribute("data-card") if card.count() else None for card in cards]


def tops_after(code: str, count: int) -> list[str | None]:
    from engine.view import board_view

    view = board_view(game_after(code, winning_line(code)[:count]).position)
    return [pile[-1] if pile else None for pile in view.tableau]


def test_from_the_leaderboard_to_the_last_step(
    browse: Browse, player: Player, own_deal: str
) -> None:
    played(player, own_deal)
    page = browse(permissions=["clipboard-read", "clipboard-write"]).new_page()
    page.goto(f"/d/{own_deal}")
    page.get_by_role("link", name="Replay of place 1").click()
    page.wait_for_function("() => document.documentElement.classList.contains('ready')")
    last = len(winning_line(own_deal)) + 4
    expect(page.locator("#table")).to_have_attribute("data-last", str(last))
    assert tops(page) == tops_after(own_deal, 0)
    page.keyboard.press("ArrowRight")
    at(page, 1)
    page.get_by_role("link", name="Next").click()
    at(page, 2)
    assert tops(page) == tops_after(own_deal, 2)
    expect(page.get_by_role("link", name="Next")).to_be_focused()
    page.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    at(page, 3)
    page.get_by_role("link", name="Marks").click()
    page.get_by_role("link", name="2 moves taken back").click()
    at(page, 11)
    assert tops(page) == tops_after(own_deal, 9)
    page.keyboard.press("ArrowRight")
    at(page, 12)
    assert tops(page) == tops_after(own_deal, 8)
    page.get_by_role("link", name="Marks").click()
    page.get_by_role("button", name="Share this step").click()
    expect(page.locator(".toast")).to_contain_text("Link copied")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith("/replay?at=12")
    page.get_by_label("Speed").select_option("8")
    page.get_by_role("slider").fill(str(last - 6))
    at(page, last - 6)
    page.get_by_role("button", name="Play").click()
    at(page, last)
    expect(page.get_by_role("button", name="Play")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#r-score")).to_have_text("625")
    page.goto(link)
    at(page, 12)
    page.keyboard.press("Home")
    at(page, 0)
    page.keyboard.press("End")
    at(page, last)


def test_without_scripts_by_links(browse: Browse, player: Player, watch: Watch) -> None:
    watch.allow(r"\.js.*: csp$")
    game_id = played(player)
    page = browse(java_script_enabled=False).new_page()
    page.goto(f"/games/{game_id}/replay")
    for step in (1, 2, 3):
        page.get_by_role("link", name="Next").click()
        at(page, step)
    assert tops(page) == tops_after(CODE, 3)
    page.get_by_role("link", name="End").click()
    at(page, len(LINE) + 4)
    page.get_by_role("link", name="Marks").click()
    page.locator("#menu").get_by_role("link", name="First card on a foundation").click()
    expect(page.locator(".board .found button.card")).to_have_count(1)
    page.get_by_role("slider").fill("5")
    page.get_by_role("button", name="Go there").click()
    at(page, 5)
