"""The tables of the record. Times ending in `_at` are the log's milliseconds, `wall` is Unix time in milliseconds.

Bodies are the very lines that `events.jsonl` and `alerts.jsonl` hold, so that an export copies and never converts.
"""

from __future__ import annotations

from enum import StrEnum

from sqlalchemy import Column, Index, Text, UniqueConstraint
from sqlmodel import BigInteger, Field, SQLModel


class RoundState(StrEnum):
    """How far a round has come, as the record knows it."""

    OPEN = "open"
    CLOSED = "closed"
    VOID = "void"
    INTERRUPTED = "interrupted"


class AlertState(StrEnum):
    """What people have done about an alert."""

    NEW = "new"
    ACKNOWLEDGED = "acknowledged"
    RESOLVED = "resolved"
    DISMISSED = "dismissed"
    ESCALATED = "escalated"


class TableRow(SQLModel, table=True):
    """A table of the house: who may write (`epoch`), and how far its log has come.

    `base_link` is the link before the oldest event that is kept: expired events leave it behind.
    """

    __tablename__ = "tables"
    name: str = Field(primary_key=True)
    rulebook: str
    epoch: int = 0
    seq: int = Field(default=-1, sa_type=BigInteger)
    link: str
    base_link: str
    settings: str = Field(default="", sa_column=Column(Text, nullable=False))


class EventRow(SQLModel, table=True):
    """One event: its line, and the link of the chain after it."""

    __tablename__ = "events"
    __table_args__ = (
        UniqueConstraint("table_name", "seq"),
        Index("events_by_round", "table_name", "round", "seq"),
        Index("events_by_wall", "wall"),
    )
    id: int | None = Field(default=None, primary_key=True)
    table_name: str
    seq: int = Field(sa_type=BigInteger)
    at: int = Field(sa_type=BigInteger)
    wall: int = Field(sa_type=BigInteger)
    kind: str
    round: str | None = None
    body: str = Field(sa_column=Column(Text, nullable=False))
    link: str


class RoundRow(SQLModel, table=True):
    """One round: from which event to which."""

    __tablename__ = "rounds"
    __table_args__ = (Index("rounds_by_wall", "wall"),)
    table_name: str = Field(primary_key=True)
    round: str = Field(primary_key=True)
    state: str = RoundState.OPEN
    opened_seq: int = Field(sa_type=BigInteger)
    opened_at: int = Field(sa_type=BigInteger)
    closed_seq: int | None = Field(default=None, sa_type=BigInteger)
    closed_at: int | None = Field(default=None, sa_type=BigInteger)
    wall: int = Field(sa_type=BigInteger)
    violations: int = 0
    unsure: int = 0


class AlertRow(SQLModel, table=True):
    """One verdict worth recording. `key` makes a repeated insert impossible."""

    __tablename__ = "alerts"
    __table_args__ = (
        UniqueConstraint("table_name", "key"),
        Index("alerts_by_wall", "wall"),
        Index("alerts_by_state", "ruling", "state", "severity", "wall"),
        Index("alerts_by_check", "check_id", "wall"),
        Index("alerts_by_round", "table_name", "round"),
    )
    id: int | None = Field(default=None, primary_key=True)
    table_name: str
    key: str
    round: str | None = None
    seq: int = Field(sa_type=BigInteger)
    at: int = Field(sa_type=BigInteger)
    wall: int = Field(sa_type=BigInteger)
    ruling: str
    check_id: str
    clause: str
    severity: int
    seat: int | None = None
    state: str = AlertState.NEW
    body: str = Field(sa_column=Column(Text, nullable=False))


class ActionRow(SQLModel, table=True):
    """What somebody did about an alert, and why."""

    __tablename__ = "actions"
    id: int | None = Field(default=None, primary_key=True)
    alert_id: int = Field(foreign_key="alerts.id", index=True)
    wall: int = Field(sa_type=BigInteger)
    who: str
    what: str
    why: str = ""


class CaseRow(SQLModel, table=True):
    """An incident that people work on; while it is held, its rounds never expire."""

    __tablename__ = "cases"
    id: int | None = Field(default=None, primary_key=True)
    title: str
    who: str
    wall: int = Field(sa_type=BigInteger)
    held: bool = True
    closed: bool = False


class CaseRoundRow(SQLModel, table=True):
    """A round that belongs to a case."""

    __tablename__ = "case_rounds"
    case_id: int = Field(foreign_key="cases.id", primary_key=True)
    table_name: str = Field(primary_key=True)
    round: str = Field(primary_key=True)


class CaseNoteRow(SQLModel, table=True):
    """A note on a case."""

    __tablename__ = "case_notes"
    id: int | None = Field(default=None, primary_key=True)
    case_id: int = Field(foreign_key="cases.id", index=True)
    wall: int = Field(sa_type=BigInteger)
    who: str
    text: str = Field(sa_column=Column(Text, nullable=False))


class DeliveryRow(SQLModel, table=True):
    """An alert on its way to somebody: written with the note of how far the post has come, so that none is lost.

    `key` is what the receiver tells repeats by; `parent` is the delivery whose repeats this one counts.
    """

    __tablename__ = "deliveries"
    __table_args__ = (
        UniqueConstraint("target", "key"),
        Index("deliveries_due", "target", "state", "due"),
        Index("deliveries_by_group", "target", "group_key", "created"),
    )
    id: int | None = Field(default=None, primary_key=True)
    target: str
    key: str
    group_key: str
    body: str = Field(sa_column=Column(Text, nullable=False))
    state: str = "waiting"
    tries: int = 0
    repeats: int = 0
    parent: int | None = None
    created: int = Field(sa_type=BigInteger)
    due: int = Field(sa_type=BigInteger)
    sent: int | None = Field(default=None, sa_type=BigInteger)
    trouble: str = Field(default="", sa_column=Column(Text, nullable=False))


class PlaceRow(SQLModel, table=True):
    """How far a reader of the record has come, kept where its work is kept."""

    __tablename__ = "places"
    reader: str = Field(primary_key=True)
    after: int = Field(sa_type=BigInteger)


class AuditRow(SQLModel, table=True):
    """Who looked at or took out what; append-only and chained."""

    __tablename__ = "audit"
    id: int | None = Field(default=None, primary_key=True)
    wall: int = Field(sa_type=BigInteger)
    who: str
    what: str
    body: str = Field(sa_column=Column(Text, nullable=False))
    link: str
