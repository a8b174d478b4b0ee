"""How fast a game can be played without any thought: by the page's own inputs, and by a program.

A browser is driven as fast as it takes the next input: no hand, no eye and no pause is in it. What
is shown is what the server judges by (`app.games.review`): the time of the game's clock from move
to move.
"""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Browser

from app.config import Settings
from tests.bench.browsing import DESK, browsing
from tests.bench.figures import show
from tests.bench.load import load
from tests.e2e.api import Json, Player
from tests.e2e.keys import Keyboard
from tests.e2e.lines import winning_line
from tests.e2e.server import Server

_CODE = "YU1-F-AAAAACT"


def _pace(what: str, game: Json) -> None:
    assert game["status"] == "won", game["status"]
    floor = Settings.model_fields["fastest_move_ms"].default
    took = game["elapsed_ms"] / (game["moves"] - 1)
    show(what, f"{took:.0f} ms a move", f"the floor is {floor} ms")


def _by_page(
    browser: Browser, server: Server, how: Callable[[Keyboard], Callable[[str, int], None]]
) -> Json:
    player = Player(server.url)
    game = player.start(_CODE)
    context = browser.new_context(
        base_url=server.url, **DESK, reduced_motion="reduce"
    )  # nothing to wait for
    player.enter(context)
    table = Keyboard.open(context, game)
    table.play(how(table), winning_line(_CODE))
    game = player.see(game["id"])
    context.close()
    player.close()
    return game


def run() -> None:
    """Print the figures."""
    with browsing() as (browser, server):
        player = Player(server.url)
        _pace("a program, move by move", player.start(_CODE, winning_line(_CODE)))
        player.close()
        for what, how in (
            ("clicks in a browser, without a pause", lambda table: table.click),
            ("cards carried in a browser, without a pause", lambda table: table.drag),
            ("cards typed in a browser, without a pause", lambda table: table.name_cards),
        ):
            _pace(what, _by_page(browser, server, how))
        show("load of the machine", load())
