"""The first schema: tables, events, rounds, alerts and what people do about them, cases, audit."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

BIG = sa.BigInteger()


def _id() -> sa.Column[int]:
    return sa.Column("id", sa.Integer(), primary_key=True)


def upgrade() -> None:
    """Create everything."""
    op.create_table(
        "tables",
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("rulebook", sa.String(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("seq", BIG, nullable=False),
        sa.Column("link", sa.String(), nullable=False),
        sa.Column("base_link", sa.String(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
    )
    op.create_table(
        "events",
        _id(),
        sa.Column("table_name", sa.String(), nullable=False),
        sa.Column("seq", BIG, nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.Column("wall", BIG, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("round", sa.String()),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("link", sa.String(), nullable=False),
        sa.UniqueConstraint("table_name", "seq"),
    )
    op.create_index("events_by_round", "events", ["table_name", "round", "seq"])
    op.create_index("events_by_wall", "events", ["wall"])
    op.create_table(
        "rounds",
        sa.Column("table_name", sa.String(), primary_key=True),
        sa.Column("round", sa.String(), primary_key=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("opened_seq", BIG, nullable=False),
        sa.Column("opened_at", BIG, nullable=False),
        sa.Column("closed_seq", BIG),
        sa.Column("closed_at", BIG),
        sa.Column("wall", BIG, nullable=False),
        sa.Column("violations", sa.Integer(), nullable=False),
        sa.Column("unsure", sa.Integer(), nullable=False),
    )
    op.create_index("rounds_by_wall", "rounds", ["wall"])
    _alerts()
    _cases()
    op.create_table(
        "audit",
        _id(),
        sa.Column("wall", BIG, nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("link", sa.String(), nullable=False),
    )


def _alerts() -> None:
    op.create_table(
        "alerts",
        _id(),
        sa.Column("table_name", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("round", sa.String()),
        sa.Column("seq", BIG, nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.Column("wall", BIG, nullable=False),
        sa.Column("ruling", sa.String(), nullable=False),
        sa.Column("check_id", sa.String(), nullable=False),
        sa.Column("clause", sa.String(), nullable=False),
        sa.Column("severity", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer()),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.UniqueConstraint("table_name", "key"),
    )
    op.create_index("alerts_by_wall", "alerts", ["wall"])
    op.create_index("alerts_by_state", "alerts", ["ruling", "state", "severity", "wall"])
    op.create_index("alerts_by_check", "alerts", ["check_id", "wall"])
    op.create_index("alerts_by_round", "alerts", ["table_name", "round"])
    op.create_table(
        "actions",
        _id(),
        sa.Column("alert_id", sa.Integer(), sa.ForeignKey("alerts.id"), nullable=False, index=True),
        sa.Column("wall", BIG, nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
    )


def _cases() -> None:
    op.create_table(
        "cases",
        _id(),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("wall", BIG, nullable=False),
        sa.Column("held", sa.Boolean(), nullable=False),
        sa.Column("closed", sa.Boolean(), nullable=False),
    )
    op.create_table(
        "case_rounds",
        sa.Column("case_id", sa.Integer(), sa.ForeignKey("cases.id"), primary_key=True),
        sa.Column("table_name", sa.String(), primary_key=True),
        sa.Column("round", sa.String(), primary_key=True),
    )
    op.create_table(
        "case_notes",
        _id(),
        sa.Column("case_id", sa.Integer(), sa.ForeignKey("cases.id"), nullable=False, index=True),
        sa.Column("wall", BIG, nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
    )
