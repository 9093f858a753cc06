"""Forgetting by rule: by what was found, never what is held, and the chain over what stays still holds."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from engine import events as ev
from engine.verdicts import Ruling, Severity, Verdict
from pipeline.record import ChainBroken, Record
from pipeline.record.engine import writing
from pipeline.record.queries_cases import add_round, open_case
from pipeline.record.retention import DAY_MS, Days, expire, held_spans
from pipeline.record.schema import AlertRow, EventRow


class Now:
    def __init__(self) -> None:
        self.ms = 1_000 * DAY_MS

    def __call__(self) -> int:
        return self.ms


def play(record: Record, rounds: int, first: int = 0) -> None:
    """Rounds r0, r1, …: every third has a violation, every third something that could not be told."""
    writer = record.claim("CS-1", "nz")
    for number in range(first, first + rounds):
        seq, name = number * 4, f"r{number}"
        base = {"at": seq * 100, "table": "CS-1"}
        verdict = Verdict(
            Ruling.VIOLATION if number % 3 == 1 else Ruling.CANNOT_TELL, "wager.late", "nz", "5.10", Severity.HIGH,
            "CS-1", name, seq + 1, seq, "Late wager",
        )  # fmt: skip
        writer.append(ev.RoundOpened(seq=seq, round=name, **base))  # type: ignore[arg-type]
        writer.append(ev.PlayerFolded(seq=seq + 1, seat=2, **base), [verdict] if number % 3 else [])  # type: ignore[arg-type]
        writer.append(ev.RoundClosed(seq=seq + 2, **base))  # type: ignore[arg-type]
        writer.append(ev.DealerChanged(seq=seq + 3, **base))  # type: ignore[arg-type]


def names(record: Record) -> list[str]:
    return sorted(row.round for row in record.rounds("CS-1"))


def test_rounds_go_by_what_was_found_in_them_and_held_ones_stay(url: str) -> None:
    now = Now()
    record = Record.open(url, clock=now)
    play(record, 6)
    case = open_case(record, "The man in seat 2", "kim")
    add_round(record, case, "CS-1", "r3")
    for age, left in [
        (6, ["r0", "r1", "r2", "r3", "r4", "r5"]),
        (8, ["r1", "r2", "r3", "r4", "r5"]),
        (16, ["r1", "r3", "r4"]),
        (31, ["r3"]),
    ]:
        now.ms = 1_000 * DAY_MS + age * DAY_MS
        expire(record, Days(), now.ms)
        assert names(record) == left, f"after {age} days"
        record.verify("CS-1")
        record.verify_audit()
    assert [event.seq for event in record.events("CS-1")] == [12, 13, 14]
    assert record.count(AlertRow) == 0
    assert [event.seq for event in record.events_of_round("CS-1", "r3")] == [12, 13, 14]
    play(record, 2, first=6)  # the log goes on after its holes
    assert record.verify("CS-1") == 3 + 8
    assert held_spans(record)["CS-1"] == [(2800, 2800), (1200, 1200)]
    record.close()


def test_expiring_twice_changes_nothing(record: Record) -> None:
    play(record, 3)
    later = record._clock() + 100 * DAY_MS
    first = expire(record, Days(), later)
    assert (first.rounds, first.events, first.alerts) == (3, 12, 2)
    assert expire(record, Days(), later).events == 0
    assert record.count(EventRow) == 0
    assert record.verify("CS-1") == 0
    assert record.verify_audit() == 1


@pytest.mark.parametrize(
    "tamper",
    [
        "UPDATE events SET kind = 'Expired', body = '', round = NULL WHERE seq = 5",
        "DELETE FROM events WHERE seq < 5",
        "DELETE FROM events WHERE seq < 5; UPDATE tables SET base_link = (SELECT link FROM events WHERE seq = 4)",
        "UPDATE tables SET base_link = 'x'",
    ],
)
def test_a_hole_that_no_retention_made_is_tampering(record: Record, tamper: str) -> None:
    play(record, 3)
    for statement in reversed(tamper.split("; ")):
        with writing(record.engine) as session:
            session.execute(text(statement))
    with pytest.raises(ChainBroken):
        record.verify("CS-1")
