"""Alembic's entry: runs on the connection that `room.migrate` hands over."""

from __future__ import annotations

from alembic import context

from room.migrate import VERSION_TABLE
from room.people.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    version_table=VERSION_TABLE,
    render_as_batch=True,
    transactional_ddl=False,
)
context.run_migrations()
