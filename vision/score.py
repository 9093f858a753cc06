"""How good the eyes are on single pictures: found things against truth, as counts that add up over pictures.

A card counts as right only in its place (overlap 0.5 or more) and under its name. "??" is an honest answer but no
read: it lowers recall, never precision, and is no wrong identity.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.detections import BACK, UNKNOWN, Detections, Kind
from vision.quads import box_iou, boxes_of, quad_iou
from vision.samples import TruthCard, photographs, stills

Array = NDArray[Any]
LEAST_OVERLAP = 0.5
CLEAR = 0.95
"""A card of which this share shows, with an index, is a clear one: there is no excuse for it."""
COVERED = 0.15
"""A card of which less shows is not asked for."""
SHORTEST = 38.0
"""Pixels; a card that is shorter in the picture is not asked for."""
Look = Callable[[Array], Detections]


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


def total(tallies: Iterable[CardTally]) -> CardTally:
    """Add up."""
    out = CardTally()
    for tally in tallies:
        out = out + tally
    return out


def measure_photographs(folder: Path, look: Look) -> dict[str, Any]:
    """Return the figures of a folder of photographs whose boxes hold whole cards."""
    tallies = [score_cards(cards, look(image)) for _, image, cards in photographs(folder)]
    return {"pictures": len(tallies), "cards": total(tallies).figures()}


def measure_stills(folder: Path, look: Look) -> dict[str, Any]:
    """Return the figures of rendered stills: clear cards, covered ones, stacks, hands and decks apart."""
    clear, covered, pictures = CardTally(), CardTally(), 0
    boxes = {Kind.STACK: BoxTally(), Kind.HAND: BoxTally(), Kind.DECK: BoxTally()}
    for _, image, truth in stills(folder):
        found = look(image)
        pictures += 1
        seen = [(card, long_of(card) >= SHORTEST) for card in truth.cards]
        clear += score_cards([replace(c, counts=ok and c.visible >= CLEAR) for c, ok in seen], found)
        covered += score_cards(
            [replace(c, counts=ok and COVERED <= c.visible < CLEAR) for c, ok in seen], found
        )
        for kind, tally in boxes.items():
            boxes[kind] = tally + score_boxes(truth.boxes[kind], found, kind)
    things = {kind.name.lower(): tally.figures() for kind, tally in boxes.items()}
    return {"pictures": pictures, "clear": clear.figures(), "covered": covered.figures(), **things}


def long_of(card: TruthCard) -> float:
    """Return a card's longer side in pixels."""
    if card.quad is None:
        return float((card.box[2:] - card.box[:2]).max())
    return float(np.linalg.norm(np.roll(card.quad, -1, 0) - card.quad, axis=1).max())
