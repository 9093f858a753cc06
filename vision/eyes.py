"""Eyes: one camera's frames in, views in table millimetres out.

    evaluator = Evaluator()
    eyes = Eyes(camera, layout, chips, evaluator)
    view = eyes.look(frame, index, at)

The evaluator decides what to look at; the eyes say where on the table it is. What the evaluator did not look at again
is reported as the very same object as before, so that trackers can tell old news from a second look. Any camera will
do, alone or beside others: what it cannot see (the side of a stack from straight above) it reports as unread.
"""

from dataclasses import dataclass
from math import atan2, degrees, hypot
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.layout import Layout, Point
from calibration.tablefile import ChipSetModel
from vision.arms import Backdrop, trace
from vision.backs import Backs
from vision.detections import UNKNOWN, Kind
from vision.evaluator import Evaluator, Look, ReadsStacks
from vision.observe import SeenCard, SeenDeck, SeenHand, SeenStack, SeenThing, View
from vision.quads import box_iou
from vision.stack_crops import feet_of
from vision.stack_reader import StackReader

Array = NDArray[Any]
Seen = SeenCard | SeenStack | SeenHand | SeenDeck | SeenThing | None

_DARK: Final = 9.0
_FLAT: Final = 3.5
_RIM: Final = 0.93
"""Things are reported up to the rail: as far out as 1 / 0.93 of the cloth."""
_ON_DECK: Final = 0.45
"""A card whose box overlaps a deck's by so much is the deck's top card."""


@dataclass(frozen=True, slots=True)
class Report:
    """What one look cost and left undone; `units` is what it was allowed, for who wants to replay it."""

    index: int
    units: float
    spent: int
    changed: float
    whole: bool
    skipped: dict[str, int]


