"""What the surveillance room asks of the record: alerts as people sort them, who did what, how far the log has come.

Questions only; every answer is a list of rows or plain numbers, so that a page and a program get the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func
from sqlmodel import col, select

from engine.verdicts import Ruling
from pipeline.errors import RecordRefused
from pipeline.record.engine import reading
from pipeline.record.schema import (
    ActionRow,
    AlertRow,
    AlertState,
    AuditRow,
    EventRow,
    RoundRow,
    TableRow,
)
from pipeline.record.store import Record

WORST_FIRST = (col(AlertRow.severity).desc(), col(AlertRow.wall).desc(), col(AlertRow.id).desc())
NEWEST_FIRST = (col(AlertRow.wall).desc(), col(AlertRow.id).desc())


@dataclass(frozen=True, slots=True)
class AlertFilter:
    """Which alerts are meant; what is None does not matter. Times are Unix milliseconds."""

    rulings: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    table: str | None = None
    round: str | None = None
    seat: int | None = None
    check: str | None = None
    clause: str | None = None
    severity: int | None = None
    since: int | None = None
    until: int | None = None

    def conditions(self) -> Iterable[Any]:
        """Yield what a row has to meet."""
        if self.rulings:
            yield col(AlertRow.ruling).in_(self.rulings)
        if self.states:
            yield col(AlertRow.state).in_(self.states)
        same = {
            "table_name": self.table,
            "round": self.round,
            "seat": self.seat,
            "check_id": self.check,
            "clause": self.clause,
            "severity": self.severity,
        }
        for name, value in same.items():
            if value is not None:
                yield getattr(AlertRow, name) == value
        if self.since is not None:
            yield col(AlertRow.wall) >= self.since
        if self.until is not None:
            yield col(AlertRow.wall) < self.until


def find_alerts(
    record: Record, wanted: AlertFilter, limit: int = 50, offset: int = 0, worst_first: bool = True
) -> list[AlertRow]:
    """Return alerts, the worst and newest first (or only the newest first).

    The numbers are sorted first, from the index alone where it can be: sorting whole rows would carry every body along.
    """
    order = WORST_FIRST if worst_first else NEWEST_FIRST
    numbers = select(AlertRow.id).where(*wanted.conditions()).order_by(*order).limit(limit).offset(offset)
    with reading(record.engine) as session:
        found = list(session.exec(numbers))
        rows = session.exec(select(AlertRow).where(col(AlertRow.id).in_(found)))
        by_number = {row.id: row for row in rows}
    return [by_number[number] for number in found]


def get_alert(record: Record, alert: int) -> AlertRow:
    """Return one alert."""
    with reading(record.engine) as session:
        row = session.get(AlertRow, alert)
    if row is None:
        raise RecordRefused(f"alert {alert}: not in the record")
    return row


@dataclass(frozen=True, slots=True)
class AlertCount:
    """How many alerts of one kind there are."""

    ruling: str
    state: str
    severity: int
    count: int


def count_alerts(record: Record, *conditions: Any) -> list[AlertCount]:
    """Return how many alerts there are by ruling, state and severity; read from the index alone."""
    keys = (col(AlertRow.ruling), col(AlertRow.state), col(AlertRow.severity))
    statement = select(*keys, func.count()).where(*conditions).group_by(*keys)
    with reading(record.engine) as session:
        return [AlertCount(*row) for row in session.exec(statement)]


def open_violations(record: Record) -> dict[int, int]:
    """Return how many violations nobody has looked at yet, by severity."""
    rows = count_alerts(record, AlertRow.ruling == Ruling.VIOLATION, AlertRow.state == AlertState.NEW)
    return {row.severity: row.count for row in rows}


def recent_alerts(record: Record, limit: int = 300) -> list[AlertRow]:
    """Return what was recorded last at all tables, newest first: as quick with a hundred thousand as with ten."""
    with reading(record.engine) as session:
        return list(session.exec(select(AlertRow).order_by(col(AlertRow.id).desc()).limit(limit)))


def heads(record: Record) -> tuple[int, int]:
    """Return the numbers of the last alert and the last action: where a page that opens now takes up the push."""
    with reading(record.engine) as session:
        alert = session.exec(select(func.max(AlertRow.id))).one()
        action = session.exec(select(func.max(ActionRow.id))).one()
    return int(alert or 0), int(action or 0)


def actions_after(record: Record, after: int, limit: int = 1000) -> list[tuple[ActionRow, AlertRow]]:
    """Return what people did since an action, oldest first, with the alerts as they are now."""
    statement = (
        select(ActionRow, AlertRow)
        .join(AlertRow, col(AlertRow.id) == ActionRow.alert_id)
        .where(col(ActionRow.id) > after)
        .order_by(col(ActionRow.id))
        .limit(limit)
    )
    with reading(record.engine) as session:
        return [(action, alert) for action, alert in session.exec(statement)]


def audit_lines(
    record: Record,
    who: str | None = None,
    what: str | None = None,
    before: int | None = None,
    limit: int = 100,
) -> list[AuditRow]:
    """Return the audit log, newest first."""
    statement = select(AuditRow).order_by(col(AuditRow.id).desc()).limit(limit)
    if who is not None:
        statement = statement.where(AuditRow.who == who)
    if what is not None:
        statement = statement.where(AuditRow.what == what)
    if before is not None:
        statement = statement.where(col(AuditRow.id) < before)
    with reading(record.engine) as session:
        return list(session.exec(statement))


def table_row(record: Record, table: str) -> TableRow:
    """Return one table's row."""
    with reading(record.engine) as session:
        row = session.get(TableRow, table)
    if row is None:
        raise RecordRefused(f"table {table}: not in the record")
    return row


def last_round(record: Record, table: str) -> RoundRow | None:
    """Return the round that was opened last at a table."""
    statement = (
        select(RoundRow)
        .where(RoundRow.table_name == table)
        .order_by(col(RoundRow.opened_seq).desc())
        .limit(1)
    )
    with reading(record.engine) as session:
        return session.exec(statement).first()


def last_event(record: Record, table: str) -> EventRow | None:
    """Return the newest event of a table."""
    statement = (
        select(EventRow).where(EventRow.table_name == table).order_by(col(EventRow.seq).desc()).limit(1)
    )
    with reading(record.engine) as session:
        return session.exec(statement).first()


def neighbours(record: Record, row: RoundRow) -> tuple[str | None, str | None]:
    """Return the rounds before and after one at its table."""
    with reading(record.engine) as session:
        before = session.exec(
            select(RoundRow.round)
            .where(RoundRow.table_name == row.table_name, RoundRow.opened_seq < row.opened_seq)
            .order_by(col(RoundRow.opened_seq).desc())
            .limit(1)
        ).first()
        after = session.exec(
            select(RoundRow.round)
            .where(RoundRow.table_name == row.table_name, RoundRow.opened_seq > row.opened_seq)
            .order_by(col(RoundRow.opened_seq))
            .limit(1)
        ).first()
    return before, after
