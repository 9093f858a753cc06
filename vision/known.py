"""What is known of one camera's picture: things with numbers, kept until the picture says otherwise.

A thing gets a new number whenever it was looked at again, and keeps its number while it was not: numbers are how old
news is told from a second look. What did not change is believed for as long as it does not change, except that a
look at the whole frame which misses a thing twice ends it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.detections import UNKNOWN, Detections, Kind, Stack
from vision.gate import Box, Gate, Mask
from vision.quads import box_iou, quad_iou
from vision.stack_reader import StackRead

Array = NDArray[Any]

SAME_CARD: Final = 0.45
SAME_BOX: Final = 0.4
LATER: Final = (4, 8, 16, 32, 64)
"""Frames until a thing is looked at again, after its first, second … look."""
_CUT: Final = 3.0
"""A find that comes this near (px) to the edge of a region may be cut by it."""


@dataclass(slots=True, eq=False)
class Thing:
    """One thing. `fresh`: found, not yet looked at closely; `waits`: a card to be read once it lies still."""

    number: int
    kind: int
    quad: Array
    score: float
    label: str = ""
    conf: float = 0.0
    stack: Stack | None = None
    values: tuple[int, ...] | None = None
    foot: tuple[float, float] | None = None
    looks: int = 0
    due: int = 0
    missed: int = 0
    fresh: bool = True
    waits: bool = False

    @property
    def is_card(self) -> bool:
        """Whether it is a face or a back."""
        return self.kind <= Kind.BACK

    @property
    def box(self) -> Array:
        """Its upright box (4,)."""
        return np.concatenate([self.quad.min(0), self.quad.max(0)])

    @property
    def sure(self) -> bool:
        """Whether it has been read."""
        return self.stack is not None if self.kind == Kind.STACK else self.label not in ("", UNKNOWN)

    @property
    def told(self) -> bool:
        """Whether it is reported: a card only after it was looked at closely."""
        return not (self.is_card and self.fresh)

    def later(self, frame: int) -> None:
        """Set when it is looked at again."""
        self.due = frame + LATER[min(max(self.looks - 1, 0), len(LATER) - 1)]


class Known:
    """The things of one camera."""

    def __init__(self, following: int = 1) -> None:
        self.things: list[Thing] = []
        self.next = following

    def clear(self) -> None:
        """Forget all things; numbers go on."""
        self.things = []

    def number(self) -> int:
        """A number that was never used."""
        self.next += 1
        return self.next - 1

    def update(
        self, found: Detections, box: Box, size: tuple[int, ...], gate: Gate, changed: Mask, whole: bool
    ) -> None:
        """Take in what was found in a box: what changed is replaced, what did not is kept."""
        inside = [t for t in self.things if _within(t.quad.mean(0), box)]
        touched = gate.touches(np.array([t.box for t in inside]).reshape(-1, 4), changed)
        cut = _cut(found.boxes, box, size)
        pairs = _pairs(inside, found)
        gone: set[int] = set()
        for i, thing in enumerate(inside):
            match = pairs.get(i)
            if touched[i]:
                if match is not None and cut[match]:
                    thing.fresh, thing.score = True, float(found.scores[match])
                else:
                    gone.add(thing.number)
            elif match is not None:
                thing.missed = 0
            elif whole:
                thing.missed += 1
                if thing.missed > 1 or thing.kind == Kind.HAND:
                    gone.add(thing.number)
        kept = {j for i, j in pairs.items() if not touched[i] or cut[j]}
        self.things = [t for t in self.things if t.number not in gone]
        for j in range(len(found)):
            if j not in kept and not cut[j]:
                kind, score = int(found.kinds[j]), float(found.scores[j])
                label = UNKNOWN if kind <= Kind.BACK else ""
                self.things.append(Thing(self.number(), kind, found.quads[j], score, label))

    def replace_cards(self, old: Sequence[Thing], cards: Detections, still: Mask, frame: int) -> None:
        """Put the cards that were looked at closely in the place of what the finder had proposed."""
        gone = {t.number for t in old}
        self.things = [t for t in self.things if t.number not in gone]
        others = [t for t in self.things if t.is_card and not t.fresh]
        for j in range(len(cards)):
            quad = cards.quads[j]
            if any(_same(quad, other.quad, 0.6) for other in others):
                continue
            thing = Thing(
                self.number(), int(cards.kinds[j]), quad, float(cards.scores[j]), cards.labels[j],
                float(cards.confs[j]), looks=1, fresh=False, waits=not still[j] and cards.kinds[j] == Kind.FACE,
            )  # fmt: skip
            thing.later(frame)
            self.things.append(thing)

    def confirm_cards(self, old: Sequence[Thing], cards: Detections, frame: int) -> None:
        """Take in a second look at cards that did not change; one that says nothing new changes nothing."""
        taken: set[int] = set()
        for thing in old:
            near = [j for j in range(len(cards)) if j not in taken and _same(thing.quad, cards.quads[j], 0.5)]
            best = max(near, key=lambda j: quad_iou(thing.quad, cards.quads[j]), default=None)
            thing.looks += 1
            thing.later(frame)
            if best is None:
                thing.missed += 1
                thing.due = frame + LATER[0]
                continue
            taken.add(best)
            thing.missed, thing.waits = 0, False
            if cards.labels[best] == UNKNOWN and thing.sure:
                continue
            thing.number, thing.quad, thing.kind = self.number(), cards.quads[best], int(cards.kinds[best])
            thing.score = float(cards.scores[best])
            thing.label, thing.conf = cards.labels[best], float(cards.confs[best])
        self.things = [t for t in self.things if t.missed < 3]

    def take_stack(self, thing: Thing, read: StackRead, frame: int) -> None:
        """Take in what was read of a stack; a second look that reads nothing changes nothing."""
        thing.looks += 1
        thing.later(frame)
        if not thing.fresh and read.stack is None:
            return
        thing.number, thing.fresh = self.number(), False
        thing.foot, thing.stack, thing.values, thing.conf = (
            read.foot,
            read.stack,
            read.values,
            min(1.0, read.conf),
        )


def _within(point: Array, box: Box) -> bool:
    return bool(box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3])


def _cut(boxes: Array, box: Box, size: tuple[int, ...]) -> Mask:
    """Mask (N,) of finds that the edge of a region may have cut; the picture's own edges do not count."""
    x0, y0, x1, y1 = box
    return np.asarray(
        ((boxes[:, 0] < x0 + _CUT) & (x0 > 0))
        | ((boxes[:, 1] < y0 + _CUT) & (y0 > 0))
        | ((boxes[:, 2] > x1 - _CUT) & (x1 < size[0]))
        | ((boxes[:, 3] > y1 - _CUT) & (y1 < size[1]))
    )


