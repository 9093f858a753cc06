"""What the monitor says: verdicts, as data. Rendering them is somebody else's job."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any, Final

from engine.events import Area

READ: Final = " · "
"""Between what the rulebook orders and how unclear passages are read, in the consequence of a verdict."""


class Ruling(StrEnum):
    """The four answers of a check. `HANDLED`: it went wrong, and was put right as the rulebook orders."""

    OK = "ok"
    VIOLATION = "violation"
    HANDLED = "handled"
    CANNOT_TELL = "cannot_tell"


class Severity(IntEnum):
    """How much an operator should care; higher is worse."""

    INFO = 0
    LOW = 1
    MEDIUM = 2
    HIGH = 3
    CRITICAL = 4

    @property
    def word(self) -> str:
        """The severity as it is written in files and on pages."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Verdict:
    """One answer of one check about one round, with all that an operator needs to act on it.

    `events` are the sequence numbers of the events that prove it, `seq` the event at which it was proved. `clause`
    cites the rulebook; `reason` says why it cannot be told, or what was done about it.
    """

    ruling: Ruling
    check: str
    rulebook: str
    clause: str
    severity: Severity
    table: str
    round: str | None
    seq: int
    at: int
    title: str
    seat: int | None = None
    area: Area | None = None
    expected: str = ""
    observed: str = ""
    reason: str = ""
    consequence: str = ""
    events: tuple[int, ...] = ()
    confidence: float = 1.0

    def to_mapping(self) -> dict[str, Any]:
        """Return the verdict as plain values, as written to `alerts.jsonl`."""
        plain: dict[str, Any] = {
            "verdict": str(self.ruling),
            "check": self.check,
            "rulebook": self.rulebook,
            "clause": self.clause,
            "severity": self.severity.word,
            "table": self.table,
            "round": self.round,
            "seat": self.seat,
            "area": None if self.area is None else str(self.area),
            "title": self.title,
            "expected": self.expected,
            "observed": self.observed,
            "reason": self.reason,
            "consequence": self.consequence,
            "seq": self.seq,
            "at": self.at,
            "events": list(self.events),
            "confidence": round(self.confidence, 4),
        }
        return plain
