"""Doubt: which gaps in view, signals or certainty stand between a finding and a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.checks.registry import Check, Finding
from engine.settings import TableSettings
from engine.state.model import Gap, TableState


def doubts(check: Check, finding: Finding, state: TableState, settings: TableSettings) -> str:
    """Return why a finding cannot be relied upon, or nothing if it can."""
    if finding.certain:
        return ""
    needs = finding.zones if finding.zones is not None else check.needs
    return first_gap(needs, finding.seat, finding.since, state, settings)


def first_gap(
    needs: Iterable[str], seat: int | None, since: int | None, state: TableState, settings: TableSettings
) -> str:
    """Return the first reason why something needed was not seen, or nothing."""
    for need in needs:
        if need.startswith("signal:"):
            reason = _signal(need.removeprefix("signal:"), since, state, settings)
        else:
            reason = _zone(need, seat, since, state)
        if reason:
            return reason
    return ""


def _signal(name: str, since: int | None, state: TableState, settings: TableSettings) -> str:
    if name not in settings.signals:
        return f"the signal {name!r} is not wired at this table"
    gap = state.signal_gaps.get(name)
    return f"the signal {name!r} was lost: {gap.why}" if _counts(gap, since) and gap is not None else ""


def _zone(need: str, seat: int | None, since: int | None, state: TableState) -> str:
    if not state.gaps:
        return ""
    for zone in _zones(need, seat, state):
        gap = state.gaps.get(zone)
        if gap is not None and _counts(gap, since):
            return f"{zone_name(zone)} could not be seen: {gap.why}"
    return ""


def _zones(need: str, seat: int | None, state: TableState) -> list[str]:
    """Return the zones to look at for one need; `table` covers everything."""
    if need == "seat" and seat is not None:
        own = ["dealer"] if seat == 0 else [f"seat:{seat}"]
    elif need in ("seats", "seat"):
        own = [f"seat:{one.number}" for one in state.seats[1:]]
    else:
        own = [need]
    return ["table", *own]


def _counts(gap: Gap | None, since: int | None) -> bool:
    return gap is not None and (since is None or gap.end is None or gap.end >= since)


def zone_name(zone: str) -> str:
    """Return a zone in words.

    >>> zone_name("seat:3"), zone_name("rack")
    ('seat 3', 'the discard rack')
    """
    if zone.startswith("seat:"):
        return f"seat {zone.removeprefix('seat:')}"
    names: Mapping[str, str] = {
        "dealer": "the dealer's hand",
        "rack": "the discard rack",
        "tray": "the chip tray",
        "deck": "the deck",
        "table": "the table",
    }
    return names.get(zone, zone)
