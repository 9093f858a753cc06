"""Look closer at what the finder proposes: is it a card, which side is up, and where exactly are its corners.

The finder sees the whole picture at low resolution; half of its doubts and most of its error in corners go away when
each proposal is cut out, upright and at one size, and looked at by a small network.
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detections import Detections, Kind, join
from vision.quads import CARD_ASPECT, keep_best
from vision.weights import Weights, load

Array = NDArray[Any]

SIDE = 64
FILL = 0.58
"""Share of the crop's height that the proposed card takes: the rest is room for the proposal's error."""
HALF = SIDE / 2
TEMPLATE = np.array([[-CARD_ASPECT, -1], [CARD_ASPECT, -1], [CARD_ASPECT, 1], [-CARD_ASPECT, 1]]) * FILL
"""The proposed card in crop units (-1..1), clockwise from its top left (4, 2)."""
_NONE = 2
_MUCH_LARGER, _AS_SURE = 2.2, 0.1


def frames(quads: Array) -> Array:
    """Return similarities (N, 2, 3) from crop units (-1..1) to picture pixels, upright along each quad's long side."""
    quads = np.asarray(quads, float)
    down = (quads[:, 3] + quads[:, 2] - quads[:, 0] - quads[:, 1]) / 2
    unit = down / (2 * FILL)
    out = np.empty((len(quads), 2, 3))
    out[:, :, 1] = unit
    out[:, 0, 0], out[:, 1, 0] = unit[:, 1], -unit[:, 0]
    out[:, :, 2] = quads.mean(1)
    return out


def cut(image: Array, maps: Array) -> Array:
    """Cut crops (N, 64, 64, 3) out of a picture by frames (N, 2, 3); large ones from a halved copy."""
    levels = [image]
    crops = np.empty((len(maps), SIDE, SIDE, 3), np.uint8)
    for i, frame in enumerate(maps):
        size = float(np.hypot(frame[0, 1], frame[1, 1])) / HALF  # picture pixels per crop pixel
        level = int(np.clip(np.floor(np.log2(max(size, 1.0)) + 0.4), 0, 5))
        while len(levels) <= level and min(levels[-1].shape[:2]) >= 8:
            levels.append(cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
        level = min(level, len(levels) - 1)
        shrink = 0.5**level
        linear = frame[:, :2] * (shrink / HALF)
        shift = frame[:, 2] * shrink - 0.5 - linear @ np.full(2, HALF - 0.5)
        cv2.warpAffine(
            levels[level],
            np.column_stack([linear, shift]),
            (SIDE, SIDE),
            dst=crops[i],
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
    return crops


def to_picture(corners: Array, maps: Array) -> Array:
    """Map corners (N, 4, 2) in crop units to picture pixels, and start every quad along a short side."""
    quads = np.einsum("nij,nkj->nki", maps[:, :, :2], corners) + maps[:, None, :, 2]
    wide = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1) + np.linalg.norm(
        quads[:, 2] - quads[:, 3], axis=1
    )
    long = np.linalg.norm(quads[:, 2] - quads[:, 1], axis=1) + np.linalg.norm(
        quads[:, 3] - quads[:, 0], axis=1
    )
    lying = wide > long
    quads[lying] = np.roll(quads[lying], 1, 1)
    return np.asarray(quads, np.float32)


class Aligner:
    """Owns the aligner's session."""

    def __init__(self, weights: Weights | None = None, threads: int = 1) -> None:
        weights = weights or load("aligner")
        self.threshold = float(weights.settings.get("threshold", 0.5))
        self.double = float(weights.settings.get("double", 0.6))
        self._session = weights.session(threads)
        self._input = self._session.get_inputs()[0].name

    def judge(self, image: Array, quads: Array) -> tuple[Array, Array]:
        """Return the odds (N, 3) of face, back and no card, and better quads (N, 4, 2)."""
        if not len(quads):
            return np.zeros((0, 3)), np.zeros((0, 4, 2), np.float32)
        maps = frames(quads)
        logits, moves = self._session.run(None, {self._input: cut(image, maps)})
        odds = np.exp(logits - logits.max(1, keepdims=True))
        odds /= odds.sum(1, keepdims=True)
        return odds, to_picture(TEMPLATE + moves.reshape(-1, 4, 2), maps)

    def align(self, image: Array, found: Detections, rounds: int = 2) -> Detections:
        """Return detections whose cards are checked and moved to their edges; other things stay as they are.

        Each round starts from the corners of the last, so a proposal that was far off gets a second look.
        """
        cards, rest = found.of(Kind.FACE, Kind.BACK), found[~found.is_card]
        quads, scores = cards.quads, np.zeros(len(cards))
        kinds = np.zeros(len(cards), np.int8)
        for number in range(rounds):
            odds, quads = self.judge(image, quads)
            scores = 1 - odds[:, _NONE]
            kinds = odds[:, :_NONE].argmax(1).astype(np.int8) if len(odds) else kinds
            limit = self.threshold if number == rounds - 1 else self.threshold / 3
            kept = np.flatnonzero((scores > limit) & _sound(quads))
            quads, scores, kinds = quads[kept], scores[kept], kinds[kept]
            if number < rounds - 1 and len(quads):
                kept = keep_best(quads, scores, 0.85)
                quads, scores, kinds = quads[kept], scores[kept], kinds[kept]
        if not len(quads):
            return rest
        kept = keep_best(quads, scores, self.double)
        kept = kept[~_within(quads[kept], scores[kept])]
        fine = Detections(kinds[kept], quads[kept], np.clip(scores[kept], 0, 1).astype(np.float32))
        return join(fine, rest)


def _sound(quads: Array) -> Array:
    """Mask (N,) of quads that are convex and not degenerate."""
    side = np.roll(quads, -1, 1) - quads
    turn = side[:, :, 0] * np.roll(side, -1, 1)[:, :, 1] - side[:, :, 1] * np.roll(side, -1, 1)[:, :, 0]
    return np.asarray((turn > 0).all(1) & (np.linalg.norm(side, axis=2).min(1) > 3))


def _within(quads: Array, scores: Array) -> Array:
    """Mask (N,) of quads in the middle of a much larger card that is as sure: a pip or a court's frame, not a card.

    Cards that lie on one another are about as large as one another, whatever the perspective.
    """
    areas = np.array([cv2.contourArea(quad.astype(np.float32)) for quad in quads])
    out = np.zeros(len(quads), bool)
    for i, centre in enumerate(quads.mean(1)):
        for j in np.flatnonzero((areas > _MUCH_LARGER * areas[i]) & (scores > scores[i] - _AS_SURE)):
            point = (float(centre[0]), float(centre[1]))
            if cv2.pointPolygonTest(quads[j].astype(np.float32), point, False) >= 0:
                out[i] = True
    return out
