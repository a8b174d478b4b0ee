"""Boards: months, clean and first results, orders by moves and by time"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_OLD = (("code",), ("rule",), ("rule", "day"), ("rule", "week"))
_BY_SCORE = ("order_key", "time_ms", "finished_at", "id")
_BY_MOVES = ("moves", "time_ms", "finished_at", "id")
_BY_TIME = ("time_ms", "moves", "finished_at", "id")
_KINDS = ("best", "clean_best", "first_try")
_FILL = """
UPDATE results SET month = day / 100,
    clean_best = undos = 0 AND hints = 0 AND NOT EXISTS (
        SELECT 1 FROM results AS o WHERE o.player_id = results.player_id AND o.code = results.code
        AND o.undos = 0 AND o.hints = 0 AND (o.order_key < results.order_key
            OR o.order_key = results.order_key AND (o.time_ms < results.time_ms
                OR o.time_ms = results.time_ms AND o.id < results.id)))
"""


def upgrade() -> None:
    with op.batch_alter_table("results", schema=None) as batch_op:
        for columns in _OLD:
            batch_op.drop_index(f"ix_results_board_{'_'.join(columns)}")
        batch_op.add_column(sa.Column("month", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("clean_best", sa.Boolean(), nullable=True))
        batch_op.add_column(sa.Column("listed", sa.Boolean(), nullable=True))
    op.execute(_FILL)
    op.execute("UPDATE results SET listed = best OR clean_best OR first_try")
    with op.batch_alter_table("results", schema=None) as batch_op:
        for name in ("month", "clean_best", "listed"):
            kind = sa.Integer() if name == "month" else sa.Boolean()
            batch_op.alter_column(name, existing_type=kind, nullable=False)
    with op.batch_alter_table("results", schema=None) as batch_op:
        for columns in (*_OLD, ("rule", "month")):
            batch_op.create_index(
                f"ix_results_board_{'_'.join(columns)}",
                [*columns, *_BY_SCORE, *_KINDS],
                sqlite_where=sa.text("listed = 1"),
                postgresql_where=sa.text("listed"),
            )
        for scope in ("code", "rule"):
            for sort, order in (("moves", _BY_MOVES), ("time", _BY_TIME)):
                batch_op.create_index(
                    f"ix_results_board_{scope}_{sort}",
                    [scope, *order, *_KINDS, "week", "month"],
                    sqlite_where=sa.text("listed = 1 AND won = 1"),
                    postgresql_where=sa.text("listed AND won"),
                )


def downgrade() -> None:
    with op.batch_alter_table("results", schema=None) as batch_op:
        for columns in (*_OLD, ("rule", "month")):
            batch_op.drop_index(f"ix_results_board_{'_'.join(columns)}")
        for scope in ("code", "rule"):
            for sort in ("moves", "time"):
                batch_op.drop_index(f"ix_results_board_{scope}_{sort}")
        for name in ("month", "clean_best", "listed"):
            batch_op.drop_column(name)
    with op.batch_alter_table("results", schema=None) as batch_op:
        for columns in _OLD:
            batch_op.create_index(
                f"ix_results_board_{'_'.join(columns)}",
                [*columns, *_BY_SCORE],
                sqlite_where=sa.text("best = 1"),
                postgresql_where=sa.text("best"),
            )
