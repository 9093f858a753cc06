"""The one currency of vision: what was found in a picture, and what was read there."""

from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.errors import BadDetections
from vision.quads import boxes_of

UNKNOWN = "??"
BACK = "back"


class Kind(IntEnum):
    """What a detection is; the numbers are the finder's classes."""

    FACE = 0
    BACK = 1
    STACK = 2
    HAND = 3
    DECK = 4


@dataclass(frozen=True, slots=True)
class Stack:
    """A read chip stack: chip names bottom to top, as named by the table's chip set.

    `value` is in the smallest unit of money, None when a chip or the chip set is unknown.
    """

    chips: tuple[str, ...]
    value: int | None
    conf: float


@dataclass(frozen=True, slots=True)
class Detections:
    """N things in one picture, best first or in any order; all arrays have N rows.

    kinds (N,) int8; quads (N, 4, 2) float32 pixels, clockwise, for cards from a top corner along a short side, for
    everything else the upright box; scores (N,) float32 in 0..1; labels N strings: a card ("As"), "back", "??" (a card
    not or not surely read) or "" (no card); confs (N,) float32, how sure the label is; stacks N of Stack or None.
    Arrays are read-only: a later stage makes a new value.
    """

    kinds: NDArray[np.int8]
    quads: NDArray[np.float32]
    scores: NDArray[np.float32]
    labels: tuple[str, ...] = ()
    confs: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))
    stacks: tuple[Stack | None, ...] = ()

    def __post_init__(self) -> None:
        """Check the arrays once, and freeze them."""
        n = len(self.kinds)
        kinds = np.array(self.kinds, np.int8)
        if not self.labels and n:
            object.__setattr__(self, "labels", tuple(UNKNOWN if k <= Kind.BACK else "" for k in kinds))
        if not len(self.confs) and n:
            object.__setattr__(self, "confs", np.zeros(n, np.float32))
        if not self.stacks and n:
            object.__setattr__(self, "stacks", (None,) * n)
        checked: dict[str, tuple[NDArray[Any], tuple[int, ...]]] = {
            "kinds": (kinds, (n,)),
            "quads": (np.array(self.quads, np.float32), (n, 4, 2)),
            "scores": (np.array(self.scores, np.float32), (n,)),
            "confs": (np.array(self.confs, np.float32), (n,)),
        }
        for name, (array, shape) in checked.items():
            if array.shape != shape and not (n == 0 and array.size == 0):
                raise BadDetections(f"{name} has shape {array.shape}, not {shape}")
            array = array.reshape(shape)
            if not np.isfinite(array).all():
                raise BadDetections(f"{name} holds a value that is no number")
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        if len(self.labels) != n or len(self.stacks) != n:
            raise BadDetections(f"{len(self.labels)} labels and {len(self.stacks)} stacks for {n} detections")
        if n and (kinds.min() < 0 or kinds.max() > max(Kind)):
            raise BadDetections("a kind is out of range")
        for name in ("scores", "confs"):
            array = getattr(self, name)
            if n and (array.min() < 0 or array.max() > 1):
                raise BadDetections(f"{name} must lie in 0..1")

    @classmethod
    def empty(cls) -> "Detections":
        """Return detections of nothing."""
        return cls(np.zeros(0, np.int8), np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))

    def __len__(self) -> int:
        return len(self.kinds)

    @property
    def boxes(self) -> NDArray[np.float32]:
        """Upright boxes (N, 4): x0, y0, x1, y1."""
        return boxes_of(self.quads) if len(self) else np.zeros((0, 4), np.float32)

    @property
    def centres(self) -> NDArray[np.float32]:
        """Middles (N, 2) of the quads."""
        return np.asarray(self.quads.mean(1), np.float32)

    @property
    def is_card(self) -> NDArray[np.bool_]:
        """Mask (N,) of faces and backs."""
        return np.asarray(self.kinds <= Kind.BACK)

    def of(self, *kinds: Kind) -> "Detections":
        """Return only detections of these kinds."""
        return self[np.isin(self.kinds, kinds)]

    def __getitem__(self, which: Any) -> "Detections":
        """Return the detections picked by a mask or by indices."""
        index = np.arange(len(self))[which].reshape(-1)
        return Detections(
            self.kinds[index],
            self.quads[index],
            self.scores[index],
            tuple(self.labels[i] for i in index),
            self.confs[index],
            tuple(self.stacks[i] for i in index),
        )

    def read_as(self, labels: tuple[str, ...], confs: NDArray[np.float32]) -> "Detections":
        """Return the same things with other labels."""
        return replace(self, labels=labels, confs=confs)

    def moved(self, dx: float, dy: float) -> "Detections":
        """Return the same things shifted, as from a part of a picture to the whole."""
        return replace(self, quads=self.quads + np.array([dx, dy], np.float32))


def join(*parts: Detections) -> Detections:
    """Return several sets of detections as one."""
    parts = tuple(p for p in parts if len(p))
    if not parts:
        return Detections.empty()
    return Detections(
        np.concatenate([p.kinds for p in parts]),
        np.concatenate([p.quads for p in parts]),
        np.concatenate([p.scores for p in parts]),
        sum((p.labels for p in parts), ()),
        np.concatenate([p.confs for p in parts]),
        sum((p.stacks for p in parts), ()),
    )
