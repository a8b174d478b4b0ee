"""Room for a board where a game's code is kept"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("games") as table:
        table.alter_column("code", type_=sa.String(240), existing_type=sa.String(40))


def downgrade() -> None:
    op.execute(
        "DELETE FROM events WHERE game_id IN (SELECT id FROM games WHERE code LIKE 'BOARD-%')"
    )
    op.execute("DELETE FROM games WHERE code LIKE 'BOARD-%'")
    with op.batch_alter_table("games") as table:
        table.alter_column("code", type_=sa.String(40), existing_type=sa.String(240))
