"""Who was where: the finger tips of the last seconds, to tell who did what, and when a hand had left.

Changes show only when the hand has gone. So the interpreter keeps what hands did for a few seconds and asks, when
it sees that something changed: who was there, and when did they leave?
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from math import hypot
from typing import Final

from engine.events import DEALER
from pipeline.interpret.spots import Spots
from vision.tracks import HandTrack

KEPT: Final = 9000
NEAR: Final = 92.0
"""A hand whose finger tips are nearer than this (mm) hides what it does."""
AT_WORK: Final = 62.0
"""A hand that did something to a thing was at least this near (mm) to it …"""
AROUND: Final = 135.0
"""… or this near, if nobody else was: hands are quick, and eyes miss one look in twenty."""


@dataclass(frozen=True, slots=True)
class Touch:
    """One person's nearest approach to a point within a span of time."""

    who: int
    nearest: float
    when: int
    last: int


class Contacts:
    """The finger tips of the last seconds, by person."""

    def __init__(self, spots: Spots) -> None:
        self.spots = spots
        self._past: deque[tuple[int, tuple[tuple[int, float, float, float], ...]]] = deque()

    def update(self, at: int, hands: Iterable[HandTrack]) -> None:
        """Take in the hands of one moment."""
        tips = tuple(
            (self.spots.who(hand.entry, hand.tip), hand.tip[0], hand.tip[1], hand.speed) for hand in hands
        )
        self._past.append((at, tips))
        while self._past and self._past[0][0] < at - KEPT:
            self._past.popleft()

    def now(self, x: float, y: float, reach: float = NEAR) -> list[int]:
        """Who has a hand near a point at this moment."""
        if not self._past:
            return []
        return [
            who
            for who, tx, ty, _ in self._past[-1][1]
            if -reach < tx - x < reach and hypot(tx - x, ty - y) < reach
        ]

    def tips(self, who: int) -> list[tuple[float, float]]:
        """Where somebody's finger tips are at this moment."""
        return [(x, y) for one, x, y, _ in self._past[-1][1] if one == who] if self._past else []

    def who(
        self, x: float, y: float, since: int, until: int | None = None, reach: float = NEAR
    ) -> list[Touch]:
        """Everybody who came near a point, the nearest first."""
        best: dict[int, Touch] = {}
        for at, tips in self._past:
            if at < since or (until is not None and at > until):
                continue
            for who, tx, ty, _ in tips:
                if tx - x > reach or x - tx > reach or (gone := hypot(tx - x, ty - y)) > reach:
                    continue
                old = best.get(who)
                if old is None or gone < old.nearest:
                    best[who] = Touch(who, gone, at, at)
                else:
                    best[who] = Touch(who, old.nearest, old.when, at)
        return sorted(best.values(), key=lambda touch: (touch.nearest, touch.who))

    def actor(self, x: float, y: float, since: int, until: int | None = None) -> Touch | None:
        """The person whose hand worked at a point, if anybody's did."""
        touches = self.who(x, y, since, until, AROUND)
        if not touches:
            return None
        first = touches[0]
        alone = len(touches) == 1 or touches[1].nearest > first.nearest + 45.0
        return first if first.nearest < AT_WORK or alone else None

    def left(self, x: float, y: float, since: int, who: int | None = None, reach: float = NEAR) -> int | None:
        """When the last hand (of somebody) was still near a point; None if none was since then."""
        for at, tips in reversed(self._past):
            if at < since:
                return None
            for one, tx, ty, _ in tips:
                if (who is None or one == who) and hypot(tx - x, ty - y) < reach:
                    return at
        return None

    def cleared(self, x: float, y: float, after: int, who: int | None = None, reach: float = NEAR) -> int:
        """The first moment from `after` on at which no hand (of somebody) is near a point."""
        for at, tips in self._past:
            if at >= after and not any(
                (who is None or one == who) and hypot(tx - x, ty - y) < reach for one, tx, ty, _ in tips
            ):
                return at
        return self._past[-1][0] if self._past else after

    def dwell(self, x: float, y: float, since: int, reach: float) -> dict[int, int]:
        """For how long (ms) each person's slow hand was at a point."""
        spent: dict[int, int] = {}
        before = since
        for at, tips in self._past:
            if at < since:
                continue
            step = min(at - before, 200)
            before = at
            for who in {one for one, tx, ty, speed in tips if speed < 0.35 and hypot(tx - x, ty - y) < reach}:
                spent[who] = spent.get(who, 0) + step
        return spent

    def spent(self, x: float, y: float, since: int, who: int) -> int:
        """For how long (ms) somebody's hand was near a point, quick or slow."""
        total, before = 0, since
        for at, tips in self._past:
            if at < since:
                continue
            if any(one == who and hypot(tx - x, ty - y) < NEAR for one, tx, ty, _ in tips):
                total += min(at - before, 200)
            before = at
        return total

    def dealer_near(self, x: float, y: float, since: int) -> bool:
        """Whether the dealer's hand was near a point."""
        return any(touch.who == DEALER for touch in self.who(x, y, since))
