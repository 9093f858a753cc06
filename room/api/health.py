"""Health, rulebooks and the audit log."""

from __future__ import annotations

import json
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query

from engine.checks import CHECKS
from engine.rulebook import Rulebook
from pipeline.errors import ChainBroken
from pipeline.record.queries import audit_lines
from room.api.kinds import MOST_ID, Limit, Plain, Text
from room.guard import Services, needs
from room.people import Permission, Visitor
from room.read.health import health_of

router = APIRouter(tags=["health"])


@router.get("/health", summary="Cameras, models and checksums, record, disk, delays")
def health(
    room: Services, visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "view health"))]
) -> Plain:
    """Return how the product does."""
    return health_of(room)


def plain_book(book: Rulebook) -> Plain:
    """Return a rulebook as plain values."""
    return {
        "id": book.id,
        "title": book.title,
        "checks": [
            {
                "check": id,
                "title": CHECKS[id].title,
                "clause": rule.clause,
                "severity": rule.severity.word,
                "needs": list(CHECKS[id].needs),
                "consequence": rule.consequence,
            }
            for id, rule in book.rules.items()
        ],
        "clauses": [
            {"clause": one.id, "says": one.says, "checks": list(one.checks), "why_none": one.why_none}
            for one in book.clauses
        ],
    }


@router.get("/rulebooks/{rulebook}", summary="A rulebook: every check and every clause")
def rulebook(
    rulebook: Literal["nz", "s10"],
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "view rulebook"))],
) -> Plain:
    """Return a rulebook."""
    return plain_book(room.house.book(rulebook))


@router.get("/audit", summary="The audit log, newest first")
def audit(
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.AUDIT, "view audit log"))],
    who: Text = None,
    what: Text = None,
    before: Annotated[int | None, Query(ge=1, le=MOST_ID)] = None,
    limit: Limit = 100,
) -> list[Plain]:
    """Return lines of the audit log."""
    lines = audit_lines(room.record, who or None, what or None, before, limit)
    return [{"id": one.id, **json.loads(one.body)} for one in lines]


@router.post("/audit/verify", summary="Walk the chains of the audit log and of every table's log")
def verify_chains(
    room: Services, visitor: Annotated[Visitor, Depends(needs(Permission.AUDIT, "verify chains"))]
) -> list[Plain]:
    """Return for each chain how many lines hold, or where it breaks."""
    results: list[Plain] = []
    for name in ["audit", *(row.name for row in room.record.tables())]:
        try:
            count = room.record.verify_audit() if name == "audit" else room.record.verify(name)
            results.append({"chain": name, "holds": True, "lines": count, "problem": ""})
        except ChainBroken as error:
            results.append({"chain": name, "holds": False, "lines": 0, "problem": str(error)})
    return results
