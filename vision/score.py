"""How good the eyes are on single pictures: found things against truth, as counts that add up over pictures.

A card counts as right only in its place (overlap 0.5 or more) and under its name. "??" is an honest answer but no
read: it lowers recall, never precision, and is no wrong identity.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detections import BACK, UNKNOWN, Detections, Kind
from vision.quads import box_iou, boxes_of, quad_iou

Array = NDArray[Any]
LEAST_OVERLAP = 0.5
JOKER = "joker"
RANKS = "23456789TJQKA"
NAMES = (*(rank + suit for suit in "cdhs" for rank in RANKS), BACK, JOKER)
"""Class numbers of the photographs' labels."""


@dataclass(frozen=True, slots=True)
class TruthCard:
    """A card of a picture: its name, its box (4,), its quad (4, 2) where corners are known, and how much shows.

    `index` is the share of its better corner index that shows. `counts` is False where a find is neither asked nor
    punished: a card almost wholly covered, or too small for anyone to read.
    """

    label: str
    box: Array
    quad: Array | None = None
    visible: float = 1.0
    index: float = 1.0
    counts: bool = True


@dataclass(frozen=True, slots=True)
class CardTally:
    """Counts over pictures: cards there, placed (found in place), right, wrong, unread ("??"), extra finds.

    `flipped` are faces taken for backs or backs for faces among the placed ones.
    """

    there: int = 0
    placed: int = 0
    named: int = 0
    right: int = 0
    wrong: int = 0
    unread: int = 0
    extra: int = 0
    flipped: int = 0

    def __add__(self, other: "CardTally") -> "CardTally":
        return CardTally(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @property
    def precision(self) -> float:
        """Right reads of all named finds."""
        return self.right / self.named if self.named else 1.0

    @property
    def recall(self) -> float:
        """Right reads of all cards there."""
        return self.right / self.there if self.there else 1.0

    @property
    def f1(self) -> float:
        """Place and identity together."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    @property
    def place_f1(self) -> float:
        """Place alone, whatever was read."""
        total = 2 * self.placed + self.extra + (self.there - self.placed)
        return 2 * self.placed / total if total else 1.0

    @property
    def wrong_share(self) -> float:
        """Wrong names of all names given to cards that are there."""
        reads = self.right + self.wrong
        return self.wrong / reads if reads else 0.0

    @property
    def flipped_share(self) -> float:
        """Face against back wrong, of the placed cards."""
        return self.flipped / self.placed if self.placed else 0.0

    def figures(self) -> dict[str, float | int]:
        """Return counts and shares for a metrics file."""
        counts = {f.name: int(getattr(self, f.name)) for f in fields(self)}
        names = ("precision", "recall", "f1", "place_f1", "wrong_share", "flipped_share")
        return {**counts, **{name: round(float(getattr(self, name)), 5) for name in names}}


@dataclass(frozen=True, slots=True)
class BoxTally:
    """Counts of things known by their boxes: there, found, extra."""

    there: int = 0
    found: int = 0
    extra: int = 0

    def __add__(self, other: "BoxTally") -> "BoxTally":
        return BoxTally(self.there + other.there, self.found + other.found, self.extra + other.extra)

    @property
    def recall(self) -> float:
        """Found of those there."""
        return self.found / self.there if self.there else 1.0

    @property
    def precision(self) -> float:
        """Found of all finds."""
        total = self.found + self.extra
        return self.found / total if total else 1.0

    def figures(self) -> dict[str, float | int]:
        """Return counts and shares for a metrics file."""
        return {
            "there": self.there,
            "found": self.found,
            "extra": self.extra,
            "recall": round(self.recall, 5),
            "precision": round(self.precision, 5),
        }


def _overlaps(truth: list[TruthCard], found: Detections) -> Array:
    """Return overlaps (N, M): of quads where the truth has corners, else of upright boxes."""
    if not truth or not len(found):
        return np.zeros((len(truth), len(found)))
    boxes = np.stack([t.box for t in truth])
    overlap = box_iou(boxes, boxes_of(found.quads))
    for i, card in enumerate(truth):
        if card.quad is not None:
            for j in np.flatnonzero(overlap[i] > 0.1):
                overlap[i, j] = quad_iou(card.quad, found.quads[j])
    return overlap


def pair(overlap: Array, least: float = LEAST_OVERLAP) -> list[tuple[int, int]]:
    """Return pairs (row, column), the best overlap first, each row and column once."""
    out: list[tuple[int, int]] = []
    left = overlap.copy()
    while left.size and left.max() >= least:
        i, j = np.unravel_index(int(left.argmax()), left.shape)
        out.append((int(i), int(j)))
        left[i], left[:, j] = -1, -1
    return out


def score_cards(truth: list[TruthCard], found: Detections) -> CardTally:
    """Score the cards of one picture."""
    cards = found[found.is_card]
    pairs = pair(_overlaps(truth, cards))
    taken = {j for _, j in pairs}
    placed = right = wrong = unread = flipped = 0
    for i, j in pairs:
        if not truth[i].counts:
            continue
        label, want = cards.labels[j], truth[i].label
        placed += 1
        unread += label == UNKNOWN
        right += label == want
        wrong += label not in (UNKNOWN, want)
        if label == UNKNOWN:
            flipped += (int(cards.kinds[j]) == Kind.BACK) != (want == BACK)
        else:
            flipped += (label == BACK) != (want == BACK)
    # A second find of a card that is not asked for, or of a sliver, is no false alarm.
    spare = (
        _overlaps([t for t in truth if not t.counts], cards).max(0, initial=0.0)
        if len(cards)
        else np.zeros(0)
    )
    extra = [j for j in range(len(cards)) if j not in taken and spare[j] < 0.3]
    named = right + wrong + sum(cards.labels[j] != UNKNOWN for j in extra)
    return CardTally(sum(t.counts for t in truth), placed, named, right, wrong, unread, len(extra), flipped)


def score_boxes(truth: Array, found: Detections, kind: Kind) -> BoxTally:
    """Score stacks, hands or decks of one picture against boxes (N, 4)."""
    mine = found.of(kind)
    truth = np.asarray(truth, float).reshape(-1, 4)
    overlap = box_iou(truth, mine.boxes) if len(truth) and len(mine) else np.zeros((len(truth), len(mine)))
    hits = len(pair(overlap))
    return BoxTally(len(truth), hits, len(mine) - hits)


def yolo_rows(text: str, width: int, height: int) -> Array:
    """Return (N, 5) class, x0, y0, x1, y1 in pixels from a YOLO label file; polygons become the box around them."""
    rows = []
    for line in text.splitlines():
        values = [float(v) for v in line.split()]
        if len(values) == 5:
            c, x, y, w, h = values
            rows.append([c, x - w / 2, y - h / 2, x + w / 2, y + h / 2])
        elif len(values) > 6:
            xs, ys = values[1::2], values[2::2]
            rows.append([values[0], min(xs), min(ys), max(xs), max(ys)])
    return np.array(rows, float).reshape(-1, 5) * [1, width, height, width, height]


def photographs(folder: Path) -> Iterator[tuple[Path, Array, list[TruthCard]]]:
    """Yield (file, picture, cards) of a folder with images/ and labels/ whose boxes hold whole cards."""
    for path in sorted((folder / "images").glob("*.jpg")):
        image = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if image is None:
            continue
        text = (folder / "labels" / f"{path.stem}.txt").read_text()
        rows = yolo_rows(text, image.shape[1], image.shape[0])
        yield path, image, [TruthCard(NAMES[int(row[0])], row[1:]) for row in rows]


def total(tallies: Iterable[CardTally]) -> CardTally:
    """Add up."""
    out = CardTally()
    for tally in tallies:
        out = out + tally
    return out
