"""The database: its settings, its transactions, its schema."""

import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from pydantic import ValidationError
from sqlalchemy import Connection, MetaData, Table, delete, inspect, text
from sqlalchemy.exc import DBAPIError

from app.config import ROOT, Settings
from app.db import Database
from app.main import create_app
from app.models import games, metadata
from tests.app.support import LEGAL, START, Client, Clock, count, rows, services_of
from tests.conftest import ON_POSTGRESQL, SCHEMA, empty_schema

TABLES = {table.name for table in metadata.sorted_tables}


@pytest.fixture
def empty_url(tmp_path: Path) -> str:
    """A database without a schema of ours."""
    if ON_POSTGRESQL:
        return empty_schema(f"{SCHEMA}_fresh")
    return f"sqlite:///{tmp_path / 'folder' / 'new.db'}"


def _tables(database: Database) -> set[str]:
    with database.read() as connection:
        return set(inspect(connection).get_table_names(schema=_schema(connection)))


def _schema(connection: Any) -> str | None:
    return connection.scalar(text("SELECT current_schema()")) if ON_POSTGRESQL else None


def test_the_migrations_make_what_the_models_say(empty_url: str) -> None:
    database = Database(Settings(database_url=empty_url))
    database.migrate()
    with database.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
        indexes = {
            index["name"]
            for table in TABLES
            for index in inspect(connection).get_indexes(table)
            if "duplicates_constraint" not in index
        }
    named = {index.name for table in metadata.sorted_tables for index in table.indexes}
    assert indexes == named
    assert _tables(database) == {*TABLES, "alembic_version"}
    database.migrate()
    database.close()


def _some_row(connection: Connection, name: str, **known: object) -> None:
    """A row of a table as it is at this time, with something in every column that needs it."""
    table = Table(name, MetaData(), autoload_with=connection, schema=_schema(connection))
    row = {
        column.name: known.get(column.name, column.type.python_type(1))
        for column in table.columns
        if not column.nullable
    }
    connection.execute(table.insert().values(row))


def test_the_migrations_keep_players_and_their_games(empty_url: str) -> None:
    database = Database(Settings(database_url=empty_url))
    config = Config()
    config.set_main_option("script_location", str(ROOT / "migrations"))
    with database.engine.connect() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    with database.engine.connect() as connection:
        _some_row(connection, "players", id=7, token_hash=b"7" * 32)
        _some_row(connection, "games", id="a-game", player_id=7, code=START, rule="C")
        connection.commit()
    database.migrate()
    with database.read() as connection:
        assert connection.execute(text("SELECT id, player_id FROM games")).all() == [("a-game", 7)]
        assert connection.scalar(text("SELECT id FROM players")) == 7
        if database.is_sqlite:
            assert connection.execute(text("PRAGMA foreign_key_check")).all() == []
            assert connection.scalar(text("PRAGMA foreign_keys")) == 1
    database.close()


def test_the_migrations_can_be_taken_back(empty_url: str) -> None:
    database = Database(Settings(database_url=empty_url))
    database.migrate()
    config = Config()
    config.set_main_option("script_location", str(ROOT / "migrations"))
    with database.engine.connect() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
    assert _tables(database) == {"alembic_version"}
    database.migrate()
    assert _tables(database) == {*TABLES, "alembic_version"}
    database.close()


def test_a_database_with_games_is_brought_up_to_date(empty_url: str) -> None:
    """On SQLite a table that games refer to is dropped and made anew."""
    database = Database(Settings(database_url=empty_url))
    database.migrate()
    services = services_of(create_app(Settings(database_url=empty_url), now=Clock()))
    started = services.games.start(None, "", START, "")
    config = Config()
    config.set_main_option("script_location", str(ROOT / "migrations"))
    with database.engine.connect() as connection:
        if not ON_POSTGRESQL:
            driver: Any = connection.connection.dbapi_connection
            driver.execute("PRAGMA foreign_keys = OFF")
        config.attributes["connection"] = connection
        command.downgrade(config, "0006")
    database.close()
    database.migrate()
    assert services.games.move(started.stored.id, started.token, LEGAL, 0).stored.version == 1
    if not ON_POSTGRESQL:
        with database.read() as connection:
            assert connection.scalar(text("PRAGMA foreign_keys")) == 1
            assert connection.execute(text("PRAGMA foreign_key_check")).all() == []
    services.database.close()
    database.close()


