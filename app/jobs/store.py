"""The queue in the database.

A job is `queued`, `running` (taken by a worker until `taken_until`), `done` or `failed`. There is
at most one live job of a kind on a subject.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, delete, func, or_, select, update
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
    priority: int
    created_at: int
    done_at: int | None
    result: dict[str, Any] | None


def _job(row: Row[Any]) -> Job:
    return Job(
        row.id,
        row.kind,
        row.subject,
        json.loads(row.payload),
        row.state,
        row.attempts,
        row.priority,
        row.created_at,
        row.done_at,
        json.loads(row.result) if row.result else None,
    )


def by_id(connection: Connection, job_id: int) -> Job | None:
    """The job with this number."""
    row = connection.execute(select(jobs).where(jobs.c.id == job_id)).first()
    return _job(row) if row else None


def latest(connection: Connection, kind: str, subject: str) -> Job | None:
    """The last job of this kind on this subject; a live one is always the last."""
    row = connection.execute(
        select(jobs)
        .where(jobs.c.kind == kind, jobs.c.subject == subject)
        .order_by(jobs.c.id.desc())
        .limit(1)
    ).first()
    return _job(row) if row else None


def waiting(connection: Connection) -> int:
    """How many jobs are queued."""
    return connection.scalar(select(func.count()).where(jobs.c.state == "queued")) or 0


def is_worked(connection: Connection, now: int) -> bool:
    """Whether a worker has a job in hand."""
    return bool(
        connection.scalar(
            select(jobs.c.id).where(jobs.c.state == "running", jobs.c.taken_until >= now).limit(1)
        )
    )


def is_due(connection: Connection, now: int, below: int = 1_000) -> bool:
    """Whether a job of a priority below `below` could be taken."""
    return bool(connection.scalar(select(jobs.c.id).where(_due(now, below)).limit(1)))


def _due(now: int, below: int = 1_000) -> ColumnElement[bool]:
    lapsed = (jobs.c.state == "running") & (jobs.c.taken_until < now)
    return and_(jobs.c.priority < below, or_(jobs.c.state == "queued", lapsed))


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
    if job_id is None:
        return None
    return Job(job_id, kind, subject, payload, "queued", 0, priority, now, None, None)


def take(connection: Connection, worker: str, now: int, until: int) -> Job | None:
    """Take the most urgent job, or one whose worker has not been heard of; None when idle.

    On PostgreSQL rows that another worker is just taking are skipped; SQLite has one writer.
    """
    row = connection.execute(
        select(jobs)
        .where(_due(now))
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
    return replace(_job(row), state="running", attempts=row.attempts + 1)


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
    return _release(connection, worker, jobs.c.attempts)


def give_back(connection: Connection, worker: str) -> int:
    """Queue the job that a worker lets go of unharmed: the attempt does not count."""
    return _release(connection, worker, jobs.c.attempts - 1)


def _release(connection: Connection, worker: str, attempts: ColumnElement[int]) -> int:
    return connection.execute(
        update(jobs)
        .where(jobs.c.state == "running", jobs.c.worker == worker)
        .values(state="queued", worker=None, taken_until=None, attempts=attempts)
    ).rowcount


def forget(connection: Connection, before: int) -> int:
    """Delete the jobs that ended before a time; what they found is stored elsewhere."""
    return connection.execute(
        delete(jobs).where(jobs.c.state.in_(("done", "failed")), jobs.c.done_at < before)
    ).rowcount
