"""The table in a real browser: how soon a tap is seen, whether anything jumps, how a drag flows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession

from tests.bench.browsing import DESK, browsing
from tests.bench.figures import percentile, show
from tests.e2e.api import Player
from tests.e2e.lines import winning_line
from tests.e2e.server import Server
from tests.e2e.table import Table
from tests.e2e.touch import PHONE, Phone

_SCRIPT = Path(__file__).with_name("browser.js")
_CODE = "YU1-C-AAAAABE"
_LONG, _LONG_MOVES, _PILE, _HELD = "YU1-F-AAAAACW", 38, "t4", 30
"""After so many moves 32 cards lie in that pile: 30 of them are carried."""
_STEPS = 120
_LATE_MS = 1000 / 60 * 1.5  # a frame that missed at least one beat of 60 a second


def _open(browser: Browser, server: Server, player: Player, **options: Any) -> BrowserContext:
    context = browser.new_context(base_url=server.url, **options)
    context.add_init_script(path=_SCRIPT)
    player.enter(context)
    return context


def _play(browser: Browser, server: Server, *, phone: bool) -> None:
    """A whole game by taps, each when the one before has been answered."""
    player, line = Player(server.url), winning_line(_CODE)
    game = player.start(_CODE)
    context = _open(browser, server, player, **(PHONE if phone else DESK))
    table = (Phone if phone else Table).open(context, game)
    table.page.wait_for_timeout(2000)  # the cards are dealt
    table.page.evaluate("bench.watchTaps(); bench.watchJumps()")
    tap = table.tap if isinstance(table, Phone) else table.click
    for at, move in enumerate(line):
        tap(move, at)
        table.reaches(at + 1)
        table.rests()
    taps, departures = table.page.evaluate("[bench.taps, bench.departures]")
    jumps = table.page.evaluate("bench.jumps")
    where = "phone" if phone else "desk"
    for what, times in (("shows its card set out", departures), ("shows the answer", taps)):
        show(
            f"a tap to the frame that {what} ({where}, {len(times)} moves)",
            f"{percentile(times, 0.5):.0f} ms, p95 {percentile(times, 0.95):.0f} ms",
            "≤ 50 ms, p95 ≤ 100 ms",
        )
    show(f"cumulative layout shift of that game ({where})", f"{jumps['all']:.4f}", "0")
    show("  of what is no card, right after input too", f"{jumps['beside']:.4f}", "0")
    context.close()
    player.close()


def _count(wire: CDPSession, name: str) -> float:
    metrics = wire.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == name))


def _drag(browser: Browser, server: Server) -> None:
    """Thirty cards carried over the table and back."""
    player = Player(server.url)
    game = player.start(_LONG, winning_line(_LONG)[:_LONG_MOVES])
    context = _open(browser, server, player, **DESK)
    table = Table.open(context, game)
    page = table.page
    wire = context.new_cdp_session(page)
    wire.send("Performance.enable")
    spot = table.hold(_PILE, _HELD)
    page.mouse.move(spot["x"], spot["y"])
    page.mouse.down()
    page.mouse.move(spot["x"] + 12, spot["y"] + 12)
    page.wait_for_function("document.querySelectorAll('#air .carry .face').length === 30")
    page.wait_for_timeout(300)
    laid_out = _count(wire, "LayoutCount")
    page.evaluate("bench.watchFrames()")
    for step in range(_STEPS):
        part = abs(_STEPS / 2 - step) / (_STEPS / 2)
        page.mouse.move(spot["x"] + 12 + 400 * (1 - part), spot["y"] + 12 + 200 * (1 - part))
    frames = page.evaluate("bench.framesSeen()")
    laid_out = _count(wire, "LayoutCount") - laid_out
    page.mouse.up()
    late = sum(each > _LATE_MS for each in frames) / len(frames)
    show(
        f"frames of a drag of {_HELD} cards later than 16.7 ms ({len(frames)} frames)",
        f"{late:.1%}, p95 {percentile(frames, 0.95):.1f} ms",
        "0 %",
    )
    show("  layouts during these frames", f"{laid_out:.0f}", "0")
    context.close()
    player.close()


def run() -> None:
    """Print the browser's figures."""
    with browsing() as (browser, server):
        _play(browser, server, phone=False)
        _play(browser, server, phone=True)
        _drag(browser, server)
