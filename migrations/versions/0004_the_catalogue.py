"""The catalogue"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "catalogue",
        sa.Column("code", sa.String(length=40), nullable=False),
        sa.Column("rule", sa.String(length=2), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("level", sa.String(length=6), nullable=False),
        sa.Column("mark", sa.Integer(), nullable=False),
        sa.Column("lot", sa.Integer(), nullable=False),
        sa.Column("par", sa.Integer(), nullable=False),
        sa.Column("line", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_catalogue")),
    )
    with op.batch_alter_table("catalogue", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_catalogue_rule_level_lot"), ["rule", "level", "lot"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_catalogue_rule_number"), ["rule", "number"], unique=False
        )
    op.create_table(
        "catalogue_batches",
        sa.Column("rule", sa.String(length=2), nullable=False),
        sa.Column("batch", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("worker", sa.String(length=80), nullable=False),
        sa.Column("taken_until", sa.BigInteger(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("rule", "batch", name=op.f("pk_catalogue_batches")),
    )
    op.create_table(
        "catalogue_files",
        sa.Column("rule", sa.String(length=2), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("rule", name=op.f("pk_catalogue_files")),
    )


def downgrade() -> None:
    op.drop_table("catalogue_files")
    op.drop_table("catalogue_batches")
    with op.batch_alter_table("catalogue", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_catalogue_rule_number"))
        batch_op.drop_index(batch_op.f("ix_catalogue_rule_level_lot"))

    op.drop_table("catalogue")
