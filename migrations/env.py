"""Alembic's environment: migrations run on the connection that the application hands over."""

from alembic import context

from app.models import metadata

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=metadata,
    render_as_batch=True,
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
connection.commit()
