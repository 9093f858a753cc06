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
from collections.abc import Iterable
from dataclasses import dataclass, replace

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
from pipeline.record.spool import Spool, SpoolFull
from pipeline.record.verdict_text import verdict_of


@dataclass(frozen=True, slots=True)
class JudgeHealth:
    """What the status page shows: how many events wait for the record, and why."""

    waiting: int
    why: str
    lost: int = 0


@dataclass(frozen=True, slots=True)
class Told:
    """An event that is durable, the number of the one before it, what it proved, and the alerts' ids in the record.

    No ids while the record is away: the event waits in the spool.
    """

    event: Event
    previous: int
    verdicts: tuple[Verdict, ...]
    alerts: tuple[int, ...] = ()


class TableJudge:
    """The monitor of one table with the record behind it."""

    def __init__(self, record: Record, monitor: Monitor, writer: Writer, spool: Spool, last_seq: int) -> None:
        self._record = record
        self._monitor = monitor
        self._writer = writer
        self._spool = spool
        self._away = ""
        self.lost = 0
        self.last_seq = last_seq

    @classmethod
    def take_up(cls, record: Record, book: Rulebook, settings: TableSettings, spool: Spool) -> TableJudge:
        """Claim the table and be where its log ends, with whatever waited in the spool recorded first."""
        table = settings.table
        writer = record.claim(table, book.id, json.dumps(settings.to_mapping()))
        _drain(writer, spool)
        monitor = Monitor(book, settings)
        last = writer.recorded()
        for event in record.events(table, after=_opening(record, table) - 1):
            monitor.feed(event)
        return cls(record, monitor, writer, spool, last)

    @property
    def health(self) -> JudgeHealth:
        """How many events wait, and why."""
        return JudgeHealth(len(self._spool), self._away, self.lost)

    def feed(self, event: Event) -> list[Verdict]:
        """Judge an event and make it durable; an event that is already recorded is passed over."""
        return [verdict for told in self.feed_all([event]) for verdict in told.verdicts]

    def feed_all(self, events: Iterable[Event]) -> list[Told]:
        """Judge the events of one moment and make them durable together, before anybody is told."""
        told: list[Told] = []
        for event in events:
            if event.seq <= self.last_seq:
                continue
            told.append(Told(event, self.last_seq, tuple(self._monitor.feed(event))))
            self.last_seq = event.seq
        return self._keep(told) if told else []

    def _keep(self, told: list[Told]) -> list[Told]:
        try:
            if len(self._spool):
                _drain(self._writer, self._spool)
            if self.lost:
                self._record.audit(
                    "pitwatch", "events lost", table=self._writer.table, count=self.lost, why=self._away
                )
                self.lost = 0
            ids = self._writer.append_all([(one.event, one.verdicts) for one in told])
            self._away = ""
        except RecordAway as error:
            self._away = str(error)
            self._wait(told)
            return told
        numbers = iter(ids)
        return [replace(one, alerts=tuple(next(numbers) for _ in one.verdicts)) for one in told]

    def _wait(self, told: list[Told]) -> None:
        """Put events aside; when even that is impossible, they are lost, counted, and noted once the record is back."""
        for one in told:
            plain = [verdict.to_mapping() for verdict in one.verdicts]
            try:
                self._spool.put({"event": json.loads(to_line(one.event)), "verdicts": plain})
            except SpoolFull as error:
                self.lost += 1
                self._away = str(error)


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
