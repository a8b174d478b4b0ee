"""Asking for work: a bounded queue, one job for one question, and a clear answer when busy."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from app.db import Database
from app.errors import Busy
from app.jobs import store
from app.jobs.store import Job

QUEUE_LIMIT = 200
"""Longer than this the queue does not grow: a question more is answered with `busy`."""

URGENT, SOON, LATER = 0, 5, 9
"""Priorities: somebody waits at the table, looks at a page, or nobody waits."""

_GLANCE_S = 0.01


class JobService:
    """The jobs of one database; `now` gives the time in ms since 1970."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    def ask(self, kind: str, subject: str, payload: dict[str, Any], priority: int) -> Job:
        """The live job that answers this question, queued now if there is none.

        Raises Busy when the queue is full.
        """
        with self._database.write() as connection:
            job = store.live(connection, kind, subject)
            if job:
                return job
            if store.waiting(connection) >= QUEUE_LIMIT:
                raise Busy("The solver has more to do than it can; try again in a minute")
            now = self._now()
            return store.add(connection, kind, subject, payload, priority, now) or _there(
                store.live(connection, kind, subject)
            )

    def look(self, job_id: int) -> Job | None:
        """A job as it stands."""
        with self._database.read() as connection:
            return store.by_id(connection, job_id)

    async def wait(self, job: Job, seconds: float) -> Job:
        """The job when it has ended, or as it stands after `seconds`."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            seen = await self._database.run(self.look, job.id)
            if seen is None or seen.state in ("done", "failed"):
                return seen or job
            await asyncio.sleep(_GLANCE_S)
        return job


def _there(job: Job | None) -> Job:
    """The job that another request has just queued."""
    if job is None:  # and has been worked off since
        raise Busy("The solver is busy; try again")
    return job
