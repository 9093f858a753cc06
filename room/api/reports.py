"""Reports: error rates by table and shift."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from fastapi.responses import Response

from room.api.kinds import MOST_TIME, Plain, Time
from room.guard import Services, needs
from room.people import Permission, Visitor
from room.people.store import now_ms
from room.read.reports import DAY, Report, as_csv, make_report

router = APIRouter(tags=["reports"])
Offset = Annotated[int, Query(ge=-12, le=14, description="hours of the house's clock ahead of UTC")]


def report_of(room: Services, since: Time = None, until: Time = None, offset: Offset = 0) -> Report:
    """Make the report of a span; the last seven days where nothing is said."""
    end = min(until if until is not None else now_ms() + 1, MOST_TIME)
    return make_report(room.record, max(0, end - 7 * DAY) if since is None else since, end, offset)


Wanted = Annotated[Report, Depends(report_of)]


@router.get("/reports", summary="Error rates by table and shift, and by check")
def report(
    wanted: Wanted, visitor: Annotated[Visitor, Depends(needs(Permission.REPORTS, "view report"))]
) -> Plain:
    """Return the numbers behind the charts."""
    return {
        "since": wanted.since,
        "until": wanted.until,
        "rates": [{**asdict(one), "per_hundred": round(one.per_hundred, 3)} for one in wanted.rates],
        "checks": [asdict(one) for one in wanted.checks],
        "days": [{"day": day, "rounds": rounds, "violations": bad} for day, rounds, bad in wanted.days],
    }


@router.get("/reports.csv", summary="The same as CSV", response_class=Response)
def report_csv(
    wanted: Wanted, visitor: Annotated[Visitor, Depends(needs(Permission.REPORTS, "export report"))]
) -> Response:
    """Return the rates for a spreadsheet."""
    return Response(
        as_csv(wanted),
        media_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="pitwatch-report.csv"'},
    )
