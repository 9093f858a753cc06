"""Labelled pictures to measure the eyes on: folders of photographs, and stills that the simulator rendered."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detections import BACK, Kind
from vision.errors import BadPicture

Array = NDArray[Any]
JOKER = "joker"
RANKS = "23456789TJQKA"
NAMES = (*(rank + suit for suit in "cdhs" for rank in RANKS), BACK, JOKER)
"""Class numbers of the photographs' labels."""
LEAST_BOX = 0.25
"""A stack or deck of which less shows is not asked for."""
_PIXEL = 0.5  # the simulator's (0, 0) is the middle of the first pixel, vision's its corner


@dataclass(frozen=True, slots=True)
class TruthCard:
    """A card of a picture: its name, its box (4,), its quad (4, 2) where corners are known, and how much shows.

    `index` is the share of its better corner index that shows. `counts` is False where a find is neither asked nor
    punished: a card almost wholly covered, or too small for anyone to read.
    """

    label: str
    box: Array
    quad: Array | None = None
    visible: float = 1.0
    index: float = 1.0
    counts: bool = True


@dataclass(frozen=True, slots=True)
class StillTruth:
    """What a rendered still shows: cards, and boxes (N, 4) of stacks, hands and decks."""

    cards: list[TruthCard]
    boxes: Mapping[Kind, Array]


def yolo_rows(text: str, width: int, height: int) -> Array:
    """Return (N, 5) class, x0, y0, x1, y1 in pixels from a YOLO label file; polygons become the box around them."""
    rows = []
    for line in text.splitlines():
        values = [float(v) for v in line.split()]
        if len(values) == 5:
            c, x, y, w, h = values
            rows.append([c, x - w / 2, y - h / 2, x + w / 2, y + h / 2])
        elif len(values) > 6:
            xs, ys = values[1::2], values[2::2]
            rows.append([values[0], min(xs), min(ys), max(xs), max(ys)])
    return np.array(rows, float).reshape(-1, 5) * [1, width, height, width, height]


def _picture(path: Path) -> Array:
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise BadPicture(f"{path}: not a picture that can be read")
    return np.asarray(image)


def photographs(folder: Path) -> Iterator[tuple[Path, Array, list[TruthCard]]]:
    """Yield (file, picture, cards) of a folder with images/ and labels/ whose boxes hold whole cards."""
    for path in sorted((folder / "images").glob("*.jpg")):
        image = _picture(path)
        text = (folder / "labels" / f"{path.stem}.txt").read_text()
        rows = yolo_rows(text, image.shape[1], image.shape[0])
        yield path, image, [TruthCard(NAMES[int(row[0])], row[1:]) for row in rows]


def stills(folder: Path) -> Iterator[tuple[Path, Array, StillTruth]]:
    """Yield (file, picture, truth) of a folder that `pitwatch simulate --stills` wrote."""
    for path in sorted((folder / "truth").glob("*.json")):
        told = json.loads(path.read_text())
        cards = []
        for card in told["cards"]:
            quad = np.array(card["quad"], np.float32) + _PIXEL
            box = np.concatenate([quad.min(0), quad.max(0)])
            cards.append(
                TruthCard(card["label"], box, quad, float(card["visible"]), float(max(card["corners"])))
            )
        boxes = {
            Kind.STACK: _boxes([s["box"] for s in told["stacks"] if s["visible"] >= LEAST_BOX]),
            Kind.HAND: _boxes([h["box"] for h in told["hands"]]),
            Kind.DECK: _boxes([d["box"] for d in told["decks"] if d["visible"] >= LEAST_BOX]),
        }
        yield path, _picture(folder / told["image"]), StillTruth(cards, boxes)


def _boxes(rows: list[list[float]]) -> Array:
    return np.array(rows, float).reshape(-1, 4) + _PIXEL
