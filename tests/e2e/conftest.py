"""One real server and one real browser for nearly all these tests; a fresh profile for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

from tests import browser as chromium
from tests.conftest import ON_POSTGRESQL, SCHEMA, empty_schema
from tests.e2e.api import Player
from tests.e2e.lines import OWN
from tests.e2e.server import Server
from tests.e2e.watch import Watch

Browse = Callable[..., BrowserContext]
HERE = Path(__file__).parent
DESK = {"width": 1280, "height": 720}
PATIENCE_MS = 60_000
expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.e2e)


@contextmanager
def _served(name: str, folder: Path, workers: int) -> Iterator[Server]:
    """`yukon serve` on an SQLite file, or on a schema of its own of the PostgreSQL database."""
    database = empty_schema(f"{SCHEMA}_{name}") if ON_POSTGRESQL else ""
    server = Server(folder, database, workers)
    server.start()
    yield server
    server.kill()
    assert "Traceback" not in server.log, server.log


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that solves nothing, which would cost the others their time."""
    with _served("served", tmp_path_factory.mktemp("served"), workers=0) as server:
        yield server


@pytest.fixture(scope="package")
def solving_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a worker; a file of tests that needs one makes it its `server`."""
    with _served("solving", tmp_path_factory.mktemp("solving"), workers=1) as server:
        yield server


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The one Chromium (a package's, not the session's: it brings an event loop along)."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=chromium.ensure(), args=chromium.ARGUMENTS
        )
        yield started
        started.close()


@pytest.fixture
def watch(server: Server) -> Iterator[Watch]:
    """What goes wrong in any page of the test fails it."""
    watch = Watch(server.url)
    yield watch
    assert watch.unexpected() == []


@pytest.fixture
def browse(browser: Browser, server: Server, watch: Watch) -> Iterator[Browse]:
    """Makes browser profiles; by default a desk's window without animations."""
    opened: list[BrowserContext] = []

    def make(**options: Any) -> BrowserContext:
        usual = {"base_url": server.url, "viewport": DESK, "reduced_motion": "reduce"}
        context = browser.new_context(**{**usual, **options})
        context.set_default_timeout(PATIENCE_MS)
        watch.follow(context)
        opened.append(context)
        return context

    yield make
    for context in opened:
        context.close()


@pytest.fixture
def own_deal(request: pytest.FixtureRequest) -> str:
    """A deal that no other test plays, so that its leaderboard is this test's; with a known line.

    The same one in every run of the same tests, whichever process runs them.
    """
    items = request.session.items
    users = sorted(item.nodeid for item in items if "own_deal" in getattr(item, "fixturenames", ()))
    return OWN[users.index(request.node.nodeid)]


@pytest.fixture
def player(server: Server) -> Iterator[Player]:
    player = Player(server.url)
    yield player
    player.close()


@pytest.fixture
def other(server: Server) -> Iterator[Player]:
    player = Player(server.url)
    yield player
    player.close()
