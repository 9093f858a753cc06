"""Alembic's entry: runs on the connection that `migrate` hands over."""

from __future__ import annotations

from alembic import context
from sqlmodel import SQLModel

from pipeline.record import schema  # noqa: F401  # fills the metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    transactional_ddl=False,
)
context.run_migrations()
