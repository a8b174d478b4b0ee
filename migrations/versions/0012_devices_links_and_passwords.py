"""Players on several devices, one-time links, passwords"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "devices",
        sa.Column("token_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column(
            "player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_devices_player_id_players")
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_devices")),
    )
    op.create_index(op.f("ix_devices_player_id"), "devices", ["player_id"])
    op.execute(
        "INSERT INTO devices (token_hash, player_id, created_at) "
        "SELECT token_hash, id, created_at FROM players"
    )
    op.create_table(
        "links",
        sa.Column("token_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column(
            "player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_links_player_id_players")
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_links")),
        sa.UniqueConstraint("player_id", name=op.f("uq_links_player_id")),
    )
    op.create_table(
        "attempts",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_attempts")),
    )
    with op.batch_alter_table("players") as table:
        table.drop_constraint(op.f("uq_players_token_hash"), type_="unique")
        table.drop_column("token_hash")
        table.add_column(sa.Column("password_hash", sa.String(length=200), nullable=True))


def downgrade() -> None:
    """A player keeps one device, the oldest; who has none gets a token that nobody holds."""
    with op.batch_alter_table("players") as table:
        table.drop_column("password_hash")
        table.add_column(sa.Column("token_hash", sa.LargeBinary(length=32), nullable=True))
    connection = op.get_bind()
    players = sa.table("players", sa.column("id"), sa.column("token_hash"))
    devices = sa.table("devices", *map(sa.column, ("token_hash", "player_id", "created_at")))
    kept = {}
    for token_hash, player_id in connection.execute(
        sa.select(devices.c.token_hash, devices.c.player_id).order_by(devices.c.created_at)
    ):
        kept.setdefault(player_id, token_hash)
    for player_id in connection.scalars(sa.select(players.c.id)).all():
        nobody = b"-" * 16 + player_id.to_bytes(16, "big")
        connection.execute(
            players.update()
            .where(players.c.id == player_id)
            .values(token_hash=kept.get(player_id, nobody))
        )
    with op.batch_alter_table("players") as table:
        table.alter_column("token_hash", existing_type=sa.LargeBinary(length=32), nullable=False)
        table.create_unique_constraint(op.f("uq_players_token_hash"), ["token_hash"])
    op.drop_table("attempts")
    op.drop_table("links")
    op.drop_table("devices")
