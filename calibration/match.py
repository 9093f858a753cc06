"""Fit a camera to the printed lines of a picture, from a rough guess; and judge a calibration by them.

Around every sample of the drawing the picture is read along the line's normal, in millimetres of the table, so
that near and far lines look alike; a line shows as a narrow bump there. The camera is then moved until the bumps
lie where the drawing says, again and again with a narrower reach. Chips, cards and hands cover some lines and add
others, so every step is robust, and the end is judged: how much of the drawing was found, how far off it lies.

Works on any cloth: ink may be lighter or darker than the felt, or differ in colour only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats
from calibration.drawing import Drawing, Image, Seen, drawing_of, flat, seen
from calibration.layout import Layout
from calibration.refine import SAME_LENS, Prior, Refined, refine

LINE: Final = 1.6
"""Half the width (mm) of what counts as a printed line."""
FLANK: Final = 5.0
STEP: Final = 0.5
REACHES: Final = (24.0, 16.0, 10.0, 7.0, 5.0, 4.0)
"""How far (mm) from its expected place a line is looked for, in turn."""
FINE: Final = 5.0
"""From this reach (mm) on every sample of the drawing is used."""
CLOSE: Final = 2.0
"""A line this near (mm, or pixels where a pixel is larger) to its place was found."""
ENOUGH: Final = 0.45
"""Share of the visible drawing that must be found for a fit to be believed."""
NEARLY: Final = 0.35
SURE: Final = 0.65
BARE: Final = 0.15
"""Share of the drawing that may be bare cloth; more means that another drawing is printed there."""
_LIKE_FELT: Final = 14.0
LENS_TOO: Final[Prior] = (0.5, 0.5, 0.5, 400.0, 400.0, 400.0, 0.1, 0.05, 0.02)
_SIGMA_PX: Final = 0.7


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a camera's drawing lies on a picture.

    `found` is the share of the visible samples whose line was found near its place, `blank` the share where bare
    cloth shows instead, which cards and hands do not explain; `rms_px` and `rms_mm` are how far those found lie off;
    `visible` counts samples, `areas` printed areas with at least one line found.
    """

    camera: Camera
    found: float
    rms_px: float
    rms_mm: float
    visible: int
    areas: int
    blank: float

    @property
    def good(self) -> bool:
        """Whether the fit can be believed."""
        return self.found >= ENOUGH and self.blank <= BARE and self.visible >= 40 and self.areas >= 4


@dataclass(frozen=True, slots=True)
class _Lines:
    """Lines found: offset (M,) in mm along the normals (NaN: none), and the strength of each."""

    offset: Floats
    strength: Floats


def _kernel() -> Floats:
    """A line against its surroundings, sampled every STEP mm; sums to zero."""
    half = round(FLANK / STEP)
    d = np.arange(-half, half + 1) * STEP
    ink = (np.abs(d) <= LINE).astype(np.float64)
    felt = (np.abs(d) > LINE + 0.4).astype(np.float64)
    out: Floats = ink / ink.sum() - felt / felt.sum()
    return out


_KERNEL: Final = _kernel()


def _profiles(channels: Sequence[Image], view: Seen, reach: float) -> Floats:
    """What the picture shows along the normals: (channels, M, samples), a sample every STEP mm."""
    half = round((reach + FLANK) / STEP)
    d = (np.arange(-half, half + 1) * STEP)[None, :]
    x = view.pixels[:, :1] + view.axis[:, :1] * view.scale[:, None] * d
    y = view.pixels[:, 1:] + view.axis[:, 1:] * view.scale[:, None] * d
    maps = (x.astype(np.float32), y.astype(np.float32))
    rows = [cv2.remap(c, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) for c in channels]
    return np.stack(rows).astype(np.float64)


def _respond(profiles: Floats) -> Floats:
    """How line-like every place is, signed: (channels, M, places)."""
    windows = np.lib.stride_tricks.sliding_window_view(profiles, len(_KERNEL), axis=2)
    out: Floats = windows @ _KERNEL
    return out


