"""Improve a camera by robust least squares: small turns, moves and lens changes under priors.

Landmarks and drawn lines both end here. The nine numbers of a `Change` are a turn (radians about the camera's
axes), a move (mm), the focal length (log), k1 and k2. A prior says how far each may go; zero nails it down. A
plane seen once leaves some of them nearly free (a camera straight above cannot tell focal length from height),
and the priors are what keeps the answer sane there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.camera import Camera, Floats

SIZE: Final = 9
Prior = tuple[float, float, float, float, float, float, float, float, float]
FREE: Final[Prior] = (2.0, 2.0, 2.0, 3000.0, 3000.0, 3000.0, 1.0, 0.15, 0.05)
"""A new camera: anything goes but the lens is one that can be bought."""
SAME_LENS: Final[Prior] = (0.5, 0.5, 0.5, 300.0, 300.0, 300.0, 0.0, 0.0, 0.0)
"""A known camera that was moved."""
STEP: Final = np.array([1e-6, 1e-6, 1e-6, 1e-2, 1e-2, 1e-2, 1e-6, 1e-6, 1e-6])

Residuals = Callable[[Camera], Floats]


@dataclass(frozen=True, slots=True)
class Refined:
    """A camera that fits best: with the covariance of its nine numbers and the last robust weights (N,)."""

    camera: Camera
    cost: float
    covariance: Floats
    weights: Floats


def turn(vector: Floats) -> Floats:
    """The rotation matrix (3, 3) of a rotation vector (3,)."""
    angle = float(np.linalg.norm(vector))
    if angle < 1e-12:
        return np.eye(3)
    x, y, z = vector / angle
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    out: Floats = np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)
    return out


def changed(camera: Camera, change: Floats) -> Camera:
    """The camera after a change (9,)."""
    lens = camera.lens
    if np.any(change[6:]):
        grow = float(np.exp(change[6]))
        lens = replace(
            lens, fx=lens.fx * grow, fy=lens.fy * grow, k1=lens.k1 + change[7], k2=lens.k2 + change[8]
        )
    matrix = turn(change[:3]) @ camera.matrix
    position = np.asarray(camera.position) + change[3:6]
    return replace(
        camera,
        lens=lens,
        position=(float(position[0]), float(position[1]), float(position[2])),
        rotation=tuple(float(v) for v in matrix.ravel()),
    )


def _robust(r: Floats, scale: float | None) -> Floats:
    """Cauchy weights (N,) of residuals (N,) in units of their sigma."""
    if scale is None:
        return np.ones_like(r)
    out: Floats = 1.0 / (1.0 + (r / scale) ** 2)
    return out


def _loss(r: Floats, scale: float | None) -> float:
    if scale is None:
        return float(np.sum(r * r))
    return float(scale**2 * np.sum(np.log1p((r / scale) ** 2)))


def refine(
    camera: Camera, residuals: Residuals, prior: Prior, scale: float | None = 2.0, steps: int = 40
) -> Refined:
    """Levenberg-Marquardt from `camera`.

    `residuals` gives (N,) numbers in units of their sigma for a camera; NaN (behind the camera) counts as far off.
    `scale` is where doubt begins, in sigmas (None: plain least squares).
    """
    free = np.array(prior) > 0
    inverse = np.where(free, 1.0 / np.maximum(np.array(prior), 1e-12), 0.0)

    def at(change: Floats) -> tuple[Floats, float]:
        r = np.nan_to_num(residuals(changed(camera, change)), nan=1e3, posinf=1e3, neginf=-1e3)
        return r, _loss(r, scale) + float(np.sum((change * inverse) ** 2))

    change = np.zeros(SIZE)
    r, cost = at(change)
    damp = 1e-3
    normal = np.eye(SIZE)
    for _ in range(steps):
        jacobian = _jacobian(camera, residuals, change, r, free)
        weights = _robust(r, scale)
        normal = jacobian.T @ (jacobian * weights[:, None]) + np.diag(inverse**2)
        slope = jacobian.T @ (weights * r) + inverse**2 * change
        before = cost
        while damp < 1e9:
            a = (normal + damp * np.diag(np.diag(normal)))[np.ix_(free, free)]
            move = np.zeros(SIZE)
            move[free] = -np.linalg.solve(a, slope[free])
            r_new, cost_new = at(change + move)
            if cost_new < cost:
                change, r, cost, damp = change + move, r_new, cost_new, max(damp / 5, 1e-9)
                break
            damp *= 4
        if before - cost < 1e-9 * max(before, 1e-9):
            break
    covariance = np.zeros((SIZE, SIZE))
    covariance[np.ix_(free, free)] = np.linalg.inv(normal[np.ix_(free, free)])
    return Refined(changed(camera, change), cost, covariance, _robust(r, scale))


def _jacobian(
    camera: Camera,
    residuals: Residuals,
    change: Floats,
    r: Floats,
    free: np.ndarray[tuple[int], np.dtype[np.bool_]],
) -> Floats:
    out = np.zeros((len(r), SIZE))
    for i in np.flatnonzero(free):
        nudged = change.copy()
        nudged[i] += STEP[i]
        out[:, i] = (np.nan_to_num(residuals(changed(camera, nudged)), nan=1e3) - r) / STEP[i]
    return out
