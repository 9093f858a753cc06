"""Where things lie: spots for cards, chips and hands, worked out from the layout.

All in table mm. `along` is towards the table's middle for a player's areas, `across` to the player's left.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import atan2, cos, hypot, pi, sin
from typing import Final

from calibration.layout import CARD_THICKNESS, Area, Layout, Point
from simulator.scene import CardPose, HandPose, Side

ROW_PITCH: Final = 24.0
"""Between cards of a player's hand that is spread or turned up (mm): the index of each shows."""
DEALER_PITCH: Final = 76.0
"""Between cards of the dealer's row (mm): they lie apart."""
HELD_LEFT: Final = 52.0
"""A hand of cards is held so far (mm) to its player's left, so that the right hand is free to wager."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place for a flat thing: point and turn (degrees)."""

    x: float
    y: float
    yaw: float
    z: float = 0.0


def card_z(level: float) -> float:
    """Height of the middle of a card that lies on `level` others."""
    return CARD_THICKNESS * (level + 0.5)


def _spot(area: Area, along: float, across: float, turn: float = 0.0, level: float = 0) -> Spot:
    x, y = area.at(along, across)
    return Spot(x, y, CardPose.yaw_for(area.direction) + turn, card_z(level))


class Places:
    """The spots of one table."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def area(self, seat: int, name: str) -> Area:
        """A wagering or card area of a seat; the dealer has only cards."""
        if seat == 0:
            return self.layout.dealer
        area: Area = getattr(self.layout.seat(seat), name)
        return area

    def dealt(self, seat: int, level: int, rng: random.Random) -> Spot:
        """Where a single card comes to lie on a player's pile: about on top of the others, never quite."""
        area = self.layout.seat(seat).cards
        return _spot(
            area,
            rng.gauss(0, 2.0) + 1.2 * level - 3,
            rng.gauss(0, 2.2) - 3.4 * level + 8,
            rng.gauss(0, 1.6),
            level,
        )

    def packet(self, seat: int, level: int, rng: random.Random, turn: float) -> Spot:
        """Where a card of a packet comes to lie: square on the others."""
        area = self.area(seat, "cards")
        across = 0.0 if seat else DEALER_PITCH
        return _spot(area, rng.gauss(0, 0.35), across + rng.gauss(0, 0.35), turn, level)

    def dealer_pile(self, level: int, slot: int, rng: random.Random) -> Spot:
        """Where a card of the dealer's pile lies; `slot` counts places from the dealer's left."""
        return _spot(
            self.layout.dealer,
            rng.gauss(0, 1.5),
            DEALER_PITCH * (2 - slot) + rng.gauss(0, 1.5) - 2.0 * level,
            rng.gauss(0, 1.2),
            level,
        )

    def row(self, seat: int, index: int, count: int, rng: random.Random) -> Spot:
        """Where card `index` of a hand spread in a row lies, from its owner's left to right."""
        area = self.area(seat, "cards")
        room = (area.width - 66.0) / max(1, count - 1)
        pitch = min(DEALER_PITCH if seat == 0 else ROW_PITCH, room)
        across = pitch * ((count - 1) / 2 - index)
        level = 0 if pitch > 63 else index
        return _spot(area, rng.gauss(0, 1.0), across + rng.gauss(0, 0.8), rng.gauss(0, 0.9), level)

    def folded(self, seat: int, bet_free: bool, index: int, rng: random.Random) -> Spot:
        """Where folded cards are pushed: on the empty bet area, or beside it if a blind bet lies there."""
        area = self.layout.seat(seat).bet
        across = 0.0 if bet_free else -98.0
        return _spot(area, rng.gauss(-4, 2), across + rng.gauss(0, 2) - 2 * index, rng.gauss(0, 3), index)

    def counted(self, seat: int, bet_free: bool, index: int, count: int, rng: random.Random) -> Spot:
        """Where a card of a hand that the dealer counts face down is put, one beside the other."""
        area = self.layout.seat(seat).bet
        pitch = 30.0
        across = (0.0 if bet_free else -150.0) + pitch * ((count - 1) / 2 - index)
        return _spot(area, -2 + rng.gauss(0, 1.2), across + rng.gauss(0, 1), rng.gauss(0, 1.2), index)

    def held(self, seat: int, index: int, count: int) -> tuple[Spot, float]:
        """Where card `index` of a hand held by its player is, and its tilt: fanned, faces to the player."""
        area = self.layout.seat(seat).cards
        fan = index - (count - 1) / 2
        spot = _spot(area, -34 - abs(fan) * 1.5, HELD_LEFT - fan * 9.0, fan * 7.0)
        return Spot(spot.x, spot.y, spot.yaw, 62.0 + index * 0.8), -46.0

    def stash(self, seat: int, slot: int, slots: int) -> Point:
        """Where a stack of a player's own chips stands."""
        area = self.layout.seat(seat).stash
        return area.at(0.0, 43.0 * ((slots - 1) / 2 - slot))

    def wager(self, seat: int, name: str, slot: int) -> Point:
        """Where stack `slot` of an area stands: 0 the wager, then what is paid beside it."""
        area = self.area(seat, name)
        if name == "ante":
            near = ((-8, 8), (20, -21), (-8, -33), (20, 36), (-36, -8), (-36, 30))
        elif name == "jackpot":
            near = ((0, 0), (-10, -42), (-10, 42), (30, -30), (30, 30), (50, 0))
        else:
            near = ((0, 10), (0, -31), (34, -10), (34, 31), (-34, -12), (-34, 29))
        along, across = near[min(slot, 5)]
        extra = max(0, slot - 5)
        return area.at(along + 40.0 * extra, across)

    def body(self, who: int) -> Point:
        """From where somebody's arms come."""
        return self.layout.dealer_body if who == 0 else self.layout.seat(who).body

    def rest(self, who: int, side: Side) -> HandPose:
        """A hand at rest: the dealer's at the table's edge, a player's on the rail."""
        name = hand_id(who, side)
        left = 1.0 if side == "left" else -1.0
        if who == 0:
            return HandPose(name, 0, side, -left * 205.0, -12.0, 14.0, "rest", 0.3)
        place = self.layout.seat(who)
        ux, uy = -cos(place.direction), -sin(place.direction)
        spec = self.layout.spec
        reach = 1.0 / hypot(ux / spec.half_width, uy / spec.depth)
        x, y = ux * (reach + 34.0), uy * (reach + 34.0)
        across = left * 120.0
        return HandPose(
            name,
            who,
            side,
            x - across * sin(place.direction),
            y + across * cos(place.direction),
            42.0,
            "rest",
            0.3,
        )

    def away(self, who: int, side: Side) -> HandPose:
        """A hand that has left the table: behind the rail, out of every picture."""
        rest = self.rest(who, side)
        bx, by = self.body(who)
        gone = hypot(bx - rest.x, by - rest.y) or 1.0
        step = 330.0
        return HandPose(
            rest.id,
            who,
            side,
            rest.x + (bx - rest.x) / gone * step,
            rest.y + (by - rest.y) / gone * step,
            0.0,
            "rest",
        )

    def tray_column(self, index: int, columns: int) -> Point:
        """The front of a column of chips in the tray."""
        tray = self.layout.tray
        return tray.at(10.0, tray.width * (0.5 - (index + 0.5) / columns))

    def shoe_mouth(self, out: float) -> Spot:
        """Where cards leave the shoe or shuffler; `out` mm before its front, negative inside."""
        shoe = self.layout.shoe
        return Spot(*shoe.at(shoe.depth / 2 + out, 0.0), CardPose.yaw_for(shoe.direction), 12.0)

    def handover(self) -> Spot:
        """Where a card drawn with the left hand is taken with the right."""
        x, y = self.shoe_mouth(70.0).x, self.shoe_mouth(70.0).y
        return Spot(x + 60.0, y + 5.0, -12.0, card_z(0))

    def rack(self, cards: int) -> Spot:
        """The top of the discard rack that holds so many cards."""
        return Spot(*self.layout.rack.centre, 0.0, 8.0 + cards * CARD_THICKNESS)

    def deck(self) -> Point:
        """Where a deck lies that is shuffled, cut or counted: in front of the dealer, beside the cards' places."""
        return (-60.0, 330.0)

    def spread52(self, row: int, column: int, columns: int = 13) -> Spot:
        """Where a card of a deck spread in ribbons lies: four fan-shaped rows, or two close ones clear of wagers."""
        bow = (column - (columns - 1) / 2) * 66.0 / (columns - 1)
        angle = bow * pi / 180
        radius = 470.0
        y0 = 292.0 + (104.0 if columns == 13 else 66.0) * row
        return Spot(sin(angle) * radius * 0.92, y0 + 18 * (1 - cos(angle)) * 10, -bow * 0.5, card_z(column))


def hand_id(who: int, side: Side) -> str:
    """The id of a hand."""
    return f"hand:{who}:{side}"


def side_for(who: int, x: float, layout: Layout) -> Side:
    """The hand that is nearer to a point for its owner."""
    if who == 0:
        return "left" if x < 0 else "right"
    place = layout.seat(who)
    return "right" if atan2(sin(place.direction), cos(place.direction)) else "left"
