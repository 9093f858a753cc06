"""The layout's drawing: the printed lines as points with normals, what a camera shows of them, and overlays.

The lines are the outlines of the boxes and discs that the layout prints. Lettering differs from house to house
and is left out, as is what stands on the cloth or is not printed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats
from calibration.layout import Area, Layout

PRINTED: Final = ("ante", "bet", "jackpot", "dealer")
Image = NDArray[np.uint8]
CORNER_CLEAR: Final = 5.0
"""Samples keep this far (mm) from a corner, where two lines would pull at one sample."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Samples of the printed lines: `points` (N, 2) mm, unit `normals` (N, 2), and which `group` (N,) prints them.

    A group is one kind of area (all antes, all bets …), because a house prints a kind in one ink.
    """

    points: Floats
    normals: Floats
    group: NDArray[np.int64]
    area: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Seen:
    """Where a camera shows samples of a drawing: `which` (M,) of them, `pixels` (M, 2), `axis` (M, 2) unit normals in
    the picture, `scale` (M,) pixels per mm of the table along them.
    """

    which: NDArray[np.int64]
    pixels: Floats
    axis: Floats
    scale: Floats


def printed_areas(layout: Layout) -> list[Area]:
    """The areas whose outlines are printed."""
    return [area for area in layout.areas() if area.name in PRINTED]


@lru_cache(maxsize=16)
def _drawing(areas: tuple[Area, ...], step: float) -> Drawing:
    points: list[Floats] = []
    normals: list[Floats] = []
    groups: list[int] = []
    numbers: list[int] = []
    for number, area in enumerate(areas):
        corners = np.array(area.polygon)
        clear = 0.0 if area.round else CORNER_CLEAR
        for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            length = float(np.hypot(*(b - a)))
            count = max(1, round((length - 2 * clear) / step))
            along = (clear + (np.arange(count) + 0.5) / count * (length - 2 * clear)) / length
            points.append(a + along[:, None] * (b - a))
            direction = (b - a) / length
            normals.append(np.tile([direction[1], -direction[0]], (count, 1)))
            groups.extend([PRINTED.index(area.name)] * count)
            numbers.extend([number] * count)
    return Drawing(np.concatenate(points), np.concatenate(normals), np.array(groups), np.array(numbers))


def drawing_of(layout: Layout, step: float = 5.0) -> Drawing:
    """The drawing of a layout, a sample about every `step` mm of line."""
    return _drawing(tuple(printed_areas(layout)), step)


def flat(points: Floats) -> Floats:
    """Table points (N, 2) as (N, 3) on the cloth."""
    return np.column_stack([points, np.zeros(len(points))])


def seen(drawing: Drawing, camera: Camera, border: float = 2.0) -> Seen:
    """What a camera shows of a drawing, `border` pixels inside its picture."""
    pixels = camera.project(flat(drawing.points))
    off = camera.project(flat(drawing.points + drawing.normals)) - pixels
    lens = camera.lens
    with np.errstate(invalid="ignore"):
        inside = (
            (pixels[:, 0] > border)
            & (pixels[:, 1] > border)
            & (pixels[:, 0] < lens.width - 1 - border)
            & (pixels[:, 1] < lens.height - 1 - border)
            & (np.hypot(off[:, 0], off[:, 1]) > 0.05)
        )
    which = np.flatnonzero(inside)
    # The picture's normal of a line is not the picture of its normal: take it from the line itself.
    tangents = np.column_stack([-drawing.normals[which, 1], drawing.normals[which, 0]])
    ahead = camera.project(flat(drawing.points[which] + tangents)) - pixels[which]
    axis = np.column_stack([ahead[:, 1], -ahead[:, 0]])
    axis /= np.maximum(np.linalg.norm(axis, axis=1, keepdims=True), 1e-9)
    scale = np.abs(np.sum(axis * off[which], axis=1))
    return Seen(which, pixels[which], axis, np.maximum(scale, 0.02))


def overlay(picture: Image, camera: Camera, layout: Layout) -> Image:
    """A picture with the layout as the camera sees it: lines where they should be, the cloth's edge, seat numbers."""
    out: Image = (
        picture.copy() if picture.ndim == 3 else cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR).astype(np.uint8)
    )
    view = camera.resized(out.shape[1], out.shape[0])
    thick = max(1, round(out.shape[0] / 720))

    def line(points: tuple[tuple[float, float], ...], colour: tuple[int, int, int], closed: bool) -> None:
        pixels = view.project(flat(np.array(points)))
        if np.isfinite(pixels).all() and np.abs(pixels).max() < 1e5:
            fixed = [np.round(pixels * 16).astype(np.int32)]
            cv2.polylines(out, fixed, closed, colour, thick, cv2.LINE_AA, 4)

    for area in layout.areas():
        dense = _dense(area)
        line(dense, (255, 0, 255) if area.name in PRINTED else (255, 160, 0), True)
    line(layout.outline, (0, 220, 255), False)
    for place in layout.seats:
        spot = view.project([(*place.cards.centre, 0.0)])[0]
        if np.isfinite(spot).all() and np.abs(spot).max() < 1e5:
            where = (int(spot[0]), int(spot[1]))
            cv2.putText(
                out, str(place.seat), where, cv2.FONT_HERSHEY_SIMPLEX, 0.8 * thick, (0, 220, 255), thick
            )
    return out


def _dense(area: Area, steps: int = 6) -> tuple[tuple[float, float], ...]:
    corners = np.array(area.polygon)
    share = np.arange(steps) / steps
    rows = [a + share[:, None] * (b - a) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    return tuple((float(x), float(y)) for x, y in np.concatenate(rows))
