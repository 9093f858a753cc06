"""Judge and record one table: each event is judged, made durable with its verdicts, and only then told to others.

    judge = TableJudge.take_up(record, book, settings, spool)
    for event in events:
        for verdict in judge.feed(event):
            publish(verdict)

A judge that starts after a crash replays the recorded log since the table was opened, in silence, and goes on: no
alert is repeated and none is lost. While the record is away, events wait in the spool and the judge goes on judging.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from sqlmodel import col, select

from engine import events as ev
from engine.events import Event
from engine.events.codec import decode, to_line
from engine.monitor import Monitor
from engine.rulebook import Rulebook
from engine.settings import TableSettings
from engine.verdicts import Verdict
from pipeline.record import Record, RecordAway, Writer
from pipeline.record.engine import reading
from pipeline.record.schema import EventRow
from pipeline.record.spool import Spool
from pipeline.record.verdict_text import verdict_of


@dataclass(frozen=True, slots=True)
class JudgeHealth:
    """What the status page shows: how many events wait for the record, and why."""

    waiting: int
    why: str


class TableJudge:
    """The monitor of one table with the record behind it."""

    def __init__(self, record: Record, monitor: Monitor, writer: Writer, spool: Spool, last_seq: int) -> None:
        self._record = record
        self._monitor = monitor
        self._writer = writer
        self._spool = spool
        self._away = ""
        self.last_seq = last_seq

    @classmethod
    def take_up(cls, record: Record, book: Rulebook, settings: TableSettings, spool: Spool) -> TableJudge:
        """Claim the table and be where its log ends, with whatever waited in the spool recorded first."""
        table = settings.table
        writer = record.claim(table, book.id)
        _drain(writer, spool)
        monitor = Monitor(book, settings)
        last = -1
        for event in record.events(table, after=_opening(record, table) - 1):
            monitor.feed(event)
            last = event.seq
        return cls(record, monitor, writer, spool, last)

    @property
    def health(self) -> JudgeHealth:
        """How many events wait, and why."""
        return JudgeHealth(len(self._spool), self._away)

    def feed(self, event: Event) -> list[Verdict]:
        """Judge an event and make it durable; an event that is already recorded is passed over."""
        if event.seq <= self.last_seq:
            return []
        verdicts = self._monitor.feed(event)
        self._keep(event, verdicts)
        self.last_seq = event.seq
        return verdicts

    def _keep(self, event: Event, verdicts: list[Verdict]) -> None:
        try:
            if len(self._spool):
                _drain(self._writer, self._spool)
            self._writer.append(event, verdicts)
            self._away = ""
        except RecordAway as error:
            self._away = str(error)
            self._spool.put(
                {"event": json.loads(to_line(event)), "verdicts": [one.to_mapping() for one in verdicts]}
            )


def _drain(writer: Writer, spool: Spool) -> None:
    """Record what waited. A crash between recording and clearing leaves lines that are already recorded."""
    entries = [
        (decode(entry["event"]), [verdict_of(one) for one in entry["verdicts"]]) for entry in spool.read()
    ]
    writer.append_all([entry for entry in entries if entry[0].seq > writer.recorded()])
    spool.clear()


def _opening(record: Record, table: str) -> int:
    """Return where the log since the last opening of the table begins."""
    statement = (
        select(EventRow.seq)
        .where(EventRow.table_name == table, EventRow.kind == ev.TableOpened.__name__)
        .order_by(col(EventRow.seq).desc())
        .limit(1)
    )
    with reading(record.engine) as session:
        return session.exec(statement).first() or 0
