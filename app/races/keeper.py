"""What a server does for its races by itself, several times a second."""

from __future__ import annotations

import asyncio
import contextlib
import logging

from app.db import Database
from app.races.opponents import Opponents
from app.races.service import RaceService

log = logging.getLogger("yukon.races")

_EVERY_S = 0.2
_AFTER_A_FAULT_S = 5.0


class Keeper:
    """Go, the end, and the computer players' moves, when they are due."""

    def __init__(self, database: Database, races: RaceService, opponents: Opponents) -> None:
        self._database = database
        self._races = races
        self._opponents = opponents
        self._task: asyncio.Task[None] | None = None

    def keep(self) -> None:
        """Do what is due now."""
        self._races.keep()
        self._opponents.play_due()

    def start(self) -> None:
        """Begin, on the running event loop."""
        self._task = asyncio.create_task(self._keep_on())

    async def stop(self) -> None:
        """End."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _keep_on(self) -> None:
        while True:
            await asyncio.sleep(_EVERY_S)
            try:
                await self._database.run(self.keep)
            except Exception:  # the next time looks at everything anew
                log.exception("races could not be kept")
                await asyncio.sleep(_AFTER_A_FAULT_S)
