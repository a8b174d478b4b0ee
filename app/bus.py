"""The bus: who has written something tells it, and whoever watches looks again.

A topic is told within the transaction that changed it, and heard once that is committed. With
SQLite it stays in the process: one server process writes. With PostgreSQL it is NOTIFY, which every
server process hears on one connection of its own, so that several serve the same race. A topic
carries no content: what is heard of is read from the database.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable

import psycopg
from sqlalchemy import Connection, text

from app.db import TOLD, Database

log = logging.getLogger("yukon.bus")

_CHANNEL = "yukon"
_AGAIN_S = 1.0
_ALIVE_S = 20.0

Hear = Callable[[str | None], None]
"""Called with a topic, or None where topics may have been missed: look at everything again."""


def race_topic(race_id: str) -> str:
    """The topic of a race: its room, and the games played in it."""
    return f"race:{race_id}"


def tell(connection: Connection, topic: str) -> None:
    """Tell of a change when (and only when) its transaction is committed."""
    if connection.dialect.name == "postgresql":
        connection.execute(
            text("SELECT pg_notify(:channel, :topic)"), {"channel": _CHANNEL, "topic": topic}
        )
    else:
        connection.info.get(TOLD, []).append(topic)


class Bus:
    """What this process hears; started and stopped with the application."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._hear: list[Hear] = []
        self._task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        if database.is_sqlite:
            database.on_told = self._told

    def listen(self, hear: Hear) -> None:
        """Call `hear`, on the event loop, with every topic that is told."""
        self._hear.append(hear)

    def _told(self, topic: str) -> None:
        """A write of this process, from whatever thread it was made in."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._tell_all, topic)

    def _tell_all(self, topic: str | None) -> None:
        for hear in self._hear:
            hear(topic)

    def start(self) -> None:
        """Begin to hear, on the running event loop."""
        self._loop = asyncio.get_running_loop()
        if not self._database.is_sqlite:
            self._task = asyncio.create_task(self._listen())

    async def stop(self) -> None:
        """Hear no more."""
        self._loop = None
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def _listen(self) -> None:
        """LISTEN for ever; a lost connection is made again, and then everything looked at."""
        url = self._database.url.set(drivername="postgresql")
        address = url.render_as_string(hide_password=False)
        while True:
            with contextlib.suppress(psycopg.OperationalError, OSError):
                async with await psycopg.AsyncConnection.connect(
                    address, autocommit=True
                ) as connection:
                    await connection.execute(f"LISTEN {_CHANNEL}")
                    self._tell_all(None)
                    while True:
                        async for notice in connection.notifies(timeout=_ALIVE_S):
                            self._tell_all(notice.payload)
                        await connection.execute("SELECT 1")
            log.warning("the database's notices were lost; listening again")
            await asyncio.sleep(_AGAIN_S)
