"""Hands and arms of one camera: where they work, what they cover, from where they came."""

from __future__ import annotations

from math import hypot
from typing import Final

from calibration.layout import Point
from vision.observe import SeenHand

KEEP: Final = 260
"""A hand that is not seen is taken to be still there for so long (ms)."""
GATE: Final = 230.0


class HandTrack:
    """One hand. `entry` is where its arm comes over the edge, or where it was first seen if that never showed."""

    __slots__ = ("_box", "born", "entry", "id", "radius", "seen", "spine", "tip", "vx", "vy")

    def __init__(self, number: int, hand: SeenHand, at: int) -> None:
        self.id = number
        self.born = self.seen = at
        self.tip, self.spine, self.radius = hand.tip, hand.spine, hand.radius
        self.entry = hand.entry if hand.entry is not None else hand.spine[-1]
        self.vx = self.vy = 0.0
        self._box = _around(hand.spine)

    def look(self, hand: SeenHand, at: int) -> None:
        """Take in a new look."""
        dt = max(1, at - self.seen)
        self.vx, self.vy = (hand.tip[0] - self.tip[0]) / dt, (hand.tip[1] - self.tip[1]) / dt
        self.tip, self.spine, self.radius, self.seen = hand.tip, hand.spine, hand.radius, at
        self._box = _around(hand.spine)
        if hand.entry is not None:
            self.entry = hand.entry

    @property
    def speed(self) -> float:
        """How fast the finger tips go (mm per ms)."""
        return hypot(self.vx, self.vy)

    def box(self, margin: float) -> tuple[float, float, float, float]:
        """The box around the hand and its arm, grown by a margin: most things are far from most hands."""
        x0, y0, x1, y1 = self._box
        return x0 - margin, y0 - margin, x1 + margin, y1 + margin

    def covers(self, x: float, y: float, margin: float = 0.0) -> bool:
        """Whether a point lies under the hand or its arm, as its camera sees it."""
        reach = self.radius + margin
        x0, y0, x1, y1 = self._box
        if x < x0 - reach or x > x1 + reach or y < y0 - reach or y > y1 + reach:
            return False
        points = self.spine
        return any(near_segment(x, y, points[i], points[i + 1], reach) for i in range(len(points) - 1))


def _around(points: tuple[Point, ...]) -> tuple[float, float, float, float]:
    """The box around some points."""
    x0, y0 = x1, y1 = points[0]
    for x, y in points:
        x0, x1 = (x, x1) if x < x0 else (x0, x1 if x1 > x else x)
        y0, y1 = (y, y1) if y < y0 else (y0, y1 if y1 > y else y)
    return x0, y0, x1, y1


def near_segment(x: float, y: float, a: Point, b: Point, radius: float) -> bool:
    """Whether a point lies within `radius` of a segment."""
    if not (min(a[0], b[0]) - radius < x < max(a[0], b[0]) + radius):
        return False
    if not (min(a[1], b[1]) - radius < y < max(a[1], b[1]) + radius):
        return False
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    t = 0.0 if square == 0 else max(0.0, min(1.0, ((x - a[0]) * dx + (y - a[1]) * dy) / square))
    ex, ey = x - a[0] - t * dx, y - a[1] - t * dy
    return ex * ex + ey * ey <= radius * radius


class HandTracker:
    """The hands of one camera."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self.tracks: list[HandTrack] = []
        self._next = 1

    def update(self, hands: tuple[SeenHand, ...], at: int) -> list[HandTrack]:
        """Take in the hands of one frame."""
        pairs = []
        for index, hand in enumerate(hands):
            x, y = hand.tip
            for track in self.tracks:
                dx, dy = x - track.tip[0], y - track.tip[1]
                if dx > GATE or dx < -GATE or dy > GATE or dy < -GATE:
                    continue
                gone = hypot(dx, dy)
                entry = hand.entry
                if entry is not None:
                    gone += 0.5 * hypot(entry[0] - track.entry[0], entry[1] - track.entry[1])
                if gone < GATE:
                    pairs.append((gone, index, track.id, track))
        pairs.sort(key=lambda pair: pair[:3])
        used: set[int] = set()
        taken: set[int] = set()
        for _, index, number, track in pairs:
            if index not in used and number not in taken:
                used.add(index)
                taken.add(number)
                track.look(hands[index], at)
        for index, hand in enumerate(hands):
            if index not in used:
                self.tracks.append(HandTrack(self._next, hand, at))
                self._next += 1
        self.tracks = [track for track in self.tracks if at - track.seen <= KEEP]
        return self.tracks
