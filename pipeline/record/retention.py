"""Forgetting by rule: rounds go after days that depend on what was found in them; held cases keep theirs for ever.

An event that goes leaves its place and its link behind, so that the chain over what stays still holds; places at the
beginning of a table's log go altogether. The audit log says what went: a hole without such a line is tampering.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, or_, update
from sqlmodel import Session, col, select

from pipeline.record.chain import chained, first_link
from pipeline.record.engine import reading, writing
from pipeline.record.expiries import EXPIRE, EXPIRED
from pipeline.record.schema import (
    ActionRow,
    AlertRow,
    AuditRow,
    CaseRoundRow,
    CaseRow,
    DeliveryRow,
    EventRow,
    RoundRow,
    RoundState,
    TableRow,
)
from pipeline.record.store import AUDIT, Record

DAY_MS: Final = 24 * 3600 * 1000
BATCH: Final = 200
"""Rounds that go in one transaction: a writer must never wait long."""


@dataclass(frozen=True, slots=True)
class Days:
    """For how many days rounds are kept: nothing found, something could not be told, a violation."""

    plain: float = 7
    unsure: float = 15
    violation: float = 30


@dataclass(frozen=True, slots=True)
class Expired:
    """How much went."""

    rounds: int = 0
    events: int = 0
    alerts: int = 0


def expire(record: Record, days: Days, now: int) -> Expired:
    """Remove what is older than its rule allows; returns how much went."""
    total = Expired()
    for table in record.tables():
        while True:
            with writing(record.engine) as session:
                done = _expire_table(session, table.name, days, now)
            total = Expired(
                total.rounds + done.rounds, total.events + done.events, total.alerts + done.alerts
            )
            if done.rounds < BATCH:
                break
    with writing(record.engine) as session:
        old = now - round(days.violation * DAY_MS)
        session.execute(
            delete(DeliveryRow).where(col(DeliveryRow.created) < old, col(DeliveryRow.state) != "waiting")
        )
    return total


def held_spans(record: Record) -> dict[str, list[tuple[int, int]]]:
    """Return the times (the log's ms) by table whose video must stay: rounds that something was found in, or held."""
    spans: dict[str, list[tuple[int, int]]] = {}
    with reading(record.engine) as session:
        held = _held(session)
        found = or_(col(RoundRow.violations) > 0, col(RoundRow.unsure) > 0)
        rows = list(session.exec(select(RoundRow).where(found)))
        known = {(row.table_name, row.round) for row in rows}
        for table, name in sorted(held - known):
            row = session.get(RoundRow, (table, name))
            if row is not None:
                rows.append(row)
    for row in rows:
        end = row.closed_at if row.closed_at is not None else row.opened_at + 600_000
        spans.setdefault(row.table_name, []).append((row.opened_at, end))
    return spans


def _held(session: Session) -> set[tuple[str, str]]:
    statement = (
        select(CaseRoundRow.table_name, CaseRoundRow.round)
        .join(CaseRow, col(CaseRow.id) == col(CaseRoundRow.case_id))
        .where(col(CaseRow.held).is_(True))
    )
    return {(table, name) for table, name in session.exec(statement)}


def _expire_table(session: Session, table: str, days: Days, now: int) -> Expired:
    head = session.exec(select(TableRow).where(TableRow.name == table).with_for_update()).one()
    held = {name for where, name in _held(session) if where == table}
    rounds = [row for row in _old_rounds(session, table, days, now) if row.round not in held]
    names = [row.round for row in rounds]
    alerts = _drop_alerts(session, table, names, now - round(days.violation * DAY_MS))
    seqs = _empty_events(session, table, names, now - round(days.plain * DAY_MS))
    for row in rounds:
        session.delete(row)
    session.flush()
    if not seqs:
        return Expired(len(rounds), 0, alerts)
    _trim(session, head)
    _note(session, table, head.base_link, seqs, now)
    return Expired(len(rounds), len(seqs), alerts)


def _old_rounds(session: Session, table: str, days: Days, now: int) -> Sequence[RoundRow]:
    def before(number: float) -> int:
        return now - round(number * DAY_MS)

    plain = (col(RoundRow.violations) == 0) & (col(RoundRow.unsure) == 0)
    unsure = (col(RoundRow.violations) == 0) & (col(RoundRow.unsure) > 0)
    old = or_(
        plain & (col(RoundRow.wall) < before(days.plain)),
        unsure & (col(RoundRow.wall) < before(days.unsure)),
        col(RoundRow.wall) < before(days.violation),
    )
    statement = (
        select(RoundRow)
        .where(RoundRow.table_name == table, RoundRow.state != RoundState.OPEN, old)
        .order_by(col(RoundRow.opened_seq))
        .limit(BATCH)
    )
    return list(session.exec(statement))


def _drop_alerts(session: Session, table: str, names: Sequence[str], before: int) -> int:
    """Remove the alerts of rounds that go, and old ones that belong to no round."""
    loose = col(AlertRow.round).is_(None) & (col(AlertRow.wall) < before)
    statement = select(AlertRow.id).where(
        AlertRow.table_name == table, or_(col(AlertRow.round).in_(names), loose)
    )
    ids = [one for one in session.exec(statement) if one is not None]
    session.execute(delete(ActionRow).where(col(ActionRow.alert_id).in_(ids)))
    session.execute(delete(AlertRow).where(col(AlertRow.id).in_(ids)))
    return len(ids)


def _empty_events(session: Session, table: str, names: Sequence[str], before: int) -> list[int]:
    """Empty the events of rounds that go, and old ones between rounds; returns their numbers."""
    between = col(EventRow.round).is_(None) & (col(EventRow.wall) < before)
    where = (
        col(EventRow.table_name) == table,
        col(EventRow.kind) != EXPIRED,
        or_(col(EventRow.round).in_(names), between),
    )
    seqs = sorted(session.exec(select(EventRow.seq).where(*where)))
    session.execute(update(EventRow).where(*where).values(kind=EXPIRED, body="", round=None))
    return seqs


def _trim(session: Session, head: TableRow) -> None:
    """Remove the empty places at the beginning of the log; the chain begins after them."""
    rows = (col(EventRow.table_name) == head.name,)
    first = session.exec(
        select(EventRow.seq).where(*rows, EventRow.kind != EXPIRED).order_by(col(EventRow.seq)).limit(1)
    ).first()
    gone = (*rows, col(EventRow.seq) < first) if first is not None else rows
    last = session.exec(
        select(EventRow.link).where(*gone).order_by(col(EventRow.seq).desc()).limit(1)
    ).first()
    if last is not None:
        head.base_link = last
        session.execute(delete(EventRow).where(*gone))


def _note(session: Session, table: str, base: str, seqs: Sequence[int], now: int) -> None:
    """Write into the audit log what went, in the same transaction."""
    ranges: list[list[int]] = []
    for seq in seqs:
        if ranges and seq == ranges[-1][1] + 1:
            ranges[-1][1] = seq
        else:
            ranges.append([seq, seq])
    body = json.dumps(
        {"wall": now, "who": "pitwatch", "what": EXPIRE, "table": table, "base": base, "ranges": ranges},
        sort_keys=True,
    )
    last = session.exec(select(AuditRow).order_by(col(AuditRow.id).desc()).limit(1)).first()
    link = chained(last.link if last else first_link(AUDIT), body)
    session.add(AuditRow(wall=now, who="pitwatch", what=EXPIRE, body=body, link=link))
