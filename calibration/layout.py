"""The printed layout of a Caribbean stud table, in table millimetres.

One place says where the ante, bet, jackpot and card areas of every seat lie, so that the simulator prints
the cloth, the pipeline assigns objects to areas, and calibration finds landmarks, all from the same numbers.

Frame (right-handed, mm): origin = middle of the dealer's straight edge, on the cloth; +y towards the players,
+x towards the dealer's right, +z up. Seat 1 has the most negative x (dealer's left), the last seat the most
positive. Seat 0 is the dealer.

Start with ``standard_layout()``; vary it with ``LayoutSpec``. Angles here are radians, counter-clockwise
from +x.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import atan2, cos, hypot, pi, sin
from types import MappingProxyType

Point = tuple[float, float]

CARD_WIDTH, CARD_HEIGHT, CARD_THICKNESS = 63.0, 88.0, 0.3
CHIP_DIAMETER, CHIP_HEIGHT = 39.0, 3.3
DEALER_AREAS = ("dealer", "tray", "rack", "shoe", "deck")


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle printed on, or standing on, the cloth.

    `direction` is where "up" of the area points (towards the dealer for a player's areas), `width` lies
    across it and `depth` along it. A card that fills a card area upright has this direction as its own.
    """

    name: str
    seat: int
    centre: Point
    width: float
    depth: float
    direction: float
    round: bool = False

    @property
    def polygon(self) -> tuple[Point, ...]:
        """The outline in table mm, counter-clockwise seen from above: 4 corners, or 32 points if round."""
        if self.round:
            steps = 32
            local = [
                (cos(2 * pi * i / steps) * self.depth / 2, sin(2 * pi * i / steps) * self.width / 2)
                for i in range(steps)
            ]
        else:
            d, w = self.depth / 2, self.width / 2
            local = [(d, w), (-d, w), (-d, -w), (d, -w)]
        return tuple(self.at(along, across) for along, across in local)

    def at(self, along: float, across: float) -> Point:
        """The table point `along` mm towards `direction` and `across` mm to its left from the centre."""
        c, s = cos(self.direction), sin(self.direction)
        return (self.centre[0] + along * c - across * s, self.centre[1] + along * s + across * c)

    def contains(self, x: float, y: float, margin: float = 0.0) -> bool:
        """Whether a table point lies in the area, grown by `margin` mm (shrunk if negative)."""
        c, s = cos(self.direction), sin(self.direction)
        dx, dy = x - self.centre[0], y - self.centre[1]
        along, across = dx * c + dy * s, -dx * s + dy * c
        if self.round:
            return hypot(along / (self.depth / 2 + margin), across / (self.width / 2 + margin)) <= 1.0
        return abs(along) <= self.depth / 2 + margin and abs(across) <= self.width / 2 + margin


@dataclass(frozen=True, slots=True)
class SeatLayout:
    """Everything that belongs to one player's place.

    `direction` points from the place to the table's middle, so it is also where the top of the player's cards
    points. `stash` is where the player keeps chips; `body` is a point outside the rail from which arms come.
    """

    seat: int
    direction: float
    jackpot: Area
    ante: Area
    bet: Area
    cards: Area
    stash: Area
    body: Point

    @property
    def areas(self) -> tuple[Area, ...]:
        """The areas of this place, from the table's middle outwards."""
        return (self.jackpot, self.ante, self.bet, self.cards, self.stash)


@dataclass(frozen=True, slots=True)
class LayoutSpec:
    """The numbers that a layout is made of; the defaults are the reference table (all mm, degrees for
    angles).
    """

    seats: int = 7
    half_width: float = 930.0
    depth: float = 900.0
    rail_width: float = 105.0
    centre_y: float = 60.0
    first_angle: float = 12.0
    jackpot_radius: float = 402.0
    ante_radius: float = 468.0
    bet_radius: float = 564.0
    cards_radius: float = 676.0
    stash_radius: float = 775.0
    jackpot_diameter: float = 42.0
    ante_width: float = 76.0
    ante_depth: float = 62.0
    bet_width: float = 96.0
    bet_depth: float = 86.0
    cards_width: float = 170.0
    cards_depth: float = 112.0
    dealer_width: float = 420.0
    dealer_depth: float = 112.0
    dealer_y: float = 205.0
    bet_round: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """The whole cloth: seats in dealing order, the dealer's places, the outline, and named landmarks."""

    spec: LayoutSpec
    seats: tuple[SeatLayout, ...]
    dealer: Area
    tray: Area
    rack: Area
    shoe: Area
    deck: Area
    outline: tuple[Point, ...]
    dealer_body: Point
    landmarks: Mapping[str, Point] = field(default_factory=dict)

    def seat(self, number: int) -> SeatLayout:
        """The place with this number (1-based)."""
        return self.seats[number - 1]

    def areas(self) -> Iterator[Area]:
        """Every area on the table, seats first."""
        for place in self.seats:
            yield from place.areas
        yield from (self.dealer, self.tray, self.rack, self.shoe, self.deck)

    def area_at(self, x: float, y: float, margin: float = 0.0) -> Area | None:
        """The area whose middle is nearest among those that contain the point, or None."""
        hits = [a for a in self.areas() if a.contains(x, y, margin)]
        return min(hits, key=lambda a: hypot(x - a.centre[0], y - a.centre[1]), default=None)

    def on_cloth(self, x: float, y: float) -> bool:
        """Whether a point lies on the cloth."""
        return y >= 0 and hypot(x / self.spec.half_width, y / self.spec.depth) <= 1.0


