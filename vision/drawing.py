"""Draw what was seen, for people: outlines by kind, labels beside them."""

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detections import Detections, Kind

Array = NDArray[Any]

COLOURS: Final = {
    Kind.FACE: (60, 220, 60),
    Kind.BACK: (255, 120, 40),
    Kind.STACK: (0, 220, 255),
    Kind.HAND: (230, 60, 230),
    Kind.DECK: (255, 255, 0),
}
"""Outline colours (BGR)."""


def words(found: Detections, i: int) -> str:
    """What is written beside a thing.

    >>> import numpy as np
    >>> words(Detections(np.array([0]), np.zeros((1, 4, 2)), np.ones(1), ("As",), np.array([0.987])), 0)
    'As 99'
    """
    if found.kinds[i] <= Kind.BACK:
        return f"{found.labels[i]} {100 * found.confs[i]:.0f}"
    stack = found.stacks[i]
    if stack is not None:
        return f"{len(stack.chips)} chips" + ("" if stack.value is None else f" = {stack.value / 100:g}")
    return Kind(int(found.kinds[i])).name.lower()


def draw(image: Array, found: Detections) -> Array:
    """Return a copy of a picture with everything drawn that was found."""
    out = image.copy()
    size = max(0.4, max(image.shape[:2]) / 2400)
    wide = max(1, round(2 * size))
    for i in range(len(found)):
        colour = COLOURS[Kind(int(found.kinds[i]))]
        quad = np.round(found.quads[i]).astype(np.int32)
        cv2.polylines(out, [quad], True, colour, wide, cv2.LINE_AA)
        at = (int(quad[:, 0].min()), max(12, int(quad[:, 1].min()) - 4))
        cv2.putText(
            out, words(found, i), at, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), wide + 2, cv2.LINE_AA
        )
        cv2.putText(out, words(found, i), at, cv2.FONT_HERSHEY_SIMPLEX, size, colour, wide, cv2.LINE_AA)
    return out
