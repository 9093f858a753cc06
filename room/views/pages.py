"""The pages' routes: each gathers what its template shows, with the same questions that the API asks."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import RedirectResponse, Response

from engine.checks import CHECKS
from engine.rulebook import SHIPPED
from engine.verdicts import Ruling
from pipeline.record.queries import (
    AlertFilter,
    audit_lines,
    count_alerts,
    find_alerts,
    get_alert,
    neighbours,
    recent_alerts,
)
from pipeline.record.queries_cases import cases_of_round, count_rounds, get_case, list_cases
from pipeline.record.queries_search import search_rounds
from pipeline.record.schema import AlertRow, AlertState
from room.api.cases import plain_case, whole_case
from room.api.health import plain_book
from room.api.kinds import MOST_ID, Id, Name, Text
from room.api.reports import Wanted
from room.api.rounds import Search, plain_round
from room.guard import Services, needs
from room.people import Permission, Role, Visitor
from room.read.alerts import brief, full
from room.read.health import health_of
from room.read.rounds import alerts_of, moment_of, replay
from room.services import Room
from room.views.render import page

router = APIRouter()
V = Ruling.VIOLATION
ASKED = ("table", "round", "since", "until", "seat", "check", "clause", "amount", "card", "outcome", "dealer")
TABS: dict[str, tuple[str, AlertFilter]] = {
    "open": ("Open", AlertFilter(rulings=(V,), states=(AlertState.NEW,))),
    "working": ("In work", AlertFilter(rulings=(V,), states=(AlertState.ACKNOWLEDGED, AlertState.ESCALATED))),
    "unsure": ("Cannot tell", AlertFilter(rulings=(Ruling.CANNOT_TELL,))),
    "handled": ("Handled", AlertFilter(rulings=(Ruling.HANDLED,))),
    "done": ("Dismissed", AlertFilter(rulings=(V,), states=(AlertState.DISMISSED, AlertState.RESOLVED))),
}


@router.get("/")
def home() -> Response:
    """Go to the live page."""
    return RedirectResponse("/live", 303)


@router.get("/live")
def live(
    request: Request,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "view live"))],
    table: Text = None,
) -> Response:
    """All tables, one of them large."""
    tiles = room.live.tables()
    names = [one["table"] for one in tiles]
    chosen = table if table in names else (names[0] if names else None)
    lately = [row for row in recent_alerts(room.record) if row.ruling != Ruling.HANDLED]
    latest: dict[str, dict[str, Any]] = {}
    for row in lately:
        if row.ruling == V:
            latest.setdefault(row.table_name, brief(row))
    newest = [row for row in lately if row.table_name == chosen][:4]
    data = {
        "tiles": tiles,
        "chosen": chosen,
        "latest": latest,
        "recent": [brief(row) for row in newest],
        "belief": None if chosen is None else room.live.belief(chosen),
        "previews": [] if chosen is None else _previews(room, chosen),
    }
    return page(request, "live.html", visitor, data)


def _previews(room: Room, table: str) -> list[dict[str, Any]]:
    return [
        {"camera": one.camera, "index": one.index, "at": one.at, "overlay": one.overlay}
        for one in room.live.previews(table)
    ]


@router.get("/alerts")
def alerts(
    request: Request,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "view alerts"))],
    tab: Text = None,
    alert: Annotated[int | None, Query(ge=1, le=MOST_ID)] = None,
) -> Response:
    """Alerts: the list by severity, and one of them in full."""
    chosen = tab if tab in TABS else "open"
    rows = find_alerts(room.record, TABS[chosen][1], limit=50)
    shown = get_alert(room.record, alert) if alert is not None else (rows[0] if rows else None)
    data = {
        "tab": chosen,
        "tabs": _tabs(room),
        "alerts": [brief(row) for row in rows],
        "shown": None if shown is None else _whole_alert(room, shown),
        "cases": [plain_case(row, 0) for row in list_cases(room.record, closed=False)],
    }
    return page(request, "alerts.html", visitor, data)


def _tabs(room: Room) -> list[tuple[str, str, int]]:
    """Return the tabs with their numbers, counted once."""
    counts = count_alerts(room.record)
    return [
        (
            key,
            name,
            sum(
                one.count
                for one in counts
                if one.ruling in wanted.rulings and (not wanted.states or one.state in wanted.states)
            ),
        )
        for key, (name, wanted) in TABS.items()
    ]


def _whole_alert(room: Room, row: AlertRow) -> dict[str, Any]:
    whole = full(row, room.record.actions(row.id or 0), room.house)
    whole["cameras"] = room.footage.cameras(row.table_name)
    whole["moment"] = moment_of(room.record, room.house, row)
    return whole


@router.get("/rounds/{table}/{round}")
def round_page(
    request: Request,
    table: Name,
    round: Name,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "view round"))],
) -> Response:
    """One round, rebuilt."""
    row = room.record.round(table, round)
    found = replay(room.record, room.house, row)
    found["alerts"] = [brief(one) for one in alerts_of(room.record, row)]
    found["cameras"] = room.footage.cameras(table)
    before, after = neighbours(room.record, row)
    checks: dict[str, list[Any]] = {"violation": [], "handled": [], "cannot_tell": [], "ok": [], "None": []}
    for one in found["checks"]:
        checks[str(one["ruling"])].append(one)
    data = {
        "replay": found,
        "before": before,
        "after": after,
        "checks": checks,
        "in_cases": [plain_case(one, 0) for one in cases_of_round(room.record, table, round)],
        "cases": [plain_case(one, 0) for one in list_cases(room.record, closed=False)],
    }
    return page(request, "round.html", visitor, data)


@router.get("/search")
def search(
    request: Request,
    room: Services,
    search: Search,
    visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "search"))],
) -> Response:
    """Find rounds."""
    rows = search_rounds(room.record, search, limit=100)
    books = {row.rulebook for row in room.record.tables()} or set(SHIPPED)
    clauses = sorted({rule.clause for book in books for rule in room.house.book(book).rules.values()})
    data = {
        "rounds": [plain_round(row) for row in rows],
        "asked": {name: request.query_params.get(name, "") for name in ASKED},
        "tables": [row.name for row in room.record.tables()],
        "checks": sorted((id, CHECKS[id].title) for id in CHECKS),
        "clauses": clauses,
    }
    return page(request, "search.html", visitor, data)


@router.get("/cases")
def cases(
    request: Request,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "view cases"))],
) -> Response:
    """All cases."""
    numbers = count_rounds(room.record)
    listed = [plain_case(row, numbers.get(row.id or 0, 0)) for row in list_cases(room.record)]
    return page(request, "cases.html", visitor, {"cases": listed, "case": None, "alerts": []})


@router.get("/cases/{case}")
def case(
    request: Request,
    case: Id,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "view case"))],
) -> Response:
    """One case."""
    found = get_case(room.record, case)
    numbers = count_rounds(room.record)
    data = {
        "cases": [plain_case(row, numbers.get(row.id or 0, 0)) for row in list_cases(room.record)],
        "case": whole_case(found),
        "alerts": [brief(one) for row in found.rounds for one in alerts_of(room.record, row)],
    }
    return page(request, "cases.html", visitor, data)


@router.get("/reports")
def reports(
    request: Request,
    room: Services,
    wanted: Wanted,
    visitor: Annotated[Visitor, Depends(needs(Permission.REPORTS, "view report"))],
    days: Annotated[int, Query(ge=1, le=366)] = 7,
) -> Response:
    """Error rates as charts."""
    return page(
        request, "reports.html", visitor, {"report": wanted, "days": days, "query": request.url.query}
    )


@router.get("/calibration")
def calibration(
    request: Request,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "view calibration"))],
    table: Text = None,
    camera: Text = None,
) -> Response:
    """Landmarks on a still."""
    tables = [one for one in room.house.tables(room.record) if one.file is not None and one.cameras]
    chosen = next((one for one in tables if one.name == table), tables[0] if tables else None)
    cameras = () if chosen is None else chosen.cameras
    data = {
        "tables": [{"name": one.name, "cameras": list(one.cameras)} for one in tables],
        "table": None if chosen is None else chosen.name,
        "camera": camera if camera in cameras else (cameras[0] if cameras else None),
    }
    return page(request, "calibration.html", visitor, data)


@router.get("/settings")
def settings(
    request: Request,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "view settings"))],
    part: Text = None,
    book: Text = None,
) -> Response:
    """Health, rulebooks, people, tokens, the audit log."""
    parts = ["health", "rulebook", "tokens"]
    parts += ["people"] if visitor.may(Permission.PEOPLE) else []
    parts += ["audit"] if visitor.may(Permission.AUDIT) else []
    chosen = part if part in parts else "health"
    data: dict[str, Any] = {"part": chosen, "parts": parts, "roles": [str(role) for role in Role]}
    data["health"] = health_of(room) if chosen == "health" else None
    data["book"] = (
        plain_book(room.house.book(book if book in SHIPPED else SHIPPED[0])) if chosen == "rulebook" else None
    )
    data["books"] = SHIPPED
    data["accounts"] = room.people.accounts() if chosen == "people" else []
    data["tokens"] = room.people.tokens(visitor.account) if chosen == "tokens" else []
    lines = audit_lines(room.record, limit=100) if chosen == "audit" else []
    data["audit"] = [{"id": one.id, **json.loads(one.body)} for one in lines]
    return page(request, "settings.html", visitor, data)


@router.get("/api")
def api_page(
    request: Request, visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "view API page"))]
) -> Response:
    """The API in words."""
    routes = []
    for path, methods in request.app.openapi()["paths"].items():
        for method, entry in methods.items():
            routes.append({"path": path, "method": method.upper(), "tag": entry["tags"][0], **entry})
    return page(request, "api.html", visitor, {"routes": routes})


@router.get("/api/v1/openapi.json")
def openapi(
    request: Request, visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, None))]
) -> dict[str, Any]:
    """The API for programs."""
    schema: dict[str, Any] = request.app.openapi()
    return schema
