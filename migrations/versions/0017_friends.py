"""Friends by link, and the leaderboards' rows by player; boards of a day and a week by any order"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_KINDS = ("listed", "best", "clean_best", "first_try")
_ORDER = ("order_key", "time_ms", "finished_at", "id")
_BOARDS = {
    "day": ("day", "rule", "order_key", "time_ms", "moves", "finished_at", "id", "won"),
    "score": ("order_key", "time_ms", "finished_at", "id", "rule"),
    "moves": ("moves", "time_ms", "finished_at", "id", "rule", "won"),
    "time": ("time_ms", "moves", "finished_at", "id", "rule", "won"),
}


def upgrade() -> None:
    op.create_table(
        "friendships",
        sa.Column("player_id", _ID, nullable=False),
        sa.Column("friend_id", _ID, nullable=False),
        sa.Column("key", sa.String(length=16), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_friendships_player_id_players")
        ),
        sa.ForeignKeyConstraint(
            ["friend_id"], ["players.id"], name=op.f("fk_friendships_friend_id_players")
        ),
        sa.PrimaryKeyConstraint("player_id", "friend_id", name=op.f("pk_friendships")),
    )
    op.create_index(op.f("ix_friendships_friend_id"), "friendships", ["friend_id"])
    op.create_table(
        "friend_links",
        sa.Column("token_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("player_id", _ID, nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_friend_links_player_id_players")
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_friend_links")),
        sa.UniqueConstraint("player_id", name=op.f("uq_friend_links_player_id")),
    )
    for period in ("day", "week"):
        _board_of(period, "moves", "won", "listed")
    for sort, columns in _BOARDS.items():
        won = sort in ("moves", "time")
        op.create_index(
            f"ix_results_board_player_{sort}",
            "results",
            ["player_id", *columns, *_KINDS, "undos", "hints"],
            sqlite_where=sa.text("listed = 1 AND won = 1" if won else "listed = 1"),
            postgresql_where=sa.text("listed AND won" if won else "listed"),
        )


def _board_of(period: str, *more: str) -> None:
    """Make the index of a period's board anew, with what else is asked of its rows."""
    name = f"ix_results_board_rule_{period}"
    op.drop_index(name, "results")
    op.create_index(
        name,
        "results",
        ["rule", period, *_ORDER, *_KINDS[1:], *more],
        sqlite_where=sa.text("listed = 1"),
        postgresql_where=sa.text("listed"),
    )


def downgrade() -> None:
    for period in ("day", "week"):
        _board_of(period)
    for sort in _BOARDS:
        op.drop_index(f"ix_results_board_player_{sort}", "results")
    op.drop_table("friend_links")
    op.drop_table("friendships")
