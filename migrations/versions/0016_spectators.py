"""Who watches a race, over all server processes"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "spectators",
        sa.Column("race_id", sa.String(length=24), nullable=False),
        sa.Column("who", sa.LargeBinary(length=32), nullable=False),
        sa.Column("server", sa.String(length=16), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("race_id", "who", "server", name=op.f("pk_spectators")),
    )
    op.create_index(op.f("ix_spectators_server"), "spectators", ["server"])
    op.create_index(op.f("ix_spectators_ends_at"), "spectators", ["ends_at"])


def downgrade() -> None:
    op.drop_table("spectators")
