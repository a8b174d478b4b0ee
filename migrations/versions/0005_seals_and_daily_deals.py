"""Seals and daily deals"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "seals",
        sa.Column("code", sa.String(length=40), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("opens_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_seals")),
    )
    op.create_table(
        "dailies",
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("rule", sa.String(length=2), nullable=False),
        sa.Column("code", sa.String(length=40), nullable=False),
        sa.Column("effort", sa.BigInteger(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["code"], ["seals.code"], name=op.f("fk_dailies_code_seals")),
        sa.PrimaryKeyConstraint("day", "rule", name=op.f("pk_dailies")),
        sa.UniqueConstraint("code", name=op.f("uq_dailies_code")),
    )


def downgrade() -> None:
    op.drop_table("dailies")
    op.drop_table("seals")
