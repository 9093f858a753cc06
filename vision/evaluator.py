"""The evaluator: owns the networks and decides, frame by frame, what is worth looking at.

A still camera makes most pixels old news. The evaluator keeps what it knows of each camera's picture, finds anew
only where the picture changed, reads only what is new or changed, looks again now and then (once more soon, then ever
more rarely: a reading is a vote, and votes want other frames), and looks at a whole frame when little else is to do.
All within an allowance of work for each frame; what did not fit is reported (see `vision.work` for the order).

Things keep their number as long as nobody looked at them again: whoever uses a `Look` can tell old news by it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from vision.aligner import Aligner
from vision.card_reader import CardReader
from vision.detections import BACK, UNKNOWN, Detections, Kind
from vision.errors import BadPicture
from vision.finder import Finder
from vision.gate import Box, Change, Gate, regions
from vision.known import Known, Thing
from vision.stack_crops import feet_of
from vision.stack_reader import StackRead
from vision.work import ALIGN, FIND, READ, STACK, WHOLE_FRAME, Budget, Task

Array = NDArray[Any]

REFRESH: Final = 125
"""Frames between two looks at the whole picture, if there is room; after twice as many there must be."""
PACE: Final = 2
"""Something that keeps moving is looked at in every so-manieth frame; when it comes to rest, at once."""
REGION_PIXELS: Final = 180_000
"""A changed region with more pixels is looked at in a smaller copy, down to the whole frame's scale."""
TOO_MUCH: Final = 0.5
"""If regions take this share of the picture, the whole is looked at instead."""


class ReadsStacks(Protocol):
    """Reads stacks that stand near some feet."""

    def read(self, image: Array, camera: Camera, feet: Array) -> list[StackRead]:
        """Return one read for each foot."""
        ...


class Finds(Protocol):
    """Finds things in a picture."""

    def find(self, image: Array, look: tuple[int, int] | None = None) -> Detections:
        """Return what one look shows, in the picture's pixels."""
        ...


class Aligns(Protocol):
    """Checks and sharpens cards."""

    def align(self, image: Array, found: Detections, rounds: int = 2) -> Detections:
        """Return the cards that are cards, with better corners."""
        ...


class Reads(Protocol):
    """Names cards."""

    def read(self, image: Array, found: Detections) -> Detections:
        """Return the same things with their cards read."""
        ...


@dataclass(frozen=True, slots=True)
class Look:
    """What one frame shows: detections, the number of each, feet (N, 2) mm of stacks (NaN elsewhere).

    `whole`: the whole frame was looked at; `changed`: share of it that had changed; `skipped`: work that was shed, by
    kind; `spent`: units of work.
    """

    found: Detections
    numbers: tuple[int, ...]
    feet: NDArray[np.float64]
    values: tuple[tuple[int, ...] | None, ...]
    whole: bool
    changed: float
    skipped: dict[str, int]
    spent: int


@dataclass(slots=True)
class _Sight:
    """What the evaluator keeps of one camera."""

    camera: Camera | None
    stacks: ReadsStacks | None
    gate: Gate = field(default_factory=Gate)
    known: Known = field(default_factory=Known)
    frame: int = -1
    whole: int = -(10**6)
    looked: Array = field(default_factory=lambda: np.zeros((0, 0), np.int64))


