"""What all tests share: hypothesis draws the same examples in every run, and a database.

The suite runs on an SQLite file, or on the PostgreSQL database that `YUKON_DATABASE_URL` names,
there in a schema of its own for each process. Every test starts with empty tables.
"""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings as hypothesis_settings
from sqlalchemy import text
from sqlalchemy.engine import make_url

from app.config import Settings
from app.db import Database
from app.models import metadata

gc.disable()  # what is collected stays to the end: see pytest_runtestloop
hypothesis_settings.register_profile("ci", deadline=None, derandomize=True)
hypothesis_settings.load_profile("ci")

HERE = Path(__file__).parent
_URL = os.environ.get("YUKON_DATABASE_URL", "")
ON_POSTGRESQL = _URL.startswith("postgres")
SCHEMA = f"tests_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"


_DELETED = [f"DELETE FROM {table.name}" for table in reversed(metadata.sorted_tables)]
_EMPTIED = ["; ".join(_DELETED)] if ON_POSTGRESQL else _DELETED
"""What empties the tables; in one go where each statement is a way to another process and back."""


def _within(schema: str) -> str:
    """The URL of a schema of the given database."""
    url = make_url(Settings(database_url=_URL).url)
    inside = url.update_query_dict({"options": f"-csearch_path={schema}"})
    return inside.render_as_string(hide_password=False)


_UNCOUNTED = [
    HERE / name
    for name in (
        *("solver", "fair", "e2e", "test_reference.py"),
        *("engine/test_agreement.py", "engine/test_known_cases.py", "engine/test_reports.py"),
        *("engine/test_rules.py", "engine/test_scoring.py"),
        *("app/test_hints.py", "app/test_results.py", "app/test_daily_seal.py"),
        *("app/test_race_seal.py", "app/test_endings.py", "app/test_hidden_cards.py"),
        *("app/test_board_plans.py", "app/test_server.py"),
    )
]


_LONGEST_FIRST = [HERE / name for name in ("e2e", "fair", "solver", "app")]


def _turn(item: pytest.Item) -> int:
    """When it is its folder's turn."""
    parents = item.path.parents
    return next((i for i, path in enumerate(_LONGEST_FIRST) if path in parents), 9)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long files come first: begun last, they would keep one tester busy and no other.

    Lines are not counted in tests that would only be slower for it: those of compiled code and of
    served pages, and those that play many games beside an oracle. Nearly all that is counted is
    reached by the others.
    """
    items.sort(key=_turn)
    for item in items:
        if any(path in (item.path, *item.path.parents) for path in _UNCOUNTED):
            item.add_marker("no_cover")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Modules and tests are looked at no more for what can go: only what the tests make is."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _nothing_from_outside() -> None:
    """What is not told its database finds none in the environment."""
    os.environ.pop("YUKON_DATABASE_URL", None)
    os.environ["YUKON_FASTEST_MOVE_MS"] = "0"  # tests win at a machine's speed


def empty_schema(name: str) -> str:
    """A new, empty schema of the PostgreSQL database; the URL of what lies in it."""
    database = Database(Settings(database_url=_URL))
    with database.write() as connection:
        connection.execute(text(f"DROP SCHEMA IF EXISTS {name} CASCADE"))
        connection.execute(text(f"CREATE SCHEMA {name}"))
    database.close()
    return _within(name)


@pytest.fixture(scope="session")
def session_database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """The database of all tests, with its schema."""
    path = tmp_path_factory.mktemp("database") / "yukon.db"
    url = empty_schema(SCHEMA) if ON_POSTGRESQL else f"sqlite:///{path}"
    database = Database(Settings(database_url=url))
    database.migrate()
    yield database
    database.close()


@pytest.fixture
def database(session_database: Database) -> Database:
    """The database, with empty tables."""
    with session_database.write() as connection:
        for statement in _EMPTIED:
            connection.exec_driver_sql(statement)
    return session_database


@pytest.fixture
def settings(database: Database) -> Settings:
    """Settings with the database."""
    return Settings(database_url=database.url.render_as_string(hide_password=False))
