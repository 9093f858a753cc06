"""Alerts on their way out, and how far the post has come."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

BIG = sa.BigInteger()


def upgrade() -> None:
    """Create both tables."""
    op.create_table(
        "deliveries",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("group_key", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("repeats", sa.Integer(), nullable=False),
        sa.Column("parent", sa.Integer()),
        sa.Column("created", BIG, nullable=False),
        sa.Column("due", BIG, nullable=False),
        sa.Column("sent", BIG),
        sa.Column("trouble", sa.Text(), nullable=False),
        sa.UniqueConstraint("target", "key"),
    )
    op.create_index("deliveries_due", "deliveries", ["target", "state", "due"])
    op.create_index("deliveries_by_group", "deliveries", ["target", "group_key", "created"])
    op.create_table(
        "places",
        sa.Column("reader", sa.String(), primary_key=True),
        sa.Column("after", BIG, nullable=False),
    )
