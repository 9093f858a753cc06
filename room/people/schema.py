"""The room's own tables, beside the record's in the same database but with a version of their own."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Integer, MetaData, String, Table

METADATA: Final = MetaData()

ACCOUNTS: Final = Table(
    "room_accounts",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", String, nullable=False, unique=True),
    Column("role", String, nullable=False),
    Column("password", String, nullable=False),
    Column("active", Boolean, nullable=False),
    Column("made", BigInteger, nullable=False),
)
SESSIONS: Final = Table(
    "room_sessions",
    METADATA,
    Column("secret", String, primary_key=True),
    Column("account", Integer, ForeignKey("room_accounts.id"), nullable=False, index=True),
    Column("csrf", String, nullable=False),
    Column("began", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
)
TOKENS: Final = Table(
    "room_tokens",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("secret", String, nullable=False, unique=True),
    Column("account", Integer, ForeignKey("room_accounts.id"), nullable=False, index=True),
    Column("label", String, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
)
