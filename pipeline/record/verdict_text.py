"""Verdicts back from the plain values of `alerts.jsonl`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.events import Area
from engine.verdicts import Ruling, Severity, Verdict


def verdict_of(plain: Mapping[str, Any]) -> Verdict:
    """Return the verdict that `to_mapping` wrote."""
    return Verdict(
        ruling=Ruling(plain["verdict"]),
        check=plain["check"],
        rulebook=plain["rulebook"],
        clause=plain["clause"],
        severity=Severity[plain["severity"].upper()],
        table=plain["table"],
        round=plain["round"],
        seq=plain["seq"],
        at=plain["at"],
        title=plain["title"],
        seat=plain["seat"],
        area=None if plain["area"] is None else Area(plain["area"]),
        expected=plain["expected"],
        observed=plain["observed"],
        reason=plain["reason"],
        consequence=plain["consequence"],
        events=tuple(plain["events"]),
        confidence=plain["confidence"],
    )
