"""A server that goes away and comes back, answers that are lost, a device without a network."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.api import Player
from tests.e2e.conftest import Browse
from tests.e2e.lines import winning_line
from tests.e2e.server import Server
from tests.e2e.table import Table
from tests.e2e.watch import UNREACHABLE, Watch

CODE = "YU1-C-AAAAABH"
LINE = winning_line(CODE)
GONE, BACK = "No connection. Trying again", "Back again"


@pytest.fixture
def mortal(server: Server) -> Iterator[Server]:
    """The server, for killing; it lives again for the tests that follow."""
    yield server
    if not server.is_alive:
        server.start()


def test_a_killed_server(browse: Browse, player: Player, mortal: Server, watch: Watch) -> None:
    """The page says that nobody answers, asks again, and the move is there once."""
    watch.allow(UNREACHABLE)
    game = player.start(CODE, LINE[:4])
    context = browse()
    player.enter(context)
    table = Table.open(context, game)
    table.play(table.drag, LINE[4:6])
    mortal.kill()
    table.drag(LINE[6])
    expect(table.toast).to_contain_text(GONE)
    assert table.version == game["version"] + 2
    mortal.start()
    table.reaches(game["version"] + 3)
    expect(table.toast).to_contain_text(BACK)
    table.play(table.drag, LINE[7:8])
    table.rests()
    stored = table.is_as_stored(player, game)
    assert (stored["moves"], stored["version"]) == (8, game["version"] + 4)


def test_a_lost_answer(browse: Browse, player: Player, watch: Watch) -> None:
    """The server has done the move, but its answer never came: it is not done twice."""
    watch.allow(UNREACHABLE)
    game = player.start(CODE, LINE[:4])
    context = browse()
    player.enter(context)
    table = Table.open(context, game)
    lost: list[int] = []

    def lose(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch().status)
        route.abort("connectionfailed")

    table.page.route("**/moves", lose)
    table.drag(LINE[4])
    expect(table.toast).to_contain_text(BACK)
    assert lost == [200]
    table.rests()
    stored = table.is_as_stored(player, game)
    assert (stored["moves"], stored["version"]) == (5, game["version"] + 1)


def test_a_broken_answer(browse: Browse, player: Player, watch: Watch) -> None:
    """An error of something between page and server is said, and the move is asked for again."""
    watch.allow("status of 502")
    game = player.start(CODE, LINE[:4])
    context = browse()
    player.enter(context)
    table = Table.open(context, game)
    broken: list[str] = []

    def break_once(route: Route) -> None:
        if broken:
            route.continue_()
            return
        broken.append(route.request.url)
        route.fulfill(status=502, content_type="text/html", body="<h1>Bad gateway</h1>")

    table.page.route("**/moves", break_once)
    table.drag(LINE[4])
    expect(table.toast).to_contain_text("The server could not answer")
    table.reaches(game["version"] + 1)
    table.rests()
    assert table.is_as_stored(player, game)["moves"] == 5


def test_without_a_network(browse: Browse, player: Player, watch: Watch) -> None:
    """A move made offline waits, and is played once there is a network."""
    watch.allow(UNREACHABLE)
    game = player.start(CODE, LINE[:4])
    context = browse()
    player.enter(context)
    table = Table.open(context, game)
    context.set_offline(True)
    table.drag(LINE[4])
    expect(table.toast).to_contain_text(GONE)
    context.set_offline(False)
    table.reaches(game["version"] + 1)
    expect(table.toast).to_contain_text(BACK)
    table.rests()
    assert table.is_as_stored(player, game)["moves"] == 5
