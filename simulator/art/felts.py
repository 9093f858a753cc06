"""The printed cloth and the room's carpet, in splits that share none.

`cloth_image(layout, felt, print)` paints what `calibration.layout` says, at PX_PER_MM pixels per mm, with row 0
at the cloth's far side (largest y) and column 0 at the smallest x.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, pi, sin
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.layout import Area, Layout, Point
from simulator.art.lettering import paste, words
from simulator.errors import SceneError

Image = NDArray[np.uint8]
Canvas = NDArray[np.float32]
PX_PER_MM: Final = 2.0
MARGIN: Final = 40.0

FELTS: Final[dict[str, dict[str, str]]] = {
    "train": {
        "green": "#1d6b3a", "emerald": "#0f5c46", "royal": "#1f3f8a", "burgundy": "#6e1f2d", "teal": "#12606b",
        "olive": "#4b5a23", "charcoal": "#34373c", "camel": "#9a7a49",
    },
    "valid": {"v-moss": "#35632a", "v-navy": "#1a2b57", "v-plum": "#4c2550"},
    "test": {"t-pine": "#14503a", "t-azure": "#1c5a94", "t-rust": "#7d3a22"},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Print:
    """What is printed and how: letters, ink colours, line weight (mm), words, ornaments."""

    name: str
    family: str = "serif"
    ink: str = "#e2b64c"
    second: str = "#ece6d6"
    line: float = 3.0
    double: bool = False
    title: str = "CARIBBEAN STUD POKER"
    rule: str = "DEALER PLAYS ONLY WITH ACE-KING OR HIGHER"
    ante: str = "ANTE"
    bet: str = "BET"
    jackpot: str = "#9a1c22"
    arc: bool = False
    payout: bool = True
    size: float = 52.0
    logo: str = ""


PRINTS: Final[dict[str, tuple[Print, ...]]] = {
    "train": (
        Print("serif-gold"),
        Print("sans-white", "sans", "#f0ece0", "#d9c98a", 2.4, title="CARIBBEAN STUD", arc=True, size=46),
        Print("roman-cream", "roman", "#efe3bd", "#efe3bd", 3.4, True, rule="DEALER QUALIFIES WITH ACE KING",
              ante="Ante", bet="Bet", jackpot="#1c3f9a", arc=True),
        Print("gothic-yellow", "gothic", "#f3d233", "#ffffff", 2.2, title="CARIBBEAN STUD POKER", payout=False,
              jackpot="#caa22a", size=44, logo="d"),
        Print("narrow-red", "narrow", "#e0442f", "#f4efe2", 2.8, True, title="CARIBBEAN  POKER", bet="RAISE",
              jackpot="#e9e2cf", size=60),
        Print("chancery-white", "chancery", "#f3efe6", "#e6c766", 2.0, title="Caribbean Stud Poker", ante="Ante",
              bet="Bet", rule="Dealer plays with Ace and King or higher", size=64, logo="s", arc=True),
    ),
    "valid": (
        Print("v-bookman", "bookman", "#e9cf7c", "#f2efe6", 3.0, title="CARIBBEAN STUD", arc=True, size=54),
        Print("v-sans", "sans", "#ffffff", "#8ec6e6", 2.6, True, payout=False, ante="ANTE", bet="RAISE", size=42),
    ),
    "test": (
        Print("t-roman", "roman", "#f1dfa1", "#dfe7ea", 2.6, title="CARIBBEAN STUD POKER", logo="h", size=50),
        Print("t-gothic", "gothic", "#f6f2e8", "#e7b24a", 3.2, True, title="STUD POKER", arc=True, size=58,
              jackpot="#2b2b2f"),
    ),
}  # fmt: skip
ROOMS: Final[dict[str, tuple[str, ...]]] = {
    "train": ("carpet-red", "carpet-blue", "carpet-leaf", "tiles-grey", "wood-oak", "plain-brown"),
    "valid": ("v-carpet-violet", "v-wood-dark"),
    "test": ("t-carpet-green", "t-tiles-sand"),
}


def _find_print(name: str) -> Print:
    for prints in PRINTS.values():
        for entry in prints:
            if entry.name == name:
                return entry
    raise SceneError(f"unknown print {name}")


def _rgb(text: str) -> NDArray[np.float32]:
    return np.array([int(text[i : i + 2], 16) for i in (1, 3, 5)], np.float32)


def felt_colour(name: str) -> NDArray[np.float32]:
    """The colour of a cloth, (3,) 0..255."""
    for felts in FELTS.values():
        if name in felts:
            return _rgb(felts[name])
    raise SceneError(f"unknown felt {name}")


class _Painter:
    """Paints in table millimetres on a canvas."""

    def __init__(self, layout: Layout, base: NDArray[np.float32]) -> None:
        spec = layout.spec
        self.x0, self.y1 = -spec.half_width - MARGIN, spec.depth + MARGIN
        width = round((2 * spec.half_width + 2 * MARGIN) * PX_PER_MM)
        height = round((spec.depth + 2 * MARGIN) * PX_PER_MM)
        self.canvas: Canvas = np.empty((height, width, 3), np.float32)
        self.canvas[:] = base

    def px(self, point: Point) -> tuple[float, float]:
        return ((point[0] - self.x0) * PX_PER_MM, (self.y1 - point[1]) * PX_PER_MM)

    def outline(self, area: Area, weight: float, colour: NDArray[np.float32], grow: float = 0.0) -> None:
        bigger = Area(
            "", 0, area.centre, area.width + 2 * grow, area.depth + 2 * grow, area.direction, area.round
        )
        points = np.array([self.px(p) for p in bigger.polygon])
        fixed = [np.round(points * 16).astype(np.int32)]
        thick = max(1, round(weight * PX_PER_MM))
        cv2.polylines(self.canvas, fixed, True, colour.tolist(), thick, cv2.LINE_AA, 4)

    def fill(self, area: Area, colour: NDArray[np.float32]) -> None:
        points = np.array([self.px(p) for p in area.polygon])
        fixed = np.round(points * 16).astype(np.int32)
        cv2.fillPoly(self.canvas, [fixed], colour.tolist(), cv2.LINE_AA, 4)

    def text(
        self, text: str, family: str, middle: Point, up: float, height: float, colour: NDArray[np.float32],
    ) -> None:  # fmt: skip
        """One line about `middle` whose letters' tops point along `up` (radians)."""
        scale = 2.0
        mask = words(text, family, round(height * PX_PER_MM * scale))
        _h, w = mask.shape
        ux, uy = cos(up), -sin(up)
        x, y = self.px(middle)
        k = 1 / scale
        right, down = (-uy * k, ux * k), (-ux * k, -uy * k)
        base = height * PX_PER_MM * scale * 0.82
        matrix = np.array(
            [
                [right[0], down[0], x - right[0] * w / 2 - down[0] * base],
                [right[1], down[1], y - right[1] * w / 2 - down[1] * base],
            ]
        )
        paste(self.canvas, mask, matrix, colour)

    def arc(
        self, text: str, family: str, centre: Point, radius: float, height: float, colour: NDArray[np.float32],
        spacing: float = 2.0,
    ) -> None:  # fmt: skip
        """A line of letters on an arc, read by the players: tops towards the dealer."""
        from simulator.art.lettering import font

        face = font(family, round(height * PX_PER_MM * 1.36))
        steps = [face.getlength(c) / PX_PER_MM + spacing for c in text]
        at = -sum(steps) / 2
        for letter, step in zip(text, steps, strict=True):
            angle = pi / 2 + (at + step / 2) / radius
            spot = (centre[0] + radius * cos(angle), centre[1] + radius * sin(angle))
            if letter != " ":
                self.text(letter, family, spot, angle + pi, height, colour)
            at += step


