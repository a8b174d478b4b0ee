"""Asking for work: a bounded queue, one job for one question, and a clear answer when busy."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from app.db import Database
from app.errors import Busy
from app.i18n import gettext as _
from app.jobs import store
from app.jobs.store import Job

QUEUE_LIMIT = 200
"""Longer than this the queue does not grow: a question more is answered with `busy`."""

PATIENCE_MS = 8_000
"""A question that is not answered after this, while no worker works, is not waited for."""
PATIENCE_WITH_WORKERS_MS = 180_000
"""The same where the server has started workers: they may be compiling."""
RETRY_MS = 60_000
"""How long a failed job stands before the question is tried again."""

URGENT, NEXT, SOON, LATER = 0, 1, 5, 9
"""Priorities: somebody waits at the table, plays against the computer, looks at a page, or nobody
waits."""

_GLANCE_S = 0.01


class JobService:
    """The jobs of one database; `now` gives the time in ms since 1970.

    `workers`: how many the server has started itself.
    """

    def __init__(self, database: Database, now: Callable[[], int], workers: int = 0) -> None:
        self._database = database
        self._now = now
        self._patience_ms = PATIENCE_WITH_WORKERS_MS if workers else PATIENCE_MS

    def ask(self, kind: str, subject: str, payload: dict[str, Any], priority: int) -> Job:
        """The job that answers this question: the one there is, or one queued now.

        A job that has ended is the answer too, until it is forgotten; a failed one is tried
        again after a while. Raises Busy when the queue is full.
        """
        with self._database.read() as connection:
            job = store.latest(connection, kind, subject)
        now = self._now()
        if job and not (job.state == "failed" and now - (job.done_at or 0) > RETRY_MS):
            return job
        with self._database.write() as connection:
            if store.waiting(connection) >= QUEUE_LIMIT:
                raise Busy(_("The solver has more to do than it can; try again in a minute"))
            made = store.add(connection, kind, subject, payload, priority, now)
            job = made or store.latest(connection, kind, subject)
            assert job is not None  # a conflict names the live one
            return job

    def is_left(self, job: Job) -> bool:
        """Whether nobody will answer: the job failed, or no worker has taken any up for long."""
        if job.state == "failed":
            return True
        now = self._now()
        if job.state == "done" or now - job.created_at <= self._patience_ms:
            return False
        with self._database.read() as connection:
            return not store.is_worked(connection, now)

    def look(self, job_id: int) -> Job | None:
        """A job as it stands."""
        with self._database.read() as connection:
            return store.by_id(connection, job_id)

    async def wait(self, job: Job, seconds: float) -> Job:
        """The job when it has ended, or as it stands after `seconds`."""
        deadline = time.monotonic() + seconds
        while job.state not in ("done", "failed") and time.monotonic() < deadline:
            await asyncio.sleep(_GLANCE_S)
            seen = await self._database.run(self.look, job.id)
            job = seen or job
        return job
