"""Arms: from a hand's box to the line of its arm, by what differs from the empty cloth.

The finder marks hands, not arms; whose hand it is and what it covers follows from the arm. The cloth behind is known
from earlier frames, so what differs from it and hangs together with the hand is the arm. Where that fails (an arm that
rested since the first frame, a sleeve of the cloth's colour) the arm is taken to come from the nearest place.
"""

from itertools import pairwise
from math import hypot
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.layout import Layout, Point
from vision.observe import SeenHand

Array = NDArray[Any]

EVERY: Final = 10
"""The picture of the cloth is brought up to date in every so-manieth frame."""
_RATE: Final = 0.2
_APART: Final = 26
_LEAST: Final = 40
"""Pixels of the small copy below which a shape says nothing."""
_POINTS: Final = 250
"""About so many pixels of a shape are measured: more say nothing new."""
_NEAR_EDGE: Final = 160.0
_RADII: Final = (22.0, 60.0)
_PLAIN_RADIUS: Final = 44.0


class Backdrop:
    """The cloth as it looks without hands, in small copies of the frames."""

    def __init__(self) -> None:
        self._cloth: Array | None = None
        self._seen = 0

    @property
    def due(self) -> bool:
        """Whether the next update learns something, so that who calls it must know where hands are."""
        return self._cloth is None or (self._seen + 1) % EVERY == 0

    def update(self, small: Array, hands: Array | None) -> None:
        """Learn from a small copy (h, w, 3); `hands` (h, w) marks hands and arms, if `due`."""
        self._seen += 1
        if self._cloth is None or self._cloth.shape != small.shape:
            self._cloth = small.astype(np.float32)
        elif self._seen % EVERY == 0 and hands is not None:
            cv2.accumulateWeighted(small, self._cloth, _RATE, np.asarray(hands == 0, np.uint8))

    def apart(self, small: Array) -> Array:
        """Mask (h, w) of what differs from the cloth."""
        if self._cloth is None or self._cloth.shape != small.shape:
            return np.zeros(small.shape[:2], np.uint8)
        far = cv2.absdiff(small, cv2.convertScaleAbs(self._cloth))
        worst = cv2.max(cv2.max(far[..., 0], far[..., 1]), far[..., 2])
        return cv2.dilate(np.asarray(worst > _APART, np.uint8), np.ones((3, 3), np.uint8))


def trace(
    box: Array, apart: Array, step: float, camera: Camera, layout: Layout, score: float, most: float = 3.0
) -> SeenHand | None:
    """Return the hand in a box (4,) of pixels with its arm; None if it lies nowhere near the table.

    `apart` is the mask of a small copy whose pixels are `step` pixels of the picture; an arm is looked for within
    `most` times the box.
    """
    shape = _shape(box / step, apart, most)
    if shape is None:
        return plain(box, camera, layout, score)
    thin = max(1, len(shape) // _POINTS)
    points = camera.unproject((shape[::thin] + 0.5) * step - 0.5)
    points = points[np.isfinite(points).all(1)]
    on = points[_edge(points, layout) > -20.0]
    if len(on) * thin < _LEAST:
        return plain(box, camera, layout, score)
    room = _edge(on, layout)
    ends = on[room <= np.quantile(room, 0.04)]
    end = ends.mean(0)
    hand = camera.unproject(_grid(box))
    hand = hand[np.isfinite(hand).all(1)]
    if not len(hand):
        return None
    near = on[_in_reach(on, hand)]
    near = near if len(near) >= 5 else on
    reach = np.hypot(*(near - end).T)
    tip = near[reach >= np.quantile(reach, 0.96)].mean(0)
    spine = _spine(on, tip, end)
    length = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(spine))
    covered = len(on) * thin * _square(on, step, camera)
    radius = float(np.clip(0.5 * covered / max(length, 1.0), *_RADII))
    entry = (float(end[0]), float(end[1])) if float(room.min()) < _NEAR_EDGE else None
    return SeenHand(spine[0], spine, radius, entry, None, score)


