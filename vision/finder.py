"""Find cards, stacks, hands and decks in a picture of any size.

The network's maps are described in `models/finder/net.py`; this is their inverse, in numpy.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detections import Detections, Kind, join
from vision.errors import BadPicture
from vision.quads import box_iou, keep_best
from vision.weights import Weights, load

Array = NDArray[Any]

_HEAT, _SHAPE = 5, 10
_STRIDE, _UNIT, _TILT_UNIT = 4, 32.0, 1 / 1024.0
_GRID = 32
_SMALLEST = 16
_MOST_PIXELS = 4_500_000
_BOXED = (Kind.STACK, Kind.HAND, Kind.DECK)
_UPSCALE = 1.5
_SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)


@dataclass(frozen=True, slots=True)
class FinderSettings:
    """Thresholds and sizes; `look` is the largest picture (width, height) the network is given.

    `lengths` is the range of card lengths in network pixels that the network was taught; larger cards are found by
    looking again at a smaller copy. `double` is the overlap of quads above which two cards are one, `across` the same
    for finds of two looks, which agree less well.
    """

    look: tuple[int, int] = (960, 544)
    thresholds: tuple[float, ...] = (0.3, 0.3, 0.3, 0.3, 0.3)
    lengths: tuple[float, float] = (18.0, 130.0)
    double: float = 0.72
    across: float = 0.45
    most: int = 150

    @classmethod
    def told(cls, settings: Mapping[str, Any]) -> "FinderSettings":
        """Return the settings that came with the weights, where they say something."""
        names = ("look", "thresholds")
        given: dict[str, Any] = {name: tuple(settings[name]) for name in names if name in settings}
        return cls(**given)


class Finder:
    """Owns the finder's session."""

    def __init__(
        self, weights: Weights | None = None, settings: FinderSettings | None = None, threads: int = 1
    ) -> None:
        weights = weights or load("finder")
        self.settings = settings or FinderSettings.told(weights.settings)
        self._session = weights.session(threads)
        self._input = self._session.get_inputs()[0].name

    def find(self, image: Array, look: tuple[int, int] | None = None) -> Detections:
        """Return what a picture (H, W, 3) BGR uint8 shows in one look, in its own pixels; nothing is read yet."""
        picture, scale = fit(image, look or self.settings.look)
        maps = self._session.run(None, {self._input: picture[None]})[0][0]
        return decode(maps, scale, self.settings, image.shape[1], image.shape[0])

    def search(self, image: Array) -> Detections:
        """Return what a picture of unknown scale shows: looks at copies, each half as large as the one before.

        A fixed camera knows how large a card is and needs `find` only. Doubles of one card are left in, if their
        corners differ: the aligner brings them together and keeps the better one.
        """
        if image.ndim != 3 or image.shape[2] != 3 or min(image.shape[:2]) < _SMALLEST:
            raise BadPicture(f"a picture of shape {image.shape} cannot be searched")
        scales = scales_for(image.shape[1], image.shape[0])
        looks = [(round(image.shape[1] * s), round(image.shape[0] * s)) for s in scales]
        return _merge([self.find(image, look) for look in looks], scales, self.settings)


def scales_for(width: int, height: int) -> list[float]:
    """Return the scales at which a photograph is searched, finest first.

    Cards of 40 px need nearly all pixels, cards of 400 px a quarter; small pictures are enlarged a little, and of
    huge ones (whose cards are large) the finest copy is left out.

    >>> scales_for(640, 480), scales_for(1920, 1080), scales_for(4000, 3000)
    ([1.0, 0.5, 0.25], [1.0, 0.5, 0.25], [0.5, 0.25, 0.125])
    """
    finest = 1.5 if max(width, height) < 500 else 1.0
    while width * height * finest * finest > _MOST_PIXELS:
        finest /= 2
    return [finest, finest / 2, finest / 4]


def _merge(found: list[Detections], scales: list[float], settings: FinderSettings) -> Detections:
    """Join the finds of several looks: trust each thing most where its size is what the network was taught."""
    ranks = []
    low, high = settings.lengths
    for part, scale in zip(found, scales, strict=True):
        sides = np.linalg.norm(part.quads - np.roll(part.quads, 1, 1), axis=2)
        card, other = (sides[:, 0] + sides[:, 2]) / 2, 1.4 * np.sqrt(sides[:, 0] * sides[:, 1])
        length = np.where(part.is_card, card, other) * scale
        trust = np.clip(np.minimum(length / low, high / np.maximum(length, 1e-6)), 0, 1)
        ranks.append(part.scores * trust)
    both = join(*found)
    if not len(both):
        return both
    rank = np.concatenate([r for part, r in zip(found, ranks, strict=True) if len(part)])
    kept: list[int] = []
    for group, limit in (
        ((Kind.FACE, Kind.BACK), settings.double),
        *(((k,), settings.across) for k in _BOXED),
    ):
        index = np.flatnonzero(np.isin(both.kinds, group))
        if len(index):
            best = keep_best(both.quads[index], rank[index], limit)
            kept += [int(index[i]) for i in best if rank[index[i]] > 0.5 * both.scores[index[i]]]
    return both[sorted(kept, key=lambda i: -rank[i])]


