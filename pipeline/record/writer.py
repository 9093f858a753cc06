"""The one writer of a table's log.

An event, the verdicts that it proved, the round it belongs to and the link of the chain become durable in one
transaction: a process that dies at any moment has recorded an event with its alerts, or neither, and takes up
after the last one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence

from sqlalchemy import Engine, func
from sqlmodel import Session, select

from engine import events as ev
from engine.events import Event
from engine.events.codec import to_line
from engine.verdicts import Ruling, Verdict
from pipeline.errors import Fenced, RecordRefused
from pipeline.record.chain import chained
from pipeline.record.engine import writing
from pipeline.record.schema import AlertRow, EventRow, RoundRow, RoundState, TableRow

Entry = tuple[Event, Sequence[Verdict]]
Clock = Callable[[], int]
ALERTS_LOCK = 7_148_001
"""The number of PostgreSQL's advisory lock under which alerts are numbered."""


class Writer:
    """Appends to one table's log until somebody else claims the table."""

    def __init__(self, engine: Engine, table: str, epoch: int, clock: Clock, round_id: str | None) -> None:
        self._engine = engine
        self.table = table
        self.epoch = epoch
        self._clock = clock
        self._round = round_id

    def append(self, event: Event, verdicts: Sequence[Verdict] = ()) -> list[int]:
        """Record an event and what it proved; returns the ids of the alerts."""
        return self.append_all([(event, verdicts)])

    def append_all(self, entries: Iterable[Entry]) -> list[int]:
        """Record several events in order, all or none."""
        wall, current = self._clock(), self._round
        with writing(self._engine) as session:
            head = self._head(session)
            alerts: list[AlertRow] = []
            for event, verdicts in entries:
                current = self._add_event(session, head, event, current, wall)
                alerts += self._add_alerts(session, event, verdicts, wall)
            session.flush()
            ids = [one.id for one in alerts if one.id is not None]
        self._round = current
        return ids

    def recorded(self) -> int:
        """Return the number of the last event in the table's log."""
        with writing(self._engine) as session:
            return self._head(session).seq

    def _head(self, session: Session) -> TableRow:
        """Return the table's row, locked; refuse to write after another claim."""
        statement = select(TableRow).where(TableRow.name == self.table).with_for_update()
        head = session.exec(statement).one()
        if head.epoch != self.epoch:
            raise Fenced(f"record: table {self.table} was claimed by another writer")
        return head

    def _add_event(
        self, session: Session, head: TableRow, event: Event, current: str | None, wall: int
    ) -> str | None:
        if event.table != self.table:
            raise RecordRefused(f"record: event {event.seq} is of table {event.table}, not {self.table}")
        if event.seq <= head.seq:
            raise RecordRefused(f"record: event {event.seq} does not come after {head.seq}")
        line = to_line(event)
        head.seq, head.link = event.seq, chained(head.link, line)
        if isinstance(event, ev.RoundOpened):
            current = self._open_round(session, event, current, wall)
        session.add(
            EventRow(
                table_name=self.table,
                seq=event.seq,
                at=event.at,
                wall=wall,
                kind=type(event).__name__,
                round=current,
                body=line,
                link=head.link,
            )
        )
        if current is not None:
            current = self._end_round(session, event, current)
        return current

    def _open_round(self, session: Session, event: ev.RoundOpened, current: str | None, wall: int) -> str:
        """Begin a round; one that never closed was interrupted."""
        if current is not None:
            self._row(session, current).state = RoundState.INTERRUPTED
        name = event.round
        if session.get(RoundRow, (self.table, name)) is not None:
            name = f"{event.round}@{event.seq}"  # a house that numbers from 1 each day
        session.add(
            RoundRow(table_name=self.table, round=name, opened_seq=event.seq, opened_at=event.at, wall=wall)
        )
        return name

    def _end_round(self, session: Session, event: Event, current: str) -> str | None:
        row = self._row(session, current)
        if isinstance(event, ev.RoundVoided):
            row.state = RoundState.VOID
        if not isinstance(event, ev.RoundClosed):
            return current
        if row.state == RoundState.OPEN:
            row.state = RoundState.CLOSED
        row.closed_seq, row.closed_at = event.seq, event.at
        return None

    def _row(self, session: Session, name: str) -> RoundRow:
        row = session.get(RoundRow, (self.table, name))
        assert row is not None, "a round in play has a row"
        return row

    def _add_alerts(
        self, session: Session, event: Event, verdicts: Sequence[Verdict], wall: int
    ) -> list[AlertRow]:
        rows = []
        if verdicts and session.get_bind().dialect.name == "postgresql":
            # ids must become visible in their order: a reader that has seen 5 never looks for 4 again
            session.exec(select(func.pg_advisory_xact_lock(ALERTS_LOCK)))
        for number, one in enumerate(verdicts):
            row = AlertRow(
                table_name=self.table,
                key=f"{event.seq}.{number}",
                round=one.round,
                seq=one.seq,
                at=one.at,
                wall=wall,
                ruling=str(one.ruling),
                check_id=one.check,
                clause=one.clause,
                severity=int(one.severity),
                seat=one.seat,
                body=json.dumps(one.to_mapping(), ensure_ascii=False, separators=(",", ":")),
            )
            session.add(row)
            rows.append(row)
            entry = None if one.round is None else session.get(RoundRow, (self.table, one.round))
            if entry is not None:
                entry.violations += one.ruling is Ruling.VIOLATION
                entry.unsure += one.ruling is Ruling.CANNOT_TELL
        return rows
