"""How far apart the clocks of two cameras over one table are, from how much moves in each picture.

Cameras over one table see the same hands, so their motion rises and falls together, whatever the angle. One
series is slid along the other; where they agree best is the offset. It is believed only if that place stands out:
a still table, or motion that repeats itself (a dealer's even rhythm), gives no answer rather than a wrong one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
GRID: Final = 20
"""Milliseconds between samples of the common time line."""
LARGEST: Final = 2000
SHORTEST: Final = 6000
"""Common time (ms) below which nothing is said."""
AGREE: Final = 0.35
MARGIN: Final = 1.15
"""How much better the best offset must be than any other hill."""
APART: Final = 400
"""Offsets nearer than this (ms) belong to one hill."""


@dataclass(frozen=True, slots=True)
class Offset:
    """What to add to the second camera's times (ms) to get the first's; `agreement` is the correlation there."""

    ms: float
    agreement: float
    margin: float


def motion_energy(before: NDArray[np.uint8], now: NDArray[np.uint8], floor: int = 12) -> float:
    """How much moved between two small luma pictures: mean change beyond noise, in grey levels."""
    change = np.abs(now.astype(np.int16) - before.astype(np.int16))
    return float(np.maximum(change - floor, 0).mean())


def clock_offset(
    times_a: ArrayLike, energy_a: ArrayLike, times_b: ArrayLike, energy_b: ArrayLike, largest: int = LARGEST
) -> Offset | None:
    """The offset of camera b against camera a, from times (ms, rising) and motion energies; None if unclear.

    ``times_b + offset.ms`` are b's times on a's clock.
    """
    series = [_prepared(t, e) for t, e in ((times_a, energy_a), (times_b, energy_b))]
    if any(one is None for one in series):
        return None
    (start_a, a), (start_b, b) = (one for one in series if one is not None)
    lags = np.arange(-largest // GRID, largest // GRID + 1)
    base = round((start_b - start_a) / GRID)
    scores = np.array([_agreement(a, b, base + int(lag)) for lag in lags])
    if not np.isfinite(scores).any():
        return None
    best = int(np.nanargmax(scores))
    peak = float(scores[best])
    far = np.abs(lags - lags[best]) * GRID > APART
    other = float(np.nanmax(np.where(far, scores, -1.0), initial=0.0)) if far.any() else 0.0
    margin = peak / max(other, 1e-6)
    if peak < AGREE or margin < MARGIN or best in (0, len(lags) - 1):
        return None
    left, right = float(scores[best - 1]), float(scores[best + 1])
    bend = left - 2 * peak + right
    part = 0.5 * (left - right) / bend if np.isfinite(bend) and bend < -1e-12 else 0.0
    return Offset(float((lags[best] + np.clip(part, -0.5, 0.5)) * GRID), peak, margin)


def clock_offsets(series: Sequence[tuple[ArrayLike, ArrayLike]]) -> list[Offset | None]:
    """The offset of every camera against the first (itself: zero)."""
    first = series[0]
    own: list[Offset | None] = [Offset(0.0, 1.0, float("inf"))]
    return own + [clock_offset(*first, *other) for other in series[1:]]


def _prepared(times: ArrayLike, energy: ArrayLike) -> tuple[float, Floats] | None:
    """A series on the common grid: its start (ms) and changes of log energy, smoothed; None if nothing moves."""
    t, e = np.asarray(times, np.float64), np.asarray(energy, np.float64)
    good = np.isfinite(t) & np.isfinite(e)
    t, e = t[good], e[good]
    if len(t) < 10 or t[-1] - t[0] < SHORTEST or np.any(np.diff(t) < 0):
        return None
    start = float(np.ceil(t[0] / GRID) * GRID)
    level = np.log1p(
        np.maximum(np.interp(np.arange(start, t[-1], GRID), t, e), 0.0) / max(float(e.mean()), 1e-6)
    )
    kernel = np.hanning(11)
    smooth = np.convolve(level, kernel / kernel.sum(), mode="same")
    # Take out what lasts for seconds: one camera sees more of a long movement than the other.
    wide = np.ones(151) / 151
    weight = np.convolve(np.ones_like(smooth), wide, mode="same")
    out = smooth - np.convolve(smooth, wide, mode="same") / weight
    return (start, out) if float(out.std()) > 1e-3 else None


def _agreement(a: Floats, b: Floats, lag: int) -> float:
    """Correlation of a and b where b's sample 0 meets a's sample `lag`; NaN if they share too little time."""
    first, last = max(0, lag), min(len(a), lag + len(b))
    if (last - first) * GRID < SHORTEST - LARGEST:
        return float("nan")
    x, y = a[first:last], b[first - lag : last - lag]
    x, y = x - x.mean(), y - y.mean()
    size = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / size if size > 1e-12 else float("nan")
