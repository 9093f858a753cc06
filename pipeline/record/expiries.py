"""What retention has removed, as the audit log tells it: the only excuse for a hole in a table's chain."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlmodel import col, select

from pipeline.record.chain import first_link
from pipeline.record.engine import reading
from pipeline.record.schema import AuditRow

if TYPE_CHECKING:
    from pipeline.record.store import Record

EXPIRED: Final = "Expired"
"""The kind of an event's place after retention has emptied it: its link stays, so that the chain does."""
EXPIRE: Final = "expire"


@dataclass(frozen=True, slots=True)
class Expiries:
    """The numbers of a table's emptied events, as ranges, and the links that its chain may begin with."""

    ranges: tuple[tuple[int, int], ...]
    bases: frozenset[str]

    def covers(self, seq: int) -> bool:
        """Whether retention emptied an event."""
        return any(first <= seq <= last for first, last in self.ranges)


def expiries(record: Record, table: str) -> Expiries:
    """Return what the audit log says was removed from a table."""
    ranges: list[tuple[int, int]] = []
    bases = {first_link(table)}
    with reading(record.engine) as session:
        for body in session.exec(
            select(AuditRow.body).where(AuditRow.what == EXPIRE).order_by(col(AuditRow.id))
        ):
            entry = json.loads(body)
            if entry.get("table") == table:
                ranges += [(first, last) for first, last in entry["ranges"]]
                bases.add(entry["base"])
    return Expiries(tuple(ranges), frozenset(bases))
