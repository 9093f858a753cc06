"""Rendered stills of the simulator as scenes: pictures with exact truth, read from a folder it wrote."""

import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from models.scenes.compose import BoxTruth, CardTruth, Scene

_LEAST = 0.12
_PIXEL = 0.5  # the simulator's (0, 0) is the middle of the first pixel, ours its corner


def read_still(truth: Path) -> Scene:
    """Return the picture and truth of one still."""
    told = json.loads(truth.read_text())
    image = cv2.imread(str(truth.parent.parent / told["image"]), cv2.IMREAD_COLOR)
    cards = tuple(
        CardTruth(
            c["label"], np.array(c["quad"], float) + _PIXEL, float(c["visible"]), float(max(c["corners"]))
        )
        for c in told["cards"]
        if c["visible"] > 0
    )
    boxes = [("stack", s["box"]) for s in told["stacks"] if s["visible"] >= _LEAST]
    boxes += [("hand", h["box"]) for h in told["hands"]]
    boxes += [("deck", d["box"]) for d in told["decks"] if d["visible"] >= _LEAST]
    clip = np.array([told["width"], told["height"]] * 2, float)
    things = tuple(BoxTruth(kind, np.clip(np.array(box, float) + _PIXEL, 0, clip)) for kind, box in boxes)
    return Scene(image, cards, things)


def stills(folder: Path) -> Iterator[tuple[Path, Scene]]:
    """Yield every finished still of a folder; its truth is written last, so a picture without one is skipped."""
    for path in sorted((folder / "truth").glob("*.json")):
        yield path, read_still(path)
