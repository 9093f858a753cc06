"""Printed words as alpha masks, straight or on an arc.

Families name a look, and the first font file of the list that the machine has is used; without any, Pillow's
own font. Letters are decoration here (nothing is read from them), so a missing font is no error.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Mask = NDArray[np.uint8]
_ROOT: Final = Path("/usr/share/fonts")
FAMILIES: Final = {
    "serif": ("truetype/dejavu/DejaVuSerif-Bold.ttf", "truetype/freefont/FreeSerifBold.ttf"),
    "bookman": ("opentype/urw-base35/URWBookman-Demi.otf", "truetype/dejavu/DejaVuSerif.ttf"),
    "roman": ("truetype/liberation/LiberationSerif-Bold.ttf", "opentype/urw-base35/NimbusRoman-Bold.otf"),
    "sans": ("truetype/dejavu/DejaVuSans-Bold.ttf", "truetype/liberation/LiberationSans-Bold.ttf"),
    "narrow": ("truetype/liberation/LiberationSansNarrow-Bold.ttf", "truetype/freefont/FreeSansBold.ttf"),
    "gothic": ("opentype/urw-base35/URWGothic-Demi.otf", "truetype/lato/Lato-Bold.ttf"),
    "chancery": ("opentype/urw-base35/Z003-MediumItalic.otf", "truetype/freefont/FreeSerifBoldItalic.ttf"),
}


@lru_cache(maxsize=64)
def font(family: str, size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """A font of a family at a pixel size."""
    for name in FAMILIES[family]:
        path = _ROOT / name
        if path.is_file():
            return ImageFont.truetype(str(path), size)
    return ImageFont.load_default(size)


def words(text: str, family: str, height: int, spacing: float = 0.0) -> Mask:
    """Alpha (H, W) of one line, capitals about `height` px tall; `spacing` is extra px between letters."""
    face = font(family, max(6, round(height * 1.36)))
    widths = [face.getlength(c) + spacing for c in text]
    width = max(4, round(sum(widths)) + 8)
    image = Image.new("L", (width, round(height * 1.7) + 4))
    draw = ImageDraw.Draw(image)
    x = 4.0
    for letter, step in zip(text, widths, strict=True):
        draw.text((x, round(height * 1.32)), letter, font=face, fill=255, anchor="ls")
        x += step
    return np.asarray(image)


def paste(
    canvas: NDArray[np.float32], mask: Mask, matrix: NDArray[np.float64], colour: NDArray[np.float32]
) -> None:
    """Blend a mask into a canvas (H, W, 3) through a 2 x 3 affine matrix from mask to canvas pixels."""
    h, w = mask.shape
    corners = np.array([(0, 0, 1), (w, 0, 1), (w, h, 1), (0, h, 1)], np.float64) @ matrix.T
    low = np.maximum(np.floor(corners.min(0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(corners.max(0)).astype(int) + 2, (canvas.shape[1], canvas.shape[0]))
    if (high <= low).any():
        return
    shifted = matrix.copy()
    shifted[:, 2] -= low
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    alpha = cv2.warpAffine(mask, shifted, size, flags=cv2.INTER_LINEAR).astype(np.float32)[..., None] / 255
    patch = canvas[low[1] : high[1], low[0] : high[0]]
    patch += alpha * (colour - patch)
