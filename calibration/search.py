"""Find a camera in a picture when the guess is far off: a mount's nominal pose, or a camera that was knocked.

The picture is shrunk and every pixel asked whether a thin line passes and in which direction; for a thousand
likely cameras the drawing is then laid over those maps and the best few are tried in earnest by `match.align`.
All chance is seeded: the same picture gives the same camera.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats
from calibration.drawing import Drawing, Image, drawing_of, flat, seen
from calibration.layout import Layout
from calibration.match import LENS_TOO, Fit, align, better, channels_of
from calibration.refine import Prior, changed

WIDTH: Final = 480
BINS: Final = 8
SAMPLES: Final = 1500
KEEP: Final = 24
ROUNDS: Final = ((9.0, 1.0), (5.0, 0.35), (3.0, 0.15), (2.0, 0.07))
"""Blur of the maps in small pixels, and the share of the spread that is searched, round by round."""
TRY: Final = 4
MOUNT: Final[Prior] = (0.07, 0.07, 0.05, 90.0, 90.0, 90.0, 0.06, 0.02, 0.005)
"""How far (sigma) a camera may be from its mount's nominal pose and lens."""
KNOCKED: Final[Prior] = (0.06, 0.06, 0.05, 20.0, 20.0, 20.0, 0.0, 0.0, 0.0)
"""How far a knock turns and shifts a camera."""
Maps = NDArray[np.float32]


def line_maps(channels: Sequence[Image], width: int = WIDTH) -> Maps:
    """How surely a line passes each pixel of a shrunk picture, by its normal's direction: (BINS, h, w), 0..1."""
    height = round(channels[0].shape[0] * width / channels[0].shape[1])
    ridge = np.zeros((height, width), np.float32)
    angle = np.zeros((height, width), np.float32)
    for plane in channels:
        # A line of three pixels in the full picture must survive the shrinking, so area averages.
        shrunk = cv2.resize(plane, (width, height), interpolation=cv2.INTER_AREA)
        small = cv2.GaussianBlur(shrunk.astype(np.float32), (0, 0), 0.8)
        xx = cv2.Sobel(small, cv2.CV_32F, 2, 0)
        yy = cv2.Sobel(small, cv2.CV_32F, 0, 2)
        xy = cv2.Sobel(small, cv2.CV_32F, 1, 1)
        root = np.sqrt(((xx - yy) / 2) ** 2 + xy**2)
        strength = np.abs((xx + yy) / 2) + root
        normal = 0.5 * np.arctan2(2 * xy, xx - yy)
        # Where the strong curvature is negative (a light line) the normal is the other eigenvector.
        normal = np.where(xx + yy < 0, normal + np.pi / 2, normal)
        stronger = strength > ridge
        ridge = np.where(stronger, strength, ridge).astype(np.float32)
        angle = np.where(stronger, normal, angle).astype(np.float32)
    around = cv2.blur(ridge, (31, 31)) + 2.0
    sure = np.clip(ridge / (3.0 * around), 0.0, 1.0) ** 2
    bins = np.floor(np.mod(angle, np.pi) / np.pi * BINS + 0.5).astype(np.int64) % BINS
    maps = np.zeros((BINS, height, width), np.float32)
    rows, columns = np.indices((height, width))
    maps[bins, rows, columns] = sure
    return maps


def _blurred(maps: Maps, sigma: float) -> Maps:
    """The maps, each with its neighbours in direction, blurred and scaled to compare."""
    spread = maps + 0.5 * np.roll(maps, 1, axis=0) + 0.5 * np.roll(maps, -1, axis=0)
    out = np.stack([cv2.GaussianBlur(one, (0, 0), sigma) for one in spread]) * np.float32(sigma)
    # Take away what any direction would give there, so that busy places (lettering, carpet) do not attract.
    return np.asarray(out - out.mean(axis=0, keepdims=True), np.float32)


def _score(maps: Maps, drawing: Drawing, camera: Camera, expected: int) -> float:
    count = len(drawing.points)
    ahead = drawing.points + np.column_stack([-drawing.normals[:, 1], drawing.normals[:, 0]])
    pixels = camera.project(flat(np.concatenate([drawing.points, ahead])))
    x, y = pixels[:count].T
    along = pixels[count:] - pixels[:count]
    with np.errstate(invalid="ignore"):
        inside = (x > 1) & (y > 1) & (x < maps.shape[2] - 2) & (y < maps.shape[1] - 2)
    shown = int(inside.sum())
    if shown < 0.5 * expected or shown < 20:
        return -1.0
    angle = np.arctan2(-along[inside, 0], along[inside, 1])
    bins = np.floor(np.mod(angle, np.pi) / np.pi * BINS + 0.5).astype(np.int64) % BINS
    values = maps[bins, np.round(y[inside]).astype(np.int64), np.round(x[inside]).astype(np.int64)]
    return float(values.sum()) / max(shown, 0.85 * expected)


def _candidates(
    channels: Sequence[Image], guess: Camera, drawing: Drawing, spread: Prior, seed: int, samples: int
) -> list[Floats]:
    """Changes of the guess that lay the drawing over lines, best first, no two alike."""
    rng = np.random.default_rng(seed)
    maps = line_maps(channels)
    small = guess.resized(maps.shape[2], maps.shape[1])
    expected = len(seen(drawing, small).which)
    sigma = np.array(spread)
    centres = [np.zeros(len(sigma))]
    for blur, share in ROUNDS:
        soft = _blurred(maps, blur)
        count = samples if share == 1.0 else samples // 4
        moves = rng.normal(size=(count, len(sigma))) * sigma * share
        changes = centres + [centres[i % len(centres)] + move for i, move in enumerate(moves)]
        scored = sorted(
            ((_score(soft, drawing, changed(small, c), expected), i) for i, c in enumerate(changes)),
            reverse=True,
        )
        centres = [changes[i] for _, i in scored[:KEEP]]
    return _apart(centres, small)


def _apart(changes: Sequence[Floats], camera: Camera) -> list[Floats]:
    """The first of the changes that show the table in clearly different places."""
    spots = np.array([(-600.0, 200.0, 0.0), (0.0, 600.0, 0.0), (600.0, 200.0, 0.0)])
    kept: list[tuple[Floats, Floats]] = []
    for change in changes:
        pixels = changed(camera, change).project(spots)
        if all(np.abs(pixels - other).max() > 4.0 for _, other in kept):
            kept.append((change, pixels))
    return [change for change, _ in kept[:TRY]]


def candidates(
    channels: Sequence[Image],
    guess: Camera,
    layout: Layout,
    spread: Prior,
    seed: int = 1,
    samples: int = SAMPLES,
) -> list[Camera]:
    """Cameras near a guess (at the picture's size) that lay the drawing over lines, the likeliest first."""
    drawing = drawing_of(layout, 30.0)
    return [changed(guess, one) for one in _candidates(channels, guess, drawing, spread, seed, samples)]


def find(
    picture: Image | Sequence[Image],
    guess: Camera,
    layout: Layout,
    spread: Prior = MOUNT,
    prior: Prior = LENS_TOO,
) -> Fit:
    """The camera of a picture, from a guess that may be far off by `spread`; `good` says if it worked."""
    channels = channels_of(picture) if isinstance(picture, np.ndarray) else list(picture)
    height, width = channels[0].shape
    guess = guess.resized(width, height)
    best = align(channels, guess, layout, prior)
    if best.good and best.found > 0.8 and best.rms_px < 1.0:
        return best
    for camera in candidates(channels, guess, layout, spread):
        best = better(best, align(channels, camera, layout, prior))
    return best
