"""Boards are read from their first rows: no query looks at every result."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import event

from app.db import Database
from app.leaderboard import store
from engine.variants import VARIANTS

RULES = [variant.rule for variant in VARIANTS]


@pytest.mark.parametrize("rules", [RULES[:1], RULES], ids=["one game", "all games"])
@pytest.mark.parametrize("period", [None, ("day", 20261130), ("week", 202649)])
def test_a_board_is_answered_by_its_index(
    database: Database, rules: list[str], period: tuple[str, int] | None
) -> None:
    index = "ix_results_board_rule" + (f"_{period[0]}" if period else "")
    plan = _plan(database, lambda connection: store.game_rows(connection, rules, period, 50))
    assert plan.count(f"USING INDEX {index} ") == len(rules)
    assert "SCAN results" not in plan


def test_a_deal_is_answered_by_its_index(database: Database) -> None:
    for ask in (
        lambda connection: store.deal_rows(connection, "YU1-C-AAAAAAB", 50),
        lambda connection: store.deal_summary(connection, "YU1-C-AAAAAAB"),
    ):
        plan = _plan(database, ask)
        assert "INDEX ix_results_board_code " in plan
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