class Evaluator:
    """One evaluator serves a set of cameras; the networks are loaded once. Give fakes to test without weights."""

    def __init__(
        self,
        finder: Finds | None = None,
        aligner: Aligns | None = None,
        reader: Reads | None = None,
        units: float = WHOLE_FRAME,
        refresh: int = REFRESH,
    ) -> None:
        self.finder: Finds = finder or Finder()
        self.aligner: Aligns = aligner or Aligner()
        self.reader: Reads = reader or CardReader()
        self.units = units
        self.refresh = refresh
        self._sights: dict[str, _Sight] = {}

    def add(self, name: str, camera: Camera | None = None, stacks: ReadsStacks | None = None) -> None:
        """Take on a camera; without a pose or a chip set its stacks are found and not read."""
        self._sights[name] = _Sight(camera, stacks)

    def reset(self, name: str) -> None:
        """Forget what was seen by a camera: the next frame is all news. Numbers are never used again."""
        old = self._sights[name]
        self._sights[name] = _Sight(old.camera, old.stacks, known=Known(old.known.next))

    def small(self, name: str) -> tuple[Array, float]:
        """Return the small copy of a camera's last frame, and how many pixels of the frame one of its pixels is."""
        gate = self._sights[name].gate
        return gate.small, gate.step

    def look(self, name: str, frame: Array, units: float | None = None) -> Look:
        """Look at a camera's next frame (H, W, 3) BGR, spending at most about so many units of work."""
        if frame.ndim != 3 or frame.shape[2] != 3 or min(frame.shape[:2]) < 16:
            raise BadPicture(f"{name}: a frame of shape {frame.shape} cannot be looked at")
        sight = self._sights[name]
        sight.frame += 1
        change = sight.gate.see(frame)
        if sight.looked.shape != change.changed.shape:
            sight.looked = np.full(change.changed.shape, -(10**6))
            sight.known.clear()
        budget = Budget(self.units if units is None else units)
        whole = self._find(sight, frame, change, budget)
        self._sharpen(sight, frame, change, budget)
        self._read_stacks(sight, frame, change, budget)
        self._again(sight, frame, budget)
        return _told(sight, change, budget, whole)

    def _find(self, sight: _Sight, frame: Array, change: Change, budget: Budget) -> bool:
        """Find where the picture changed, or everywhere; return whether the whole was looked at."""
        height, width = frame.shape[:2]
        age = sight.frame - sight.whole
        boxes = regions(change.changed, sight.gate.tile, 2 * sight.gate.tile, width, height)
        boxes = [box for box in boxes if not self._waits(sight, box, change)]
        area = sum((b[2] - b[0]) * (b[3] - b[1]) for b in boxes) / (width * height)
        price = FIND * self._whole_pixels()
        if age > 2 * self.refresh or area > TOO_MUCH:
            budget.take(Task.SETTLED, price, must=True)
            self._look_at(sight, frame, (0, 0, width, height), change)
            return True
        self._regions(sight, frame, change, boxes, budget)
        if age > self.refresh and budget.take(Task.REFRESH, price):
            self._look_at(sight, frame, (0, 0, width, height), change)
            return True
        return False

    def _regions(
        self, sight: _Sight, frame: Array, change: Change, boxes: Sequence[Box], budget: Budget
    ) -> None:
        """Look at changed regions, those at rest first; one of them always, so that none starves."""
        moving = sight.gate.touches(np.array(boxes, float).reshape(-1, 4), change.moving & change.changed)
        order = sorted(
            range(len(boxes)), key=lambda i: (bool(moving[i]), self._oldest(sight, boxes[i], change))
        )
        for place, i in enumerate(order):
            task = Task.MOVING if moving[i] else Task.SETTLED
            size = _look_size(boxes[i])
            if budget.take(task, FIND * size[0] * size[1], must=place == 0):
                self._look_at(sight, frame, boxes[i], change)

    def _waits(self, sight: _Sight, box: Box, change: Change) -> bool:
        """Whether something moves in a box that was looked at a moment ago."""
        tiles = sight.gate.tiles_of(box, change.changed)
        recent = sight.frame - sight.looked[tiles] < PACE
        return bool(recent.any() and (tiles & change.moving).any())

    def _oldest(self, sight: _Sight, box: Box, change: Change) -> int:
        """When the longest waiting changed tile of a box was looked at."""
        tiles = sight.gate.tiles_of(box, change.changed) & change.changed
        return int(sight.looked[tiles].min()) if tiles.any() else sight.frame

    def _whole_pixels(self) -> int:
        look = getattr(getattr(self.finder, "settings", None), "look", (960, 544))
        return int(look[0] * look[1])

    def _look_at(self, sight: _Sight, frame: Array, box: Box, change: Change) -> None:
        """Find in one box of the picture and bring what is known up to date."""
        x0, y0, x1, y1 = box
        whole = (x1 - x0, y1 - y0) == (frame.shape[1], frame.shape[0])
        part = frame if whole else frame[y0:y1, x0:x1]
        found = self.finder.find(part) if whole else self.finder.find(part, _look_size(box)).moved(x0, y0)
        tiles = sight.gate.tiles_of(box, change.changed)
        fresh = tiles if whole else tiles & change.changed
        sight.known.update(found, box, frame.shape[1::-1], sight.gate, fresh & change.changed, whole)
        sight.looked[fresh] = sight.frame
        sight.gate.looked(fresh)
        if whole:
            sight.whole = sight.frame

    def _sharpen(self, sight: _Sight, frame: Array, change: Change, budget: Budget) -> None:
        """Align and read cards that are new or changed; a card in flight is aligned and not read."""
        cards_now = [t for t in sight.known.things if t.is_card]
        rests = ~sight.gate.touches(np.array([t.box for t in cards_now]).reshape(-1, 4), change.moving)
        fresh = [t for t, ok in zip(cards_now, rests, strict=True) if t.fresh or (t.waits and ok)]
        room = max(4, budget.room(2 * ALIGN + READ))
        todo = sorted(fresh, key=lambda t: (t.kind, -t.score))[:room]
        budget.skip(Task.READ, len(fresh) - len(todo))
        if not todo:
            return
        cards = self.aligner.align(frame, _as_found(todo))
        budget.take(Task.READ, 2 * ALIGN * len(todo), must=True)
        still = ~sight.gate.touches(cards.boxes, change.moving) if len(cards) else np.zeros(0, bool)
        faces = np.flatnonzero((cards.kinds == Kind.FACE) & still)
        budget.take(Task.READ, READ * len(faces), must=True)
        sight.known.replace_cards(todo, self._named(frame, cards, faces), still, sight.frame)

    def _named(self, frame: Array, cards: Detections, faces: Array) -> Detections:
        """Read some of the cards; backs need no reading, and what is not read stays unknown."""
        labels = [BACK if kind == Kind.BACK else UNKNOWN for kind in cards.kinds]
        confs = np.where(cards.kinds == Kind.BACK, cards.scores, 0).astype(np.float32)
        if len(faces):
            read = self.reader.read(frame, cards[faces])
            for i, label, conf in zip(faces, read.labels, read.confs, strict=True):
                labels[i], confs[i] = label, conf
        return cards.read_as(tuple(labels), confs) if len(cards) else cards

    def _read_stacks(self, sight: _Sight, frame: Array, change: Change, budget: Budget) -> None:
        """Read stacks that are new or changed and not being moved."""
        if sight.camera is None or sight.stacks is None:
            return
        fresh = [t for t in sight.known.things if t.kind == Kind.STACK and t.fresh]
        boxes = np.array([t.box for t in fresh]).reshape(-1, 4)
        still = ~sight.gate.touches(boxes, change.moving)
        todo = [t for t, ok in zip(fresh, still, strict=True) if ok]
        room = max(2, budget.room(STACK))
        budget.skip(Task.STACKS, len(todo) - room)
        self._stacks(sight, frame, todo[:room], budget)

    def _stacks(self, sight: _Sight, frame: Array, todo: Sequence[Thing], budget: Budget) -> None:
        if not todo or sight.camera is None or sight.stacks is None:
            return
        camera = sight.camera
        if (camera.lens.width, camera.lens.height) != (frame.shape[1], frame.shape[0]):
            camera = camera.resized(frame.shape[1], frame.shape[0])
        budget.take(Task.STACKS, STACK * len(todo), must=True)
        feet = feet_of(camera, np.array([t.box for t in todo]))
        for thing, read in zip(todo, sight.stacks.read(frame, camera, feet), strict=True):
            sight.known.take_stack(thing, read, sight.frame)

    def _again(self, sight: _Sight, frame: Array, budget: Budget) -> None:
        """Look once more at things whose time has come, the unsure ones first."""
        due = [t for t in sight.known.things if not t.fresh and t.due <= sight.frame]
        cards = sorted((t for t in due if t.is_card), key=lambda t: (t.sure, t.due, t.number))
        stacks = sorted((t for t in due if t.kind == Kind.STACK), key=lambda t: (t.sure, t.due, t.number))
        todo = []
        for thing in cards:
            task = Task.AGAIN if thing.sure else Task.UNSURE
            if budget.take(task, ALIGN + (READ if thing.kind == Kind.FACE else 0)):
                todo.append(thing)
        if todo:
            better = self.aligner.align(frame, _as_found(todo), rounds=1)
            faces = np.flatnonzero(better.kinds == Kind.FACE)
            sight.known.confirm_cards(todo, self._named(frame, better, faces), sight.frame)
        again = [t for t in stacks if budget.take(Task.AGAIN if t.sure else Task.UNSURE, STACK)]
        self._stacks(sight, frame, again, Budget())


