"""Passkeys, and the challenges that they answer"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "passkeys",
        sa.Column("id", _ID, autoincrement=True, nullable=False),
        sa.Column("player_id", _ID, nullable=False),
        sa.Column("credential_id", sa.LargeBinary(length=1023), nullable=False),
        sa.Column("public_key", sa.LargeBinary(length=2048), nullable=False),
        sa.Column("handle", sa.LargeBinary(length=32), nullable=False),
        sa.Column("sign_count", sa.BigInteger(), nullable=False),
        sa.Column("device", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_passkeys_player_id_players")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passkeys")),
        sa.UniqueConstraint("credential_id", name=op.f("uq_passkeys_credential_id")),
    )
    op.create_index(op.f("ix_passkeys_player_id"), "passkeys", ["player_id"])
    op.create_table(
        "challenges",
        sa.Column("token_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("challenge", sa.LargeBinary(length=64), nullable=False),
        sa.Column("handle", sa.LargeBinary(length=32), nullable=True),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_challenges")),
    )
    op.create_index(op.f("ix_challenges_ends_at"), "challenges", ["ends_at"])


def downgrade() -> None:
    op.drop_table("challenges")
    op.drop_table("passkeys")
