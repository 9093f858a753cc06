"""Error rates by table and shift: how many rounds, how many violations, how much could not be told."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from engine.checks import CHECKS
from engine.verdicts import Ruling
from pipeline.record import Record
from pipeline.record.queries_search import HOUR, alerts_by_check, rounds_by_hour

SHIFTS: Final = (("day", 6, 14), ("swing", 14, 22), ("night", 22, 6))
DAY: Final = 24 * HOUR


def shift_of(hour: int) -> str:
    """Return the shift that an hour of the day belongs to.

    >>> shift_of(6), shift_of(21), shift_of(3)
    ('day', 'swing', 'night')
    """
    for name, start, end in SHIFTS:
        if start <= hour < end:
            return name
    return SHIFTS[-1][0]


@dataclass(slots=True)
class Rate:
    """What was counted for one table or shift."""

    table: str
    shift: str
    rounds: int = 0
    violations: int = 0
    unsure: int = 0

    @property
    def per_hundred(self) -> float:
        """Violations in a hundred rounds."""
        return 100 * self.violations / self.rounds if self.rounds else 0.0

    @property
    def unsure_per_hundred(self) -> float:
        """Checks that could not be told, in a hundred rounds."""
        return 100 * self.unsure / self.rounds if self.rounds else 0.0


@dataclass(frozen=True, slots=True)
class CheckRate:
    """How often one check spoke."""

    check: str
    title: str
    violations: int
    unsure: int
    dismissed: int


@dataclass(frozen=True, slots=True)
class Report:
    """One report."""

    since: int
    until: int
    rates: tuple[Rate, ...]
    checks: tuple[CheckRate, ...]
    days: tuple[tuple[str, int, int], ...]

    @property
    def total(self) -> Rate:
        """All tables and shifts together."""
        return _sum("all", "all", self.rates)

    def by_table(self) -> list[Rate]:
        """Return one rate a table."""
        names = sorted({one.table for one in self.rates})
        return [_sum(name, "all", (one for one in self.rates if one.table == name)) for name in names]

    def by_shift(self) -> list[Rate]:
        """Return one rate a shift."""
        return [_sum("all", name, (one for one in self.rates if one.shift == name)) for name, _, _ in SHIFTS]


def make_report(record: Record, since: int, until: int, offset_hours: int = 0) -> Report:
    """Count everything between two times; `offset_hours` moves the house's clock against UTC."""
    rates: dict[tuple[str, str], Rate] = {}
    days: dict[int, list[int]] = {}
    for row in rounds_by_hour(record, since, until):
        local = row.hour + offset_hours
        shift = shift_of(local % 24)
        rate = rates.setdefault((row.table, shift), Rate(row.table, shift))
        rate.rounds += row.rounds
        rate.violations += row.violations
        rate.unsure += row.unsure
        day = days.setdefault(local // 24, [0, 0])
        day[0] += row.rounds
        day[1] += row.violations
    named = tuple(
        (datetime.fromtimestamp(day * 86_400, UTC).strftime("%d %b"), rounds, bad)
        for day, (rounds, bad) in sorted(days.items())
    )
    return Report(since, until, tuple(rates.values()), tuple(_checks(record, since, until)), named)


def _checks(record: Record, since: int, until: int) -> Iterable[CheckRate]:
    counts: dict[str, list[int]] = {}
    for row in alerts_by_check(record, since, until):
        one = counts.setdefault(row.check, [0, 0, 0])
        one[0] += row.count if row.ruling == Ruling.VIOLATION else 0
        one[1] += row.count if row.ruling == Ruling.CANNOT_TELL else 0
        one[2] += row.dismissed
    listed = [
        CheckRate(id, CHECKS[id].title if id in CHECKS else id, *numbers) for id, numbers in counts.items()
    ]
    return sorted(listed, key=lambda one: (-one.violations, -one.unsure, one.check))


def _sum(table: str, shift: str, rates: Iterable[Rate]) -> Rate:
    total = Rate(table, shift)
    for one in rates:
        total.rounds += one.rounds
        total.violations += one.violations
        total.unsure += one.unsure
    return total


def as_csv(report: Report) -> str:
    """Return the rates as CSV, for a spreadsheet."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\r\n")
    rows.writerow(("table", "shift", "rounds", "violations", "per 100 rounds", "could not be told"))
    for one in sorted(report.rates, key=lambda rate: (rate.table, rate.shift)):
        name = f"'{one.table}" if one.table[:1] in "=+-@" else one.table  # a spreadsheet must not run a name
        rows.writerow((name, one.shift, one.rounds, one.violations, f"{one.per_hundred:.2f}", one.unsure))
    return out.getvalue()