def _look_size(box: Box) -> tuple[int, int]:
    """How large a copy of a region the finder is given: full size, or smaller if the region is large."""
    w, h = box[2] - box[0], box[3] - box[1]
    scale = float(np.clip((REGION_PIXELS / (w * h)) ** 0.5, 0.5, 1.0))
    return max(32, round(w * scale / 32) * 32), max(32, round(h * scale / 32) * 32)


def _as_found(things: Sequence[Thing]) -> Detections:
    """Known things as detections."""
    return Detections(
        np.array([t.kind for t in things], np.int8),
        np.array([t.quad for t in things], np.float32).reshape(-1, 4, 2),
        np.array([t.score for t in things], np.float32),
    )


def _told(sight: _Sight, change: Change, budget: Budget, whole: bool) -> Look:
    """What is known now, as a look."""
    things = [thing for thing in sight.known.things if thing.told]
    found = Detections.empty()
    if things:
        found = replace(
            _as_found(things),
            labels=tuple(t.label for t in things),
            confs=np.array([t.conf for t in things], np.float32),
            stacks=tuple(t.stack for t in things),
        )
    feet = np.array([t.foot or (np.nan, np.nan) for t in things], np.float64).reshape(-1, 2)
    shed = {task.name.lower(): count for task, count in sorted(budget.shed.items())}
    return Look(
        found, tuple(t.number for t in things), feet, tuple(t.values for t in things), whole, change.share, shed,
        round(budget.spent),
    )  # fmt: skip
