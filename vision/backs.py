"""Tell backs apart by colour: two decks on a table differ in the colour of their backs, so that they do not mix."""

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.quads import rectify

Array = NDArray[Any]

_SIZE: Final = (20, 28)
_APART: Final = 16.0
"""Backs whose mean colours are farther apart than this (in a and b of Lab) are of two decks."""
_MOST: Final = 4
_RATE: Final = 0.02


class Backs:
    """Names looks of backs "back0", "back1", … in the order in which they were first seen; never more than four."""

    def __init__(self) -> None:
        self._middles: list[Array] = []

    def names(self, image: Array, quads: Array) -> list[str]:
        """Return the name of each back (N, 4, 2) in a picture."""
        return [self._name(colour) for colour in colours(image, quads)]

    def _name(self, colour: Array) -> str:
        far = [float(np.hypot(*(middle - colour))) for middle in self._middles]
        best = min(range(len(far)), key=lambda i: far[i], default=None)
        if best is None or (far[best] > _APART and len(far) < _MOST):
            self._middles.append(colour)
            return f"back{len(self._middles) - 1}"
        self._middles[best] = self._middles[best] + _RATE * (colour - self._middles[best])
        return f"back{best}"


def colours(image: Array, quads: Array) -> Array:
    """Return the mean a and b (N, 2) of the inner part of cards; its pale border says nothing."""
    out = np.zeros((len(quads), 2))
    for i, crop in enumerate(rectify(image, quads, _SIZE, 0.0)):
        lab = cv2.cvtColor(crop[5:-5, 4:-4], cv2.COLOR_BGR2LAB)
        out[i] = lab.reshape(-1, 3)[:, 1:].mean(0)
    return out