def _seats(painter: _Painter, layout: Layout, style: Print) -> None:
    ink, second = _rgb(style.ink), _rgb(style.second)
    for place in layout.seats:
        painter.fill(place.jackpot, _rgb(style.jackpot))
        painter.outline(place.jackpot, 2.2, ink)
        for area, word, colour in ((place.ante, style.ante, second), (place.bet, style.bet, ink)):
            painter.outline(area, style.line, colour)
            if style.double:
                painter.outline(area, 1.0, colour, grow=5.0)
            painter.text(word, style.family, area.centre, area.direction, min(20.0, area.width / 4.2), colour)


def _middle(painter: _Painter, layout: Layout, style: Print) -> None:
    ink, second = _rgb(style.ink), _rgb(style.second)
    painter.outline(layout.dealer, style.line * 0.8, second)
    centre = (0.0, layout.spec.centre_y)
    radius = layout.spec.jackpot_radius - 72.0
    room = layout.dealer.centre[1] + layout.dealer.depth / 2 - layout.spec.centre_y
    painter.arc(style.title, style.family, centre, radius - 2, style.size * 0.8, ink, 4.0)
    if radius - 62 > room + 8:
        painter.arc(style.rule, style.family, centre, radius - 46, 10.5, second, 1.0)
    if style.arc:
        span = np.linspace(pi * 0.14, pi * 0.86, 80)
        ring = [
            painter.px((centre[0] + (radius + 42) * cos(a), centre[1] + (radius + 42) * sin(a))) for a in span
        ]
        fixed = [np.round(np.array(ring) * 16).astype(np.int32)]
        cv2.polylines(painter.canvas, fixed, False, ink.tolist(), round(2 * PX_PER_MM), cv2.LINE_AA, 4)
    if style.payout:
        left = (
            "ROYAL FLUSH 100 TO 1",
            "STRAIGHT FLUSH 50 TO 1",
            "FOUR OF A KIND 20 TO 1",
            "FULL HOUSE 7 TO 1",
        )
        right = ("FLUSH 5 TO 1", "STRAIGHT 4 TO 1", "THREE OF A KIND 3 TO 1", "TWO PAIR 2 TO 1")
        for lines, x in ((left, 332.0), (right, -332.0)):
            for i, line in enumerate(lines):
                painter.text(line, style.family, (x, 152.0 + 13.0 * i), -pi / 2, 6.2, second)


