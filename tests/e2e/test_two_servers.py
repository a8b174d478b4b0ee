"""A race over two server processes on one PostgreSQL: each browser hears what the other's wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.conftest import ON_POSTGRESQL
from tests.e2e.api import Player
from tests.e2e.conftest import Browse
from tests.e2e.server import Server
from tests.e2e.test_race import at_the_table, enter, row
from tests.e2e.watch import Watch

pytestmark = pytest.mark.skipif(not ON_POSTGRESQL, reason="servers share a PostgreSQL alone")


@pytest.fixture
def second(server: Server, watch: Watch, tmp_path: Path) -> Iterator[Server]:
    """Another process over the first one's database."""
    second = Server(tmp_path, server.settings.database_url)
    second.start()
    watch.allow(re.escape(f"another host: {second.url}/"))
    yield second
    second.kill()
    assert "Traceback" not in second.log, second.log


def test_a_race_to_the_end(second: Server, browse: Browse, server: Server, player: Player) -> None:
    # the second ends after its browsers
    host, watcher = browse().new_page(), browse(base_url=second.url).new_page()
    guest = browse(base_url=second.url).new_page()
    host.goto("/races")
    host.get_by_role("button", name="Open a room").click()
    host.wait_for_url("**/races/*")
    room = host.url.removeprefix(server.url)
    enter(guest, room)
    watcher.goto(room)
    expect(host.locator(".runner")).to_have_count(2)
    guest.get_by_role("button", name="I am ready").click()
    expect(host.locator(row(2))).to_contain_text("Ready")
    host.get_by_role("button", name="I am ready").click()

    other = Player(second.url)
    game, theirs = at_the_table(host, player), at_the_table(guest, other)
    assert game["tableau"] == theirs["tableau"]
    game = player.play(game, game["legal_moves"][:1])
    for page in (guest, watcher):
        expect(page.locator(f"{row(1)} .detail")).to_contain_text("1 move")
    theirs = other.play(theirs, theirs["legal_moves"][:1])
    for page in (host, watcher):
        expect(page.locator(f"{row(2)} .detail")).to_contain_text("1 move")
    other.write(theirs, "end")
    expect(watcher.locator(".runner.ended")).to_have_count(1)
    player.write(game, "end")
    for page in (host, guest, watcher):
        expect(page.locator(".boards .pic")).to_have_count(2)
    other.close()
