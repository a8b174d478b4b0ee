"""Reports 12: the clock stands before the first move, while the page is hidden, and paused, and
while the computer sleeps."""

from __future__ import annotations

import re
import time

from playwright.sync_api import expect

from tests.e2e.api import Player
from tests.e2e.conftest import Browse
from tests.e2e.lines import winning_line
from tests.e2e.table import Table

CODE = "YU1-C-AAAAABH"
LINE = winning_line(CODE)
SEEN = """(isHidden) => {
    Object.defineProperty(document, 'hidden', { get: () => isHidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
}"""


def passes(seconds: float) -> None:
    """The server's own time goes on."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(0.02)


def seconds_shown(table: Table) -> int:
    minutes, seconds = table.page.locator("#clock").inner_text().split(":")
    return int(minutes) * 60 + int(seconds)


def report(table: Table, work: str, state: object = None) -> None:
    """Do something in the page that the clock is told of."""
    with table.page.expect_response(lambda answer: answer.url.endswith("/clock")) as answer:
        table.page.evaluate(work, state)
    assert answer.value.status == 204


def test_it_stands_before_the_first_move(browse: Browse, player: Player) -> None:
    game = player.start(CODE)
    context = browse()
    player.enter(context)
    table = Table.open(context, game, clock=True)
    table.page.clock.fast_forward("10:00")
    spot = table.hold("t4", 3)
    table.page.mouse.click(spot["x"], spot["y"])
    expect(table.page.locator("#clock")).to_have_text("0:00")
    assert player.see(game["id"])["elapsed_ms"] == 0
    table.page.keyboard.press("Escape")
    table.play(table.drag, LINE[:1])
    assert player.see(game["id"])["elapsed_ms"] < 60_000
    table.page.clock.fast_forward("01:01")
    expect(table.page.locator("#clock")).to_have_text(re.compile("^1:"))


def test_it_stands_while_the_page_is_hidden(browse: Browse, player: Player) -> None:
    game = player.start(CODE, LINE[:3])
    context = browse()
    player.enter(context)
    table = Table.open(context, game, clock=True)
    report(table, SEEN, True)
    hidden = player.see(game["id"])["elapsed_ms"]
    table.page.clock.fast_forward("30:00")
    passes(1.2)
    assert player.see(game["id"])["elapsed_ms"] == hidden
    report(table, SEEN, False)
    assert hidden <= player.see(game["id"])["elapsed_ms"]
    assert seconds_shown(table) < hidden // 1000 + 60
    passes(0.3)
    assert player.see(game["id"])["elapsed_ms"] > hidden


def test_it_stands_while_the_computer_sleeps(browse: Browse, player: Player) -> None:
    """Timers stand, and then the day's time has jumped: the page counts no hour of it."""
    game = player.start(CODE, LINE[:3])
    context = browse()
    player.enter(context)
    table = Table.open(context, game, clock=True)
    table.page.clock.set_system_time(time.time() + 8 * 3600)
    table.page.clock.run_for(1500)
    assert seconds_shown(table) < 60
    table.play(table.drag, LINE[3:4])
    stored = table.is_as_stored(player, game)
    assert stored["elapsed_ms"] < 60_000
    assert seconds_shown(table) < 60


def test_pause_covers_the_cards_and_stops_it(browse: Browse, player: Player) -> None:
    game = player.start(CODE, LINE[:3])
    context = browse()
    player.enter(context)
    table = Table.open(context, game)
    page = table.page
    with page.expect_response(lambda answer: answer.url.endswith("/clock")):
        page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("heading", name="Paused")).to_be_visible()
    assert not page.locator(".board .card svg").first.is_visible()
    paused = player.see(game["id"])["elapsed_ms"]
    page.keyboard.type("ufd")
    table.rests()
    page.reload()
    table.wait()
    expect(page.get_by_role("heading", name="Paused")).to_be_visible()
    passes(0.5)
    stored = player.see(game["id"])
    assert (stored["elapsed_ms"], stored["version"]) == (paused, game["version"])
    with page.expect_response(lambda answer: answer.url.endswith("/clock")):
        page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("heading", name="Paused")).to_be_hidden()
    table.play(table.drag, LINE[3:4])
    table.is_as_stored(player, game)
