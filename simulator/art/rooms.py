"""The floor of the room around the table: carpets, tiles and boards, each one repeat of a pattern."""

from __future__ import annotations

import zlib
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.art.felts import ROOMS, weave_image
from simulator.errors import SceneError

Image = NDArray[np.uint8]
SIZE: Final = 512
REPEAT_MM: Final = 900.0
"""How much floor one repeat covers."""

_PALETTES: Final[dict[str, tuple[str, ...]]] = {
    "red": ("#4a1d20", "#7a2f28", "#b8862f", "#2c1216"),
    "blue": ("#1c2440", "#324a7a", "#a98a4a", "#121830"),
    "leaf": ("#33301f", "#5c6a2e", "#9a5a2c", "#221f16"),
    "grey": ("#6a6864", "#7a7874", "#5c5a57", "#3c3b39"),
    "oak": ("#7a5a38", "#6c4e30", "#886642", "#3c2a1a"),
    "brown": ("#43332a", "#4a382d", "#3c2d25", "#30241e"),
    "violet": ("#2e2140", "#55407a", "#b07a3a", "#1c1428"),
    "dark": ("#3b281b", "#332216", "#432f20", "#1c130c"),
    "green": ("#1c3326", "#3a5c3c", "#a8884c", "#122018"),
    "sand": ("#8c7c62", "#99896e", "#7e6f58", "#5a4f40"),
}


def _rgb(text: str) -> tuple[float, ...]:
    return tuple(float(int(text[i : i + 2], 16)) for i in (1, 3, 5))


def room_image(name: str) -> Image:
    """One repeat of a floor (512, 512, 4) RGBA; its pattern follows from its name."""
    if name not in {room for rooms in ROOMS.values() for room in rooms}:
        raise SceneError(f"unknown room {name}")
    kind, tone = name.split("-")[-2:]
    colours = [_rgb(c) for c in _PALETTES[tone]]
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    image = np.empty((SIZE, SIZE, 3), np.float32)
    image[:] = colours[0]
    if kind == "carpet":
        _carpet(image, colours, rng)
    elif kind == "tiles":
        _tiles(image, colours, rng)
    elif kind == "wood":
        _boards(image, colours, rng)
    grain = weave_image(11, SIZE).astype(np.float32)[..., None] / 128
    image *= 0.6 + 0.4 * grain
    return np.dstack([np.clip(image, 0, 255).astype(np.uint8), np.full((SIZE, SIZE), 255, np.uint8)])


def _carpet(image: NDArray[np.float32], colours: list[tuple[float, ...]], rng: np.random.Generator) -> None:
    """Ovals and rings strewn about, wrapped at the edges so that repeats join."""
    for _ in range(34):
        x, y = rng.integers(0, SIZE, 2)
        axes = (int(rng.integers(10, 44)), int(rng.integers(8, 26)))
        angle, colour = float(rng.uniform(0, 180)), colours[int(rng.integers(1, len(colours)))]
        thick = -1 if rng.random() < 0.6 else int(rng.integers(3, 7))
        for dx in (-SIZE, 0, SIZE):
            for dy in (-SIZE, 0, SIZE):
                middle = (int(x) + dx, int(y) + dy)
                cv2.ellipse(image, middle, axes, angle, 0, 360, colour, thick, cv2.LINE_AA)


def _tiles(image: NDArray[np.float32], colours: list[tuple[float, ...]], rng: np.random.Generator) -> None:
    step = SIZE // 2
    for x in range(0, SIZE, step):
        for y in range(0, SIZE, step):
            image[y : y + step, x : x + step] = colours[int(rng.integers(0, 3))]
            image[y : y + 4, x : x + step] = colours[3]
            image[y : y + step, x : x + 4] = colours[3]


def _boards(image: NDArray[np.float32], colours: list[tuple[float, ...]], rng: np.random.Generator) -> None:
    step = SIZE // 8
    for row, y in enumerate(range(0, SIZE, step)):
        cut = int(rng.integers(0, SIZE))
        for part in (slice(0, cut), slice(cut, SIZE)):
            image[y : y + step, part] = np.multiply(colours[row % 3], rng.uniform(0.88, 1.1))
        image[y : y + 2] = colours[3]
        image[y : y + step, cut : cut + 2] = colours[3]
