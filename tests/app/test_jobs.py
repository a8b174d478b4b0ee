"""The queue, the workers and what they prove."""

import logging
from collections.abc import Callable

import pytest

from app.db import Database
from app.errors import Busy
from app.jobs import service as service_module
from app.jobs import store, tasks
from app.jobs import worker as worker_module
from app.jobs.service import LATER, SOON, URGENT, JobService
from app.jobs.store import Job
from engine.position import Position
from engine.rules import Rules
from engine.solver import UNPROVEN, Solution
from engine.solver import solve as real_solve
from tests.app.solver import Solving
from tests.app.support import MORNING, START, Client, Clock, good, refused, rows
from tests.app.test_concurrency import at_once
from tests.conftest import ON_POSTGRESQL

DEAL = {"code": START}
PATIENCE_S = 120


@pytest.fixture
def asking(database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> JobService:
    monkeypatch.setattr(worker_module, "_now", clock)
    return JobService(database, clock)


def _job(database: Database, job: Job) -> Job:
    with database.read() as connection:
        found = store.by_id(connection, job.id)
    assert found is not None
    return found


def _take(database: Database, worker: str, now: int = MORNING, until: int = MORNING) -> Job | None:
    with database.write() as connection:
        return store.take(connection, worker, now, until)


# --- asking -------------------------------------------------------------------------------


def test_one_question_has_one_live_job(asking: JobService, database: Database) -> None:
    first = asking.ask("deal", START, DEAL, SOON)
    assert asking.ask("deal", START, DEAL, URGENT) == first
    assert asking.ask("deal", "another", DEAL, SOON).id != first.id
    assert asking.ask("verdict", START, DEAL, SOON).id != first.id
    assert len(rows(database)["jobs"]) == 3


def test_one_question_from_many_threads_has_one_live_job(
    asking: JobService, database: Database
) -> None:
    made = at_once([lambda: asking.ask("deal", START, DEAL, SOON).id] * 12)
    assert len(set(made)) == 1
    assert len(rows(database)["jobs"]) == 1


def test_the_queue_is_bounded(
    asking: JobService, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_module, "QUEUE_LIMIT", 3)
    for number in range(3):
        asking.ask("deal", str(number), DEAL, SOON)
    with pytest.raises(Busy):
        asking.ask("deal", "one more", DEAL, SOON)
    assert asking.ask("deal", "1", DEAL, SOON).state == "queued"
    _take(database, "a")
    assert asking.ask("deal", "one more", DEAL, SOON).state == "queued"


def test_a_full_queue_is_answered_with_503(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    game = client.start()
    monkeypatch.setattr(service_module, "QUEUE_LIMIT", 0)
    problem = refused(client.write(game, "verdict"), 503, "busy")
    assert problem["game"]["id"] == game["id"]
    assert good(client.get(f"/api/v1/deals/{START}"))["verdict"] is None


def test_what_has_ended_answers_until_it_is_forgotten(
    asking: JobService, database: Database, clock: Clock
) -> None:
    done, failed = (asking.ask("lost", name, DEAL, URGENT) for name in ("done", "failed"))
    with database.write() as connection:
        store.finish(connection, done.id, {"winnable_at": 4}, clock())
        store.fail(connection, failed.id, "it broke", clock())
    assert asking.ask("lost", "done", DEAL, URGENT).result == {"winnable_at": 4}
    assert asking.ask("lost", "failed", DEAL, URGENT).state == "failed"
    clock.pass_by(service_module.RETRY_MS / 1000 + 1)
    assert asking.ask("lost", "failed", DEAL, URGENT).state == "queued"
    with database.write() as connection:
        assert store.forget(connection, clock()) == 2
    assert asking.ask("lost", "done", DEAL, URGENT).state == "queued"


def test_nobody_is_waited_for_in_vain(database: Database, clock: Clock) -> None:
    alone, with_workers = JobService(database, clock), JobService(database, clock, 1)
    job = alone.ask("deal", START, DEAL, SOON)
    assert not alone.is_left(job)
    clock.pass_by(service_module.PATIENCE_MS / 1000 + 1)
    assert alone.is_left(job)
    assert not with_workers.is_left(job)
    alone.ask("deal", "another", DEAL, URGENT)
    _take(database, "busy", clock(), clock() + 1000)
    assert not alone.is_left(job)
    clock.pass_by(2)
    assert alone.is_left(job)


# --- taking -------------------------------------------------------------------------------


def test_the_most_urgent_and_oldest_job_is_taken(asking: JobService, database: Database) -> None:
    for name, priority in (("a", LATER), ("b", SOON), ("c", URGENT), ("d", SOON), ("e", URGENT)):
        asking.ask("deal", name, DEAL, priority)
    taken = [_take(database, "w", until=MORNING + 1) for _ in range(6)]
    assert [job.subject if job else None for job in taken] == ["c", "e", "b", "d", "a", None]


def test_a_job_whose_worker_is_silent_is_taken_again(
    asking: JobService, database: Database
) -> None:
    job = asking.ask("deal", START, DEAL, SOON)
    for turn in range(store.ATTEMPTS):
        now = MORNING + turn * 100
        taken = _take(database, f"w{turn}", now, now + 50)
        assert taken is not None
        assert taken.attempts == turn + 1
        assert _take(database, "other", now + 50, now + 99) is None
    assert _take(database, "last", MORNING + 10_000) is None
    assert _job(database, job).state == "failed"


def test_what_a_worker_lets_go_of_is_queued_again(asking: JobService, database: Database) -> None:
    job = asking.ask("deal", START, DEAL, SOON)
    for give_back, attempts in ((store.release, 1), (store.give_back, 1), (store.release, 2)):
        assert _take(database, "w", until=MORNING + 99)
        with database.write() as connection:
            assert give_back(connection, "somebody else") == 0
            assert give_back(connection, "w") == 1
        assert (_job(database, job).state, _job(database, job).attempts) == ("queued", attempts)


def test_workers_at_once_take_different_jobs(asking: JobService, database: Database) -> None:
    for number in range(8):
        asking.ask("deal", str(number), DEAL, SOON)

    def take(worker: int) -> Callable[[], list[int]]:
        def run() -> list[int]:
            found = []
            for _ in range(20):
                job = _take(database, f"w{worker}", until=MORNING + 9_999)
                if job:
                    found.append(job.id)
            return found

        return run

    taken = at_once([take(worker) for worker in range(6)])
    ids = [one for found in taken if isinstance(found, list) for one in found]
    assert len(ids) == len(set(ids)) == 8


@pytest.mark.skipif(not ON_POSTGRESQL, reason="SQLite has one writer")
def test_a_job_that_is_being_taken_is_skipped(asking: JobService, database: Database) -> None:
    first, second = (asking.ask("deal", name, DEAL, SOON) for name in "ab")
    with database.write() as one, database.write() as other:
        mine = store.take(one, "w1", MORNING, MORNING + 1)
        theirs = store.take(other, "w2", MORNING, MORNING + 1)
        assert (mine and mine.id, theirs and theirs.id) == (first.id, second.id)


# --- working ------------------------------------------------------------------------------


def test_a_job_that_fails_says_why(
    asking: JobService,
    solving: Solving,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken(*_: object) -> Solution:
        raise RuntimeError("the solver has a fault")

    monkeypatch.setattr(tasks, "solve", broken)
    job = asking.ask("deal", START, DEAL, SOON)
    with caplog.at_level(logging.CRITICAL, "yukon.worker"):
        assert solving.work() == 1
    assert _job(database, job).result == {"why": "RuntimeError: the solver has a fault"}
    assert asking.is_left(_job(database, job))


def test_a_worker_yields_to_somebody_who_waits(
    asking: JobService, solving: Solving, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = asking.ask("deal", START, DEAL, SOON)
    asked: list[Job] = []

    def solve(rules: Rules, position: Position, budget: int, should_stop: tasks.Stop) -> Solution:
        if not asked:
            asked.append(asking.ask("deal", "YU1-F-AAAAAAN", {"code": "YU1-F-AAAAAAN"}, URGENT))
            assert should_stop()
            return Solution(UNPROVEN, (), 0, "stopped")
        return real_solve(rules, position, budget, should_stop)

    monkeypatch.setattr(tasks, "solve", solve)
    assert solving.worker.work_once()
    assert (_job(database, slow).state, _job(database, slow).attempts) == ("queued", 0)
    assert solving.worker.work_once()
    assert _job(database, asked[0]).state == "done"
    assert solving.work() == 3  # and a search for par after each
    assert _job(database, slow).state == "done"


@pytest.mark.parametrize("finds", [True, False])
def test_a_worker_that_is_told_to_stop_gives_its_job_back(
    asking: JobService,
    solving: Solving,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
    finds: bool,
) -> None:
    job = asking.ask("deal", START, DEAL, SOON)

    def solve(_r: Rules, _p: Position, _budget: int, should_stop: tasks.Stop) -> Solution:
        solving.worker.stop()
        assert should_stop()
        if not finds:
            raise ValueError("nothing was found until then")
        return Solution(UNPROVEN, (), 0, "stopped")

    monkeypatch.setattr(tasks, "solve", solve)
    solving.worker.work_once()
    assert (_job(database, job).state, _job(database, job).attempts) == ("queued", 0)
    assert rows(database)["deals"] == []


def test_a_search_ends_at_its_deadline(
    asking: JobService, solving: Solving, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "_SECONDS", {"deal": 0.0})

    def solve(_r: Rules, _p: Position, _budget: int, should_stop: tasks.Stop) -> Solution:
        assert should_stop()
        return Solution(UNPROVEN, (), 5, "stopped")

    monkeypatch.setattr(tasks, "solve", solve)
    asking.ask("deal", START, DEAL, SOON)
    assert solving.work() == 1
    (proof,) = rows(database)["deals"]
    assert proof[2] == UNPROVEN
