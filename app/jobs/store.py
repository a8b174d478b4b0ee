"""The queue in the database.

A job is `queued`, `running` (taken by a worker until `taken_until`), `done` or `failed`. There is
at most one live job of a kind on a subject.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, func, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from app.models import jobs

ATTEMPTS = 3
"""How often a job is begun before it counts as failed (its worker may have been killed)."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job: what it is about, and what came of it (None before it is done)."""

    id: int
    kind: str
    subject: str
    payload: dict[str, Any]
    state: str
    attempts: int
    created_at: int
    result: dict[str, Any] | None


def _job(row: Row[Any]) -> Job:
    return Job(
        row.id,
        row.kind,
        row.subject,
        json.loads(row.payload),
        row.state,
        row.attempts,
        row.created_at,
        json.loads(row.result) if row.result else None,
    )


def by_id(connection: Connection, job_id: int) -> Job | None:
    """The job with this number."""
    row = connection.execute(select(jobs).where(jobs.c.id == job_id)).first()
    return _job(row) if row else None


def live(connection: Connection, kind: str, subject: str) -> Job | None:
    """The job of this kind on this subject that is queued or running."""
    row = connection.execute(
        select(jobs).where(
            jobs.c.kind == kind,
            jobs.c.subject == subject,
            jobs.c.state.in_(("queued", "running")),
        )
    ).first()
    return _job(row) if row else None


def waiting(connection: Connection) -> int:
    """How many jobs are queued."""
    return connection.scalar(select(func.count()).where(jobs.c.state == "queued")) or 0


def add(
    connection: Connection,
    kind: str,
    subject: str,
    payload: dict[str, Any],
    priority: int,
    now: int,
) -> Job | None:
    """Queue a job; None when another request has just queued the same one."""
    table = postgresql if connection.dialect.name == "postgresql" else sqlite
    job_id = connection.scalar(
        table.insert(jobs)
        .values(
            kind=kind,
            subject=subject,
            payload=json.dumps(payload),
            state="queued",
            priority=priority,
            attempts=0,
            created_at=now,
        )
        .on_conflict_do_nothing()
        .returning(jobs.c.id)
    )
    return Job(job_id, kind, subject, payload, "queued", 0, now, None) if job_id else None


def take(connection: Connection, worker: str, now: int, until: int) -> Job | None:
    """Take the most urgent job, or one whose worker has not been heard of; None when idle.

    On PostgreSQL rows that another worker is just taking are skipped; SQLite has one writer.
    """
    row = connection.execute(
        select(jobs)
        .where(
            or_(
                jobs.c.state == "queued",
                (jobs.c.state == "running") & (jobs.c.taken_until < now),
            )
        )
        .order_by(jobs.c.priority, jobs.c.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    ).first()
    if row is None:
        return None
    if row.attempts >= ATTEMPTS:
        _end(connection, row.id, "failed", {"why": "its workers were lost"}, now)
        return None
    connection.execute(
        update(jobs)
        .where(jobs.c.id == row.id)
        .values(state="running", worker=worker, taken_until=until, attempts=row.attempts + 1)
    )
    return _job(row)


def _end(connection: Connection, job_id: int, state: str, result: dict[str, Any], now: int) -> None:
    connection.execute(
        update(jobs)
        .where(jobs.c.id == job_id)
        .values(state=state, result=json.dumps(result), done_at=now, taken_until=None)
    )


def finish(connection: Connection, job_id: int, result: dict[str, Any], now: int) -> None:
    """Store what came of a job."""
    _end(connection, job_id, "done", result, now)


def fail(connection: Connection, job_id: int, why: str, now: int) -> None:
    """Store that a job cannot be done."""
    _end(connection, job_id, "failed", {"why": why}, now)


def release(connection: Connection, worker: str) -> int:
    """Queue the jobs of a worker that has died again; how many."""
    return connection.execute(
        update(jobs)
        .where(jobs.c.state == "running", jobs.c.worker == worker)
        .values(state="queued", worker=None, taken_until=None)
    ).rowcount


def forget(connection: Connection, before: int) -> int:
    """Delete the jobs that ended before a time; what they found is stored elsewhere."""
    return connection.execute(
        delete(jobs).where(jobs.c.state.in_(("done", "failed")), jobs.c.done_at < before)
    ).rowcount
