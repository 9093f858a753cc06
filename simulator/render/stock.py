"""The textures of a look: cards, chips, printed cloth, floor, and the grain that all share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.layout import Layout
from simulator.art.chips import chip_art, chip_model
from simulator.art.decks import HEIGHT_PX, LABELS, WIDTH_PX, back_image, deck_faces
from simulator.art.felts import cloth_image, weave_image
from simulator.art.rooms import room_image
from simulator.scene import Look

Image = NDArray[np.uint8]


class Stock:
    """Textures on the graphics card, made once for a look; `use` binds them."""

    def __init__(self, context: Any, look: Look, layout: Layout, values: tuple[int, ...]) -> None:
        tops, sides = chip_art(chip_model(look.chips, values))
        self._textures = {
            "art": _array(context, _cards(look)),
            "tops": _array(context, tops),
            "sides": _array(context, sides),
            "cloth": _flat(context, _woven(cloth_image(layout, look.felt, look.print))),
            "floor": _flat(context, room_image(look.room)),
            "weave": _flat(context, weave_image()[..., None]),
        }
        self._textures["cloth"].repeat_x = self._textures["cloth"].repeat_y = False

    def use(self, name: str, unit: int) -> None:
        """Bind a texture to a unit."""
        self._textures[name].use(unit)

    def release(self) -> None:
        """Free the graphics memory."""
        for texture in self._textures.values():
            texture.release()
        self._textures.clear()


def _woven(cloth: Image) -> Image:
    """The printed cloth with its nap: fine threads, and broad patches where it is worn."""
    height, width = cloth.shape[:2]
    weave = weave_image().astype(np.float32) / 255
    reps = (-(-height // weave.shape[0]), -(-width // weave.shape[1]))
    fine = np.tile(weave, reps)[:height, :width]
    rows = np.arange(height) * 0.33 % weave.shape[0]
    cols = np.arange(width) * 0.33 % weave.shape[1]
    broad = weave[rows.astype(int)][:, cols.astype(int)]
    nap = np.sqrt(np.clip(0.48 + 0.55 * fine + 0.5 * broad, 0.2, 1.6))
    out = cloth.copy()
    out[..., :3] = np.clip(cloth[..., :3] * nap[..., None], 0, 255)
    return out


def _cards(look: Look) -> Image:
    """Both decks, a cut card and a blank face, (108, H, W, 4)."""
    layers: list[Image] = []
    for deck, back in zip(look.decks, look.backs, strict=True):
        faces = deck_faces(deck)
        layers += [faces[label] for label in LABELS]
        layers.append(back_image(back))
    cut = np.full((HEIGHT_PX, WIDTH_PX, 4), 255, np.uint8)
    cut[..., :3] = ((222, 178, 36), (200, 40, 44), (240, 120, 30))[look.seed % 3]
    return np.stack([*layers, cut, np.full_like(cut, 250)])


def _array(context: Any, images: Image) -> Any:
    count, height, width, parts = images.shape
    texture = context.texture_array((width, height, count), parts, np.ascontiguousarray(images))
    texture.build_mipmaps()
    texture.filter = (context.LINEAR_MIPMAP_LINEAR, context.LINEAR)
    return texture


def _flat(context: Any, image: Image) -> Any:
    height, width, parts = image.shape
    texture = context.texture((width, height), parts, np.ascontiguousarray(image))
    texture.build_mipmaps()
    texture.filter = (context.LINEAR_MIPMAP_NEAREST, context.LINEAR)
    return texture