class Eyes:
    """The eyes of one camera at one table. Deterministic: the same frames and allowances give the same views."""

    def __init__(
        self,
        camera: Camera,
        layout: Layout,
        chips: ChipSetModel | None = None,
        evaluator: Evaluator | None = None,
        stacks: ReadsStacks | None = None,
    ) -> None:
        self.camera, self.layout = camera, layout
        self.evaluator = evaluator or Evaluator()
        if stacks is None and chips is not None:
            stacks = StackReader(chips)
        self._stacks = stacks
        self.reset()

    def reset(self) -> None:
        """Forget everything that was seen."""
        self.evaluator.add(self.camera.name, self.camera, self._stacks)
        self._seen: dict[int, Seen] = {}
        self._backs = Backs()
        self._backdrop = Backdrop()
        self._size: tuple[int, int] | None = None
        self._scaled = self.camera
        self.look_now: Look | None = None
        self.report = Report(-1, 0.0, 0, 0.0, False, {})

    def look(self, frame: Array, index: int, at: int, units: float | None = None) -> View:
        """Return what a frame (H, W, 3) BGR shows; `index` and `at` (ms) are the frame's own."""
        allowed = self.evaluator.units if units is None else units
        trouble = _trouble(frame)
        if trouble:
            self.report = Report(index, allowed, 0, 0.0, False, {})
            return View(self.camera.name, index, at, usable=False, why=trouble)
        self._fit(frame)
        now = self.look_now = self.evaluator.look(self.camera.name, frame, allowed)
        self.report = Report(index, allowed, now.spent, now.changed, now.whole, now.skipped)
        tops = _tops(now)
        self._translate(frame, now, tops)
        covered = {now.numbers[card] for card in tops.values()}
        groups: dict[type, list[Any]] = {SeenCard: [], SeenStack: [], SeenHand: [], SeenDeck: []}
        for number in now.numbers:
            seen = self._seen[number]
            if seen is not None and number not in covered:
                groups[type(seen)].append(seen)
        return View(
            self.camera.name, index, at, tuple(groups[SeenCard]), tuple(groups[SeenStack]), tuple(groups[SeenHand]),
            tuple(groups[SeenDeck]),
        )  # fmt: skip

    def _fit(self, frame: Array) -> None:
        """Use the camera at the size of its frames."""
        size = (frame.shape[1], frame.shape[0])
        if size != self._size:
            lens = self.camera.lens
            same = size == (lens.width, lens.height)
            self._size, self._scaled = size, self.camera if same else self.camera.resized(*size)

    def _translate(self, frame: Array, now: Look, tops: dict[int, int]) -> None:
        """Keep what is known under its number, and work out what is new."""
        old, self._seen = self._seen, {}
        small, step = self.evaluator.small(self.camera.name)
        hands = now.found.kinds == Kind.HAND
        apart: Array | None = None
        for i, number in enumerate(now.numbers):
            if number in old and i not in tops:
                self._seen[number] = old[number]
            elif hands[i]:
                apart = self._backdrop.apart(small) if apart is None else apart
                box, score = now.found.boxes[i].astype(np.float64), float(now.found.scores[i])
                self._seen[number] = trace(box, apart, step, self._scaled, self.layout, score)
            else:
                self._seen[number] = self._make(frame, now, i, tops, old.get(number))
        mask = self._hands_mask(now, small.shape[:2], step) if self._backdrop.due else None
        self._backdrop.update(small, mask)

    def _make(self, frame: Array, now: Look, i: int, tops: dict[int, int], before: Seen) -> Seen:
        kind = now.found.kinds[i]
        if kind == Kind.STACK:
            return self._stack(now, i)
        if kind == Kind.DECK:
            return self._deck(frame, now, i, tops, before)
        return self._card(frame, now, i)

    def _card(self, frame: Array, now: Look, i: int) -> SeenCard | None:
        quad = now.found.quads[i].astype(np.float64)
        measured = self._measure(quad)
        if measured is None:
            return None
        x, y, angle, width, height = measured
        if not self._on_table(x, y) or self.layout.shoe.contains(x, y, -25.0):
            return None
        up = bool(now.found.kinds[i] == Kind.FACE)
        label = now.found.labels[i] if up else UNKNOWN
        conf = float(now.found.confs[i]) if up and label != UNKNOWN else 0.0
        back = None if up else self._backs.names(frame, now.found.quads[i : i + 1])[0]
        return SeenCard(x, y, angle, up, label, conf, back, width, height, float(now.found.scores[i]))

    def _measure(self, quad: Array) -> tuple[float, float, float, float, float] | None:
        """Middle, turn (degrees) and size of a card on the cloth's plane."""
        corners = self._scaled.unproject(quad - 0.5)
        if not np.isfinite(corners).all():
            return None
        a, b, c, d = corners
        up = (a + b - c - d) / 2
        across = (b + c - a - d) / 2
        middle = corners.mean(0)
        angle = (degrees(atan2(up[1], up[0])) - 90.0 + 180.0) % 360.0 - 180.0
        return float(middle[0]), float(middle[1]), angle, hypot(*across), hypot(*up)

    def _stack(self, now: Look, i: int) -> SeenStack | None:
        x, y = now.feet[i]
        if not np.isfinite(x):
            x, y = feet_of(self._scaled, now.found.boxes[i : i + 1])[0]
        if not np.isfinite([x, y]).all() or not self._on_table(x, y) or self.layout.tray.contains(x, y, 6.0):
            return None
        values = now.values[i]
        conf = float(now.found.confs[i]) if values is not None else 0.0
        return SeenStack(float(x), float(y), values, conf, float(now.found.scores[i]))

    def _deck(self, frame: Array, now: Look, i: int, tops: dict[int, int], before: Seen) -> SeenDeck | None:
        score = float(now.found.scores[i])
        if i in tops:
            j = tops[i]
            measured = self._measure(now.found.quads[j].astype(np.float64))
            if measured is None:
                return None
            x, y, angle, _, _ = measured
            up = now.found.kinds[j] == Kind.FACE
            label = now.found.labels[j] if up and now.found.labels[j] != UNKNOWN else None
            back = None if up else self._backs.names(frame, now.found.quads[j : j + 1])[0]
        else:
            corners = self._scaled.unproject(now.found.quads[i].mean(0, keepdims=True))
            x, y = (float(v) for v in corners[0])
            angle, label, back = 0.0, None, None
        if not np.isfinite([x, y]).all() or self.layout.shoe.contains(x, y, 10.0) or not self._on_table(x, y):
            return None
        deck = SeenDeck(x, y, angle, label, back, score)
        return before if deck == before else deck

    def _on_table(self, x: float, y: float) -> bool:
        return self.layout.on_cloth(x * _RIM, y * _RIM) or (
            -20.0 < y < 40.0 and abs(x) < self.layout.spec.half_width
        )

    def _hands_mask(self, now: Look, shape: tuple[int, int], step: float) -> Array:
        """Where hands and arms are in the small copy, so that the cloth is not learnt there."""
        mask = np.zeros(shape, np.uint8)
        for i, number in enumerate(now.numbers):
            seen = self._seen[number]
            if now.found.kinds[i] != Kind.HAND:
                continue
            x0, y0, x1, y1 = (now.found.boxes[i] / step).astype(int)
            cv2.rectangle(mask, (int(x0) - 4, int(y0) - 4), (int(x1) + 4, int(y1) + 4), 1, -1)
            if isinstance(seen, SeenHand):
                self._draw_arm(mask, seen.spine, seen.radius, step)
        return mask

    def _draw_arm(self, mask: Array, spine: tuple[Point, ...], radius: float, step: float) -> None:
        line = self._scaled.project([(x, y, 0.0) for x, y in spine]) / step
        if np.isfinite(line).all():
            x, y = spine[0]
            wide = max(1, round(2.4 * radius * self._scaled.scale_at(x, y) / step))
            cv2.polylines(mask, [np.clip(line, -999, 9999).astype(np.int32)], False, 1, wide)


def _tops(now: Look) -> dict[int, int]:
    """Which card (index) is the top of which deck (index)."""
    kinds = now.found.kinds
    decks, cards = np.flatnonzero(kinds == Kind.DECK), np.flatnonzero(kinds <= Kind.BACK)
    if not len(decks) or not len(cards):
        return {}
    boxes = now.found.boxes
    overlap = box_iou(boxes[decks], boxes[cards])
    best = overlap.argmax(1)
    return {int(d): int(cards[best[k]]) for k, d in enumerate(decks) if overlap[k, best[k]] > _ON_DECK}


def _trouble(frame: Array) -> str:
    """Why a frame cannot be trusted, or nothing."""
    if frame.ndim != 3 or frame.shape[2] != 3 or min(frame.shape[:2]) < 64:
        return f"a frame of shape {frame.shape}"
    sample = frame[::16, ::16, 1]
    if float(sample.mean()) < _DARK:
        return "the picture is dark"
    if float(sample.std()) < _FLAT:
        return "the picture shows nothing"
    return ""