def fit(image: Array, look: tuple[int, int]) -> tuple[Array, float]:
    """Scale a picture to fit `look` and pad it at the right and bottom to multiples of 32; return it and the scale."""
    h, w = image.shape[:2]
    scale = min(look[0] / w, look[1] / h, _UPSCALE)
    width, height = max(1, round(w * scale)), max(1, round(h * scale))
    if (width, height) != (w, h):
        mode = cv2.INTER_LINEAR if scale > 0.45 else cv2.INTER_AREA
        image = cv2.resize(image, (width, height), interpolation=mode)
    right, bottom = -width % _GRID, -height % _GRID
    if right or bottom:
        image = cv2.copyMakeBorder(image, 0, bottom, 0, right, cv2.BORDER_CONSTANT, value=(90, 90, 90))
    return np.ascontiguousarray(image), scale


def _unfold(maps: Array) -> Array:
    """Folded channels (4 C, h, w) to (C, 2 h, 2 w)."""
    c, h, w = maps.shape
    return np.asarray(maps.reshape(c // 4, 2, 2, h, w).transpose(0, 3, 1, 4, 2).reshape(c // 4, 2 * h, 2 * w))


def _peaks(heat: Array, settings: FinderSettings) -> tuple[Array, Array, Array, Array]:
    """Return kind, y, x and heat of the local maxima above each kind's threshold, hottest first."""
    kernel = np.ones((3, 3), np.uint8)
    found = []
    for kind, plane in enumerate(heat):
        limit = settings.thresholds[kind]
        top = (plane >= cv2.dilate(plane, kernel)) & (plane > np.log(limit / (1 - limit)))
        ys, xs = np.nonzero(top)
        found.append((np.full(len(ys), kind), ys, xs, plane[ys, xs]))
    kinds, ys, xs, scores = (np.concatenate(part) for part in zip(*found, strict=True))
    order = np.argsort(-scores, kind="stable")[: settings.most]
    return kinds[order], ys[order], xs[order], 1 / (1 + np.exp(-scores[order]))


def decode(maps: Array, scale: float, settings: FinderSettings, width: int, height: int) -> Detections:
    """Turn folded maps (76, h, w) into detections in the pixels of the original picture."""
    heat = np.ascontiguousarray(_unfold(maps[: 4 * _HEAT]))
    kinds, ys, xs, scores = _peaks(heat, settings)
    if not len(kinds):
        return Detections.empty()
    fold = (ys % 2) * 2 + xs % 2
    values = maps.reshape(-1, 4, *maps.shape[1:])[_HEAT:, fold, ys // 2, xs // 2].T.astype(np.float32)
    cells = (np.stack([xs, ys], 1) + 0.5) * _STRIDE
    cards = kinds <= Kind.BACK
    quads = np.empty((len(kinds), 4, 2), np.float32)
    quads[cards] = card_quads(cells[cards], values[cards, :_SHAPE])
    quads[~cards] = _box_quads(cells[~cards], values[~cards, _SHAPE:])
    quads /= scale
    return _clean(kinds, quads, scores, settings, width, height)


def card_quads(cells: Array, values: Array) -> Array:
    """Return quads (N, 4, 2) from cell middles (N, 2) and shape values (N, 10)."""
    centre = cells + values[:, :2] * _STRIDE
    long, short = _axis(values[:, 2:5]), _axis(values[:, 5:8])
    mirrored = short[:, 0] * long[:, 1] - short[:, 1] * long[:, 0] < 0
    short[mirrored] *= -1
    reach = _SQUARE[None, :, :1] * short[:, None] + _SQUARE[None, :, 1:] * long[:, None]
    depth = 1 + np.einsum("nij,nj->ni", reach, values[:, 8:10] * _TILT_UNIT)
    return np.asarray(centre[:, None] + reach / np.clip(depth, 0.5, 2.0)[..., None])


def _axis(form: Array) -> Array:
    """Return half axes (N, 2) from a aT / |a| given as (N, 3): trace is the length, the main direction is the axis."""
    size = np.maximum(form[:, 0] + form[:, 2], 1e-3) * _UNIT
    angle = 0.5 * np.arctan2(2 * form[:, 1], form[:, 0] - form[:, 2])
    return np.asarray(np.stack([np.cos(angle), np.sin(angle)], 1) * size[:, None])


def _box_quads(cells: Array, values: Array) -> Array:
    edges = np.maximum(values, 0.02) * _UNIT
    low, high = cells - edges[:, :2], cells + edges[:, 2:]
    return np.stack(
        [low, np.stack([high[:, 0], low[:, 1]], 1), high, np.stack([low[:, 0], high[:, 1]], 1)], 1
    )


def _clean(
    kinds: Array, quads: Array, scores: Array, settings: FinderSettings, width: int, height: int
) -> Detections:
    """Drop doubles: cards by quad overlap, other things by box overlap within their kind."""
    kept: list[int] = []
    for group in ([Kind.FACE, Kind.BACK], [Kind.STACK], [Kind.HAND], [Kind.DECK]):
        index = np.flatnonzero(np.isin(kinds, group))
        if not len(index):
            continue
        if group[0] == Kind.FACE:
            kept += list(index[keep_best(quads[index], scores[index], settings.double)])
            continue
        boxes = np.concatenate([quads[index, 0], quads[index, 2]], 1)
        overlap = box_iou(boxes, boxes)
        mine: list[int] = []
        for i in range(len(index)):
            if all(overlap[i, j] < 0.5 for j in mine):
                mine.append(i)
        kept += [int(index[i]) for i in mine]
    kept.sort(key=lambda i: -scores[i])
    boxed = kinds > Kind.BACK
    quads[boxed] = np.clip(quads[boxed], 0, [width, height])
    return Detections(
        kinds[kept].astype(np.int8), quads[kept], np.clip(scores[kept], 0, 1).astype(np.float32)
    )
