"""The database: SQLite in the process by default, PostgreSQL when one machine is outgrown.

One transaction a request, and it is committed before the answer is made. On SQLite a statement
takes microseconds, so work runs where it is asked; on PostgreSQL it waits for another process,
so it runs on a thread and the event loop stays free.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import anyio
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Insert, Update, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.engine.interfaces import Compiled

from app.config import ROOT, Settings

T = TypeVar("T")
TOLD = "yukon_told"
"""Where a connection to SQLite keeps the topics that its transaction tells."""
_BUSY_TIMEOUT_MS = 5_000
_MIGRATION_LOCK = 7_021_946  # any number of ours: PostgreSQL's advisory locks share one space


class Prepared:
    """A statement that every move makes: compiled once, then given to the driver as it is.

    SQLAlchemy's own way costs several times what the database does. The values must be what the
    driver takes: numbers, texts, bytes, booleans and None.
    """

    def __init__(self, statement: Insert | Update) -> None:
        self._statement = statement
        self._compiled: dict[str, Compiled] = {}

    def execute(self, connection: Connection, values: Mapping[str, Any]) -> int:
        """Run it with a value for each of its parameters; the number of rows that it met."""
        dialect = connection.dialect
        compiled = self._compiled.get(dialect.name)
        if compiled is None:
            compiled = self._compiled[dialect.name] = self._statement.compile(dialect=dialect)
        names = getattr(compiled, "positiontup", None)  # of drivers that take them by place
        if names is None:
            return connection.exec_driver_sql(compiled.string, dict(values)).rowcount
        driver: Any = connection.connection.dbapi_connection
        rows: int = driver.execute(compiled.string, [values[name] for name in names]).rowcount
        return rows


class Database:
    """A database and its ways in: `read`, `write`, `run`."""

    def __init__(self, settings: Settings) -> None:
        self.url = make_url(settings.url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        if self.is_sqlite:
            if self.url.database and self.url.database != ":memory:":
                Path(self.url.database).parent.mkdir(parents=True, exist_ok=True)
            self.engine = create_engine(self.url)
            _prepare_sqlite(self.engine, settings.sqlite_synchronous)
        else:
            self.engine = create_engine(self.url, pool_size=settings.pool_size, max_overflow=0)
        self._writer: Connection | None = None
        self._writing = Lock()
        self.on_told: Callable[[str], None] = lambda _topic: None
        """Called with each topic that a write here has told (`app.bus.tell`), once committed."""

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection to read with."""
        with self.engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction to write in: committed when the block ends, rolled back when it raises."""
        if not self.is_sqlite:
            with self.engine.begin() as connection:
                yield connection
            return
        told: list[str] = []
        with self._writing:
            yield from self._write_sqlite(told)
        for topic in dict.fromkeys(told):
            self.on_told(topic)

    def _write_sqlite(self, told: list[str]) -> Iterator[Connection]:
        """A write on the one connection that writes.

        SQLite has one writer at a time anyhow; keeping its connection, and saying BEGIN
        IMMEDIATE and COMMIT to the driver itself, takes a tenth of the time that a pooled
        transaction takes.
        """
        if self._writer is None:
            self._writer = self.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        driver: Any = self._writer.connection.dbapi_connection
        driver.execute("BEGIN IMMEDIATE")
        self._writer.info[TOLD] = told
        try:
            yield self._writer
            driver.execute("COMMIT")
        except BaseException:
            if driver.in_transaction:  # SQLite ends it by itself when the disk is full
                driver.execute("ROLLBACK")
            raise

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """Do work that uses the database, off the event loop where it would have to wait."""
        if self.is_sqlite:
            return work(*args)
        return await anyio.to_thread.run_sync(work, *args)

    def migrate(self) -> None:
        """Bring the schema up to date; several processes may do so at once."""
        config = Config()
        config.set_main_option("script_location", str(ROOT / "migrations"))
        if self.is_sqlite:
            with self.engine.connect() as connection:
                driver: Any = connection.connection.dbapi_connection
                # a table is changed by making it anew: rows that refer to it must let it go
                driver.execute("PRAGMA foreign_keys = OFF")
                try:
                    connection.execution_options(yukon_begin="BEGIN IMMEDIATE").begin()
                    config.attributes["connection"] = connection
                    command.upgrade(config, "head")
                finally:
                    connection.rollback()
                    driver.execute("PRAGMA foreign_keys = ON")
            return
        with self.engine.connect() as connection:
            connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": _MIGRATION_LOCK})
            connection.commit()
            try:
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
            finally:
                connection.rollback()
                connection.execute(
                    text("SELECT pg_advisory_unlock(:key)"), {"key": _MIGRATION_LOCK}
                )
                connection.commit()

    def close(self) -> None:
        """Close every connection."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        self.engine.dispose()


def _prepare_sqlite(engine: Any, synchronous: str) -> None:
    """WAL, foreign keys, a busy timeout, and no transactions of the driver's own.

    Those begin late and never IMMEDIATE, so that two writers could read the same version; reads
    begin one here, writes in `Database.write`.
    """

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_MS}")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute(f"PRAGMA synchronous = {synchronous}")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if options.get("isolation_level") != "AUTOCOMMIT":
            connection.exec_driver_sql(options.get("yukon_begin", "BEGIN"))
