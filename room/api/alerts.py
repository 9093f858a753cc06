"""Alerts: listed, looked at, acknowledged, dismissed with a reason, escalated to a case."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query
from pydantic import Field

from engine.verdicts import Ruling, Severity
from pipeline.errors import RecordRefused
from pipeline.record.queries import AlertFilter, count_alerts, find_alerts, get_alert
from pipeline.record.queries_cases import add_note, add_round, open_case
from pipeline.record.schema import AlertRow, AlertState
from room.api.kinds import MOST_ID, Body, Id, Limit, Offset, Plain, Text, Time
from room.guard import Services, needs
from room.people import Permission, Visitor
from room.read.alerts import brief, full
from room.read.rounds import moment_of
from room.services import Room

router = APIRouter(tags=["alerts"])


class Reason(StrEnum):
    """Why an alert is dismissed."""

    FALSE_ALERT = "false alert"
    HANDLED = "handled"
    DUPLICATE = "duplicate"


class Dismissal(Body):
    """A dismissal says why; `note` adds what an auditor will want to know."""

    reason: Reason
    note: str = Field(default="", max_length=1000)


class Escalation(Body):
    """Into a case that is open, or into a new one with a title."""

    case: int | None = Field(default=None, ge=1, le=MOST_ID)
    title: str = Field(default="", max_length=200)
    note: str = Field(default="", max_length=4000)


@router.get("/alerts", summary="Alerts, the worst first or the newest first")
def alerts(
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "list alerts"))],
    ruling: Annotated[list[Ruling] | None, Query()] = None,
    state: Annotated[list[AlertState] | None, Query()] = None,
    severity: Literal["info", "low", "medium", "high", "critical"] | None = None,
    table: Text = None,
    round: Text = None,
    seat: Annotated[int | None, Query(ge=0, le=9)] = None,
    check: Text = None,
    clause: Text = None,
    since: Time = None,
    until: Time = None,
    order: Literal["worst", "newest"] = "worst",
    limit: Limit = 50,
    offset: Offset = 0,
) -> list[Plain]:
    """Return alerts that meet every condition given."""
    wanted = AlertFilter(
        rulings=tuple(ruling or ()),
        states=tuple(state or ()),
        severity=None if severity is None else int(Severity[severity.upper()]),
        table=table, round=round, seat=seat, check=check, clause=clause, since=since, until=until,
    )  # fmt: skip
    return [brief(row) for row in find_alerts(room.record, wanted, limit, offset, order == "worst")]


@router.get("/alerts/counts", summary="How many alerts there are by ruling, state and severity")
def counts(room: Services, visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, None))]) -> list[Plain]:
    """Return the numbers of the badge."""
    return [
        {
            "ruling": one.ruling,
            "state": one.state,
            "severity": Severity(one.severity).word,
            "count": one.count,
        }
        for one in count_alerts(room.record)
    ]


@router.get("/alerts/{alert}", summary="One alert with its clause in words and what was done about it")
def alert(
    alert: Id, room: Services, visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "view alert"))]
) -> Plain:
    """Return one alert."""
    return full(get_alert(room.record, alert), room.record.actions(alert), room.house)


@router.get("/alerts/{alert}/moment", summary="The table at the event that proved an alert")
def moment(
    alert: Id, room: Services, visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "view alert"))]
) -> Plain | None:
    """Return what was believed at that moment, and the events that prove it."""
    return moment_of(room.record, room.house, get_alert(room.record, alert))


@router.post("/alerts/{alert}/acknowledge", summary="Say that somebody has seen an alert and is on it")
def acknowledge(
    alert: Id, room: Services, visitor: Annotated[Visitor, Depends(needs(Permission.ACT, "acknowledge"))]
) -> Plain:
    """Acknowledge an alert."""
    return _act(room, visitor, alert, AlertState.ACKNOWLEDGED)


@router.post("/alerts/{alert}/dismiss", summary="Dismiss an alert, with a reason")
def dismiss(
    alert: Id,
    dismissal: Dismissal,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.ACT, "dismiss"))],
) -> Plain:
    """Dismiss an alert."""
    why = str(dismissal.reason) + (f": {dismissal.note}" if dismissal.note else "")
    return _act(room, visitor, alert, AlertState.DISMISSED, why)


@router.post("/alerts/{alert}/reopen", summary="Put an alert back among the new ones")
def reopen(
    alert: Id, room: Services, visitor: Annotated[Visitor, Depends(needs(Permission.ACT, "reopen"))]
) -> Plain:
    """Reopen an alert that was acknowledged or dismissed by mistake."""
    return _act(room, visitor, alert, AlertState.NEW)


@router.post("/alerts/{alert}/escalate", summary="Escalate an alert to a case; its round is held as evidence")
def escalate(
    alert: Id,
    escalation: Escalation,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.ACT, "escalate"))],
) -> Plain:
    """Put the alert's round into a case."""
    row = get_alert(room.record, alert)
    if row.round is None:
        raise RecordRefused("alert: it belongs to no round, so there is nothing to hold")
    case = escalation.case
    if case is None:
        case = open_case(room.record, escalation.title or _title(row), visitor.name)
    add_round(room.record, case, row.table_name, row.round)
    if escalation.note:
        add_note(room.record, case, visitor.name, escalation.note)
    return {**_act(room, visitor, alert, AlertState.ESCALATED, f"case {case}"), "case": case}


def _title(row: AlertRow) -> str:
    seat = "" if row.seat is None else f", seat {row.seat}"
    return f"{brief(row)['title']}: {row.table_name}{seat}, round {row.round}"


def _act(room: Room, visitor: Visitor, alert: int, state: AlertState, why: str = "") -> Plain:
    room.record.act(alert, visitor.name, state, why)
    return full(get_alert(room.record, alert), room.record.actions(alert), room.house)
