"""What changed in a still camera's picture: small copies, compared tile by tile with what was last looked at.

A tile is compared with how it looked when it was last LOOKED at, not with the frame before: something that creeps is
noticed when it has crept far enough, and a change that nobody had time for stays a change. The frame before only
tells what is moving now. Copies keep their colour, because a red chip on a green cloth may have the same luma.
"""

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Mask = NDArray[np.bool_]
Box = tuple[int, int, int, int]

WIDTH: Final = 480
"""The small copy is about this wide."""
TILE: Final = 8
"""Side of a tile in pixels of the small copy."""
LEVEL: Final = 11
"""A pixel of the small copy has changed if it differs by more than this in a channel, after a light blur."""
SHARE: Final = 0.05
"""A tile has changed if this share of it has."""


@dataclass(frozen=True, slots=True)
class Change:
    """Tiles (rows, columns) that differ from the last look, and those that differ from the frame before."""

    changed: Mask
    moving: Mask

    @property
    def share(self) -> float:
        """The share of the picture that changed since it was looked at."""
        return float(self.changed.mean())


class Gate:
    """The change gate of one camera."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget everything: the next frame is all news."""
        self._known: Array | None = None
        self._before: Array | None = None
        self._now: Array = np.zeros((0, 0, 3), np.uint8)
        self.step = 1.0

    @property
    def tile(self) -> float:
        """Side of a tile in pixels of the picture."""
        return TILE * self.step

    @property
    def small(self) -> Array:
        """The small copy of the frame seen last."""
        return self._now

    def see(self, frame: Array) -> Change:
        """Take in a frame (H, W, 3) and say what changed; the first one, or one of another size, is all news."""
        factor = max(1, round(frame.shape[1] / WIDTH))
        size = (max(1, frame.shape[1] // factor), max(1, frame.shape[0] // factor))
        self._before, self._now = self._now, cv2.resize(frame, size, interpolation=cv2.INTER_LINEAR)
        self.step = frame.shape[1] / size[0]
        rows, columns = -(-size[1] // TILE), -(-size[0] // TILE)
        if self._known is None or self._known.shape != self._now.shape:
            self._known = np.zeros_like(self._now)
            everything = np.ones((rows, columns), bool)
            return Change(everything, np.zeros((rows, columns), bool))
        if self._before.shape != self._now.shape:
            self._before = self._now
        return Change(self._tiles(self._known), self._tiles(self._before))

    def _tiles(self, old: Array) -> Mask:
        """The tiles that differ from an older copy."""
        blue, green, red = cv2.split(cv2.absdiff(self._now, old))
        worst = cv2.blur(cv2.max(cv2.max(blue, green), red), (3, 3))
        changed = cv2.threshold(worst, LEVEL, 255, cv2.THRESH_BINARY)[1]
        rows, columns = -(-worst.shape[0] // TILE), -(-worst.shape[1] // TILE)
        low, right = rows * TILE - worst.shape[0], columns * TILE - worst.shape[1]
        full = cv2.copyMakeBorder(changed, 0, low, 0, right, cv2.BORDER_CONSTANT, value=0)
        share = cv2.resize(full, (columns, rows), interpolation=cv2.INTER_AREA)
        return np.asarray(share >= SHARE * 255)

    def looked(self, tiles: Mask) -> None:
        """Note that these tiles have now been looked at."""
        if self._known is None:
            return
        size = (tiles.shape[1] * TILE, tiles.shape[0] * TILE)
        wide = cv2.resize(tiles.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
        height, width = self._now.shape[:2]
        cv2.copyTo(self._now, np.ascontiguousarray(wide[:height, :width]), self._known)

    def touches(self, boxes: Array, tiles: Mask) -> Mask:
        """Mask (N,) of boxes (N, 4) in pixels that touch any of some tiles."""
        out = np.zeros(len(boxes), bool)
        low = np.floor(boxes[:, :2] / self.tile).astype(int)
        high = np.floor(boxes[:, 2:] / self.tile).astype(int) + 1
        for i, ((x0, y0), (x1, y1)) in enumerate(zip(np.maximum(low, 0), high, strict=True)):
            out[i] = bool(tiles[y0:y1, x0:x1].any())
        return out

    def tiles_of(self, box: Box, like: Mask) -> Mask:
        """The tiles that lie wholly inside a box of pixels; at the picture's edges also those cut by it."""
        out = np.zeros_like(like)
        x0, y0, x1, y1 = (v / self.tile for v in box)
        out[int(np.ceil(y0)) : _end(y1, like.shape[0]), int(np.ceil(x0)) : _end(x1, like.shape[1])] = True
        return out


def _end(edge: float, most: int) -> int:
    return most if edge > most - 1.01 else int(edge)


def regions(tiles: Mask, tile: float, pad: float, width: int, height: int, grid: int = 64) -> list[Box]:
    """Boxes of pixels around groups of tiles, padded, on a coarse grid of sizes, those that overlap made one.

    Few different sizes let the network's memory be used again; boxes are ordered from the top left.
    """
    if not tiles.any():
        return []
    near = cv2.dilate(tiles.astype(np.uint8), np.ones((3, 3), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(near, connectivity=8)
    boxes: list[Box] = []
    for x, y, w, h, _ in stats[1:count]:
        low_x, low_y = x * tile - pad, y * tile - pad
        boxes.append(_on_grid(low_x, low_y, (x + w) * tile + pad, (y + h) * tile + pad, width, height, grid))
    return sorted(_joined(boxes, width, height, grid), key=lambda b: (b[1], b[0]))


def _on_grid(x0: float, y0: float, x1: float, y1: float, width: int, height: int, grid: int) -> Box:
    """A box whose sides are multiples of `grid`, inside the picture."""
    w, h = min(width, -(-int(x1 - x0) // grid) * grid), min(height, -(-int(y1 - y0) // grid) * grid)
    left = int(np.clip((x0 + x1 - w) / 2, 0, width - w))
    top = int(np.clip((y0 + y1 - h) / 2, 0, height - h))
    return left, top, left + w, top + h


def _joined(boxes: list[Box], width: int, height: int, grid: int) -> list[Box]:
    """Join boxes that overlap until none does."""
    todo, done = list(boxes), []
    while todo:
        a = todo.pop()
        for b in todo:
            if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]:
                todo.remove(b)
                both = (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))
                todo.append(_on_grid(*both, width, height, grid))
                break
        else:
            done.append(a)
    return done