def _seat(spec: LayoutSpec, number: int) -> SeatLayout:
    span = 180.0 - 2 * spec.first_angle
    step = span / (spec.seats - 1) if spec.seats > 1 else 0.0
    theta = (180.0 - spec.first_angle - step * (number - 1)) * pi / 180
    ux, uy = cos(theta), sin(theta)
    inward = atan2(-uy, -ux)

    def place(name: str, radius: float, width: float, depth: float, is_round: bool = False) -> Area:
        return Area(name, number, (radius * ux, spec.centre_y + radius * uy), width, depth, inward, is_round)

    reach = 1.0 / hypot(ux / spec.half_width, uy / spec.depth)
    body_radius = reach + spec.rail_width + 230.0
    return SeatLayout(
        seat=number,
        direction=inward,
        jackpot=place("jackpot", spec.jackpot_radius, spec.jackpot_diameter, spec.jackpot_diameter, True),
        ante=place("ante", spec.ante_radius, spec.ante_width, spec.ante_depth),
        bet=place("bet", spec.bet_radius, spec.bet_width, spec.bet_depth, spec.bet_round),
        cards=place("cards", spec.cards_radius, spec.cards_width, spec.cards_depth),
        stash=place("stash", spec.stash_radius, 200.0, 60.0),
        body=(body_radius * ux, spec.centre_y + body_radius * uy),
    )


def _with_area(place: SeatLayout, area: Area) -> SeatLayout:
    def pick(name: str, old: Area) -> Area:
        return area if area.name == name else old

    return replace(
        place,
        jackpot=pick("jackpot", place.jackpot),
        ante=pick("ante", place.ante),
        bet=pick("bet", place.bet),
        cards=pick("cards", place.cards),
        stash=pick("stash", place.stash),
    )


def _outline(spec: LayoutSpec, steps: int = 96) -> tuple[Point, ...]:
    return tuple(
        (spec.half_width * cos(pi * i / steps), spec.depth * sin(pi * i / steps)) for i in range(steps + 1)
    )


def _landmarks(seats: tuple[SeatLayout, ...], dealer: Area, spec: LayoutSpec) -> Mapping[str, Point]:
    marks: dict[str, Point] = {
        "cloth:right": (spec.half_width, 0.0),
        "cloth:left": (-spec.half_width, 0.0),
    }
    corner_names = ("inner_left", "outer_left", "outer_right", "inner_right")
    for area in (dealer, *(a for s in seats for a in (s.ante, s.bet))):
        prefix = "dealer" if area.seat == 0 else f"seat{area.seat}:{area.name}"
        if area.round:
            marks[f"{prefix}:centre"] = area.centre
            continue
        for corner, point in zip(corner_names, area.polygon, strict=True):
            marks[f"{prefix}:{corner}"] = point
    for place in seats:
        marks[f"seat{place.seat}:jackpot:centre"] = place.jackpot.centre
    return MappingProxyType(marks)


def standard_layout(spec: LayoutSpec | None = None, overrides: tuple[Area, ...] = ()) -> Layout:
    """The standard table, or a variant of it.

    `overrides` replace single areas by (seat, name), for a real table that is not drawn regularly; the dealer's
    places have seat 0. Without them tray, rack, shoe and the dealer's deck place follow from the spec: shoe at the
    dealer's left, its mouth towards the tray, rack at the right; both clear of the outer seats' wagering areas.
    """
    spec = spec or LayoutSpec()
    seats = tuple(_seat(spec, n) for n in range(1, spec.seats + 1))
    up = pi / 2
    own = {
        "dealer": Area("dealer", 0, (0.0, spec.dealer_y), spec.dealer_width, spec.dealer_depth, up),
        "tray": Area("tray", 0, (0.0, 58.0), 500.0, 86.0, up),
        "rack": Area("rack", 0, (560.0, 62.0), 80.0, 104.0, up),
        "shoe": Area("shoe", 0, (-505.0, 44.0), 130.0, 200.0, 0.06),
        "deck": Area("deck", 0, (-330.0, 150.0), 80.0, 100.0, up),
    }
    for area in overrides:
        if area.seat == 0:
            own[area.name] = area
        else:
            seats = tuple(_with_area(s, area) if s.seat == area.seat else s for s in seats)
    return Layout(
        spec=spec,
        seats=seats,
        dealer=own["dealer"],
        tray=own["tray"],
        rack=own["rack"],
        shoe=own["shoe"],
        deck=own["deck"],
        outline=_outline(spec),
        dealer_body=(0.0, -290.0),
        landmarks=_landmarks(seats, own["dealer"], spec),
    )