def _signed(response: Floats, groups: NDArray[np.int64]) -> Floats:
    """One response (M, places) from several channels: for each kind of area the channel and sign of its ink."""
    out = np.zeros(response.shape[1:])
    for group in np.unique(groups):
        rows = groups == group
        best, power = response[0, rows], -1.0
        for channel in response:
            for sign in (1.0, -1.0):
                peaks = np.maximum(sign * channel[rows], 0.0).max(axis=1)
                # Many middling peaks speak for ink; a few huge ones for a card's edge.
                strength = float(np.median(peaks)) / (1.0 + float(np.median(np.abs(channel[rows]))))
                if strength > power:
                    best, power = sign * channel[rows], strength
        out[rows] = best
    return out


def _lines(channels: Sequence[Image], drawing: Drawing, view: Seen, reach: float) -> _Lines:
    response = _signed(_respond(_profiles(channels, view, reach)), drawing.group[view.which])
    places = response.shape[1]
    middle = (places - 1) / 2
    d = (np.arange(places) - middle) * STEP
    nearness = 1.0 - 0.4 * (np.abs(d) / max(reach, 1.0))
    peak = np.argmax(response * nearness, axis=1)
    rows = np.arange(len(response))
    top = response[rows, peak]
    left = response[rows, np.maximum(peak - 1, 0)]
    right = response[rows, np.minimum(peak + 1, places - 1)]
    bend = left - 2 * top + right
    shift = np.where(bend < -1e-9, 0.5 * (left - right) / np.minimum(bend, -1e-9), 0.0)
    noise = 1.4826 * np.median(np.abs(response), axis=1)
    clear = (top > 3.0) & (top > 2.0 * noise) & (peak > 0) & (peak < places - 1)
    offset = np.where(clear, d[peak] + np.clip(shift, -1, 1) * STEP, np.nan)
    return _Lines(offset, np.where(clear, top, 0.0))


