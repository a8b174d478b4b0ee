"""Names are unique as they look"""

import sqlalchemy as sa
from alembic import op

from app.players.names import folded

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_LONGEST = 24


def upgrade() -> None:
    with op.batch_alter_table("players", schema=None) as batch_op:
        batch_op.add_column(sa.Column("name_key", sa.String(length=96), nullable=True))
        batch_op.create_unique_constraint(batch_op.f("uq_players_name_key"), ["name_key"])
    connection = op.get_bind()
    players = sa.table("players", sa.column("id"), sa.column("name"), sa.column("name_key"))
    taken: set[str] = set()
    named = sa.select(players.c.id, players.c.name).where(players.c.name.isnot(None))
    for player_id, name in connection.execute(named.order_by(players.c.id)).all():
        kept, number = name, 1
        while folded(kept) in taken:  # whoever came first keeps the name as it is
            number += 1
            kept = f"{name[: _LONGEST - len(str(number)) - 1]} {number}"
        taken.add(folded(kept))
        connection.execute(
            players.update()
            .where(players.c.id == player_id)
            .values(name=kept, name_key=folded(kept))
        )


def downgrade() -> None:
    with op.batch_alter_table("players", schema=None) as batch_op:
        batch_op.drop_constraint(batch_op.f("uq_players_name_key"), type_="unique")
        batch_op.drop_column("name_key")
