"""Cases: incidents that people work on, with the rounds that prove them and what was noted.

While a case is held, its rounds never expire: whatever deletes old footage asks here first.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func
from sqlmodel import Session, col, select

from pipeline.errors import RecordRefused
from pipeline.record.engine import reading, writing
from pipeline.record.schema import CaseNoteRow, CaseRoundRow, CaseRow, RoundRow
from pipeline.record.store import Record, wall_clock


@dataclass(frozen=True, slots=True)
class Case:
    """A case with everything that belongs to it."""

    row: CaseRow
    rounds: tuple[RoundRow, ...]
    notes: tuple[CaseNoteRow, ...]


def open_case(record: Record, title: str, who: str) -> int:
    """Open a case and return its number."""
    if not title.strip():
        raise RecordRefused("case: a title is needed")
    with writing(record.engine) as session:
        row = CaseRow(title=title.strip(), who=who, wall=wall_clock())
        session.add(row)
        session.flush()
        assert row.id is not None, "a stored case has a number"
        return row.id


def add_round(record: Record, case: int, table: str, round_id: str) -> None:
    """Put a round into a case; twice is once."""
    with writing(record.engine) as session:
        _case(session, case)
        if session.get(RoundRow, (table, round_id)) is None:
            raise RecordRefused(f"round {round_id} of table {table}: not in the record")
        if session.get(CaseRoundRow, (case, table, round_id)) is None:
            session.add(CaseRoundRow(case_id=case, table_name=table, round=round_id))


def add_note(record: Record, case: int, who: str, text: str) -> None:
    """Note something on a case."""
    if not text.strip():
        raise RecordRefused("case: an empty note says nothing")
    with writing(record.engine) as session:
        _case(session, case)
        session.add(CaseNoteRow(case_id=case, wall=wall_clock(), who=who, text=text.strip()))


def change_case(
    record: Record, case: int, title: str | None = None, held: bool | None = None, closed: bool | None = None
) -> None:
    """Change a case: its title, whether its evidence is held, whether it is closed."""
    if title is not None and not title.strip():
        raise RecordRefused("case: a title is needed")
    with writing(record.engine) as session:
        row = _case(session, case)
        row.title = row.title if title is None else title.strip()
        row.held = row.held if held is None else held
        row.closed = row.closed if closed is None else closed


def list_cases(record: Record, closed: bool | None = None, limit: int = 200) -> list[CaseRow]:
    """Return the cases, newest first."""
    statement = select(CaseRow).order_by(col(CaseRow.id).desc()).limit(limit)
    if closed is not None:
        statement = statement.where(CaseRow.closed == closed)
    with reading(record.engine) as session:
        return list(session.exec(statement))


def count_rounds(record: Record) -> dict[int, int]:
    """Return how many rounds each case has."""
    statement = select(CaseRoundRow.case_id, func.count()).group_by(col(CaseRoundRow.case_id))
    with reading(record.engine) as session:
        return dict(session.exec(statement).all())


def get_case(record: Record, case: int) -> Case:
    """Return one case."""
    with reading(record.engine) as session:
        row = _case(session, case)
        rounds = session.exec(
            select(RoundRow)
            .join(
                CaseRoundRow,
                (col(CaseRoundRow.table_name) == RoundRow.table_name)
                & (col(CaseRoundRow.round) == RoundRow.round),
            )
            .where(CaseRoundRow.case_id == case)
            .order_by(col(RoundRow.wall))
        )
        notes = session.exec(
            select(CaseNoteRow).where(CaseNoteRow.case_id == case).order_by(col(CaseNoteRow.id))
        )
        return Case(row, tuple(rounds), tuple(notes))


def cases_of_round(record: Record, table: str, round_id: str) -> list[CaseRow]:
    """Return the cases that a round belongs to."""
    statement = (
        select(CaseRow)
        .join(CaseRoundRow, col(CaseRoundRow.case_id) == CaseRow.id)
        .where(CaseRoundRow.table_name == table, CaseRoundRow.round == round_id)
        .order_by(col(CaseRow.id))
    )
    with reading(record.engine) as session:
        return list(session.exec(statement))


def _case(session: Session, case: int) -> CaseRow:
    row = session.get(CaseRow, case)
    if row is None:
        raise RecordRefused(f"case {case}: not in the record")
    return row
