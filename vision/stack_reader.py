"""Read chip stacks: from a calibrated camera's picture to chips bottom to top, given the table's chip set.

The strip of a stack (see `stack_crops`) is looked at twice: the first look says where exactly the stack stands, the
second, cut there, counts its chips and compares every layer with the colours that the table file gives. The network
knows no chip set; it learnt to compare. A stack that is covered, too high, too far away or unclear is not read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.tablefile import ChipModel, ChipSetModel
from vision.detections import Stack
from vision.stack_crops import readable, shifted, unroll
from vision.weights import Weights, load

Array = NDArray[Any]
_COLOURS: Final = 9


@dataclass(frozen=True, slots=True)
class StackRead:
    """One stack: its foot (mm), and its chips if they could be read; `conf` is the odds that all of it is right."""

    foot: tuple[float, float]
    stack: Stack | None
    values: tuple[int, ...] | None
    conf: float


def describe(chips: Sequence[ChipModel]) -> NDArray[np.float32]:
    """Return the colours of chips as the network is told them (K, 9): body, spots, inlay as RGB 0..1."""
    rows = [
        [int(text[i : i + 2], 16) / 255 for text in (c.colour, c.spots, c.inlay) for i in (1, 3, 5)]
        for c in chips
    ]
    return np.array(rows, np.float32).reshape(-1, _COLOURS)


def softmax(logits: Array) -> Array:
    """Odds along the last axis."""
    odds = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(odds / odds.sum(-1, keepdims=True))


class StackReader:
    """Owns the reader's session; `threshold` and `temperature` come with the weights."""

    def __init__(
        self,
        chips: ChipSetModel,
        weights: Weights | None = None,
        threshold: float | None = None,
        threads: int = 1,
    ) -> None:
        weights = weights or load("stack_reader")
        self.chips = chips.chip
        self.temperature = float(weights.settings.get("temperature", 1.0))
        self.threshold = float(weights.settings.get("threshold", 0.8) if threshold is None else threshold)
        self._told = describe(self.chips)
        self._session = weights.session(threads)

    def _run(self, strips: Array) -> tuple[Array, Array, Array]:
        counts, colours, shifts = self._session.run(None, {"strips": strips, "chips": self._told})
        return counts / self.temperature, colours / self.temperature, shifts

    def read(self, image: Array, camera: Camera, feet: Array) -> list[StackRead]:
        """Read the stacks that stand near feet (N, 2) mm; feet that cannot be read come back unread."""
        feet = np.asarray(feet, np.float64).reshape(-1, 2)
        plain = [StackRead((float(x), float(y)), None, None, 0.0) for x, y in feet]
        index = np.flatnonzero(np.isfinite(feet).all(1) & readable(camera, feet))
        if not len(index):
            return plain
        _, _, shifts = self._run(unroll(image, camera, feet[index]))
        better = shifted(camera, feet[index], np.clip(shifts, -6, 6))
        counts, colours, shifts = self._run(unroll(image, camera, better))
        better = shifted(camera, better, np.clip(shifts, -2, 2))
        for i, foot, count, colour in zip(index, better, softmax(counts), softmax(colours), strict=True):
            plain[i] = self._decide((float(foot[0]), float(foot[1])), count, colour)
        return plain

    def _decide(self, foot: tuple[float, float], counts: Array, colours: Array) -> StackRead:
        """Choose the likeliest stack, or none if it is not likely enough."""
        number = int(counts.argmax())
        if number == 0:
            return StackRead(foot, None, None, 0.0)
        kinds, sure = colours[:number].argmax(1), colours[:number].max(1)
        conf = float(counts[number] * sure.prod())
        if conf < self.threshold:
            return StackRead(foot, None, None, conf)
        chosen = [self.chips[k] for k in kinds]
        values = tuple(chip.value for chip in chosen)
        return StackRead(foot, Stack(tuple(chip.label for chip in chosen), sum(values), conf), values, conf)
