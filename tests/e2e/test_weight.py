"""What a first visit to the table weighs on the wire, all of it from the one server."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from tests.e2e.api import Player
from tests.e2e.conftest import Browse
from tests.e2e.server import Server
from tests.e2e.table import Table

MOST_BYTES = 150 * 1024


def test_the_first_load_of_a_game(browse: Browse, server: Server, player: Player) -> None:
    context = browse()
    game = player.start("YU1-D-AAAAAAB")  # two decks: the largest table
    player.enter(context)
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    asked: dict[str, str] = {}
    came: dict[str, float] = {}

    def request(event: dict[str, Any]) -> None:
        asked[event["requestId"]] = event["request"]["url"]

    def finished(event: dict[str, Any]) -> None:
        came[event["requestId"]] = event["encodedDataLength"]

    wire.on("Network.requestWillBeSent", request)
    wire.on("Network.loadingFinished", finished)
    page.goto(f"/games/{game['id']}")
    Table(page).wait()
    page.wait_for_load_state("networkidle")
    sizes = {urlsplit(asked[each]).path: size for each, size in came.items()}
    assert {urlsplit(url).netloc for url in asked.values()} == {urlsplit(server.url).netloc}
    assert {"/static/js/game.js", "/static/vendor/htmx.min.js"} <= sizes.keys()
    assert sum(sizes.values()) <= MOST_BYTES, sizes
