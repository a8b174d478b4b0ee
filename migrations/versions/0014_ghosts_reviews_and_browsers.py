"""Ghosts of games, results under review, and the browser that a racer came in from"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("ghost_id", sa.String(length=24), nullable=True))
    op.add_column("results", sa.Column("review", sa.String(length=7), nullable=True))
    op.add_column("results", sa.Column("pace_ms", sa.Integer(), nullable=True))
    op.add_column("entries", sa.Column("browser", sa.LargeBinary(length=32), nullable=True))


def downgrade() -> None:
    op.drop_column("entries", "browser")
    op.drop_column("results", "pace_ms")
    op.drop_column("results", "review")
    op.drop_column("games", "ghost_id")
