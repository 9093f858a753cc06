"""A camera from landmarks: lens and pose by robust least squares, with its errors in millimetres.

At least six landmarks on the cloth's plane give the pose, the focal length and the first two radial
distortion terms. Clicks go wrong (a neighbour's box, left for right), so the fit is robust, names the
landmarks it does not believe, and says how sure the result is all over the cloth, not only where somebody
clicked. Sets from which nothing follows (a line of points, a corner of the cloth) are refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from calibration.camera import Camera, Floats, Lens
from calibration.errors import CannotSolve
from calibration.landmarks import Landmark, LandmarksModel, known_points
from calibration.layout import Layout
from calibration.refine import FREE, SIZE, STEP, Prior, Refined, changed, refine

FEWEST: Final = 6
CLICK_SIGMA: Final = 1.0
"""How well a person clicks, in pixels of a picture 1080 high."""
OUTLIER: Final = 4.0
"""How many sigmas off a landmark is no longer believed."""
KNOWN_LENS: Final[Prior] = (2.0, 2.0, 2.0, 3000.0, 3000.0, 3000.0, 0.2, 0.05, 0.02)
VIEWS: Final = (0.35, 0.55, 0.8, 1.1, 1.5, 2.2)
"""Focal lengths to try first, in picture widths."""


@dataclass(frozen=True, slots=True)
class Residual:
    """How far one landmark lies from where the camera puts it; `used` false: it was not believed."""

    name: str
    px: float
    mm: float
    used: bool


@dataclass(frozen=True, slots=True)
class Solution:
    """A camera with its errors.

    `rms_px` and `rms_mm` are over the landmarks that were used. `sigma_mm` is the expected error of a place on the
    cloth (standard deviation): in the middle (median) and at worst over what the camera sees.
    """

    camera: Camera
    rms_px: float
    rms_mm: float
    sigma_mm: float
    worst_sigma_mm: float
    residuals: tuple[Residual, ...]

    @property
    def outliers(self) -> tuple[str, ...]:
        """The names of landmarks that were not believed."""
        return tuple(one.name for one in self.residuals if not one.used)


def solve(
    marks: LandmarksModel, layout: Layout, guess: Camera | None = None, origin: str = "landmarks"
) -> Solution:
    """The camera that shows these landmarks; `guess` (an old calibration) helps with the lens."""
    known = known_points(marks, layout, origin)
    table = np.array([one.point for one in known])
    pixels = np.array([marks.points[one.name] for one in known], dtype=np.float64)
    _refuse_degenerate(table, pixels, origin)
    sigma = _sigmas(known, marks.height)
    starts = _starts(table, pixels, marks, guess)
    if not starts:
        raise CannotSolve(
            f"{origin}: no camera above the table shows these landmarks like this; are names swapped?"
        )
    prior = FREE if guess is None else KNOWN_LENS
    best = min((_fit(s, table, pixels, sigma, prior, 3.0) for s in starts), key=lambda one: one.cost)
    used = _believed(best.camera, table, pixels, sigma, len(known))
    if used.sum() < FEWEST:
        raise CannotSolve(
            f"{origin}: only {int(used.sum())} of {len(known)} landmarks agree with each other, {FEWEST} are needed;"
            " are names swapped?"
        )
    final = _fit(best.camera, table[used], pixels[used], sigma[used], prior, None)
    return _report(final, known, table, pixels, used, layout)


def _sigmas(known: Sequence[Landmark], height: int) -> Floats:
    """Expected error (N,) in pixels; a millimetre counts as a pixel at 1080 lines, which is near enough."""
    unit = height / 1080
    return np.array([unit * float(np.hypot(CLICK_SIGMA, one.sigma)) for one in known])


def _refuse_degenerate(table: Floats, pixels: Floats, origin: str) -> None:
    if len(table) < FEWEST:
        raise CannotSolve(f"{origin}: {len(table)} landmarks are too few, {FEWEST} are needed")
    spread = np.linalg.svd(table - table.mean(axis=0), compute_uv=False) / np.sqrt(len(table))
    if spread[0] < 100.0:
        raise CannotSolve(
            f"{origin}: the landmarks lie too close together; take some from all over the cloth"
        )
    if spread[1] < max(25.0, 0.06 * spread[0]):
        raise CannotSolve(f"{origin}: the landmarks lie on one line; take some from other rows")
    seen = np.linalg.svd(pixels - pixels.mean(axis=0), compute_uv=False)
    if seen[1] < 0.01 * seen[0] or len(np.unique(np.round(pixels), axis=0)) < len(pixels):
        raise CannotSolve(f"{origin}: the landmarks' pixels fall on each other or on one line")


def _starts(table: Floats, pixels: Floats, marks: LandmarksModel, guess: Camera | None) -> list[Camera]:
    """Cameras to begin with: from the plane's homography at likely focal lengths, and the guess."""
    width, height = marks.width, marks.height
    starts: list[Camera] = []
    lenses: list[Lens] = []
    if guess is not None:
        guess = guess.resized(width, height)
        starts.append(guess)
        lenses.append(guess.lens)
    middle = ((width - 1) / 2, (height - 1) / 2)
    lenses.extend(Lens(width, height, view * width, view * width, *middle) for view in VIEWS)
    for lens in lenses:
        flat = lens.undistort(
            np.stack([(pixels[:, 0] - lens.cx) / lens.fx, (pixels[:, 1] - lens.cy) / lens.fy], axis=1)
        )
        matrix, _ = cv2.findHomography(table, flat, cv2.RANSAC, 0.012 * width / lens.fx)
        pose = None if matrix is None else _pose(matrix.astype(np.float64), table)
        if pose is not None:
            fps = guess.fps if guess is not None else 25.0
            starts.append(Camera(marks.camera, lens, pose[0], pose[1], fps))
    return starts


