"""Boards are read from their first rows: no query looks at every result."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import event

from app.db import Database
from app.leaderboard import store
from app.leaderboard.service import SORTS
from app.leaderboard.store import Filters, Period, Sort
from engine.variants import VARIANTS

RULES = tuple(variant.rule for variant in VARIANTS)
PERIODS: tuple[tuple[Period, int], ...] = (
    *(("all", 0), ("day", 20261130)),
    *(("week", 202649), ("month", 202611)),
)
KINDS = [(clean, first) for clean in (False, True) for first in (False, True)]
AFTER = (7, 8, 9, 10)


def _asks(filters: Filters) -> Iterator[Any]:
    yield lambda connection: store.rows(connection, filters, None, 50)
    yield lambda connection: store.rows(connection, filters, AFTER, 50)


def _index(scope: str, period: Period, sort: Sort) -> str:
    if sort != "score" and period != "day":
        return f"ix_results_board_{scope}_{sort}"
    return f"ix_results_board_{scope}" + ("" if period == "all" else f"_{period}")


@pytest.mark.parametrize("rules", [RULES[:1], RULES], ids=["one game", "all games"])
@pytest.mark.parametrize(("period", "within"), PERIODS)
@pytest.mark.parametrize("sort", SORTS)
def test_a_board_is_answered_by_its_index(
    database: Database, rules: tuple[str, ...], period: Period, within: int, sort: Sort
) -> None:
    for clean, first in KINDS:
        filters = Filters(None, rules, period, within, sort, clean, first)
        for ask in _asks(filters):
            plan = _plan(database, ask)
            index = _index("rule", period, sort)
            assert len(re.findall(rf"USING (COVERING )?INDEX {index} ", plan)) == len(rules), plan
            assert "SCAN results" not in plan


@pytest.mark.parametrize("sort", SORTS)
def test_a_deal_is_answered_by_its_index(database: Database, sort: Sort) -> None:
    for clean, first in KINDS:
        for sealed in (False, True):
            filters = Filters("YU1-C-AAAAAAB", (), "all", 0, sort, clean, first, sealed)
            for ask in _asks(filters):
                plan = _plan(database, ask)
                assert f"INDEX {_index('code', 'all', sort)} " in plan, plan
                assert "SCAN results" not in plan
    plan = _plan(database, lambda connection: store.deal_summary(connection, "YU1-C-AAAAAAB"))
    assert "INDEX ix_results_board_code " in plan


def test_a_player_s_own_row_is_found_among_theirs(database: Database) -> None:
    for sort in SORTS:
        filters = Filters(None, RULES, "month", 202611, sort)
        plan = _plan(database, lambda connection, f=filters: store.row_of(connection, f, 1))
        assert "ix_results_player_code (player_id=?" in plan
        assert "SCAN results" not in plan


def _plan(database: Database, ask: Any) -> str:
    """How SQLite answers the query that `ask` makes."""
    if not database.is_sqlite:
        pytest.skip("PostgreSQL chooses by the table's size")
    found: list[str] = []

    def explain(connection: Any, _cursor: Any, sql: str, given: Any, *_more: Any) -> None:
        if sql.startswith("SELECT"):
            cursor = connection.connection.dbapi_connection.cursor()
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}", given)
            found.extend(row[3] for row in cursor.fetchall())

    event.listen(database.engine, "before_cursor_execute", explain)
    try:
        with database.read() as connection:
            ask(connection)
    finally:
        event.remove(database.engine, "before_cursor_execute", explain)
    return "\n".join(found)
