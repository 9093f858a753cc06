"""Decks and backgrounds for composing, from the simulator's art, drawn decks and a folder of photographs."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from models.scenes.backgrounds import Backgrounds
from models.scenes.compose import Composer, Deck
from models.scenes.drawn_decks import CARD, LABELS, DeckPainter, families

FONT_FOLDER = Path("/usr/share/fonts")
WALLPAPERS = (Path("/usr/share/wallpapers"), Path("/usr/share/backgrounds"))


def read_boxes(label_file: Path) -> np.ndarray:
    """Read a YOLO label file as (N, 5): class, x0, y0, x1, y1, relative to the picture.

    A few labels are polygons instead of boxes; the box around one is what every other label gives.
    """
    rows = []
    for line in label_file.read_text().splitlines():
        values = [float(v) for v in line.split()]
        if len(values) == 5:
            c, x, y, w, h = values
            rows.append([c, x - w / 2, y - h / 2, x + w / 2, y + h / 2])
        elif len(values) > 6:
            xs, ys = values[1::2], values[2::2]
            rows.append([values[0], min(xs), min(ys), max(xs), max(ys)])
    return np.array(rows, float).reshape(-1, 5)


def pictures(folder: Path) -> list[tuple[Path, np.ndarray]]:
    """Return every picture of a YOLO folder (images/, labels/) with its boxes."""
    paths = sorted((folder / "images").glob("*.jpg"))
    return [(path, read_boxes(folder / "labels" / f"{path.stem}.txt")) for path in paths]


def folder_decks(folder: Path, names: list[str] | None = None) -> list[dict[str, np.ndarray]]:
    """Read decks stored as one folder each with PNG files named by label."""
    decks = []
    for path in sorted(folder.iterdir()):
        if names is None or path.name in names:
            art = {p.stem: cv2.imread(str(p), cv2.IMREAD_UNCHANGED) for p in sorted(path.glob("*.png"))}
            decks.append({label: art[label] for label in (*LABELS, "back") if label in art})
    return decks


def wallpapers(folders: Sequence[Path] = WALLPAPERS, least: int = 900) -> list[Path]:
    """Return photographs that desktops come with, one size of each; they have no cards in them."""
    found: dict[Path, Path] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in {".jpg", ".png"} and path.stat().st_size > 60_000:
                size = path.stem.split("x")
                small = len(size) == 2 and size[0].isdigit() and int(size[0]) < least
                if not small:
                    found.setdefault(path.parent if len(size) == 2 else path, path)
    return sorted(found.values())


@lru_cache(maxsize=4)
def letters(split: str) -> list[list[Path]]:
    """Return the font families of a split."""
    return families([FONT_FOLDER], split)


def composer(
    art: list[dict[str, np.ndarray]],
    drawn: int,
    photographs: Path | None,
    seed: int = 0,
    split: str = "train",
) -> Composer:
    """Return a composer over the given art, `drawn` decks from dice, and backgrounds from photographs."""
    courts = [{label: deck[label] for label in LABELS if label[0] in "JQK"} for deck in art]
    faces = letters(split)
    decks = [Deck(deck) for deck in art]
    decks += [Deck(DeckPainter(seed * 10_000 + i, faces, courts).deck()) for i in range(drawn)]
    free: list[tuple[Path, np.ndarray]] = [(path, np.zeros((0, 4))) for path in wallpapers()]
    if photographs is not None:
        for name in ("cards-full", "chips-stacks"):
            free += [(path, boxes[:, 1:]) for path, boxes in pictures(photographs / name / "train")]
        for path, boxes in pictures(photographs / "cards-index" / "train"):
            if 0 < len(boxes) < 8 and (boxes[:, 3:] - boxes[:, 1:3]).max() < 0.14:
                # Indices only: a card reaches about three index lengths beyond them.
                hull = np.array([[*(boxes[:, 1:3].min(0) - 0.12), *(boxes[:, 3:].max(0) + 0.12)]])
                free.append((path, hull))
    return Composer(decks, Backgrounds(free))


@lru_cache(maxsize=2)
def deck_art(folder: Path | None, split: str) -> list[dict[str, np.ndarray]]:
    """Return the art of a split: from a folder if one is given, else from the simulator."""
    if folder is not None:
        return folder_decks(folder)
    from simulator.art import deck_back, deck_faces, decks

    return [
        {label: _fit(image) for label, image in (*deck_faces(deck).items(), ("back", deck_back(deck)))}
        for deck in decks(split)
    ]


def _fit(image: np.ndarray) -> np.ndarray:
    """Return RGBA art as BGRA in the size scenes are made with."""
    return cv2.resize(cv2.cvtColor(image, cv2.COLOR_RGBA2BGRA), CARD, interpolation=cv2.INTER_AREA)
