"""A camera over the table: pinhole with Brown-Conrady distortion and a pose in the table frame.

The simulator films with it and the eyes measure with it, so a truth point projected here lies on the same
pixel in the picture. Conventions are OpenCV's: camera x right, y down, z forward; pixel (0, 0) is the
MIDDLE of the top-left pixel; ``x_cam = R @ (X - position)``. Distortion is applied to normalised
coordinates, and is continued linearly beyond `r_max` (outside the picture) so that it never folds back.

Presets: ``overview_camera`` (steep, whole table, about 0.9 px/mm at 1080p) and ``bets_camera`` (shallow, all
betting areas in view). Both scale to any resolution.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.errors import GeometryError

Floats = NDArray[np.float64]
R_MAX: Final = 1.6


@dataclass(frozen=True, slots=True)
class Lens:
    """Intrinsics in pixels and Brown-Conrady coefficients (OpenCV's k1 k2 p1 p2 k3)."""

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float
    k1: float = 0.0
    k2: float = 0.0
    p1: float = 0.0
    p2: float = 0.0
    k3: float = 0.0

    def scaled(self, width: int, height: int) -> Lens:
        """The same view at another resolution (pixel centres kept right)."""
        sx, sy = width / self.width, height / self.height
        cx, cy = (self.cx + 0.5) * sx - 0.5, (self.cy + 0.5) * sy - 0.5
        return replace(self, width=width, height=height, fx=self.fx * sx, fy=self.fy * sy, cx=cx, cy=cy)

    def distort(self, points: ArrayLike) -> Floats:
        """Ideal normalised points (N, 2) to distorted ones (N, 2)."""
        p = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        r = np.hypot(p[:, 0], p[:, 1])
        shrink = np.minimum(1.0, R_MAX / np.maximum(r, 1e-12))
        x, y = p[:, 0] * shrink, p[:, 1] * shrink
        r2 = x * x + y * y
        radial = 1 + r2 * (self.k1 + r2 * (self.k2 + r2 * self.k3))
        xd = x * radial + 2 * self.p1 * x * y + self.p2 * (r2 + 2 * x * x)
        yd = y * radial + self.p1 * (r2 + 2 * y * y) + 2 * self.p2 * x * y
        return np.stack([xd, yd], axis=1) / shrink[:, None]

    def undistort(self, points: ArrayLike, steps: int = 12) -> Floats:
        """Distorted normalised points (N, 2) back to ideal ones, by fixed-point steps."""
        target = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        guess = target.copy()
        for _ in range(steps):
            guess = guess + (target - self.distort(guess))
        return guess


@dataclass(frozen=True, slots=True)
class Camera:
    """A lens somewhere: `rotation` rows are the camera's axes in the table frame (row-major, 9 numbers)."""

    name: str
    lens: Lens
    position: tuple[float, float, float]
    rotation: tuple[float, ...]
    fps: float = 25.0

    @property
    def matrix(self) -> Floats:
        """Rotation table -> camera (3, 3)."""
        return np.array(self.rotation, dtype=np.float64).reshape(3, 3)

    def to_camera(self, points: ArrayLike) -> Floats:
        """Table points (N, 3) mm in camera coordinates (N, 3) mm."""
        p = np.asarray(points, dtype=np.float64).reshape(-1, 3)
        out: Floats = (p - np.array(self.position)) @ self.matrix.T
        return out

    def project(self, points: ArrayLike) -> Floats:
        """Table points (N, 3) mm to pixels (N, 2); points behind the camera become NaN."""
        c = self.to_camera(points)
        depth = np.where(c[:, 2] > 1e-6, c[:, 2], np.nan)
        d = self.lens.distort(c[:, :2] / depth[:, None])
        return np.stack(
            [d[:, 0] * self.lens.fx + self.lens.cx, d[:, 1] * self.lens.fy + self.lens.cy], axis=1
        )

    def rays(self, pixels: ArrayLike) -> Floats:
        """Unit directions (N, 3) in the table frame through pixels (N, 2)."""
        p = np.asarray(pixels, dtype=np.float64).reshape(-1, 2)
        d = np.stack(
            [(p[:, 0] - self.lens.cx) / self.lens.fx, (p[:, 1] - self.lens.cy) / self.lens.fy], axis=1
        )
        ideal = self.lens.undistort(d)
        rays = np.column_stack([ideal, np.ones(len(ideal))]) @ self.matrix
        out: Floats = rays / np.linalg.norm(rays, axis=1, keepdims=True)
        return out

    def unproject(self, pixels: ArrayLike, z: float = 0.0) -> Floats:
        """Pixels (N, 2) to table points (N, 2) on the plane at height `z`; NaN where the ray never meets
        it.
        """
        rays = self.rays(pixels)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = (z - self.position[2]) / rays[:, 2]
        t = np.where(t > 0, t, np.nan)
        return np.stack([self.position[0] + t * rays[:, 0], self.position[1] + t * rays[:, 1]], axis=1)

    def scale_at(self, x: float, y: float, z: float = 0.0) -> float:
        """Pixels per mm across the view at a table point."""
        depth = float(self.to_camera([[x, y, z]])[0, 2])
        return self.lens.fx / depth

    def resized(self, width: int, height: int) -> Camera:
        """The same camera at another resolution."""
        return replace(self, lens=self.lens.scaled(width, height))


def look_at(
    name: str,
    lens: Lens,
    position: tuple[float, float, float],
    target: tuple[float, float, float],
    roll: float = 0.0,
    fps: float = 25.0,
) -> Camera:
    """A camera at `position` that looks at `target`, upright (z up) and then rolled by `roll` radians."""
    forward = np.subtract(target, position).astype(np.float64)
    length = float(np.linalg.norm(forward))
    if length < 1e-6:
        raise GeometryError(f"camera {name}: position and target are the same point")
    forward /= length
    up = np.array([0.0, 0.0, 1.0]) if abs(forward[2]) < 0.9999 else np.array([0.0, -1.0, 0.0])
    right = np.cross(forward, up)
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    c, s = np.cos(roll), np.sin(roll)
    rows = np.stack([c * right + s * down, -s * right + c * down, forward])
    return Camera(name, lens, position, tuple(float(v) for v in rows.ravel()), fps)


def _lens(width: int, height: int, f_1080: float, k1: float, k2: float) -> Lens:
    f = f_1080 * height / 1080
    return Lens(width, height, f, f, (width - 1) / 2, (height - 1) / 2, k1, k2)


def overview_camera(width: int = 1920, height: int = 1080, fps: float = 25.0) -> Camera:
    """The steep camera in the ceiling on the players' side: the whole table, about 0.9 px/mm at 1080p."""
    return look_at(
        "overview", _lens(width, height, 2040, -0.12, 0.03), (60, 1230, 2080), (0, 422, 0), 0.0, fps
    )


def bets_camera(width: int = 1920, height: int = 1080, fps: float = 25.0) -> Camera:
    """The shallow camera above the dealer's shoulder: sides of chip stacks, every betting area in view."""
    return look_at("bets", _lens(width, height, 1330, -0.10, 0.02), (60, -590, 740), (0, 315, 0), 0.0, fps)


PRESETS: Final = {"overview": overview_camera, "bets": bets_camera}
