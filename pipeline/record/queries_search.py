"""Finding rounds, and counting errors by table and hour.

A round is found by what is in its row, in its alerts and in the lines of its events. The lines are JSON as written
by the codec, so that a card or an amount in them is looked for as it is written there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Integer, func, or_
from sqlalchemy import select as plain_select
from sqlmodel import col, select

from engine.cards import Card
from engine.verdicts import Ruling
from pipeline.record.engine import reading
from pipeline.record.schema import AlertRow, AlertState, EventRow, RoundRow, RoundState
from pipeline.record.store import Record

HOUR = 3_600_000
CLEAN = "clean"


@dataclass(frozen=True, slots=True)
class RoundFilter:
    """Which rounds are meant; what is None does not matter. Times are Unix milliseconds, amounts cents.

    `outcome` is a state of a round, a ruling that one of its checks gave, or `clean`.
    """

    table: str | None = None
    round: str | None = None
    since: int | None = None
    until: int | None = None
    seat: int | None = None
    check: str | None = None
    clause: str | None = None
    amount: int | None = None
    card: Card | None = None
    outcome: str | None = None
    dealer: str | None = None

    def conditions(self) -> Iterable[Any]:
        """Yield what a round has to meet."""
        if self.table is not None:
            yield RoundRow.table_name == self.table
        if self.round is not None:
            yield RoundRow.round == self.round
        if self.since is not None:
            yield col(RoundRow.wall) >= self.since
        if self.until is not None:
            yield col(RoundRow.wall) < self.until
        yield from self._outcome()
        alerts = list(self._alerts())
        if alerts:
            yield _has(AlertRow, *alerts)
        for text in self._texts():
            yield _has(EventRow, or_(*(col(EventRow.body).contains(one, autoescape=True) for one in text)))

    def _outcome(self) -> Iterable[Any]:
        if self.outcome in tuple(RoundState):
            yield RoundRow.state == self.outcome
        elif self.outcome == CLEAN:
            yield RoundRow.violations == 0
            yield RoundRow.unsure == 0
        elif self.outcome in tuple(Ruling):
            yield _has(AlertRow, AlertRow.ruling == self.outcome)

    def _alerts(self) -> Iterable[Any]:
        if self.check is not None:
            yield AlertRow.check_id == self.check
        if self.clause is not None:
            yield AlertRow.clause == self.clause
        if self.seat is not None and (self.check is not None or self.clause is not None):
            yield AlertRow.seat == self.seat

    def _texts(self) -> Iterable[tuple[str, ...]]:
        if self.amount is not None:
            yield (f'"amount":{self.amount},', f'"amount":{self.amount}}}')
        if self.card is not None:
            yield (f'"{self.card.label}"',)
        if self.dealer is not None:
            yield (f'"dealer":"{self.dealer}"',)
        if self.seat is not None and self.check is None and self.clause is None:
            yield (f'"seat":{self.seat},', f'"seat":{self.seat}}}')


def _has(kind: type[AlertRow] | type[EventRow], *conditions: Any) -> Any:
    """Return the condition that a round has such an alert or event."""
    inner = select(kind.id).where(kind.table_name == RoundRow.table_name, kind.round == RoundRow.round)
    return inner.where(*conditions).correlate(RoundRow).exists()


def search_rounds(record: Record, wanted: RoundFilter, limit: int = 50, offset: int = 0) -> list[RoundRow]:
    """Return rounds, newest first."""
    statement = (
        select(RoundRow)
        .where(*wanted.conditions())
        .order_by(col(RoundRow.wall).desc(), col(RoundRow.opened_seq).desc())
        .limit(limit)
        .offset(offset)
    )
    with reading(record.engine) as session:
        return list(session.exec(statement))


@dataclass(frozen=True, slots=True)
class HourRow:
    """What one table did in one hour (hours since 1970)."""

    table: str
    hour: int
    rounds: int
    violations: int
    unsure: int


def rounds_by_hour(record: Record, since: int, until: int) -> list[HourRow]:
    """Return rounds and what was found in them, by table and hour; the room adds hours up to shifts."""
    bucket = col(RoundRow.wall) // HOUR
    statement = (
        plain_select(
            col(RoundRow.table_name),
            bucket,
            func.count(),
            func.sum(RoundRow.violations),
            func.sum(RoundRow.unsure),
        )
        .where(col(RoundRow.wall) >= since, col(RoundRow.wall) < until)
        .group_by(col(RoundRow.table_name), bucket)
        .order_by(col(RoundRow.table_name), bucket)
    )
    with reading(record.engine) as session:
        return [HourRow(row[0], *(int(value) for value in row[1:])) for row in session.execute(statement)]


@dataclass(frozen=True, slots=True)
class CheckRow:
    """How often one check gave one ruling, and how often people said it was wrong."""

    check: str
    ruling: str
    count: int
    dismissed: int


def alerts_by_check(record: Record, since: int, until: int, table: str | None = None) -> list[CheckRow]:
    """Return how often each check spoke, most often first."""
    gone = func.sum(func.coalesce((col(AlertRow.state) == AlertState.DISMISSED).cast(Integer), 0))
    statement = (
        select(AlertRow.check_id, AlertRow.ruling, func.count(), gone)
        .where(col(AlertRow.wall) >= since, col(AlertRow.wall) < until)
        .group_by(col(AlertRow.check_id), col(AlertRow.ruling))
        .order_by(func.count().desc(), col(AlertRow.check_id))
    )
    if table is not None:
        statement = statement.where(AlertRow.table_name == table)
    with reading(record.engine) as session:
        return [CheckRow(row[0], row[1], int(row[2]), int(row[3])) for row in session.exec(statement)]
