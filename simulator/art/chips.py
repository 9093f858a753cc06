"""Chip sets: colours by value, edge spots and inlays, in splits that share none.

`chip_model(name, values)` is what the table file says about the chips; `chip_art(model)` draws exactly that set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.tablefile import ChipModel, ChipSetModel
from simulator.art.lettering import paste, words
from simulator.errors import SceneError

Image = NDArray[np.uint8]
VALUES: Final = (100, 200, 500, 1000, 2500, 10000, 50000, 100000)
TOP_PX, SIDE_W, SIDE_H = 256, 512, 16
CASINO: Final = ("#e9e6dc", "#f0a9bd", "#b3202c", "#2f5fae", "#1f7a45", "#1d1d21", "#5a2f86", "#d99a1f")
CASINO_SPOTS: Final = ("#2c4aa0", "#7a2440", "#f1ead8", "#f3d35a", "#efe6d2", "#d9b45c", "#e8c84a", "#5b2b12")


@dataclass(frozen=True, slots=True)
class ChipStyle:
    """How a house prints its chips.

    `spots` is how many edge spots, `share` how much of the edge they cover, `split` doubles each spot, `inlay`
    the radius of the printed middle (share of the chip), `ring` a coloured ring about it, `family` the letters.
    """

    name: str
    colours: tuple[str, ...] = CASINO
    accents: tuple[str, ...] = CASINO_SPOTS
    spots: int = 6
    share: float = 0.38
    split: bool = False
    inlay: float = 0.58
    ring: str = "line"
    family: str = "serif"
    paper: str = "#f2efe6"


def _turned(colours: tuple[str, ...], degrees: float, shade: float) -> tuple[str, ...]:
    """The same colours with the hue turned and the brightness scaled, for another house's taste."""
    out = []
    for text in colours:
        rgb = np.array([[[int(text[i : i + 2], 16) for i in (1, 3, 5)]]], np.uint8)
        hsv = cv2.cvtColor(rgb, cv2.COLOR_RGB2HSV).astype(int)
        hsv[..., 0] = (hsv[..., 0] + round(degrees / 2)) % 180
        hsv[..., 2] = np.clip(hsv[..., 2] * shade, 0, 255)
        r, g, b = cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2RGB)[0, 0]
        out.append(f"#{r:02x}{g:02x}{b:02x}")
    return tuple(out)


STYLES: Final[dict[str, tuple[ChipStyle, ...]]] = {
    "train": (
        ChipStyle("club"),
        ChipStyle("harbour", spots=8, share=0.42, inlay=0.5, family="sans", accents=CASINO_SPOTS[::-1]),
        ChipStyle("meridian", _turned(CASINO, 14, 1.05), spots=4, share=0.3, split=True, inlay=0.62, ring="dots"),
        ChipStyle("royal", _turned(CASINO, -16, 0.9), spots=6, split=True, share=0.46, family="roman", ring="band"),
        ChipStyle("lagoon", ("#dfe6ea", "#f2b68c", "#c4453a", "#3b86c4", "#3f9a5c", "#2b2b2f", "#7a4da3", "#e2b93b"),
                  spots=3, share=0.36, inlay=0.66, family="gothic", ring="none"),
        ChipStyle("plain", spots=12, share=0.5, inlay=0.46, family="narrow", ring="band", paper="#fffdf6"),
    ),
    "valid": (
        ChipStyle("v-summit", _turned(CASINO, 8, 0.95), _turned(CASINO_SPOTS, 40, 1.0), 5, 0.36, True, 0.56,
                  "dots", "bookman"),
        ChipStyle("v-mesa", _turned(CASINO, -8, 1.08), spots=10, share=0.44, inlay=0.52, family="sans"),
    ),
    "test": (
        ChipStyle("t-quay", _turned(CASINO, -10, 1.0), _turned(CASINO_SPOTS, -50, 1.0), 7, 0.4, False, 0.54,
                  "band", "roman"),
        ChipStyle("t-palace", _turned(CASINO, 11, 0.92), spots=4, share=0.44, split=True, inlay=0.6,
                  family="bookman", ring="line"),
    ),
}  # fmt: skip


def chip_sets(split: str) -> tuple[str, ...]:
    """Names of the chip sets of a split."""
    if split not in STYLES:
        raise SceneError(f"unknown split {split}: choose train, valid or test")
    return tuple(style.name for style in STYLES[split])


