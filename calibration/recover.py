"""Where a knocked camera now looks: the shift of the picture, the printed lines, and a check by both."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.drawing import Image, flat
from calibration.layout import Layout
from calibration.match import Fit, align, better, channels_of
from calibration.patches import grey
from calibration.refine import SAME_LENS, changed
from calibration.search import KNOCKED, candidates

SAMPLES: Final = 400
TRY: Final = 2
"""A knock must be solved while the game goes on: fewer tries than when a camera is set up."""


def displacement(before: Camera, after: Camera, layout: Layout) -> tuple[float, float]:
    """How far the view moved, over the cloth that shows: median pixels, median mm on the cloth."""
    spots = np.array(
        [(x, y) for x in np.linspace(-800, 800, 9) for y in np.linspace(50, 800, 6) if layout.on_cloth(x, y)]
    )
    old, new = before.project(flat(spots)), after.project(flat(spots))
    lens = after.lens
    with np.errstate(invalid="ignore"):
        shows = (new > 0).all(axis=1) & (new[:, 0] < lens.width) & (new[:, 1] < lens.height)
    if not shows.any():
        return float("inf"), float("inf")
    px = np.hypot(*(new - old)[shows].T)
    mm = np.hypot(*(before.unproject(new[shows]) - spots[shows]).T)
    return float(np.nanmedian(px)), float(np.nanmedian(mm))


def shifted(frame: Image, camera: Camera, small: NDArray[np.float32]) -> Camera:
    """The camera turned as the picture shifted since `small`, a shrunk picture of before."""
    width = frame.shape[1]
    step = max(1, width // 480)
    now = cv2.resize(grey(frame[::step, ::step]), small.shape[::-1], interpolation=cv2.INTER_AREA)
    window = cv2.createHanningWindow(small.shape[::-1], cv2.CV_32F)
    (dx, dy), _ = cv2.phaseCorrelate(_edges(small), _edges(np.asarray(now, np.float32)), window)
    unit = width / small.shape[1]
    # A picture that moved right by dx belongs to a camera that turned left; x turns are about the y axis.
    turn = np.array(
        [-dy * unit / camera.lens.fy, dx * unit / camera.lens.fx, 0, 0, 0, 0, 0, 0, 0], np.float64
    )
    return changed(camera, turn)


def _edges(small: NDArray[np.float32]) -> NDArray[np.float32]:
    gx, gy = cv2.Sobel(small, cv2.CV_32F, 1, 0), cv2.Sobel(small, cv2.CV_32F, 0, 1)
    return np.asarray(np.minimum(np.hypot(gx, gy), 120.0), np.float32)


def recover(frame: Image, camera: Camera, layout: Layout, small: NDArray[np.float32] | None) -> Fit:
    """The best fit of a knocked camera: as it was, by the picture's shift, by a search; the first good one."""
    channels = channels_of(frame)
    best = align(channels, camera, layout, SAME_LENS)
    if best.good and best.found > 0.6:
        return best
    if small is not None:
        best = better(best, align(channels, shifted(frame, camera, small), layout, SAME_LENS))
        if best.good:
            return best
    for other in candidates(channels, camera, layout, KNOCKED, samples=SAMPLES)[:TRY]:
        best = better(best, align(channels, other, layout, SAME_LENS))
    return best