def _pose(matrix: Floats, table: Floats) -> tuple[tuple[float, float, float], tuple[float, ...]] | None:
    """Position and rotation from a homography table -> normalised picture; None if it is not above the table."""
    scale = float(np.sqrt(np.linalg.norm(matrix[:, 0]) * np.linalg.norm(matrix[:, 1])))
    if not np.isfinite(scale) or scale < 1e-12:
        return None
    h = matrix / scale
    depth = h[2, 0] * table[:, 0].mean() + h[2, 1] * table[:, 1].mean() + h[2, 2]
    h = h if depth > 0 else -h
    u, _, vt = np.linalg.svd(np.column_stack([h[:, 0], h[:, 1], np.cross(h[:, 0], h[:, 1])]))
    rotation = u @ np.diag([1.0, 1.0, float(np.linalg.det(u @ vt))]) @ vt
    position = -rotation.T @ h[:, 2]
    if position[2] <= 0:
        return None
    place = (float(position[0]), float(position[1]), float(position[2]))
    return place, tuple(float(v) for v in rotation.ravel())


def _fit(
    start: Camera, table: Floats, pixels: Floats, sigma: Floats, prior: Prior, scale: float | None
) -> Refined:
    points = np.column_stack([table, np.zeros(len(table))])

    def residuals(camera: Camera) -> Floats:
        out: Floats = ((camera.project(points) - pixels) / sigma[:, None]).ravel()
        return out

    return refine(start, residuals, prior, scale, steps=60)


def _believed(camera: Camera, table: Floats, pixels: Floats, sigma: Floats, count: int) -> np.ndarray:
    """Which landmarks (N,) lie within what the bulk of them allows."""
    points = np.column_stack([table, np.zeros(count)])
    off = np.hypot(*(np.nan_to_num(camera.project(points), nan=1e6) - pixels).T) / sigma
    bulk = max(1.0, 1.2 * float(np.median(off)))
    out: np.ndarray = off <= OUTLIER * bulk
    return out


def place_sigma(refined: Refined, layout: Layout, unit: float = 1.0) -> Floats:
    """Expected error (N,) in mm of places all over the cloth that the camera sees, from the covariance."""
    camera = refined.camera
    spots = np.array(
        [(x, y) for x in np.linspace(-900, 900, 13) for y in np.linspace(40, 860, 7) if layout.on_cloth(x, y)]
    )
    pixels = camera.project(np.column_stack([spots, np.zeros(len(spots))]))
    lens = camera.lens
    inside = (pixels > 0).all(axis=1) & (pixels[:, 0] < lens.width) & (pixels[:, 1] < lens.height)
    pixels, spots = pixels[inside], spots[inside]
    if not len(spots):
        return np.full(1, np.inf)
    jacobian = np.zeros((len(spots), 2, SIZE))
    for i in range(SIZE):
        change = np.zeros(SIZE)
        change[i] = STEP[i]
        jacobian[:, :, i] = (changed(camera, change).unproject(pixels) - camera.unproject(pixels)) / STEP[i]
    spread = np.einsum("nij,jk,nlk->nil", jacobian, refined.covariance, jacobian)
    out: Floats = unit * np.sqrt(np.maximum(np.trace(spread, axis1=1, axis2=2), 0.0))
    return out


def _report(
    final: Refined, known: Sequence[Landmark], table: Floats, pixels: Floats, used: np.ndarray, layout: Layout
) -> Solution:
    camera = final.camera
    px = np.hypot(*(camera.project(np.column_stack([table, np.zeros(len(table))])) - pixels).T)
    mm = np.hypot(*(camera.unproject(pixels) - table).T)
    left = max(1, 2 * int(used.sum()) - SIZE)
    unit = max(1.0, float(np.sqrt(final.cost / left)))
    spread = place_sigma(final, layout, unit)
    tidy = replace(camera, rotation=_orthonormal(camera.matrix))
    return Solution(
        camera=tidy,
        rms_px=float(np.sqrt(np.mean(px[used] ** 2))),
        rms_mm=float(np.sqrt(np.mean(mm[used] ** 2))),
        sigma_mm=float(np.median(spread)),
        worst_sigma_mm=float(spread.max()),
        residuals=tuple(
            Residual(one.name, float(p), float(m), bool(u))
            for one, p, m, u in zip(known, px, mm, used, strict=True)
        ),
    )


def _orthonormal(matrix: Floats) -> tuple[float, ...]:
    u, _, vt = np.linalg.svd(matrix)
    return tuple(float(v) for v in (u @ vt).ravel())