def _same(a: Array, b: Array, limit: float) -> bool:
    """Whether two quads are one card's; far quads are told apart without cutting polygons."""
    near = np.abs(a.mean(0) - b.mean(0)).max() < 0.6 * max(np.ptp(a, axis=0).max(), 1.0)
    return bool(near) and quad_iou(a, b) > limit


def _pairs(things: Sequence[Thing], found: Detections) -> dict[int, int]:
    """Pair things with finds of the same sort, the best overlaps first: index of thing -> index of find."""
    if not things or not len(found):
        return {}
    overlap = box_iou(np.array([t.box for t in things]), found.boxes)
    rows: list[tuple[float, int, int]] = []
    for i, j in zip(*np.nonzero(overlap > 0.2), strict=True):
        thing, kind = things[i], int(found.kinds[j])
        if thing.is_card and kind <= Kind.BACK:
            score = quad_iou(thing.quad, found.quads[j])
            if score > SAME_CARD:
                rows.append((-score, int(i), int(j)))
        elif thing.kind == kind and overlap[i, j] > SAME_BOX:
            rows.append((-float(overlap[i, j]), int(i), int(j)))
    return _greedy(rows)


def _greedy(rows: Iterable[tuple[float, int, int]]) -> dict[int, int]:
    out: dict[int, int] = {}
    used: set[int] = set()
    for _, i, j in sorted(rows):
        if i not in out and j not in used:
            out[i] = j
            used.add(j)
    return out
