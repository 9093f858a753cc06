"""Cases: opened, noted on, held, closed."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends
from pydantic import Field

from pipeline.record.queries_cases import (
    Case,
    add_note,
    add_round,
    change_case,
    count_rounds,
    get_case,
    list_cases,
    open_case,
)
from pipeline.record.schema import CaseRow
from room.api.kinds import Body, Id, Plain
from room.api.rounds import plain_round
from room.guard import Services, needs
from room.people import Permission, Visitor

router = APIRouter(tags=["cases"])


class NewCase(Body):
    """A case needs a title."""

    title: str = Field(min_length=1, max_length=200)


class Note(Body):
    """A note on a case."""

    text: str = Field(min_length=1, max_length=4000)


class RoundName(Body):
    """A round of a table."""

    table: str = Field(min_length=1, max_length=80)
    round: str = Field(min_length=1, max_length=80)


class CaseChange(Body):
    """What changes about a case; what is left out stays."""

    title: str | None = Field(default=None, min_length=1, max_length=200)
    held: bool | None = None
    closed: bool | None = None


def plain_case(row: CaseRow, rounds: int) -> dict[str, Any]:
    """Return a case as a line of a list."""
    return {
        "id": row.id,
        "title": row.title,
        "who": row.who,
        "wall": row.wall,
        "held": row.held,
        "closed": row.closed,
        "rounds": rounds,
    }


def whole_case(case: Case) -> dict[str, Any]:
    """Return a case with its rounds and notes."""
    plain = plain_case(case.row, len(case.rounds))
    plain["rounds"] = [plain_round(row) for row in case.rounds]
    plain["notes"] = [
        {"id": one.id, "wall": one.wall, "who": one.who, "text": one.text} for one in case.notes
    ]
    return plain


@router.get("/cases", summary="All cases, newest first")
def cases(
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "list cases"))],
    closed: bool | None = None,
) -> list[Plain]:
    """Return cases; `closed` chooses."""
    numbers = count_rounds(room.record)
    return [plain_case(row, numbers.get(row.id or 0, 0)) for row in list_cases(room.record, closed)]


@router.post("/cases", summary="Open a case", status_code=201)
def new_case(
    case: NewCase, room: Services, visitor: Annotated[Visitor, Depends(needs(Permission.ACT, "open case"))]
) -> Plain:
    """Open a case."""
    return whole_case(get_case(room.record, open_case(room.record, case.title, visitor.name)))


@router.get("/cases/{case}", summary="One case with its rounds and notes")
def case(
    case: Id, room: Services, visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "view case"))]
) -> Plain:
    """Return one case."""
    return whole_case(get_case(room.record, case))


@router.patch("/cases/{case}", summary="Change a case: title, held evidence, closed")
def change(
    case: Id,
    changes: CaseChange,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.CASES, "change case"))],
) -> Plain:
    """Change a case."""
    change_case(room.record, case, changes.title, changes.held, changes.closed)
    return whole_case(get_case(room.record, case))


@router.post("/cases/{case}/notes", summary="Add a note", status_code=201)
def note(
    case: Id,
    note: Note,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.ACT, "note on case"))],
) -> Plain:
    """Add a note; notes are never changed or removed."""
    add_note(room.record, case, visitor.name, note.text)
    return whole_case(get_case(room.record, case))


@router.post("/cases/{case}/rounds", summary="Put a round into a case", status_code=201)
def put_round(
    case: Id,
    round: RoundName,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.ACT, "add round to case"))],
) -> Plain:
    """Add a round; while the case is held, it never expires."""
    add_round(room.record, case, round.table, round.round)
    return whole_case(get_case(room.record, case))