def plain(box: Array, camera: Camera, layout: Layout, score: float) -> SeenHand | None:
    """Return the hand in a box as coming from the nearest place at the table."""
    corners = camera.unproject(_grid(box))
    if not np.isfinite(corners).all():
        return None
    middle = corners.mean(0)
    bodies = [layout.dealer_body, *(place.body for place in layout.seats)]
    bx, by = min(bodies, key=lambda b: hypot(b[0] - middle[0], b[1] - middle[1]))
    away = np.hypot(corners[:, 0] - bx, corners[:, 1] - by)
    far = corners[away >= np.quantile(away, 0.9)].mean(0)
    tip = (float(0.7 * far[0] + 0.3 * middle[0]), float(0.7 * far[1] + 0.3 * middle[1]))
    end = _leaves(tip, (bx, by), layout)
    half = ((tip[0] + end[0]) / 2, (tip[1] + end[1]) / 2)
    return SeenHand(tip, (tip, half, end), _PLAIN_RADIUS, None, None, score)


def _shape(box: Array, apart: Array, most: float) -> Array | None:
    """Pixels (N, 2) of the small copy that hang together with the hand in a box."""
    size = np.maximum(box[2:] - box[:2], 8.0)
    low = np.maximum(np.floor(box[:2] - most * size), 0).astype(int)
    high = np.minimum(np.ceil(box[2:] + most * size), apart.shape[1::-1]).astype(int)
    window = apart[low[1] : high[1], low[0] : high[0]]
    if min(window.shape) < 3:
        return None
    count, labels = cv2.connectedComponents(window, connectivity=8)
    x0, y0, x1, y1 = (np.concatenate([box[:2] - low, box[2:] - low]) + 0.5).astype(int)
    inside = labels[max(y0, 0) : y1, max(x0, 0) : x1]
    sizes = np.bincount(inside.ravel(), minlength=count)
    sizes[0] = 0
    best = int(sizes.argmax())
    if sizes[best] < _LEAST or sizes[best] < 0.15 * inside.size:
        return None
    ys, xs = np.nonzero(labels == best)
    return np.stack([xs + low[0], ys + low[1]], 1).astype(np.float64)


def _grid(box: Array) -> Array:
    """Twenty-five pixels of a box."""
    xs, ys = np.linspace(box[0], box[2], 5), np.linspace(box[1], box[3], 5)
    return np.stack(np.meshgrid(xs, ys), 2).reshape(-1, 2)


def _edge(points: Array, layout: Layout) -> Array:
    """How far (mm, roughly) points are inside the cloth's edge; negative outside."""
    spec = layout.spec
    share = np.hypot(points[:, 0] / spec.half_width, points[:, 1] / spec.depth)
    return np.asarray(np.minimum((1 - share) * min(spec.half_width, spec.depth), points[:, 1]))


def _in_reach(points: Array, hand: Array) -> Array:
    low, high = hand.min(0) - 10.0, hand.max(0) + 10.0
    return np.asarray(((points >= low) & (points <= high)).all(1))


def _spine(points: Array, tip: Array, end: Array) -> tuple[Point, ...]:
    """The middle line from tip to end, through the middles of two slices between them."""
    way = end - tip
    square = float(way @ way)
    line = [tip]
    if square > 900.0:
        t = (points - tip) @ way / square
        for low, high in ((0.2, 0.45), (0.5, 0.8)):
            part = points[(t > low) & (t < high)]
            line.append(part.mean(0) if len(part) > 3 else tip + way * (low + high) / 2)
    line.append(end)
    return tuple((float(x), float(y)) for x, y in line)


def _square(points: Array, step: float, camera: Camera) -> float:
    """Square millimetres of cloth that one pixel of the small copy covers, in the middle of a shape."""
    x, y = points.mean(0)
    px, py = camera.project([[x, y, 0.0]])[0]
    a, b, c = camera.unproject([[px, py], [px + step, py], [px, py + step]])
    return float(abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])))


def _leaves(inside: Point, body: Point, layout: Layout) -> Point:
    """Where the way from a hand to a body leaves the cloth."""
    low, high = 0.0, 1.0
    for _ in range(8):
        mid = (low + high) / 2
        on = layout.on_cloth(inside[0] + (body[0] - inside[0]) * mid, inside[1] + (body[1] - inside[1]) * mid)
        low, high = (mid, high) if on else (low, mid)
    return inside[0] + (body[0] - inside[0]) * high, inside[1] + (body[1] - inside[1]) * high
