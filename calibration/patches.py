"""Small pieces of the printed layout, remembered: the cheap way to see that a camera still looks where it did.

Each patch is a corner of a printed box with its surroundings, cut from the frame at its own resolution, because
half a millimetre shows only there. Comparing them costs a fraction of a millisecond. Hands, cards and chips cover
some at any time, so only what the bulk of the patches says counts. A reference is never blended with what comes
later, or a camera that creeps would never be noticed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats
from calibration.drawing import PRINTED, Image, flat
from calibration.layout import Layout

MOST: Final = 48
SAME: Final = 0.6
"""Correlation from which a patch shows what it showed before."""
PLAIN: Final = 2.0
"""A patch whose grey levels vary less than this shows nothing to remember."""
_LUMA: Final = np.array([0.114, 0.587, 0.299], np.float32)
Cut = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Compared:
    """What patches say of a frame: share that still match, how far they moved (px), how sharp they are (1 = as
    learned); the last two are NaN if too few match.
    """

    matched: float
    shift: float
    sharpness: float


def grey(frame: Image) -> Image:
    """The luma (H, W) of a luma or BGR frame."""
    if frame.ndim == 2:
        return np.ascontiguousarray(frame)
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(frame), cv2.COLOR_BGR2GRAY), np.uint8)


class Patches:
    """Patches of one camera at its printed corners, learned from one frame."""

    def __init__(self, camera: Camera, layout: Layout) -> None:
        corners = [
            p
            for area in layout.areas()
            if area.name in PRINTED
            for p in (area.polygon[::4] if area.round else area.polygon)
        ]
        lens = camera.lens
        half = max(5, round(12 * lens.height / 1080))
        pixels = np.round(camera.project(flat(np.array(corners))))
        with np.errstate(invalid="ignore"):
            inside = (
                (pixels[:, 0] > half)
                & (pixels[:, 1] > half)
                & (pixels[:, 0] < lens.width - 1 - half)
                & (pixels[:, 1] < lens.height - 1 - half)
            )
        spots = pixels[inside].astype(np.int64)
        spots = spots[:: max(1, -(-len(spots) // MOST))]
        reach = np.arange(-half, half + 1)
        self._rows = spots[:, 1, None, None] + reach[None, :, None]
        self._columns = spots[:, 0, None, None] + reach[None, None, :]
        self._reference: Cut = np.zeros((0, 0, 0), np.float32)
        self._slopes = self._reference, self._reference
        self._detail: Floats = np.zeros(0)
        self._known: NDArray[np.bool_] = np.zeros(len(spots), bool)
        self._missed: NDArray[np.int64] = np.zeros(len(spots), np.int64)
        self._last: Cut = self._reference
        self._before: Cut | None = None

    def _cut(self, frame: Image) -> Cut:
        cut = frame[self._rows, self._columns]
        return np.asarray(cut, np.float32) if cut.ndim == 3 else cut.astype(np.float32) @ _LUMA

    def learn(self, frame: Image) -> int:
        """Remember the patches as this frame shows them; returns how many show anything."""
        self._last = self._cut(frame)
        self._known = self._last.std(axis=(1, 2)) > PLAIN
        self._keep(_unit(self._last), _detail(self._last))
        self._missed[:] = 0
        self._before = None
        return int(self._known.sum())

    def _keep(self, reference: Cut, detail: Floats) -> None:
        down, across = (np.asarray(one, np.float32) for one in np.gradient(reference, axis=(1, 2)))
        self._reference, self._detail, self._slopes = reference, detail, (across, down)

    def compare(self, frame: Image) -> Compared:
        """Compare a frame of the same size with what was learned."""
        cut = self._last = self._cut(frame)
        now = _unit(cut)
        alike = np.einsum("pij,pij->p", now, self._reference)
        same = self._known & (alike > SAME)
        self._missed = np.where(same | ~self._known, 0, self._missed + 1)
        known = max(1, int(self._known.sum()))
        matched = float(same.sum()) / known
        if same.sum() < 4:
            return Compared(matched, float("nan"), float("nan"))
        across, down = self._slopes
        shift = _shift(across[same], down[same], now[same] - self._reference[same])
        # Where a patch hardly matches any more, blur is one of the reasons: ask all that resemble it.
        asked = self._known & (alike > 0.4)
        sharp = float(np.median(_detail(cut[asked]) / np.maximum(self._detail[asked], 1e-9)))
        return Compared(matched, shift, sharp)

    def renew(self, after: int) -> None:
        """Learn anew the patches that were missed `after` times in a row and no longer change: something lies there.

        To be called now and then; what is learned is the frame compared last.
        """
        cut, now = self._last, _unit(self._last)
        before, self._before = self._before, now
        if before is None:
            return
        late = np.einsum("pij,pij->p", now, before) > 0.9
        late &= ((self._missed >= after) | ~self._known) & (cut.std(axis=(1, 2)) > PLAIN)
        if late.any():
            reference, detail = self._reference.copy(), self._detail.copy()
            reference[late], detail[late] = now[late], _detail(cut[late])
            self._keep(reference, detail)
            self._known |= late
            self._missed[late] = 0


def _unit(cut: Cut) -> Cut:
    """Patches (P, n, n) without their mean, at length one."""
    out = cut - cut.mean(axis=(1, 2), keepdims=True)
    length = np.sqrt(np.einsum("pij,pij->p", out, out))
    return np.asarray(out / np.maximum(length, 1e-6)[:, None, None], np.float32)


def _detail(cut: Cut) -> Floats:
    """How fine the pattern of patches is (P,): slope against contrast, so that light does not matter."""
    across = np.diff(cut, axis=2)
    down = np.diff(cut, axis=1)
    slope = np.einsum("pij,pij->p", across, across) + np.einsum("pij,pij->p", down, down)
    return np.asarray(slope / np.maximum(cut.var(axis=(1, 2)), 1e-6), np.float64)


def _shift(gx: Cut, gy: Cut, change: Cut) -> float:
    """How far (px) the bulk of patches moved, by one step of Lucas and Kanade on each, then the median."""
    xx, yy, xy, bx, by = (
        np.einsum("pij,pij->p", a, b).astype(np.float64)
        for a, b in ((gx, gx), (gy, gy), (gx, gy), (gx, change), (gy, change))
    )
    det = np.maximum(xx * yy - xy * xy, 1e-12)
    clear = det > 0.02 * (xx + yy) ** 2
    if clear.sum() < 4:
        return float("nan")
    dx = -(yy * bx - xy * by)[clear] / det[clear]
    dy = -(xx * by - xy * bx)[clear] / det[clear]
    return float(np.hypot(np.median(dx), np.median(dy)))
