"""Boards are read from their first rows: no query looks at every result."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

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


class _Row(NamedTuple):
    """Some row's values of the orders."""

    order_key: int
    moves: int
    time_ms: int
    finished_at: int
    id: int


def _asks(filters: Filters) -> Iterator[Any]:
    yield lambda connection: store.rows(connection, filters, None, 50)
    yield lambda connection: store.rows(connection, filters, AFTER, 50)


def _index(scope: str, period: Period, sort: Sort) -> str:
    within = f"ix_results_board_{scope}" + ("" if period == "all" else f"_{period}")
    return f"{within}_{sort}" if sort != "score" and period in ("month", "all") else within


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


@pytest.mark.parametrize("rules", [RULES[:1], RULES], ids=["one game", "all games"])
@pytest.mark.parametrize(("period", "within"), PERIODS)
@pytest.mark.parametrize("sort", SORTS)
def test_a_board_of_friends_reads_their_rows_alone(
    database: Database, rules: tuple[str, ...], period: Period, within: int, sort: Sort
) -> None:
    leading = store.ORDERS[sort][0]
    for clean, first in KINDS:
        filters = Filters(None, rules, period, within, sort, clean, first, friends=True, me=1)
        for follows, ask in enumerate(_asks(filters)):
            plan = _plan(database, ask)
            span = f"{leading}>? AND {leading}<?" if follows else f"{leading}<?"
            index = (
                f"INDEX ix_results_board_player_{sort} (player_id=? AND {span})"
                if period == "all"
                else "INDEX ix_results_board_player_day (player_id=? AND day>? AND day<?)"
            )
            assert f"SEARCH results USING COVERING {index}" in plan, plan
            assert "SCAN results" not in plan
            assert "ix_results_board_rule" not in plan


@pytest.mark.parametrize(("period", "within"), PERIODS)
@pytest.mark.parametrize("sort", SORTS)
def test_a_place_is_counted_in_the_index_alone(
    database: Database, period: Period, within: int, sort: Sort
) -> None:
    row: Any = _Row(*range(1, 6))  # as a row of the results answers
    for clean, first in KINDS:
        filters = Filters(None, RULES, period, within, sort, clean, first)
        plan = _plan(database, lambda c, f=filters: store.place_of(c, f, row))
        index = _index("rule", period, sort)
        assert plan.count(f"USING COVERING INDEX {index} ") == len(RULES), plan
        filters = Filters("YU1-C-AAAAAAB", (), "all", 0, sort, clean, first)
        plan = _plan(database, lambda c, f=filters: store.place_of(c, f, row))
        assert f"USING COVERING INDEX {_index('code', 'all', sort)} " in plan, plan


def test_a_place_among_friends_is_counted_in_their_rows_alone(database: Database) -> None:
    for sort in SORTS:
        filters = Filters(None, RULES, sort=sort, friends=True, me=1)
        counted = _Row(*range(1, 6))
        plan = _plan(database, lambda c, f=filters, r=counted: store.place_of(c, f, r))
        leading = store.ORDERS[sort][0]
        index = f"ix_results_board_player_{sort} (player_id=? AND {leading}<?)"
        assert f"USING COVERING INDEX {index}" in plan, plan


@pytest.mark.parametrize("sort", SORTS)
def test_a_deal_s_board_of_friends_looks_each_of_them_up(database: Database, sort: Sort) -> None:
    for clean, first in KINDS:
        filters = Filters("YU1-C-AAAAAAB", (), "all", 0, sort, clean, first, friends=True, me=1)
        for ask in _asks(filters):
            plan = _plan(database, ask)
            assert "INDEX ix_results_player_code (player_id=? AND code=?)" in plan, plan
            assert "SCAN results" not in plan


def test_a_player_s_own_row_is_found_among_theirs(database: Database) -> None:
    for sort in SORTS:
        filters = Filters(None, RULES, "month", 202611, sort)
        plan = _plan(database, lambda connection, f=filters: store.row_of(connection, f, 1))
        assert re.search(r"INDEX ix_results_(player_code|board_player_\w+) \(player_id=\?", plan)
        assert "SCAN results" not in plan


@pytest.mark.parametrize("sort", SORTS)
def test_a_player_s_own_row_on_a_deal_is_found_among_theirs(database: Database, sort: Sort) -> None:
    filters = Filters("YU1-C-AAAAAAB", sort=sort)
    plan = _plan(database, lambda connection: store.row_of(connection, filters, 1))
    assert "INDEX ix_results_player_code (player_id=? AND code=?)" in plan, plan


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
