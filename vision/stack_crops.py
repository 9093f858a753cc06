"""Unroll chip stacks: from where a stack stands and the camera's pose to a straight strip, one chip a fixed height.

The side of a stack is a cylinder of known width, so the camera's pose says which pixel shows which height above the
cloth. A strip cut along the cylinder's front has every chip as a straight band of `PER_CHIP` rows wherever on the
table the stack stands and whichever camera looks, and counting becomes finding the row of the upper rim. What lies
above that row is the top chip's face, then whatever is behind.
"""

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.layout import CHIP_DIAMETER, CHIP_HEIGHT

Array = NDArray[Any]

PER_CHIP: Final = 4
SLOTS: Final = 32
BELOW: Final = 3
"""Chip heights of the strip that lie below the foot: room for the error of the foot."""
MOST: Final = 21
"""The highest stack that is read; above it the strip still shows the face of the top chip."""
ROWS: Final = SLOTS * PER_CHIP
COLUMNS: Final = 32
REACH: Final = 1.3
"""Half the strip's width in chip radii."""
RADIUS: Final = CHIP_DIAMETER / 2
_COARSE: Final = 17
_LEAST_PIXELS: Final = 1.6
"""Pixels of one chip's height below which chips cannot be told apart."""


def feet_of(camera: Camera, boxes: Array) -> Array:
    """Return the feet (N, 2) mm of stacks from their upright boxes (N, 4) in pixels.

    The lower edge of a box is the front rim of the lowest chip; the foot lies one radius behind it.
    """
    boxes = np.asarray(boxes, np.float64).reshape(-1, 4)
    middle = np.stack([(boxes[:, 0] + boxes[:, 2]) / 2, boxes[:, 3]], 1)
    rim = camera.unproject(middle - 0.5)
    return np.asarray(rim - RADIUS * _towards(camera, rim))


def readable(camera: Camera, feet: Array) -> Array:
    """Mask (N,) of feet at which one chip is high enough in the picture to be counted."""
    feet = np.asarray(feet, np.float64).reshape(-1, 2)
    if not len(feet):
        return np.zeros(0, bool)
    low = camera.project(np.column_stack([feet, np.zeros(len(feet))]))
    high = camera.project(np.column_stack([feet, np.full(len(feet), 10 * CHIP_HEIGHT)]))
    tall = np.linalg.norm(high - low, axis=1) / 10
    return np.asarray(np.nan_to_num(tall) >= _LEAST_PIXELS)


def _towards(camera: Camera, points: Array) -> Array:
    """Unit vectors (N, 2) on the cloth from points towards the camera."""
    way = np.array(camera.position[:2]) - points
    return np.asarray(way / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-6))


def _pixels(camera: Camera, feet: Array) -> Array:
    """Where in the picture (N, ROWS, COLUMNS, 2) the strips of feet (N, 2) are."""
    ahead = _towards(camera, feet)
    beside = np.stack([-ahead[:, 1], ahead[:, 0]], 1)
    u = (np.arange(COLUMNS) + 0.5) / COLUMNS * 2 * REACH - REACH
    front = np.sqrt(np.maximum(0.0, 1 - u * u))
    plan = feet[:, None] + RADIUS * (
        front[None, :, None] * ahead[:, None] - u[None, :, None] * beside[:, None]
    )
    z = np.linspace(SLOTS - BELOW, -BELOW, _COARSE) * CHIP_HEIGHT
    n = len(feet)
    points = np.empty((n, _COARSE, COLUMNS, 3))
    points[..., :2] = plan[:, None]
    points[..., 2] = z[None, :, None]
    coarse = camera.project(points.reshape(-1, 3)).reshape(n, _COARSE, COLUMNS, 2)
    at = (np.arange(ROWS) + 0.5) / ROWS * (_COARSE - 1)
    low = np.minimum(at.astype(int), _COARSE - 2)
    part = (at - low)[None, :, None, None]
    return np.asarray(coarse[:, low] * (1 - part) + coarse[:, low + 1] * part, np.float32)


def unroll(image: Array, camera: Camera, feet: Array, corner: tuple[float, float] = (0.0, 0.0)) -> Array:
    """Cut strips (N, ROWS, COLUMNS, 3) of the stacks that stand on feet (N, 2) mm out of a picture.

    `corner` is where in the camera's picture the given one begins, if it is a part. A picture much finer than the
    strip (a 4K camera) is halved first, so that rows are means and not samples.
    """
    feet = np.asarray(feet, np.float64).reshape(-1, 2)
    strips = np.zeros((len(feet), ROWS, COLUMNS, 3), np.uint8)
    if not len(feet):
        return strips
    maps = np.nan_to_num(_pixels(camera, feet), nan=-1e4) - np.array(corner, np.float32)
    for i, grid in enumerate(maps):
        low = np.maximum(np.floor(grid.reshape(-1, 2).min(0)).astype(int) - 4, 0)
        high = np.minimum(np.ceil(grid.reshape(-1, 2).max(0)).astype(int) + 5, image.shape[1::-1])
        if (high - low < 4).any():
            continue
        part, moved = image[low[1] : high[1], low[0] : high[0]], grid - low
        while float(np.linalg.norm(moved[0, 0] - moved[-1, 0])) / ROWS > 1.6:
            part = cv2.resize(part, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            moved = moved / 2 - 0.25
        x, y = (np.ascontiguousarray(moved[..., k], np.float32) for k in (0, 1))
        strips[i] = cv2.remap(part, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return strips


def shifted(camera: Camera, feet: Array, shifts: Array) -> Array:
    """Move feet (N, 2) mm by what a strip showed: shifts (N, 2), sideways in radii and upwards in chips.

    A stack whose lower rim shows higher in its strip than where it was looked for stands farther from the camera.
    """
    feet = np.asarray(feet, np.float64).reshape(-1, 2)
    if not len(feet):
        return feet
    ahead = _towards(camera, feet)
    beside = np.stack([-ahead[:, 1], ahead[:, 0]], 1)
    flat = np.linalg.norm(np.array(camera.position[:2]) - feet, axis=1) - RADIUS
    back = shifts[:, 1] * CHIP_HEIGHT * flat / camera.position[2]
    return np.asarray(feet - back[:, None] * ahead - shifts[:, :1] * RADIUS * beside)
