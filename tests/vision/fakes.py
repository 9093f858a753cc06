"""Eyes of paper: a table drawn in flat colours, and networks that read colours instead of shapes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from calibration.camera import Camera
from vision.detections import Detections, Kind
from vision.stack_reader import StackRead

CLOTH = (40, 90, 30)
COLOURS = {
    Kind.FACE: (250, 250, 250),
    Kind.BACK: (200, 40, 20),
    Kind.STACK: (20, 20, 220),
    Kind.HAND: (120, 150, 210),
}


def cloth(width: int = 960, height: int = 544) -> np.ndarray:
    """An empty table with a little print, so that it is not one flat colour."""
    frame = np.full((height, width, 3), CLOTH, np.uint8)
    frame[::40, :] = (70, 130, 60)
    return frame


def put(frame: np.ndarray, kind: Kind, x: int, y: int, size: tuple[int, int] = (30, 42)) -> np.ndarray:
    """A copy of a frame with one thing more."""
    out = frame.copy()
    out[y : y + size[1], x : x + size[0]] = COLOURS[kind]
    return out


@dataclass
class PaperFinder:
    """Finds connected patches of the agreed colours; counts what it was given."""

    calls: list[tuple[int, int]] = field(default_factory=list)

    def find(self, image: np.ndarray, look: tuple[int, int] | None = None) -> Detections:
        import cv2

        self.calls.append((image.shape[1], image.shape[0]))
        kinds, quads = [], []
        for kind, colour in COLOURS.items():
            mask = (np.abs(image.astype(int) - colour).max(2) < 30).astype(np.uint8)
            count, _, stats, _ = cv2.connectedComponentsWithStats(mask)
            for x, y, w, h, area in stats[1:count]:
                if area > 60:
                    kinds.append(int(kind))
                    quads.append([[x, y], [x + w, y], [x + w, y + h], [x, y + h]])
        return Detections(
            np.array(kinds, np.int8),
            np.array(quads, np.float32).reshape(-1, 4, 2),
            np.full(len(kinds), 0.9, np.float32),
        )


@dataclass
class PaperAligner:
    """Believes the finder."""

    seen: int = 0

    def align(self, image: np.ndarray, found: Detections, rounds: int = 2) -> Detections:
        self.seen += len(found) * rounds
        return found


@dataclass
class PaperReader:
    """Calls every face the ace of spades."""

    read_cards: int = 0
    label: str = "As"

    def read(self, image: np.ndarray, found: Detections) -> Detections:
        self.read_cards += len(found)
        return found.read_as((self.label,) * len(found), np.full(len(found), 0.99, np.float32))


@dataclass
class PaperStacks:
    """Reads every stack as one chip of 5."""

    reads: int = 0

    def read(self, image: np.ndarray, camera: Camera, feet: Any) -> list[StackRead]:
        from vision.detections import Stack

        self.reads += len(feet)
        return [StackRead((float(x), float(y)), Stack(("5",), 500, 0.9), (500,), 0.9) for x, y in feet]