def _logo(painter: _Painter, layout: Layout, style: Print) -> None:
    """A large faint suit between seats, as houses like to print."""
    base = painter.canvas[10, painter.canvas.shape[1] // 2].copy()
    shade = base * 0.7 + _rgb(style.ink) * 0.3
    for place, after in zip(layout.seats, layout.seats[1:], strict=False):
        a, b = place.cards.centre, after.cards.centre
        middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        turn = atan2(layout.spec.centre_y - middle[1], -middle[0])
        painter.outline(Area("", 0, middle, 34, 34, turn + pi / 4), 2.0, shade)


def cloth_image(layout: Layout, felt: str, print_name: str) -> Image:
    """The printed cloth (H, W, 4) RGBA, with its margin beyond the outline."""
    style = _find_print(print_name)
    painter = _Painter(layout, felt_colour(felt))
    if style.logo:
        _logo(painter, layout, style)
    _seats(painter, layout, style)
    _middle(painter, layout, style)
    canvas = np.asarray(cv2.GaussianBlur(painter.canvas, (0, 0), 0.5))
    alpha = np.full(canvas.shape[:2], 255, np.uint8)
    return np.dstack([np.clip(canvas, 0, 255).astype(np.uint8), alpha])


def weave_image(seed: int = 7, size: int = 512) -> Image:
    """Tileable grey noise (size, size) that gives cloth, paper and carpets their grain."""
    rng = np.random.default_rng(seed)
    total = np.zeros((size, size), np.float32)
    for sigma, weight in ((0.7, 0.55), (2.5, 0.5), (9.0, 0.6)):
        noise = rng.normal(size=(size, size)).astype(np.float32)
        wide = np.asarray(cv2.GaussianBlur(np.tile(noise, (3, 3)), (0, 0), sigma), np.float32)
        noise = wide[size : 2 * size, size : 2 * size]
        total += weight * noise / noise.std()
    return np.clip(128 + 38 * total, 0, 255).astype(np.uint8)
