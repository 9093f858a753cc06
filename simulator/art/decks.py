"""Every deck we can draw, by id, in splits that never share art.

`decks(split)` names them, `deck_faces(id)` gives 52 faces and `deck_back(id)` the back that belongs to it. Families
(decks that share drawings, such as the Bellot courts in three packages) stay within one split. Rasters are cached as
one PNG sheet per deck.

Pictures are RGBA, uint8, HEIGHT_PX x WIDTH_PX x 4, corners rounded by alpha, card upright.
"""

from __future__ import annotations

import gzip
import os
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import resvg_py
from numpy.typing import NDArray

from simulator.art.backs import BACKS, back_svg
from simulator.art.owndeck import STYLES, card_svg
from simulator.art.packages import cache_dir, gnome_sheet, npm_package
from simulator.errors import SceneError

Image = NDArray[np.uint8]
SPLITS: Final = ("train", "valid", "test")
RANKS: Final = "A23456789TJQK"
LABELS: Final = tuple(f"{rank}{suit}" for suit in "cdhs" for rank in RANKS)
WIDTH_PX, HEIGHT_PX = 320, 448
CORNER_MM: Final = 3.4
ART_VERSION: Final = 2

_SVG_CARDS = "svg-cards"
_HERUKA = "@heruka_urgyen/react-playing-cards"
_YOUNES = "@younestouati/playing-cards-standard-deck"

PACKAGED: Final[dict[str, tuple[str, ...]]] = {
    "train": (
        "gnome-bellot", "npm-svg-cards", "npm-younes", "npm-heruka-2color", "npm-heruka-2color-bf",
        "npm-heruka-4color-bf", "gnome-anglo_poker", "gnome-neoclassical", "gnome-neoclassical_4_color",
        "gnome-plastic", "gnome-guyenne-classic", "gnome-paris",
    ),
    "valid": ("gnome-anglo", "gnome-gnomangelo", "gnome-simplistic", "gnome-dondorf"),
    "test": ("gnome-anglo_modern", "gnome-anglo_modern_4_color", "gnome-atlasnye"),
}  # fmt: skip
CASINO: Final = frozenset(
    {
        "gnome-bellot", "npm-svg-cards", "npm-younes", "npm-heruka-2color", "npm-heruka-2color-bf",
        "gnome-anglo", "gnome-anglo_modern", "gnome-anglo_poker", "gnome-gnomangelo",
        *(s.name for styles in STYLES.values() for s in styles),
    }
)  # fmt: skip


def decks(split: str, own_only: bool = False) -> tuple[str, ...]:
    """Ids of the decks of a split; `own_only` leaves out everything that is not drawn by this project."""
    if split not in SPLITS:
        raise SceneError(f"unknown split {split}: choose train, valid or test")
    own = tuple(s.name for s in STYLES[split])
    return own if own_only else own + PACKAGED[split]


def backs(split: str) -> tuple[str, ...]:
    """Ids of the backs of a split, in pairs of two colours of one pattern."""
    if split not in SPLITS:
        raise SceneError(f"unknown split {split}: choose train, valid or test")
    return tuple(b.name for b in BACKS[split])


def _raster(svg: str | Path, width: int, height: int | None = None) -> Image:
    text = svg if isinstance(svg, str) else None
    if isinstance(svg, Path):
        data = svg.read_bytes()
        text = (gzip.decompress(data) if svg.suffix == ".svgz" else data).decode("utf-8")
    png = bytes(
        resvg_py.svg_to_bytes(svg_string=text, width=width, height=height, dpi=96, skip_system_fonts=True)
    )
    return _rgba(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED), "a drawing")


def _rgba(image: object, name: str) -> Image:
    """OpenCV's BGRA as RGBA; raises SceneError where OpenCV could read nothing."""
    if not isinstance(image, np.ndarray):
        raise SceneError(f"card art {name} cannot be read")
    return np.ascontiguousarray(image[:, :, [2, 1, 0, 3]], np.uint8)


