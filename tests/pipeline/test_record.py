"""The record: durable, in order, one writer a table, tamper-evident. Every test runs on SQLite and PostgreSQL."""

from __future__ import annotations

import json

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text
from sqlmodel import SQLModel

from engine import events as ev
from engine.events import Event
from engine.verdicts import Ruling, Severity, Verdict
from pipeline.record import ChainBroken, Fenced, Record, RecordRefused
from pipeline.record.engine import writing
from pipeline.record.schema import AlertState, EventRow, RoundState
from pipeline.record.verdict_text import verdict_of
from simulator.director import legal


def fold(seq: int, seat: int = 2) -> Event:
    return ev.PlayerFolded(seq=seq, at=seq * 40, table="CS-1", seat=seat)


def opened(seq: int, round_id: str) -> Event:
    return ev.RoundOpened(seq=seq, at=seq * 40, table="CS-1", round=round_id)


def closed(seq: int) -> Event:
    return ev.RoundClosed(seq=seq, at=seq * 40, table="CS-1")


def verdict(seq: int, round_id: str | None = None, ruling: Ruling = Ruling.VIOLATION) -> Verdict:
    return Verdict(
        ruling, "wager.late", "nz", "5.10", Severity.HIGH, "CS-1", round_id, seq, seq * 40, "Late wager",
        seat=2, area=ev.Area.ANTE, expected="10.00", observed="20.00", events=(seq,),
    )  # fmt: skip


def test_events_come_back_as_they_were_recorded(record: Record) -> None:
    script = legal("s10", 11)
    writer = record.claim(script.settings.table, "s10")
    writer.append_all([(event, ()) for event in script.events])
    assert tuple(record.events(script.settings.table)) == script.events
    half = script.events[len(script.events) // 2].seq
    assert [e.seq for e in record.events(script.settings.table, after=half)] == [
        e.seq for e in script.events if e.seq > half
    ]
    assert record.verify(script.settings.table) == len(script.events)


def test_a_batch_is_recorded_whole_or_not_at_all(record: Record) -> None:
    writer = record.claim("CS-1", "nz")
    with pytest.raises(RecordRefused, match="event 1 does not come after 2"):
        writer.append_all([(fold(1), ()), (fold(2), ()), (fold(1), ())])
    assert list(record.events("CS-1")) == []
    writer.append(fold(1))
    assert record.verify("CS-1") == 1


def test_a_writer_that_comes_back_from_the_dead_cannot_write(record: Record) -> None:
    old = record.claim("CS-1", "nz")
    old.append(fold(1))
    new = record.claim("CS-1", "nz")
    with pytest.raises(Fenced):
        old.append(fold(2))
    new.append(fold(2))
    assert [event.seq for event in record.events("CS-1")] == [1, 2]


def test_rounds_open_close_and_are_interrupted(record: Record) -> None:
    writer = record.claim("CS-1", "nz")
    writer.append(opened(1, "a"))
    writer.append(fold(2), [verdict(2, "a"), verdict(2, "a", Ruling.CANNOT_TELL)])
    writer = record.claim("CS-1", "nz")  # a restart in mid-round takes the round up again
    writer.append(closed(3))
    writer.append(opened(4, "b"))
    writer.append(opened(5, "a"))
    states = {row.round: row.state for row in record.rounds("CS-1")}
    assert states == {"a": RoundState.CLOSED, "b": RoundState.INTERRUPTED, "a@5": RoundState.OPEN}
    first = record.round("CS-1", "a")
    assert (first.violations, first.unsure, first.closed_seq) == (1, 1, 3)
    assert [event.seq for event in record.events_of_round("CS-1", "a")] == [1, 2, 3]


def test_an_alert_keeps_its_words_and_what_was_done_about_it(record: Record) -> None:
    [number] = record.claim("CS-1", "nz").append(fold(1), [verdict(1)])
    [alert] = record.alerts()
    assert verdict_of(json.loads(alert.body)) == verdict(1)
    with pytest.raises(RecordRefused, match="needs a reason"):
        record.act(number, "kim", AlertState.DISMISSED)
    record.act(number, "kim", AlertState.ACKNOWLEDGED)
    record.act(number, "lee", AlertState.DISMISSED, "false alert: chip was the player's own")
    assert [(one.who, one.what) for one in record.actions(number)] == [
        ("kim", "acknowledged"), ("lee", "dismissed"),
    ]  # fmt: skip
    assert record.alerts(state=AlertState.NEW) == []


@pytest.mark.parametrize(
    "tamper",
    [
        "UPDATE events SET body = replace(body, 'PlayerFolded', 'HandVoided') WHERE seq = 2",
        "DELETE FROM events WHERE seq = 2",
        "DELETE FROM events WHERE seq = 3",
        "UPDATE events SET seq = 9 WHERE seq = 1",
    ],
)
def test_a_changed_missing_or_moved_event_is_found(record: Record, tamper: str) -> None:
    writer = record.claim("CS-1", "nz")
    writer.append_all([(fold(seq), ()) for seq in (1, 2, 3)])
    assert record.verify("CS-1") == 3
    with writing(record.engine) as session:
        session.execute(text(tamper))
    with pytest.raises(ChainBroken):
        record.verify("CS-1")


def test_the_audit_log_shows_a_line_that_was_removed(record: Record) -> None:
    for what in ("view", "export", "view"):
        record.audit("kim", what, round="a")
    assert record.verify_audit() == 3
    with writing(record.engine) as session:
        session.execute(text("DELETE FROM audit WHERE what = 'export'"))
    with pytest.raises(ChainBroken, match="audit line 3"):
        record.verify_audit()


def test_migrations_give_the_schema_of_the_models(record: Record) -> None:
    with record.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, SQLModel.metadata) == []


def test_opening_twice_changes_nothing_and_a_newer_schema_is_refused(record: Record, url: str) -> None:
    record.claim("CS-1", "nz").append(fold(1))
    again = Record.open(url)
    assert again.count(EventRow) == 1
    again.close()
    with writing(record.engine) as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(RecordRefused, match="newer than this version"):
        Record.open(url)


def test_a_url_that_is_none_is_one_clear_line() -> None:
    for bad in ("nonsense", "mysql://root@localhost/x"):
        with pytest.raises(RecordRefused, match="record:"):
            Record.open(bad)
