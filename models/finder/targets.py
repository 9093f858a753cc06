"""Truth as maps: where a middle should glow, and which shape to say there."""

from dataclasses import dataclass, field

import numpy as np

from models.finder.net import BOX, HEAT, SHAPE, STRIDE, TILT_UNIT, UNIT

EMPTY_CARDS = np.zeros((0, 9))
EMPTY_BOXES = np.zeros((0, 5))
_CLEAR = 0.2
_SIZES = (11.0, 125.0)  # root of a card's area in pixels; smaller and larger ones are left to other looks


@dataclass(slots=True)
class Labels:
    """What a picture shows, in its pixels.

    `cards` (N, 10): class (0 face, 1 back), quad 8, visible share. `loose` (N, 5): class and upright box of cards whose
    corners nobody marked. `boxes` (N, 5): class (2 stack, 3 hand, 4 deck) and box. `known`: classes labelled at all.
    """

    cards: np.ndarray = field(default_factory=lambda: np.zeros((0, 10)))
    loose: np.ndarray = field(default_factory=lambda: np.zeros((0, 5)))
    boxes: np.ndarray = field(default_factory=lambda: np.zeros((0, 5)))
    known: tuple[int, ...] = (0, 1, 2, 3, 4)


def axes_of(quads: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Split quads (N, 4, 2) into middle (N, 2), long and short half axes (N, 2) and perspective gradient (N, 2)."""
    # Homography of the square [-1, 1]^2 (s right, t down): x = (c + s u + t v) / (1 + s p + t q), relative to c.
    n = len(quads)
    rows, right = np.zeros((n, 8, 8)), quads.reshape(n, 8, 1).astype(float)
    for k, (s, t) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
        rows[:, 2 * k, :3], rows[:, 2 * k + 1, 3:6] = (s, t, 1), (s, t, 1)
        for j in (2 * k, 2 * k + 1):
            rows[:, j, 6], rows[:, j, 7] = -s * right[:, j, 0], -t * right[:, j, 0]
    h = np.linalg.solve(rows, right)[:, :, 0]
    centre, pq = h[:, [2, 5]], h[:, 6:]
    ua, va = h[:, [0, 3]] - centre * pq[:, :1], h[:, [1, 4]] - centre * pq[:, 1:]
    tilt = np.linalg.solve(np.stack([ua, va], 1), pq[:, :, None])[:, :, 0]
    # s runs along the short side of the art, t along the long one.
    return centre, va, ua, tilt


def square_root_form(axis: np.ndarray) -> np.ndarray:
    """Return a aT / |a| of (N, 2) half axes as (N, 3): xx, xy, yy."""
    x, y = axis[:, 0], axis[:, 1]
    size = np.maximum(np.hypot(x, y), 1e-6)
    return np.stack([x * x, x * y, y * y], 1) / size[:, None]


class Maps:
    """Target maps of one picture (height, width multiples of 4)."""

    def __init__(self, width: int, height: int) -> None:
        self.h, self.w = height // STRIDE, width // STRIDE
        self.heat = np.zeros((len(HEAT), self.h, self.w), np.float32)
        self.ignore = np.ones((len(HEAT), self.h, self.w), np.float32)
        self.shape = np.zeros((SHAPE, self.h, self.w), np.float32)
        self.shape_weight = np.zeros((3, self.h, self.w), np.float32)  # exact quad, loose box, size in px
        self.box = np.zeros((BOX, self.h, self.w), np.float32)
        self.box_weight = np.zeros((2, self.h, self.w), np.float32)  # weight, size in px
        self._best_shape = np.zeros((self.h, self.w), np.float32)
        self._best_box = np.zeros((self.h, self.w), np.float32)

    def _glow(self, x: float, y: float, sigma: float) -> tuple[slice, slice, np.ndarray] | None:
        cx, cy = x / STRIDE - 0.5, y / STRIDE - 0.5
        r = int(np.ceil(sigma * 3))
        x0, x1 = max(0, round(cx) - r), min(self.w, round(cx) + r + 1)
        y0, y1 = max(0, round(cy) - r), min(self.h, round(cy) + r + 1)
        if x0 >= x1 or y0 >= y1 or not (0 <= round(cx) < self.w and 0 <= round(cy) < self.h):
            return None
        # The glow peaks on a cell, so that every thing has one cell of exactly 1.
        gx = np.exp(-((np.arange(x0, x1) - round(cx)) ** 2) / (2 * sigma * sigma))
        gy = np.exp(-((np.arange(y0, y1) - round(cy)) ** 2) / (2 * sigma * sigma))
        return slice(y0, y1), slice(x0, x1), np.outer(gy, gx).astype(np.float32)

    def _cells(self, ys: slice, xs: slice) -> tuple[np.ndarray, np.ndarray]:
        return ((np.arange(xs.start, xs.stop) + 0.5) * STRIDE)[None, :], (
            (np.arange(ys.start, ys.stop) + 0.5) * STRIDE
        )[:, None]

    def add_card(
        self,
        kind: int,
        centre: np.ndarray,
        form: np.ndarray,
        tilt: np.ndarray,
        size: float,
        near: float,
        loose: bool,
        visible: float,
    ) -> None:
        """Add one card; `form` is (6,) of axis forms in pixels, or half width and height if only a box is known."""
        sigma = float(np.clip(min(size * 0.08, near * 0.3) / STRIDE, 0.7, 3.0))
        glow = self._glow(centre[0], centre[1], sigma)
        if glow is None:
            return
        ys, xs, g = glow
        if visible < _CLEAR or not _SIZES[0] < size < _SIZES[1]:
            self.ignore[:2, ys, xs] = np.where(g > 0.3, 0, self.ignore[:2, ys, xs])
            return
        self.heat[kind, ys, xs] = np.maximum(self.heat[kind, ys, xs], g)
        mine = (g > self._best_shape[ys, xs]) & (g > 0.45)
        self._best_shape[ys, xs][mine] = g[mine]
        px, py = self._cells(ys, xs)
        values = [
            np.broadcast_to((centre[0] - px) / STRIDE, g.shape),
            np.broadcast_to((centre[1] - py) / STRIDE, g.shape),
        ]
        values += [np.full(g.shape, v / UNIT) for v in form] + [np.full(g.shape, v / TILT_UNIT) for v in tilt]
        for channel, value in zip(self.shape[:, ys, xs], values, strict=True):
            channel[mine] = value[mine]
        share = 1.0 / max(1, int(mine.sum())) ** 0.5
        self.shape_weight[0, ys, xs][mine] = 0 if loose else share
        self.shape_weight[1, ys, xs][mine] = share if loose else 0
        self.shape_weight[2, ys, xs][mine] = size

    def add_box(self, kind: int, box: np.ndarray) -> None:
        """Add a stack, hand or deck by its box."""
        w, h = box[2] - box[0], box[3] - box[1]
        size = float(np.sqrt(max(w * h, 1)))
        sigma = float(np.clip(size * 0.08 / STRIDE, 0.7, 4.0))
        glow = self._glow((box[0] + box[2]) / 2, (box[1] + box[3]) / 2, sigma)
        if glow is None:
            return
        ys, xs, g = glow
        self.heat[kind, ys, xs] = np.maximum(self.heat[kind, ys, xs], g)
        mine = (g > self._best_box[ys, xs]) & (g > 0.45)
        self._best_box[ys, xs][mine] = g[mine]
        px, py = self._cells(ys, xs)
        for channel, value in zip(
            self.box[:, ys, xs], (px - box[0], py - box[1], box[2] - px, box[3] - py), strict=True
        ):
            channel[mine] = np.broadcast_to(value / UNIT, g.shape)[mine]
        self.box_weight[0, ys, xs][mine] = 1.0 / max(1, int(mine.sum())) ** 0.5
        self.box_weight[1, ys, xs][mine] = size


def draw(labels: Labels, width: int, height: int) -> Maps:
    """Return the maps of a picture of this size."""
    maps = Maps(width, height)
    quads = labels.cards[:, 1:9].reshape(-1, 4, 2)
    loose = labels.loose
    middles = (
        np.concatenate([quads.mean(1), (loose[:, 1:3] + loose[:, 3:5]) / 2])
        if len(quads) + len(loose)
        else np.zeros((0, 2))
    )
    gaps = np.linalg.norm(middles[:, None] - middles[None], axis=2) + np.eye(len(middles)) * 1e6
    near = gaps.min(1) if len(middles) else np.zeros(0)
    if len(quads):
        centre, long, short, tilt = axes_of(quads)
        forms = np.concatenate([square_root_form(long), square_root_form(short)], 1)
        size = 2 * np.sqrt(np.abs(long[:, 0] * short[:, 1] - long[:, 1] * short[:, 0]))
        for i, card in enumerate(labels.cards):
            maps.add_card(
                int(card[0]),
                centre[i],
                forms[i],
                tilt[i],
                float(size[i]),
                float(near[i]),
                False,
                float(card[9]),
            )
    for i, row in enumerate(loose):
        box = row[1:]
        half = (box[2:] - box[:2]) / 2
        cut = box[0] < 3 or box[1] < 3 or box[2] > width - 3 or box[3] > height - 3
        form = np.array([half[0], half[1], 0, 0, 0, 0])
        maps.add_card(
            int(row[0]),
            (box[:2] + box[2:]) / 2,
            form,
            np.zeros(2),
            float(np.sqrt(half.prod()) * 1.8),
            float(near[len(quads) + i]),
            True,
            0.0 if cut else 1.0,
        )
    for row in labels.boxes:
        maps.add_box(int(row[0]), row[1:])
    for kind in set(range(len(HEAT))) - set(labels.known):
        maps.ignore[kind] = 0
    return maps
