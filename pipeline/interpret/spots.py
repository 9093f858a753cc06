"""Whose place a point of the table is: seats, wagering areas, card places, the dealer's row, rack, shoe, tray.

Everything follows from the layout. Areas are told apart at the lines half-way between them, not at their printed
edges: chips are sized in beside a wager and cards are never put down exactly.
"""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, cos, hypot, pi, sin

from calibration.layout import Area as Place
from calibration.layout import Layout, Point
from engine.events import DEALER, Area

FOLD_LINE = 62.0
"""Cards that lie this much (mm) nearer to the table's middle than the card place have been given up."""
BEYOND = 300.0
"""So far (mm) beyond the edge of the cloth somebody's shoulders are."""
ACROSS = 165.0
"""How far (mm) to the side of a seat's middle line its things may lie."""


@dataclass(frozen=True, slots=True)
class CardSpot:
    """Where a card lies: its seat, and from the middle of the seat's card place along to the table's middle and
    across to the player's left.
    """

    seat: int
    along: float
    across: float

    @property
    def home(self) -> bool:
        """Whether that is the card place itself."""
        return self.seat == DEALER or self.along < FOLD_LINE


class Spots:
    """The places of one table."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        spec = layout.spec
        self._middle = (0.0, spec.centre_y)
        self._angles = {
            place.seat: atan2(place.cards.centre[1] - spec.centre_y, place.cards.centre[0])
            for place in layout.seats
        }
        around = sorted(self._angles.items(), key=lambda item: item[1])
        self._order = [seat for seat, _ in around]
        self._borders = [(a + b) / 2 for (_, a), (_, b) in pairwise(around)]
        self._lines = (
            (spec.jackpot_radius + spec.ante_radius) / 2,
            (spec.ante_radius + spec.bet_radius) / 2,
            (spec.bet_radius + spec.cards_radius) / 2 + 12.0,
        )
        self._stash_line = (spec.cards_radius + spec.stash_radius) / 2

    def who(self, entry: Point, tip: Point | None = None) -> int:
        """Whose arm comes over the edge at a point: 0 the dealer, else the seat that the arm points back to."""
        x, y = entry
        if tip is not None:
            length = hypot(x - tip[0], y - tip[1])
            if length > 60.0:
                x, y = self._shoulder(x, y, (x - tip[0]) / length, (y - tip[1]) / length)
        if entry[1] < 12.0 + 0.12 * abs(entry[0]) and abs(entry[0]) < self.layout.spec.half_width * 0.8:
            return DEALER
        return self._nearest(atan2(y - self._middle[1], x))

    def _shoulder(self, x: float, y: float, ux: float, uy: float) -> Point:
        """Where an arm that leaves the cloth at a point in a direction comes to where people sit."""
        a, b = self.layout.spec.half_width + BEYOND, self.layout.spec.depth + BEYOND
        for _ in range(18):
            if (x / a) ** 2 + (y / b) ** 2 >= 1.0:
                break
            x, y = x + 50.0 * ux, y + 50.0 * uy
        return x, y

    def _nearest(self, angle: float) -> int:
        """The seat nearest to a direction from the table's middle; behind the dealer that is an outer one."""
        if angle < -pi / 2:
            angle += 2 * pi
        return self._order[bisect(self._borders, angle)]

    def _polar(self, x: float, y: float) -> tuple[int, float, float]:
        """Nearest seat, radius, and distance across the seat's middle line (to the player's left)."""
        dx, dy = x - self._middle[0], y - self._middle[1]
        radius, angle = hypot(dx, dy), atan2(dy, dx)
        seat = self._nearest(angle)
        off = _turn(angle - self._angles[seat])
        return seat, radius * cos(off), -radius * sin(off)

    def wager(self, x: float, y: float) -> tuple[int, Area] | None:
        """The wagering area at a point."""
        seat, radius, across = self._polar(x, y)
        first, second, third = self._lines
        if y < 20.0 or abs(across) > 78.0 or not self.layout.spec.jackpot_radius - 75.0 < radius < third:
            return None
        if radius < first:
            return seat, Area.JACKPOT
        return seat, Area.ANTE if radius < second else Area.BET

    def stash(self, x: float, y: float) -> int | None:
        """The seat whose player's own chips stand at a point."""
        seat, radius, _ = self._polar(x, y)
        return seat if radius > self._stash_line and y > 20.0 else None

    def card(self, x: float, y: float) -> CardSpot | None:
        """The card place at a point; None for the open table, the rack and the shoe."""
        row = self.layout.dealer
        if row.contains(x, y, 12.0):
            return CardSpot(DEALER, y - row.centre[1], row.centre[0] - x)
        seat, radius, across = self._polar(x, y)
        along = self.layout.spec.cards_radius - radius
        if -150.0 < along < 185.0 and abs(across) < ACROSS and y > 60.0:
            return CardSpot(seat, along, across)
        return None

    def area(self, seat: int, area: Area) -> Place:
        """A wagering area of a seat."""
        place = self.layout.seat(seat)
        return {Area.ANTE: place.ante, Area.BET: place.bet, Area.JACKPOT: place.jackpot}[area]

    def cards(self, seat: int) -> Place:
        """The card place of a seat, or the dealer's row."""
        return self.layout.dealer if seat == DEALER else self.layout.seat(seat).cards

    def in_rack(self, x: float, y: float, margin: float = 40.0) -> bool:
        """Whether a point is at the discard rack."""
        return self.layout.rack.contains(x, y, margin)

    def in_shoe(self, x: float, y: float, margin: float = 45.0) -> bool:
        """Whether a point is at the shoe or the shuffler."""
        return self.layout.shoe.contains(x, y, margin)

    def before_tray(self, x: float, y: float) -> bool:
        """Whether a point is on the cloth just before the chip tray, where chips are counted."""
        tray = self.layout.tray
        return (
            abs(x) < tray.width / 2
            and tray.centre[1] + tray.depth / 2 < y < self.layout.dealer.centre[1] - 40.0
        )

    def over_tray(self, x: float, y: float) -> bool:
        """Whether a point is above the chip tray."""
        return self.layout.tray.contains(x, y, 30.0)


def _turn(angle: float) -> float:
    return (angle + pi) % (2 * pi) - pi
