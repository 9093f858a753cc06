"""Cameras out of step: by how much, found from what moves in both pictures at the same time.

Two cameras at one table see the same hands. How much moves in each, over time, is the same curve but for scale and
noise; the shift at which both curves agree best is how far one recording is behind the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

STEP: Final = 20
"""Resolution (ms)."""
MOST: Final = 2500
"""The largest shift (ms) that is looked for."""
AGREE: Final = 0.35
"""The least correlation at the best shift; below it nothing can be said."""
BETTER: Final = 0.04
"""How much better the best shift must be than none for it to be used."""
WATCHED: Final = 45.0
"""Seconds of film that are compared."""

Curve = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Shift:
    """By how much (ms) the second camera's times are to be changed; `sure` false: it could not be told."""

    offset: int
    agreement: float
    sure: bool


def find_shift(first: Curve, second: Curve) -> Shift:
    """Compare two curves of motion (times in ms, amounts)."""
    a, b = _regular(first), _regular(second)
    n = min(len(a), len(b))
    most = MOST // STEP
    if n < 4 * most:
        most = n // 4
    if n < 100 or a.std() < 1e-6 or b.std() < 1e-6:
        return Shift(0, 0.0, False)
    scores = {lag: _agreement(a, b, lag) for lag in range(-most, most + 1)}
    best = max(scores, key=lambda lag: (scores[lag], -abs(lag)))
    if scores[best] < AGREE:
        return Shift(0, scores[best], False)
    if scores[best] - scores[0] < BETTER:
        return Shift(0, scores[0], True)
    return Shift(best * STEP, scores[best], True)


def _regular(curve: Curve) -> NDArray[np.float64]:
    """The curve on a regular grid, its slow part taken off, large peaks damped."""
    times, values = curve
    if len(times) < 3:
        return np.zeros(0)
    grid = np.arange(times[0] - times[0] % STEP, times[-1], STEP)
    flat = np.log1p(np.interp(grid, times, values) * 8.0)
    wide = 101
    if len(flat) <= wide:
        return np.asarray(flat - flat.mean(), np.float64)
    slow = np.convolve(np.pad(flat, wide // 2, mode="edge"), np.ones(wide) / wide, mode="valid")
    return np.asarray(flat - slow, np.float64)


def _agreement(a: NDArray[np.float64], b: NDArray[np.float64], lag: int) -> float:
    """Correlation of a with b moved by `lag` steps."""
    x, y = (a[lag:], b[: len(b) - lag]) if lag >= 0 else (a[: len(a) + lag], b[-lag:])
    n = min(len(x), len(y))
    x, y = x[:n] - x[:n].mean(), y[:n] - y[:n].mean()
    scale = float(np.sqrt((x * x).sum() * (y * y).sum()))
    return float((x * y).sum() / scale) if scale > 0 else 0.0
