"""Alerts given against alerts that were due: the check, a clause of it, and the seat must be right."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from engine.verdicts import Ruling, Verdict

Due = tuple[str, str, int | None]
"""A check, one of its clauses, and the seat of the event that proves it (None where no seat is meant)."""


@dataclass(slots=True)
class AlertScore:
    """What was alerted as it should be, what was not, and what should not have been."""

    right: list[Due] = field(default_factory=list)
    missed: list[Due] = field(default_factory=list)
    false: list[Verdict] = field(default_factory=list)
    open: list[Due] = field(default_factory=list)
    """Those of `missed` of which the monitor said that it cannot tell."""

    @property
    def recall(self) -> float:
        """Share of what was due that was alerted."""
        total = len(self.right) + len(self.missed)
        return len(self.right) / total if total else 1.0

    @property
    def precision(self) -> float:
        """Share of alerts that were due."""
        total = len(self.right) + len(self.false)
        return len(self.right) / total if total else 1.0

    def add(self, other: AlertScore) -> None:
        """Take in the score of another scene."""
        self.right += other.right
        self.missed += other.missed
        self.false += other.false
        self.open += other.open


def score_alerts(
    due: Sequence[Due],
    verdicts: Iterable[Verdict],
    allowed: Collection[str] = (),
    also: Collection[tuple[str, int | None]] = (),
) -> AlertScore:
    """Compare; `allowed` checks and `also` (check, seat) may be alerted without being due.

    The same irregularity alerted twice (at the same seat) is one alert: the room shows it once.
    """
    listed = list(verdicts)
    given = [one for one in listed if one.ruling is Ruling.VIOLATION]
    unsure = {one.check for one in listed if one.ruling is Ruling.CANNOT_TELL}
    score = AlertScore()
    for want in due:
        hit = any(_meets(one, want) for one in given)
        (score.right if hit else score.missed).append(want)
        if not hit and want[0] in unsure:
            score.open.append(want)
    for one in given:
        fine = one.check in allowed or (one.check, one.seat) in also
        if not fine and not any(_meets(one, want) for want in due):
            score.false.append(one)
    return score


def _meets(verdict: Verdict, due: Due) -> bool:
    check, clause, seat = due
    return verdict.check == check and clause in verdict.clause and verdict.seat == seat
