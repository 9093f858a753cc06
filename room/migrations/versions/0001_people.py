"""Accounts, sessions and API tokens."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "room0001"
down_revision = None
branch_labels = None
depends_on = None


def _account() -> sa.Column[int]:
    return sa.Column("account", sa.Integer(), sa.ForeignKey("room_accounts.id"), nullable=False, index=True)


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "room_accounts",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String(), nullable=False, unique=True),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("password", sa.String(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "room_sessions",
        sa.Column("secret", sa.String(), primary_key=True),
        _account(),
        sa.Column("csrf", sa.String(), nullable=False),
        sa.Column("began", sa.BigInteger(), nullable=False),
        sa.Column("seen", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "room_tokens",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("secret", sa.String(), nullable=False, unique=True),
        _account(),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
    )


def downgrade() -> None:
    """Drop the tables."""
    for name in ("room_tokens", "room_sessions", "room_accounts"):
        op.drop_table(name)
