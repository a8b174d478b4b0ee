"""Players' settings"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("players") as table:
        table.add_column(sa.Column("prefs", sa.String(length=400), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("players") as table:
        table.drop_column("prefs")