def channels_of(picture: Image) -> list[Image]:
    """The planes to look in: luma, and where there is colour the two differences that felts and inks differ by."""
    if picture.ndim == 2:
        return [picture]
    blue, green, red = (picture[:, :, i].astype(np.int16) for i in range(3))
    luma = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    warm = np.clip(128 + red - (green + blue) // 2, 0, 255).astype(np.uint8)
    fresh = np.clip(128 + green - (red + blue) // 2, 0, 255).astype(np.uint8)
    return [np.asarray(luma, np.uint8), warm, fresh]


def _weak(view: Seen, drawing: Drawing) -> Floats:
    """Weights (M,) that keep large or near areas from drowning the rest: each area counts alike."""
    area = drawing.area[view.which]
    counts = np.bincount(area, minlength=int(drawing.area.max()) + 1)
    out: Floats = 1.0 / np.sqrt(np.maximum(counts[area], 8) / 20.0)
    return out


def _pull(
    channels: Sequence[Image], drawing: Drawing, camera: Camera, reach: float, prior: Prior
) -> Refined | None:
    """One round: find the lines within reach, move the camera onto them; None if there are too few."""
    view = seen(drawing, camera)
    if len(view.which) < 40:
        return None
    lines = _lines(channels, drawing, view, reach)
    has = np.isfinite(lines.offset)
    if has.sum() < 30:
        return None
    goal = view.pixels[has] + view.axis[has] * (view.scale[has] * lines.offset[has])[:, None]
    axis, points = view.axis[has], flat(drawing.points[view.which[has]])
    sigma = np.hypot(_SIGMA_PX, 0.5 * view.scale[has])
    weight = _weak(view, drawing)[has] / sigma

    def residuals(one: Camera) -> Floats:
        out: Floats = np.sum((one.project(points) - goal) * axis, axis=1) * weight
        return out

    spread = float(np.clip(np.nanmedian(np.abs(lines.offset)), 0.8, reach / 3))
    scale = max(1.0, spread * float(np.median(view.scale[has] * weight)))
    return refine(camera, residuals, prior, scale, steps=6 if reach > 5 else 12)


def judge(picture: Image | Sequence[Image], camera: Camera, layout: Layout) -> Fit:
    """How well a camera as it is fits a picture of its own size (or the planes of one)."""
    channels = channels_of(picture) if isinstance(picture, np.ndarray) else picture
    height, width = channels[0].shape
    camera = camera.resized(width, height)
    drawing = drawing_of(layout)
    view = seen(drawing, camera)
    if not len(view.which):
        return Fit(camera, 0.0, float("inf"), float("inf"), 0, 0, 0.0)
    lines = _lines(channels, drawing, view, REACHES[2])
    limit = np.maximum(CLOSE, 1.0 / view.scale)
    with np.errstate(invalid="ignore"):
        near = np.abs(lines.offset) < limit
    mm = lines.offset[near]
    px = mm * view.scale[near]
    areas = len(np.unique(drawing.area[view.which[near]])) if near.any() else 0
    rms = (float(np.sqrt(np.mean(px**2))), float(np.sqrt(np.mean(mm**2)))) if near.any() else (np.inf, np.inf)
    blank = _bare(channels, view, near, np.isfinite(lines.offset))
    return Fit(camera, float(near.mean()), rms[0], rms[1], len(view.which), areas, blank)


def _bare(channels: Sequence[Image], view: Seen, near: NDArray[np.bool_], line: NDArray[np.bool_]) -> float:
    """Share of samples where the cloth shows without a line: all along the normal it looks like what flanks the lines
    that were found.
    """
    if near.sum() < 20:
        return 0.0
    profiles = _profiles(channels, view, 0.0)
    flanks = np.concatenate([profiles[:, :, :4], profiles[:, :, -4:]], axis=2)
    felt = np.median(flanks[:, near], axis=(1, 2))[:, None, None]
    with np.errstate(invalid="ignore"):
        alike = (np.abs(profiles - felt) < np.maximum(_LIKE_FELT, 0.25 * felt)).mean(axis=2) > 0.9
    bare = alike.all(axis=0) & ~near & ~line
    return float(bare.mean())


def align(
    picture: Image | Sequence[Image],
    camera: Camera,
    layout: Layout,
    prior: Prior = SAME_LENS,
    reaches: Sequence[float] = REACHES,
) -> Fit:
    """The camera moved onto the picture's lines from a guess a few centimetres off; `good` says if it worked."""
    channels = channels_of(picture) if isinstance(picture, np.ndarray) else picture
    height, width = channels[0].shape
    camera = camera.resized(width, height)
    best = judge(channels, camera, layout)
    if best.found > NEARLY:
        # A wide reach meets other things' edges; from a guess that already fits, do not look so far.
        best = better(best, _walk(channels, camera, layout, prior, [r for r in reaches if r <= REACHES[2]]))
        if best.good and best.found > SURE:
            return best
    return better(best, _walk(channels, camera, layout, prior, reaches))


def _walk(
    channels: Sequence[Image], camera: Camera, layout: Layout, prior: Prior, reaches: Sequence[float]
) -> Fit:
    for reach in reaches:
        drawing = drawing_of(layout, 5.0 if reach <= FINE else 12.0)
        pulled = _pull(channels, drawing, camera, reach, prior)
        if pulled is None:
            break
        camera = pulled.camera
    return judge(channels, camera, layout)


def better(one: Fit, other: Fit) -> Fit:
    """The fit to believe: a good one before one that is not, then what finds more, then what lies closer."""
    if one.good != other.good:
        return one if one.good else other
    if abs(one.found - other.found) > 0.02:
        return one if one.found > other.found else other
    return one if one.rms_mm < other.rms_mm else other
