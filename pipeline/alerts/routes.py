"""Which alert goes to whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Protocol

from engine.verdicts import Severity


class RouteRule(Protocol):
    """A route as the site file describes it."""

    @property
    def to(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def severity(self) -> Severity: ...  # noqa: D102
    @property
    def rulings(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def check(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def table(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def group_seconds(self) -> float: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Subject:
    """What a route looks at."""

    table: str
    check: str
    ruling: str
    severity: int


def targets(routes: Sequence[RouteRule], subject: Subject) -> dict[str, float]:
    """Return who gets an alert, with the seconds within which repeats are grouped; the first route that fits counts."""
    found: dict[str, float] = {}
    for route in routes:
        if _fits(route, subject):
            for target in route.to:
                found.setdefault(target, route.group_seconds)
    return found


def _fits(route: RouteRule, subject: Subject) -> bool:
    return (
        subject.severity >= int(route.severity)
        and subject.ruling in route.rulings
        and (not route.table or subject.table in route.table)
        and (not route.check or any(fnmatchcase(subject.check, pattern) for pattern in route.check))
    )
