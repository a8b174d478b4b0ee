"""Extending the catalogue: find winnable deals, measure how hard they are, store them.

Several processes and, on PostgreSQL, several machines may build at once; what is done stays.
"""

from __future__ import annotations

import os
import secrets
import signal
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import Final

from app.catalogue import store
from app.catalogue.shipped import Graded, pack_line
from app.config import Settings
from app.db import Database
from engine.deals import OPEN_DEALS, deal, open_code
from engine.fair.difficulty import Examiner
from engine.levels import LEVELS
from engine.rules import get_rules
from engine.solver import WINNABLE, solve

_BUDGET: Final = 20_000
_LEASE_MS: Final = 600_000


def _now() -> int:
    return time.time_ns() // 1_000_000


def examined(rule: str, numbers: range, should_stop: Callable[[], bool]) -> list[Graded] | None:
    """The graded winnable deals among open deals; None when it was stopped.

    A deal that the solver leaves open within its budget is passed over.
    """
    rules = get_rules(rule)
    examiner = Examiner(rules)
    found = []
    for number in numbers:
        if should_stop():
            return None
        start = deal(open_code(rule, number))
        solution = solve(rules, start, _BUDGET)
        if solution.verdict == WINNABLE:
            measured = examiner.difficulty(start)
            found.append(Graded(number, measured.mark, pack_line(rules, start, solution.moves)))
    return found


def is_full(database: Database, rule: str, per_level: int) -> bool:
    """Whether a game has so many deals of every level."""
    with database.read() as connection:
        counts = store.counts(connection, rule)
    return all(counts.get(name, 0) >= per_level for name in LEVELS)


class Builder:
    """Takes batches of a game's deals from one database and examines them."""

    def __init__(self, database: Database, rule: str) -> None:
        self._database, self._rule = database, rule
        self._name = f"{socket.gethostname()[:40]}:{os.getpid()}:{secrets.token_hex(4)}"

    def build_once(self, should_stop: Callable[[], bool] = lambda: False) -> int | None:
        """Examine one batch; how many deals were added, None when none could be taken."""
        with self._database.write() as connection:
            now = _now()
            batch = store.take(connection, self._rule, self._name, now, now + _LEASE_MS)
        if batch is None:
            return None
        numbers = range(batch * store.BATCH, min((batch + 1) * store.BATCH, OPEN_DEALS))
        found = examined(self._rule, numbers, should_stop)
        with self._database.write() as connection:
            if found is None:
                store.give_back(connection, self._name)
                return None
            added = store.add(connection, self._rule, found)
            store.finish(connection, self._rule, batch, _now())
        return added


def _work(settings: Settings, rule: str) -> int:
    """In a process of a pool: one batch."""
    database = Database(settings)
    try:
        return Builder(database, rule).build_once() or 0
    finally:
        database.close()


def _deaf() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it


def build(
    settings: Settings, database: Database, rule: str, per_level: int, processes: int
) -> Iterator[dict[str, int]]:
    """Build until every level has enough; the counts after each batch."""
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _deaf)
    running: set[Future[int]] = set()
    try:
        while not is_full(database, rule, per_level):
            while len(running) < processes:
                running.add(pool.submit(_work, settings, rule))
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                future.result()
            with database.read() as connection:
                yield store.counts(connection, rule)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
