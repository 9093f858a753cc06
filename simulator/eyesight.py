"""What of a scene a camera can see: parallax of what is held up, arms before cards, cards on cards.

Plain geometry on a few points for each object, not rendering: good to some millimetres, and quick enough for
thousands of rounds. All in table mm.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, hypot, radians, sin
from typing import Final

from calibration.layout import CARD_HEIGHT, CARD_WIDTH, Layout, Point
from simulator.scene import CardPose, HandPose

ARM_RADIUS: Final = 44.0
FINGERS, FINGER_RADIUS = 70.0, 26.0
"""Fingers are so long and cover so much to each side (mm): a card between two fingers still shows."""
WRIST: Final = 170.0
SHOULDER: Final = {0: 190.0}
PLAYER_SHOULDER: Final = 150.0
GRID: Final = tuple((u * 0.38 * CARD_WIDTH, v * 0.40 * CARD_HEIGHT) for v in (1, 0, -1) for u in (-1, 0, 1))
"""Nine points of a card; the first and the last are the corners with the index."""
REACH: Final = 60.0
"""No point of a card is farther from its middle (mm)."""


@dataclass(frozen=True, slots=True)
class Arm:
    """A hand and its arm as a camera sees it on the cloth's plane."""

    tip: Point
    spine: tuple[Point, Point, Point, Point]
    entry: Point
    box: tuple[float, float, float, float]


class Eye:
    """One camera's point of view."""

    def __init__(self, position: tuple[float, float, float], layout: Layout) -> None:
        self.position = position
        self.layout = layout

    def down(self, x: float, y: float, z: float) -> Point:
        """Where on the cloth's plane a point at a height appears."""
        px, py, pz = self.position
        k = pz / max(1.0, pz - z)
        return px + (x - px) * k, py + (y - py) * k

    def arm(self, hand: HandPose) -> Arm:
        """The arm of a hand: finger tips, wrist, and where it comes over the edge of the table."""
        bx, by = self._shoulder(hand)
        dx, dy = bx - hand.x, by - hand.y
        length = hypot(dx, dy) or 1.0
        share = min(1.0, WRIST / length)
        part = min(1.0, FINGERS / length)
        knuckles = self.down(hand.x + dx * part, hand.y + dy * part, hand.z + 18.0)
        wrist = self.down(hand.x + dx * share, hand.y + dy * share, hand.z + 40.0)
        tip = self.down(hand.x, hand.y, hand.z)
        ex, ey = self._edge(hand.x, hand.y, bx, by)
        end = self.down(ex, ey, 70.0) if share < 1.0 else wrist
        spine = (tip, knuckles, wrist, end)
        xs, ys = [x for x, _ in spine], [y for _, y in spine]
        r = ARM_RADIUS + REACH
        box = (min(xs) - r, min(ys) - r, max(xs) + r, max(ys) + r)
        return Arm(tip, spine, (ex, ey), box)

    def _shoulder(self, hand: HandPose) -> Point:
        left = 1.0 if hand.side == "left" else -1.0
        if hand.who == 0:
            x, y = self.layout.dealer_body
            return x - left * SHOULDER[0], y
        place = self.layout.seat(hand.who)
        x, y = place.body
        return (
            x - sin(place.direction) * PLAYER_SHOULDER * left,
            y + cos(place.direction) * PLAYER_SHOULDER * left,
        )

    def _edge(self, x: float, y: float, bx: float, by: float) -> Point:
        """Where the way from a hand to its shoulder leaves the table; the hand's own place if it is outside."""
        if not self.layout.on_cloth(x, y):
            return x, y
        low, high = 0.0, 1.0
        for _ in range(8):
            mid = (low + high) / 2
            if self.layout.on_cloth(x + (bx - x) * mid, y + (by - y) * mid):
                low = mid
            else:
                high = mid
        return x + (bx - x) * high, y + (by - y) * high

    def outline(self, card: CardPose) -> tuple[float, float, float, float, float]:
        """How a card appears on the cloth's plane: middle, turn (degrees), width and height."""
        if card.z < 10.0 and not card.tilt and card.flip in (0.0, 180.0):
            return card.x, card.y, card.yaw, CARD_WIDTH, CARD_HEIGHT
        c, s = cos(radians(card.yaw)), sin(radians(card.yaw))
        flip, tilt = cos(radians(card.flip)), radians(card.tilt)
        w, h = CARD_WIDTH / 2, CARD_HEIGHT / 2
        lift = abs(sin(radians(card.flip))) * w
        ends = []
        for u, v in ((0.0, h), (0.0, -h), (-w, 0.0), (w, 0.0)):
            lx, ly, lz = u * abs(flip), v * cos(tilt), v * sin(tilt) + (lift if u > 0 else 0.0)
            ends.append(self.down(card.x + lx * c - ly * s, card.y + lx * s + ly * c, card.z + lz))
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = ends
        height, width = hypot(x0 - x1, y0 - y1), hypot(x2 - x3, y2 - y3)
        return (x0 + x1 + x2 + x3) / 4, (y0 + y1 + y2 + y3) / 4, card.yaw, width, height


def covered(x: float, y: float, arms: list[Arm], radius: float = ARM_RADIUS) -> bool:
    """Whether a point on the plane lies under an arm."""
    for arm in arms:
        x0, y0, x1, y1 = arm.box
        if x0 < x < x1 and y0 < y < y1:
            a, b, c, d = arm.spine
            if (
                _near(x, y, a, b, radius * FINGER_RADIUS / ARM_RADIUS)
                or _near(x, y, b, c, radius)
                or _near(x, y, c, d, radius)
            ):
                return True
    return False


def _near(x: float, y: float, a: Point, b: Point, radius: float) -> bool:
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    t = 0.0 if square == 0 else max(0.0, min(1.0, ((x - a[0]) * dx + (y - a[1]) * dy) / square))
    ex, ey = x - a[0] - t * dx, y - a[1] - t * dy
    return ex * ex + ey * ey < radius * radius


def near_arm(x: float, y: float, arm: Arm, radius: float) -> bool:
    """Whether a point lies within `radius` of an arm's middle line."""
    a, _, c, d = arm.spine
    return _near(x, y, a, c, radius) or _near(x, y, c, d, radius)


def grid(card: CardPose) -> list[Point]:
    """The nine points of a card on the table."""
    c, s = cos(radians(card.yaw)), sin(radians(card.yaw))
    return [(card.x + u * c - v * s, card.y + u * s + v * c) for u, v in GRID]


def visible(card: CardPose, above: list[CardPose], arms: list[Arm]) -> list[bool]:
    """Which of a card's nine points neither a card above nor an arm covers."""
    points = grid(card)
    free = [True] * len(points)
    for other in above:
        c, s = cos(radians(other.yaw)), sin(radians(other.yaw))
        for index, (x, y) in enumerate(points):
            if free[index]:
                dx, dy = x - other.x, y - other.y
                if abs(dx * c + dy * s) < CARD_WIDTH / 2 and abs(dy * c - dx * s) < CARD_HEIGHT / 2:
                    free[index] = False
    if arms:
        for index, (x, y) in enumerate(points):
            if free[index] and covered(x, y, arms):
                free[index] = False
    return free
