"""Alerts as the pages and the API give them: the verdict, what was done about it, and the clause in words."""

from __future__ import annotations

import json
from typing import Any

from engine.checks import CHECKS
from engine.verdicts import Severity
from pipeline.record.schema import ActionRow, AlertRow
from room.read.clauses import clause_for
from room.read.tables import House


def brief(row: AlertRow) -> dict[str, Any]:
    """Return an alert as a line of a list and as it is pushed."""
    verdict = json.loads(row.body)
    return {
        "id": row.id,
        "table": row.table_name,
        "round": row.round,
        "seat": row.seat,
        "area": verdict["area"],
        "at": row.at,
        "wall": row.wall,
        "seq": row.seq,
        "ruling": row.ruling,
        "check": row.check_id,
        "rulebook": verdict["rulebook"],
        "clause": row.clause,
        "severity": Severity(row.severity).word,
        "rank": row.severity,
        "title": verdict["title"],
        "expected": verdict["expected"],
        "observed": verdict["observed"],
        "reason": verdict["reason"],
        "consequence": verdict["consequence"],
        "confidence": verdict["confidence"],
        "events": verdict["events"],
        "state": row.state,
    }


def full(row: AlertRow, actions: list[ActionRow], house: House) -> dict[str, Any]:
    """Return an alert with its clause in words and what people did about it."""
    alert = brief(row)
    clause = clause_for(house.book(alert["rulebook"]), row.clause)
    check = CHECKS.get(row.check_id)
    alert["clause_text"] = "" if clause is None else clause.says
    alert["clause_shown"] = row.clause if clause is None else clause.id
    alert["needs"] = [] if check is None else list(check.needs)
    alert["actions"] = [
        {"id": one.id, "wall": one.wall, "who": one.who, "what": one.what, "why": one.why} for one in actions
    ]
    return alert
