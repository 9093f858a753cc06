"""What a camera does to a picture: exposure and colour, lens falloff, blur, glare, flicker, noise, the clock.

What rests keeps its graded pixels; only noise, flicker and the clock are new in every frame.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.looks import Faults

Image = NDArray[np.uint8]
Rect = tuple[int, int, int, int]
REACH: Final = 8
"""How far (px) a pixel's grading may depend on its neighbours."""
START: Final = datetime(2026, 3, 14, 21, 4, 0, tzinfo=UTC)


class Grader:
    """Makes a camera's frames from perfect pictures of one size."""

    def __init__(self, faults: Faults, size: tuple[int, int], seed: int, fps: float = 25.0) -> None:
        self.faults, self.size, self.fps = faults, size, fps
        self._rng = np.random.Generator(np.random.PCG64(seed))
        self._curves = _curves(faults)
        self._fall = _falloff(faults, size)
        self._noise = _noise(faults, size, self._rng)
        self._phase = float(self._rng.uniform(0, 6.28))
        self._soft = faults.soft * size[1] / 1080
        self.graded: Image = np.zeros((size[1], size[0], 3), np.uint8)

    def grade(self, picture: Image, rect: Rect | None = None) -> None:
        """Grade a picture (H, W, 3), or a rectangle (x0, y0, x1, y1) of it, into `graded`."""
        w, h = self.size
        x0, y0, x1, y1 = rect or (0, 0, w, h)
        a, b, c, d = max(0, x0 - REACH), max(0, y0 - REACH), min(w, x1 + REACH), min(h, y1 + REACH)
        e, f, g, i = (max(0, a - REACH), max(0, b - REACH), min(w, c + REACH), min(h, d + REACH))
        part = picture[f:i, e:g]
        if self._soft > 0.3:
            part = np.asarray(cv2.GaussianBlur(part, (0, 0), self._soft), np.uint8)
        part = np.asarray(cv2.LUT(part, self._curves), np.uint8)[b - f : d - f, a - e : c - e]
        if abs(self.faults.saturation - 1) > 0.01:
            part = _saturate(part, self.faults.saturation)
        self.graded[b:d, a:c] = cv2.multiply(part, self._fall[b:d, a:c], scale=1 / 255)

    def frame(self, number: int) -> Image:
        """The frame as the recorder gets it: graded, with this frame's flicker, noise and time."""
        w, h = self.size
        out = self.graded
        if self.faults.flicker > 0.002:
            gain = 1 + self.faults.flicker * np.sin(
                self._phase + 6.283 * self.faults.beat * number / self.fps
            )
            out = np.asarray(cv2.convertScaleAbs(out, alpha=float(gain)), np.uint8)
        dx, dy = (int(v) for v in self._rng.integers(0, 64, 2))
        noisy = np.asarray(cv2.add(out, self._noise[dy : dy + h, dx : dx + w], dtype=cv2.CV_8U), np.uint8)
        if self.faults.clock:
            self._stamp(noisy, number)
        return noisy

    def _stamp(self, frame: Image, number: int) -> None:
        now = START + timedelta(seconds=number / self.fps)
        text = f"{self.faults.clock}   {now:%Y-%m-%d %H:%M:%S}.{now.microsecond // 10_000:02d}"
        scale = self.size[1] / 1080
        at = (round(28 * scale), self.size[1] - round(26 * scale))
        for colour, thick in (((16, 16, 16), 4), ((232, 232, 228), 2)):
            width = max(1, round(thick * scale))
            cv2.putText(frame, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.8 * scale, colour, width, cv2.LINE_AA)


def _curves(faults: Faults) -> Image:
    """A curve (1, 256, 3) for each colour."""
    x = np.arange(256) / 255
    out = np.empty((1, 256, 3), np.uint8)
    for channel, white in enumerate(faults.white):
        y = np.clip(x * faults.gain * white, 0, 1.2) ** faults.gamma
        y = faults.glare + (1 - faults.glare) * y
        y = np.where(y > 0.85, 0.85 + 0.15 * np.tanh((y - 0.85) / 0.15), y)
        out[0, :, channel] = np.clip(y * 255 + 0.5, 0, 255)
    return out


def _falloff(faults: Faults, size: tuple[int, int]) -> Image:
    w, h = size
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    r2 = ((x - w / 2) ** 2 + (y - h / 2) ** 2) / ((w / 2) ** 2 + (h / 2) ** 2)
    fall = np.clip(255 * (1 - faults.vignette * r2 * (0.6 + 0.4 * r2)), 0, 255).astype(np.uint8)
    return np.repeat(fall[..., None], 3, axis=2)


def _noise(faults: Faults, size: tuple[int, int], rng: np.random.Generator) -> NDArray[np.int16]:
    """A field of noise larger than the picture; each frame takes another part of it."""
    w, h = size[0] + 64, size[1] + 64
    fine = rng.standard_normal((h, w), np.float32) * faults.noise
    coarse = (
        cv2.resize(rng.standard_normal((h // 3 + 1, w // 3 + 1), np.float32), (w, h)) * faults.grain * 1.5
    )
    colour = (
        cv2.resize(rng.standard_normal((h // 2 + 1, w // 2 + 1, 3), np.float32), (w, h)) * faults.noise * 0.5
    )
    field: NDArray[np.int16] = np.round((fine + coarse)[..., None] + colour).astype(np.int16)
    return field


def _saturate(part: Image, amount: float) -> Image:
    grey = cv2.cvtColor(cv2.cvtColor(part, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    return np.asarray(cv2.addWeighted(part, amount, grey, 1 - amount, 0), np.uint8)
