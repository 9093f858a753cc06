"""Cheap pictures of a table for tests: printed lines drawn through a camera, with things in the way."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.drawing import PRINTED, flat
from calibration.layout import Area, Layout

Image = NDArray[np.uint8]
FELTS = {
    "green": ((58, 107, 29), (76, 182, 226)),
    "dark ink": ((130, 160, 170), (40, 30, 30)),
    "same luma": ((60, 110, 40), (40, 80, 190)),
}
"""Cloth and ink, BGR."""


def _shape(area: Area, camera: Camera) -> NDArray[np.float64]:
    corners = np.array(area.polygon)
    share = np.arange(8)[:, None] / 8
    dense = np.concatenate(
        [a + share * (b - a) for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)]
    )
    return camera.project(flat(dense))


def _fixed(points: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.round(np.nan_to_num(points, nan=-1e4).clip(-2e4, 2e4) * 16).astype(np.int32)


def table_picture(
    camera: Camera, layout: Layout, felt: str = "green", line: float = 3.0, words: bool = True
) -> Image:
    """The empty table (H, W, 3): carpet, cloth, outlines `line` mm wide, some lettering."""
    cloth, ink = FELTS[felt]
    lens = camera.lens
    picture = np.full((lens.height, lens.width, 3), (50, 40, 70), np.uint8)
    cv2.fillPoly(picture, [_fixed(camera.project(flat(np.array(layout.outline))))], cloth, cv2.LINE_AA, 4)
    for area in layout.areas():
        if area.name not in PRINTED:
            continue
        outer = Area(
            area.name, 0, area.centre, area.width + line, area.depth + line, area.direction, area.round
        )
        inner = Area(
            area.name, 0, area.centre, area.width - line, area.depth - line, area.direction, area.round
        )
        cv2.fillPoly(picture, [_fixed(_shape(outer, camera))], ink, cv2.LINE_AA, 4)
        cv2.fillPoly(picture, [_fixed(_shape(inner, camera))], cloth, cv2.LINE_AA, 4)
        if words and area.name in ("ante", "bet"):
            x, y = camera.project([(*area.centre, 0.0)])[0]
            size = 0.5 * lens.height / 1080
            cv2.putText(picture, area.name, (int(x - 20), int(y)), cv2.FONT_HERSHEY_SIMPLEX, size, ink, 1)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.6 * lens.height / 1080), np.uint8)


@dataclass
class Stage:
    """A stream of frames from a picture: noise, hands that move all the time, cards that come and go, flicker."""

    camera: Camera
    layout: Layout
    seed: int = 1
    hands: bool = True
    flicker: float = 0.03
    noise: float = 2.0

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        self.still = table_picture(self.camera, self.layout)
        self.grain = self.rng.normal(0, self.noise, (*self.still.shape[:2], 1)).astype(np.float32)

    def aim(self, camera: Camera) -> None:
        """The camera was knocked and looks from somewhere else."""
        self.camera, self.still = camera, table_picture(camera, self.layout)

    def frame(self, at: int) -> Image:
        picture = self.still.copy()
        unit = self.camera.lens.height / 1080
        self._things(picture, at)
        if self.hands:
            for phase, side in ((0.0, 0), (2.1, 1), (4.0, 2)):
                seat = self.layout.seat(2 + 2 * side % 7)
                reach = 0.5 + 0.5 * np.sin(at / 700 + phase)
                body, goal = np.array(seat.body), np.array(seat.jackpot.centre)
                ends = self.camera.project(flat(np.array([body, body + (goal - body) * reach])))
                cv2.polylines(
                    picture, [_fixed(ends)], False, (120, 150, 200), max(1, int(80 * unit)), cv2.LINE_AA, 4
                )
        light = 1 + self.flicker * np.sin(at / 13)
        grain = np.roll(self.grain, (int(self.rng.integers(500)), int(self.rng.integers(900))), (0, 1))
        return np.clip(picture * np.float32(light) + grain, 0, 255).astype(np.uint8)

    def _things(self, picture: Image, at: int) -> None:
        """Cards and chips that lie for some seconds, others each time."""
        rng = np.random.default_rng(1000 + at // 4000)
        for place in self.layout.seats:
            if rng.random() < 0.6:
                cards = Area("", 0, place.cards.centre, 150, 88, place.direction)
                cv2.fillPoly(picture, [_fixed(_shape(cards, self.camera))], (235, 235, 235), cv2.LINE_AA, 4)
            for area in (place.ante, place.bet):
                if rng.random() < 0.6:
                    chip = Area("", 0, area.centre, 39, 39, 0.0, True)
                    colour = tuple(int(v) for v in rng.integers(20, 240, 3))
                    cv2.fillPoly(picture, [_fixed(_shape(chip, self.camera))], colour, cv2.LINE_AA, 4)
