"""The record as its readers and its one writer per table see it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Engine, func
from sqlmodel import Session, SQLModel, col, select

from engine.events import Event
from engine.events.codec import decode
from pipeline.errors import ChainBroken, RecordError, RecordRefused
from pipeline.record.chain import chained, first_link
from pipeline.record.engine import connect, mapped, reading, writing
from pipeline.record.expiries import EXPIRED, expiries
from pipeline.record.migrate import migrate
from pipeline.record.schema import (
    ActionRow,
    AlertRow,
    AlertState,
    AuditRow,
    EventRow,
    RoundRow,
    RoundState,
    TableRow,
)
from pipeline.record.writer import Clock, Writer

AUDIT = "audit"
PAGE = 2000


def wall_clock() -> int:
    """Return Unix time in milliseconds."""
    return time.time_ns() // 1_000_000


class Record:
    """Everything that the house has recorded."""

    def __init__(self, engine: Engine, clock: Clock = wall_clock) -> None:
        self.engine = engine
        self._clock = clock

    @classmethod
    def open(cls, url: str, clock: Clock = wall_clock) -> Record:
        """Connect, and bring the schema up to date."""
        engine = connect(url)
        try:
            with mapped():
                migrate(engine)
        except RecordError:
            engine.dispose()
            raise
        return cls(engine, clock)

    def close(self) -> None:
        """Give the connections back."""
        self.engine.dispose()

    # ── writing ──────────────────────────────────────────────────────────────────────────────────────

    def claim(self, table: str, rulebook: str, settings: str = "") -> Writer:
        """Become the one writer of a table; whoever wrote before is fenced off."""
        with writing(self.engine) as session:
            row = session.exec(select(TableRow).where(TableRow.name == table).with_for_update()).first()
            if row is None:
                start = first_link(table)
                row = TableRow(name=table, rulebook=rulebook, link=start, base_link=start)
                session.add(row)
            row.rulebook, row.epoch, row.settings = rulebook, row.epoch + 1, settings or row.settings
            epoch = row.epoch
            current = session.exec(
                select(RoundRow.round).where(
                    RoundRow.table_name == table,
                    col(RoundRow.closed_seq).is_(None),
                    col(RoundRow.state).in_([RoundState.OPEN, RoundState.VOID]),
                )
            ).first()
        return Writer(self.engine, table, epoch, self._clock, current)

    def interrupt(self, table: str, round_id: str) -> None:
        """Mark a round whose end nobody saw."""
        with writing(self.engine) as session:
            self._round(session, table, round_id).state = RoundState.INTERRUPTED

    def act(self, alert: int, who: str, what: AlertState, why: str = "") -> None:
        """Note what somebody did about an alert; a dismissal needs a reason."""
        if what is AlertState.DISMISSED and not why.strip():
            raise RecordRefused("alert: a dismissal needs a reason")
        with writing(self.engine) as session:
            row = session.get(AlertRow, alert, with_for_update=True)
            if row is None:
                raise RecordRefused(f"alert {alert}: not in the record")
            row.state = what
            session.add(ActionRow(alert_id=alert, wall=self._clock(), who=who, what=str(what), why=why))

    def audit(self, who: str, what: str, **details: Any) -> None:
        """Append to the audit log; its links make a removed line visible."""
        wall = self._clock()
        body = json.dumps(
            {"wall": wall, "who": who, "what": what, **details}, ensure_ascii=False, sort_keys=True
        )
        with writing(self.engine) as session:
            last = session.exec(select(AuditRow).order_by(col(AuditRow.id).desc()).limit(1)).first()
            link = chained(last.link if last else first_link(AUDIT), body)
            session.add(AuditRow(wall=wall, who=who, what=what, body=body, link=link))

    # ── reading ──────────────────────────────────────────────────────────────────────────────────────

    def tables(self) -> list[TableRow]:
        """Return all tables by name."""
        with reading(self.engine) as session:
            return list(session.exec(select(TableRow).order_by(TableRow.name)))

    def lines(
        self, table: str, after: int = -1, until: int | None = None, expired: bool = False
    ) -> Iterator[EventRow]:
        """Yield a table's events after one number, page by page: who was away catches up from here.

        With `expired` also the places of events that retention has emptied: their links still hold the chain together.
        """
        while True:
            statement = select(EventRow).where(EventRow.table_name == table, EventRow.seq > after)
            if not expired:
                statement = statement.where(EventRow.kind != EXPIRED)
            if until is not None:
                statement = statement.where(EventRow.seq <= until)
            with reading(self.engine) as session:
                page = list(session.exec(statement.order_by(col(EventRow.seq)).limit(PAGE)))
            yield from page
            if len(page) < PAGE:
                return
            after = page[-1].seq

    def events(self, table: str, after: int = -1, until: int | None = None) -> Iterator[Event]:
        """Yield a table's events, decoded."""
        for row in self.lines(table, after, until):
            yield decode(json.loads(row.body))

    def last_at(self, table: str) -> int | None:
        """Return the time of a table's last event, or None if it has none."""
        statement = select(EventRow.at).where(EventRow.table_name == table).order_by(col(EventRow.seq).desc())
        with reading(self.engine) as session:
            return session.exec(statement.limit(1)).first()

    def rounds(self, table: str | None = None, limit: int = 100) -> list[RoundRow]:
        """Return the latest rounds, newest first."""
        statement = select(RoundRow).order_by(col(RoundRow.wall).desc(), col(RoundRow.opened_seq).desc())
        if table is not None:
            statement = statement.where(RoundRow.table_name == table)
        with reading(self.engine) as session:
            return list(session.exec(statement.limit(limit)))

    def round(self, table: str, round_id: str) -> RoundRow:
        """Return one round."""
        with reading(self.engine) as session:
            return self._round(session, table, round_id)

    def events_of_round(self, table: str, round_id: str) -> list[Event]:
        """Return the events of one round, first to last."""
        self.round(table, round_id)
        statement = (
            select(EventRow.body)
            .where(EventRow.table_name == table, EventRow.round == round_id)
            .order_by(col(EventRow.seq))
        )
        with reading(self.engine) as session:
            return [decode(json.loads(body)) for body in session.exec(statement)]

    def alerts(self, after: int = 0, limit: int = 1000, **match: Any) -> list[AlertRow]:
        """Return alerts with a higher id than one, oldest first; `match` compares columns."""
        statement = select(AlertRow).where(col(AlertRow.id) > after)
        for name, value in match.items():
            statement = statement.where(getattr(AlertRow, name) == value)
        with reading(self.engine) as session:
            return list(session.exec(statement.order_by(col(AlertRow.id)).limit(limit)))

    def actions(self, alert: int) -> list[ActionRow]:
        """Return what was done about an alert, in order."""
        statement = select(ActionRow).where(ActionRow.alert_id == alert).order_by(col(ActionRow.id))
        with reading(self.engine) as session:
            return list(session.exec(statement))

    def count(self, kind: type[SQLModel]) -> int:
        """Return how many rows of a kind there are."""
        with reading(self.engine) as session:
            return int(session.exec(select(func.count()).select_from(kind)).one())

    def verify(self, table: str) -> int:
        """Walk a table's chain from its oldest event to its head; returns how many events hold."""
        head = self._head(table)
        gone = expiries(self, table)
        if head.base_link not in gone.bases:
            raise ChainBroken(f"table {table}: its oldest events are missing, and no retention removed them")
        link, number = head.base_link, 0
        for row in self.lines(table, until=head.seq, expired=True):
            if row.kind == EXPIRED:
                if not gone.covers(row.seq):
                    raise ChainBroken(f"table {table}, event {row.seq}: emptied, and no retention did it")
                link = row.link
                continue
            link = chained(link, row.body)
            if link != row.link:
                raise ChainBroken(
                    f"table {table}, event {row.seq}: changed, or an event before it is missing"
                )
            number += 1
        if link != head.link:
            raise ChainBroken(f"table {table}: the last events are missing")
        return number

    def verify_audit(self) -> int:
        """Walk the audit log's chain; returns how many lines hold."""
        link, number = first_link(AUDIT), 0
        with reading(self.engine) as session:
            for row in session.exec(select(AuditRow).order_by(col(AuditRow.id))):
                link = chained(link, row.body)
                if link != row.link:
                    raise ChainBroken(f"audit line {row.id}: changed, or a line before it is missing")
                number += 1
        return number

    def link_before(self, table: str, seq: int) -> str:
        """Return the link before an event: that of the event before it, or of the table's beginning."""
        statement = (
            select(EventRow.link)
            .where(EventRow.table_name == table, EventRow.seq < seq)
            .order_by(col(EventRow.seq).desc())
            .limit(1)
        )
        with reading(self.engine) as session:
            return session.exec(statement).first() or self._head(table).base_link

    def _head(self, table: str) -> TableRow:
        with reading(self.engine) as session:
            row = session.get(TableRow, table)
        if row is None:
            raise RecordRefused(f"table {table}: not in the record")
        return row

    @staticmethod
    def _round(session: Session, table: str, round_id: str) -> RoundRow:
        row = session.get(RoundRow, (table, round_id))
        if row is None:
            raise RecordRefused(f"round {round_id} of table {table}: not in the record")
        return row
