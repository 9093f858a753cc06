"""Judge a calibration: does the table file still say where the camera looks?

Two witnesses, each optional: the printed lines of a picture (how much of the drawing is found where it should be, and
by how much the camera must be moved to lie on it: the drift), and clicked landmarks (their reprojection error).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.camera import Camera
from calibration.drawing import Image, flat
from calibration.errors import PictureError
from calibration.landmarks import LandmarksModel, known_points
from calibration.layout import Layout
from calibration.match import align, judge
from calibration.recover import displacement, recover

LIMIT_MM: Final = 3.0
"""How far off (mm on the cloth) a calibration may be: an eighth of the gap between two cards that lie side by side."""


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a check; figures that were not measured are None. `why` is empty if all is well."""

    camera: str
    ok: bool
    why: str
    found: float | None = None
    rms_px: float | None = None
    rms_mm: float | None = None
    drift_px: float | None = None
    drift_mm: float | None = None
    landmarks_rms_mm: float | None = None
    landmarks_worst: str | None = None
    landmarks_worst_mm: float | None = None


def same_shape(camera: Camera, width: int, height: int, origin: str) -> Camera:
    """The camera at a picture's size; a picture of another shape is not of this camera."""
    lens = camera.lens
    if abs(width / height - lens.width / lens.height) > 0.01:
        raise PictureError(
            f"{origin}: {width} x {height} has another shape than camera {camera.name} of the table file"
            f" ({lens.width} x {lens.height})"
        )
    return camera.resized(width, height)


def check_picture(camera: Camera, layout: Layout, picture: Image, limit: float = LIMIT_MM) -> Report:
    """Check a camera by the printed lines of a picture of it."""
    fit = judge(picture, camera, layout)
    best = align(picture, camera, layout)
    if not best.good:
        best = recover(picture, camera, layout, None)
    if not best.good:
        why = f"the layout's drawing is not found ({best.found:.0%} of it): another camera or table, covered, or dark"
        return Report(camera.name, False, why, fit.found)
    drift_px, drift_mm = displacement(camera, best.camera, layout)
    ok = drift_mm <= limit and fit.good
    why = "" if ok else f"the camera has moved by {drift_px:.1f} px, {drift_mm:.1f} mm on the cloth"
    return Report(
        camera.name,
        ok,
        why,
        fit.found,
        fit.rms_px if fit.good else None,
        fit.rms_mm if fit.good else None,
        drift_px,
        drift_mm,
    )


def check_landmarks(
    camera: Camera, layout: Layout, marks: LandmarksModel, origin: str, limit: float = LIMIT_MM
) -> Report:
    """Check a camera by clicked landmarks."""
    known = known_points(marks, layout, origin)
    table = np.array([one.point for one in known])
    pixels = np.array([marks.points[one.name] for one in known])
    off = np.hypot(*(camera.unproject(pixels) - table).T)
    off = np.where(np.isfinite(off), off, 1e4)
    px = np.hypot(*(camera.project(flat(table)) - pixels).T)
    rms, worst = float(np.sqrt(np.mean(off**2))), int(np.argmax(off))
    ok = rms <= limit
    why = "" if ok else f"the landmarks lie {rms:.1f} mm off, {known[worst].name} {off[worst]:.1f} mm"
    return Report(
        camera.name,
        ok,
        why,
        rms_px=float(np.sqrt(np.mean(px**2))),
        landmarks_rms_mm=rms,
        landmarks_worst=known[worst].name,
        landmarks_worst_mm=float(off[worst]),
    )
