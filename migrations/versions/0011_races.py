"""Races"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("games", sa.Column("race_id", sa.String(length=24), nullable=True))
    op.add_column(
        "games", sa.Column("unlisted", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.create_table(
        "races",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("letters", sa.String(length=6), nullable=False),
        sa.Column("code", sa.String(length=40), nullable=False),
        sa.Column("rule", sa.String(length=2), nullable=False),
        sa.Column("duel", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(length=9), nullable=False),
        sa.Column("host", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.Column("starts_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("next_id", sa.String(length=24), nullable=True),
        sa.ForeignKeyConstraint(["code"], ["seals.code"], name=op.f("fk_races_code_seals")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_races")),
        sa.UniqueConstraint("letters", name=op.f("uq_races_letters")),
    )
    op.create_index(op.f("ix_races_state_starts_at"), "races", ["state", "starts_at"])
    op.create_table(
        "entries",
        sa.Column("race_id", sa.String(length=24), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player_id", _ID, nullable=False),
        sa.Column("ready", sa.Boolean(), nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.Column("game_id", sa.String(length=24), nullable=True),
        sa.Column("strength", sa.String(length=8), nullable=True),
        sa.Column("pace", sa.String(length=9), nullable=True),
        sa.Column("next_at", sa.BigInteger(), nullable=True),
        sa.Column("plan", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_entries_game_id_games")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_entries_player_id_players")
        ),
        sa.ForeignKeyConstraint(["race_id"], ["races.id"], name=op.f("fk_entries_race_id_races")),
        sa.PrimaryKeyConstraint("race_id", "seat", name=op.f("pk_entries")),
        sa.UniqueConstraint("race_id", "player_id", name=op.f("uq_entries_race_id_player_id")),
    )
    op.create_index(op.f("ix_entries_player_id"), "entries", ["player_id"])
    op.create_index(op.f("ix_entries_next_at"), "entries", ["next_at"])


def downgrade() -> None:
    op.drop_table("entries")
    op.drop_table("races")
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.drop_column("unlisted")
        batch_op.drop_column("race_id")
