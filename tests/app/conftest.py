"""The application over the tests' database, its clock, and its players."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI

from app.config import Settings
from app.db import Database
from app.games.service import GameService
from app.hints import routes as hint_routes
from app.jobs import tasks
from app.main import create_app
from tests.app.solver import Solving
from tests.app.support import Client, Clients, Clock, services_of
from tests.conftest import ON_POSTGRESQL

HERE = Path(__file__).parent
CHEAP_KIB = 32
"""Hashing passwords as it is by default takes 64 MB and a tenth of a second each time."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On PostgreSQL what uses no database is not run again: it has passed on SQLite."""
    if not ON_POSTGRESQL:
        return
    apart = [item for item in items if not _uses_a_database(item)]
    config.hook.pytest_deselected(items=apart)
    items[:] = [item for item in items if _uses_a_database(item)]


def _uses_a_database(item: pytest.Item) -> bool:
    """Whether it asks for the tests' database, or makes a schema itself."""
    if HERE not in item.path.parents or not isinstance(item, pytest.Function):
        return True
    return "session_database" in item.fixturenames or hasattr(item.module, "empty_schema")


@pytest.fixture(scope="session")
def session_clock() -> Clock:
    return Clock()


@pytest.fixture
def clock(session_clock: Clock) -> Clock:
    """The application's time, which stands still until it is moved."""
    session_clock.reset()
    return session_clock


@pytest.fixture(scope="session")
def session_app(session_database: Database, session_clock: Clock) -> Iterator[FastAPI]:
    """One application for all tests: its first answers are slow."""
    url = session_database.url.render_as_string(hide_password=False)
    settings = Settings(database_url=url, password_memory_kib=CHEAP_KIB)
    app = create_app(settings, now=session_clock)
    yield app
    services_of(app).database.close()


@pytest.fixture
def app(session_app: FastAPI, database: Database, clock: Clock) -> FastAPI:
    """The application over empty tables."""
    del database, clock  # asked for because they are emptied and set back
    return session_app


@pytest.fixture
def service(app: FastAPI) -> GameService:
    return services_of(app).games


@pytest.fixture
def clients(app: FastAPI) -> Iterator[Clients]:
    clients = Clients(app)
    yield clients
    clients.close()


@pytest.fixture
def client(clients: Clients) -> Client:
    """A player."""
    return clients.new()


@pytest.fixture
def other(clients: Clients) -> Client:
    """Another player."""
    return clients.new()


@pytest.fixture
def solving(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Solving]:
    """A worker that works when it is told to, and looks only briefly for short lines."""
    monkeypatch.setattr(tasks, "PAR_BUDGET", 5_000)
    solving = Solving(settings)
    yield solving
    solving.close()


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions to the solver are answered at once, if only with `pending`."""
    monkeypatch.setattr(hint_routes, "WAIT_S", 0.0)
    monkeypatch.setattr(hint_routes, "WAIT_WITHOUT_SCRIPTS_S", 0.0)
