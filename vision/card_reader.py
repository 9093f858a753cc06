"""Read cards: rectified crops in, a label and how sure it is out; "??" below the threshold.

A wrong card is worse than none: a later frame may show it better, and whoever votes over time can use a doubt but
not an error. So confidence is calibrated (a temperature fitted on cards never trained on), and the default threshold
is the one at which at most 1 read in 2,000 was wrong there.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.detections import BACK, UNKNOWN, Detections
from vision.quads import rectify
from vision.weights import Weights, load

Array = NDArray[Any]

RANKS = "23456789TJQKA"
LABELS = tuple(rank + suit for suit in "cdhs" for rank in RANKS)
CLASSES = (*LABELS, BACK, UNKNOWN)
_BATCH = 32


@dataclass(frozen=True, slots=True)
class Reads:
    """What N crops say: odds (N, 54) over CLASSES, embeddings (N, D) for enrolled decks."""

    odds: NDArray[np.float32]
    embeddings: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.odds)

    def labels(self, threshold: float) -> tuple[tuple[str, ...], NDArray[np.float32]]:
        """Return the label and confidence of each crop; a doubtful one is "??" with the odds of the best guess."""
        if not len(self):
            return (), np.zeros(0, np.float32)
        best, conf = self.odds.argmax(1), self.odds.max(1)
        names = tuple(CLASSES[b] if c >= threshold else UNKNOWN for b, c in zip(best, conf, strict=True))
        return names, np.clip(conf, 0, 1).astype(np.float32)


class CardReader:
    """Owns the reader's session; `threshold` and `temperature` come with the weights."""

    def __init__(
        self, weights: Weights | None = None, threshold: float | None = None, threads: int = 1
    ) -> None:
        weights = weights or load("card_reader")
        self.temperature = float(weights.settings.get("temperature", 1.0))
        self.threshold = float(weights.settings.get("threshold", 0.9) if threshold is None else threshold)
        self._session = weights.session(threads)
        self._input = self._session.get_inputs()[0].name

    def read_crops(self, crops: Array) -> Reads:
        """Read crops (N, 112, 80, 3) BGR uint8, in batches small enough for the processor's cache."""
        logits, embeddings = [np.zeros((0, len(CLASSES)), np.float32)], [np.zeros((0, 1), np.float32)]
        for start in range(0, len(crops), _BATCH):
            out = self._session.run(None, {self._input: crops[start : start + _BATCH]})
            logits.append(out[0])
            embeddings.append(out[1])
        scaled = np.concatenate(logits) / self.temperature
        odds = np.exp(scaled - scaled.max(1, keepdims=True, initial=-1e9))
        odds /= np.maximum(odds.sum(1, keepdims=True), 1e-9)
        return Reads(odds.astype(np.float32), np.concatenate(embeddings[1:] or embeddings).astype(np.float32))

    def read(self, image: Array, found: Detections) -> Detections:
        """Return the same detections with their cards read from a picture (H, W, 3)."""
        index = np.flatnonzero(found.is_card)
        if not len(index):
            return found
        names, confs = self.read_crops(rectify(image, found.quads[index])).labels(self.threshold)
        labels, sure = list(found.labels), found.confs.copy()
        for i, name, conf in zip(index, names, confs, strict=True):
            labels[i], sure[i] = name, conf
        return found.read_as(tuple(labels), sure)