def corner_mask(width: int = WIDTH_PX, height: int = HEIGHT_PX) -> Image:
    """Alpha (height, width) of a card with rounded corners."""
    big = np.zeros((height * 4, width * 4), np.uint8)
    r = round(CORNER_MM / 63 * width * 4)
    cv2.rectangle(big, (r, 0), (width * 4 - 1 - r, height * 4 - 1), 255, -1)
    cv2.rectangle(big, (0, r), (width * 4 - 1, height * 4 - 1 - r), 255, -1)
    for x in (r, width * 4 - 1 - r):
        for y in (r, height * 4 - 1 - r):
            cv2.circle(big, (x, y), r, 255, -1)
    return np.asarray(cv2.resize(big, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _finish(image: Image, trim: float = 0.0) -> Image:
    """A raw RGBA drawing cut to its card, on white paper, sized, corners rounded."""
    solid = image[:, :, 3] > 100
    rows, cols = np.flatnonzero(solid.any(1)), np.flatnonzero(solid.any(0))
    card = image[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1].astype(np.float32)
    dy, dx = int(card.shape[0] * trim), int(card.shape[1] * trim)
    card = card[dy : card.shape[0] - dy, dx : card.shape[1] - dx]
    alpha = card[:, :, 3:] / 255
    rgb = card[:, :, :3] * alpha + 251 * (1 - alpha)
    shrink = cv2.INTER_AREA if card.shape[1] > WIDTH_PX else cv2.INTER_CUBIC
    rgb = np.clip(cv2.resize(rgb, (WIDTH_PX, HEIGHT_PX), interpolation=shrink), 0, 255)
    return np.dstack([rgb.astype(np.uint8), corner_mask()])


def _gnome(name: str) -> list[Image]:
    sheet = _raster(gnome_sheet(name), 13 * 340)
    w, h = sheet.shape[1] / 13, sheet.shape[0] / 5

    def cell(col: int, row: int) -> Image:
        return sheet[round(row * h) : round((row + 1) * h), round(col * w) : round((col + 1) * w)]

    return [_finish(cell(c, r), 0.012) for r in range(4) for c in range(13)] + [_finish(cell(2, 4), 0.012)]


def _svg_cards() -> list[Image]:
    folder = npm_package(_SVG_CARDS) / "png" / "2x"
    names = ["1", *"23456789", "10", "jack", "queen", "king"]
    files = [f"{suit}_{n}.png" for suit in ("club", "diamond", "heart", "spade") for n in names]
    out = []
    for name in [*files, "back-blue.png"]:
        raw = cv2.imread(str(folder / name), cv2.IMREAD_UNCHANGED)
        out.append(_finish(_rgba(raw, name), 0.012))
    return out


def _heruka(variant: str) -> list[Image]:
    folder = npm_package(_HERUKA) / "src" / "images"
    files = [folder / variant / f"{label.upper()}.svg" for label in LABELS]
    back = _finish(_raster(back_svg(BACKS["train"][1]), WIDTH_PX))
    return [*(_finish(_raster(f, 340), 0.006) for f in files), back]


def _younes() -> list[Image]:
    folder = npm_package(_YOUNES) / "cards"
    files = [folder / f"{i + 1}{suit}.svg" for suit in "cdhs" for i in range(13)]
    return [_finish(_raster(f, 340), 0.012) for f in [*files, folder / "back.svg"]]


def _own(name: str) -> list[Image]:
    style = next(s for styles in STYLES.values() for s in styles if s.name == name)
    split = next(k for k, styles in STYLES.items() if style in styles)
    back = BACKS[split][STYLES[split].index(style) % len(BACKS[split])]
    return [_finish(_raster(card_svg(label, style), WIDTH_PX)) for label in LABELS] + [
        _finish(_raster(back_svg(back), WIDTH_PX))
    ]


def _draw(deck_id: str) -> list[Image]:
    if deck_id.startswith("own-"):
        return _own(deck_id)
    if deck_id == "npm-svg-cards":
        return _svg_cards()
    if deck_id == "npm-younes":
        return _younes()
    if deck_id.startswith("npm-heruka-"):
        return _heruka(deck_id.removeprefix("npm-heruka-"))
    return _gnome(deck_id.removeprefix("gnome-"))


def _cached(name: str) -> Path:
    return cache_dir() / f"v{ART_VERSION}-{name}.png"


def _save(path: Path, sheet: Image) -> None:
    """Write atomically, since several processes may draw the same deck at once."""
    scratch = path.with_name(f".{os.getpid()}-{path.name}")
    cv2.imwrite(str(scratch), sheet[:, :, [2, 1, 0, 3]], [cv2.IMWRITE_PNG_COMPRESSION, 2])
    scratch.replace(path)


@lru_cache(maxsize=8)
def _sheet(deck_id: str) -> Image:
    """Faces and back of a deck as (53, H, W, 4), in the order of LABELS and then the back."""
    if deck_id not in {d for split in SPLITS for d in decks(split)}:
        raise SceneError(f"unknown deck {deck_id}")
    path = _cached(deck_id)
    if not path.is_file():
        _save(path, np.concatenate(_draw(deck_id), axis=0))
    raw = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    return _rgba(raw, path.name).reshape(53, HEIGHT_PX, WIDTH_PX, 4)


def deck_faces(deck_id: str) -> dict[str, Image]:
    """The 52 faces of a deck by label ("As", "Td"), each (448, 320, 4) uint8 RGBA."""
    sheet = _sheet(deck_id)
    return {label: sheet[i] for i, label in enumerate(LABELS)}


def deck_back(deck_id: str) -> Image:
    """The back that belongs to a deck, (448, 320, 4) uint8 RGBA."""
    back: Image = _sheet(deck_id)[52]
    return back


@lru_cache(maxsize=64)
def back_image(back_id: str) -> Image:
    """A back by its own id (see `backs`), or the back of a deck id, (448, 320, 4) uint8 RGBA."""
    for styles in BACKS.values():
        for style in styles:
            if style.name == back_id:
                return _finish(_raster(back_svg(style), WIDTH_PX))
    return deck_back(back_id)