def test_several_processes_may_migrate_at_once(empty_url: str) -> None:
    program = (
        "import sys; from app.config import Settings; from app.db import Database; "
        "database = Database(Settings(database_url=sys.argv[1])); input(); "
        "database.migrate(); database.close()"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program, empty_url],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for process in processes:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    for process in processes:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
    database = Database(Settings(database_url=empty_url))
    assert _tables(database) == {*TABLES, "alembic_version"}
    database.close()


def test_a_write_that_breaks_off_stores_nothing(client: Client, database: Database) -> None:
    game = client.start()
    before = rows(database)
    for _ in range(3):
        try:
            with database.write() as connection:
                connection.execute(delete(games))
                raise ZeroDivisionError
        except ZeroDivisionError:
            pass
        assert rows(database) == before
    assert client.move(game, LEGAL)["version"] == 1


def test_a_statement_that_fails_leaves_the_way_free(database: Database) -> None:
    for _ in range(3):
        with pytest.raises(DBAPIError), database.write() as connection:
            connection.exec_driver_sql("INSERT INTO games (id) VALUES ('x')")
    assert count(database, "games") == 0


@pytest.mark.skipif(ON_POSTGRESQL, reason="the writing connection is SQLite's")
def test_a_commit_that_fails_stores_nothing_and_leaves_the_way_free(
    client: Client, database: Database
) -> None:
    """A full disk, say: what was to be stored is told to be lost, and the next write works."""
    game = client.start()
    before = rows(database)
    with database.write() as connection:
        driver: Any = connection.connection.dbapi_connection

    def deny_commit(action: int, what: str | None, *_: object) -> int:
        commits = action == sqlite3.SQLITE_TRANSACTION and what == "COMMIT"
        return sqlite3.SQLITE_DENY if commits else sqlite3.SQLITE_OK

    driver.set_authorizer(deny_commit)
    with pytest.raises(sqlite3.DatabaseError), database.write() as connection:
        connection.execute(delete(games))
    driver.set_authorizer(None)
    assert rows(database) == before
    with database.write() as connection:
        connection.execute(delete(games).where(games.c.id == game["id"]))
    assert count(database, "games") == 0


@pytest.mark.skipif(ON_POSTGRESQL, reason="these are SQLite's settings")
@pytest.mark.parametrize(("level", "number"), [("NORMAL", 1), ("FULL", 2), ("EXTRA", 3)])
def test_sqlite_is_set_up_for_a_server(tmp_path: Path, level: str, number: int) -> None:
    url = f"sqlite:///{tmp_path / 'yukon.db'}"
    database = Database(Settings(database_url=url, sqlite_synchronous=level))
    for way in (database.read, database.write):
        with way() as connection:
            found = {
                name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
            }
        assert found == {
            "journal_mode": "wal",
            "synchronous": number,
            "foreign_keys": 1,
            "busy_timeout": 5000,
        }
    database.close()


def test_the_url_names_its_driver(tmp_path: Path) -> None:
    for given in ("postgresql://u:p@h/db", "postgres://u:p@h/db", "postgresql+psycopg://u:p@h/db"):
        assert Settings(database_url=given).url == "postgresql+psycopg://u:p@h/db"
    assert Settings(data_dir=tmp_path).url == f"sqlite:///{tmp_path}/yukon.db"
    assert Settings(database_url="sqlite:///x.db").url == "sqlite:///x.db"


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YUKON_DATABASE_URL", "postgres://h/db")
    monkeypatch.setenv("YUKON_MAX_BODY_BYTES", "2048")
    monkeypatch.setenv("YUKON_SECURE_COOKIES", "true")
    settings = Settings()
    assert settings.url == "postgresql+psycopg://h/db"
    assert (settings.max_body_bytes, settings.secure_cookies) == (2048, True)
    monkeypatch.setenv("YUKON_SQLITE_SYNCHRONOUS", "OFF")
    with pytest.raises(ValidationError):
        Settings()