def _style(name: str) -> ChipStyle:
    for styles in STYLES.values():
        for style in styles:
            if style.name == name:
                return style
    raise SceneError(f"unknown chip set {name}")


def chip_model(name: str, values: Sequence[int]) -> ChipSetModel:
    """What a table file says about a chip set with these values (cents)."""
    style = _style(name)
    chips = []
    for value in sorted(values):
        if value not in VALUES:
            raise SceneError(f"chip set {name} has no chip of {value} cents")
        i = VALUES.index(value)
        chips.append(
            ChipModel(
                value=value,
                label=str(value // 100),
                colour=style.colours[i],
                spots=style.accents[i],
                inlay=style.paper,
            )
        )
    return ChipSetModel(name=name, chip=tuple(chips))


def _rgb(text: str) -> NDArray[np.float32]:
    return np.array([int(text[i : i + 2], 16) for i in (1, 3, 5)], np.float32)


def _spots(style: ChipStyle, turn: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether the edge at these angles (share of a full turn) is spotted."""
    phase = (turn * style.spots) % 1.0
    spotted = np.abs(phase - 0.5) < style.share / 2
    if style.split:
        spotted &= np.abs(phase - 0.5) > style.share * 0.1
    return np.asarray(spotted)


def _top(chip: ChipModel, style: ChipStyle) -> Image:
    n = TOP_PX * 2
    y, x = np.mgrid[0:n, 0:n] / (n - 1) * 2 - 1.0
    r, turn = np.hypot(x, y), (np.arctan2(-y, x) / (2 * pi)) % 1.0
    body, spots, paper = _rgb(chip.colour), _rgb(chip.spots), _rgb(chip.inlay)
    image = np.broadcast_to(body, (n, n, 3)).astype(np.float32)
    image[_spots(style, turn) & (r > style.inlay + 0.16)] = spots
    image[(r > style.inlay + 0.08) & (r < style.inlay + 0.13)] = body * 0.8
    image[r < style.inlay + 0.06] = body * 0.55 + spots * 0.3
    image[r < style.inlay] = paper
    edge = np.abs(r - style.inlay * 0.88)
    if style.ring == "line":
        image[edge < 0.02] = body
    elif style.ring == "band":
        image[(r < style.inlay) & (r > style.inlay * 0.8)] = body
    elif style.ring == "dots":
        image[(edge < 0.04) & ((turn * 24) % 1.0 < 0.5)] = body * 0.8
    height = round(n * style.inlay * (0.42, 0.42, 0.36, 0.3, 0.25)[min(4, len(chip.label))])
    mask = words(chip.label, style.family, height)
    shift = np.array([[1.0, 0, n / 2 - mask.shape[1] / 2], [0, 1.0, n / 2 - height * 0.82]])
    ink = np.array([24, 22, 26], np.float32) if paper.mean() > 120 else np.array([235, 230, 220], np.float32)
    paste(image, mask, shift, ink)
    small = cv2.resize(image, (TOP_PX, TOP_PX), interpolation=cv2.INTER_AREA)
    return np.dstack([np.clip(small, 0, 255).astype(np.uint8), np.full((TOP_PX, TOP_PX), 255, np.uint8)])


def _side(chip: ChipModel, style: ChipStyle) -> Image:
    spotted = _spots(style, (np.arange(SIDE_W) + 0.5) / SIDE_W)
    row = np.where(spotted[:, None], _rgb(chip.spots), _rgb(chip.colour)).astype(np.uint8)
    image = np.repeat(row[None], SIDE_H, axis=0)
    return np.dstack([image, np.full((SIDE_H, SIDE_W), 255, np.uint8)])


def chip_art(model: ChipSetModel) -> tuple[Image, Image]:
    """Tops (N, 256, 256, 4) and edges (N, 16, 512, 4) RGBA of a chip set, in the model's order.

    A set that is not one of ours is drawn in the first style with its own colours.
    """
    known = {s.name: s for styles in STYLES.values() for s in styles}
    style = known.get(model.name, STYLES["train"][0])
    tops = np.stack([_top(c, style) for c in model.chip])
    return tops, np.stack([_side(c, style) for c in model.chip])
