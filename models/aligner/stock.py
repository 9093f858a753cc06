"""Proposals with their truth: python -m models.aligner.stock --scenes DIR --photos DIR --out DIR.

Proposals are the finder's own, truth moved at random, and places without a card. Scenes give exact corners;
photographs (`cards-full`) only the upright box around a card.
"""

import argparse
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from models.finder.data import Photographs, Shards
from models.finder.targets import Labels
from models.scenes.stock import Maker, fill
from vision.aligner import TEMPLATE, cut, frames
from vision.finder import Finder, FinderSettings
from vision.quads import boxes_of, quad_iou

FACE, BACK, NONE, SKIP = 0, 1, 2, -1
_UPRIGHT = np.array(
    [[-0.5 * 63 / 88, -0.5], [0.5 * 63 / 88, -0.5], [0.5 * 63 / 88, 0.5], [-0.5 * 63 / 88, 0.5]]
)


def _turned(centre: np.ndarray, length: float, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(_UPRIGHT @ np.array([[c, s], [-s, c]]) * length + centre)


def _like(quad: np.ndarray) -> tuple[np.ndarray, float, float]:
    down = (quad[3] + quad[2] - quad[0] - quad[1]) / 2
    return quad.mean(0), float(np.hypot(*down)), float(np.arctan2(-down[0], down[1]))


def moved(rng: np.random.Generator, quad: np.ndarray) -> np.ndarray:
    """Return a proposal near a card: off in place, size and turn as a finder is, now and then on its side."""
    centre, length, angle = _like(quad)
    angle += (
        rng.normal(0, 0.16) + (np.pi / 2 if rng.random() < 0.08 else 0) + (np.pi if rng.random() < 0.5 else 0)
    )
    return _turned(centre + rng.normal(0, 0.09, 2) * length, length * np.exp(rng.normal(0, 0.14)), angle)


def guess(rng: np.random.Generator, box: np.ndarray) -> np.ndarray:
    """Return the card that fills an upright box (4,) best; which way it leans is a guess."""
    angles = np.linspace(0, np.pi / 2, 31)
    wide, high = 0.716 * np.cos(angles) + np.sin(angles), 0.716 * np.sin(angles) + np.cos(angles)
    ratio = np.log((box[2] - box[0]) / (box[3] - box[1]))
    k = int(np.abs(np.log(wide / high) - ratio).argmin())
    length = np.sqrt((box[2] - box[0]) * (box[3] - box[1]) / (wide[k] * high[k]))
    return _turned((box[:2] + box[2:]) / 2, float(length), float(angles[k] * rng.choice([-1, 1])))


def elsewhere(rng: np.random.Generator, quads: np.ndarray, boxes: np.ndarray, w: int, h: int) -> np.ndarray:
    """Return a place that is no card: anywhere, on a chip or hand, or a part of a card."""
    kind, angle = rng.random(), rng.uniform(0, 2 * np.pi)
    if kind < 0.4 and len(quads):
        quad = quads[int(rng.integers(len(quads)))]
        spot = rng.dirichlet(np.ones(4)) @ quad
        return _turned(spot, _like(quad)[1] * rng.uniform(0.12, 0.5), _like(quad)[2] + rng.normal(0, 0.3))
    if kind < 0.7 and len(boxes):
        box = boxes[int(rng.integers(len(boxes)))]
        size = np.sqrt((box[3] - box[1]) * (box[4] - box[2]))
        return _turned((box[1:3] + box[3:5]) / 2, size * rng.uniform(0.5, 1.5), angle)
    return _turned(rng.uniform(0, 1, 2) * [w, h], np.exp(rng.uniform(np.log(20), np.log(160))), angle)


def _nearest_order(corners: np.ndarray) -> np.ndarray:
    """Return corners (4, 2) in crop units in the order nearest to the template."""
    orders = [np.roll(corners, k, 0) for k in range(4)]
    return min(orders, key=lambda c: float(np.abs(c - TEMPLATE).sum()))


def exact_truth(proposal: np.ndarray, frame: np.ndarray, cards: np.ndarray) -> tuple[int, np.ndarray]:
    """Return kind and corner moves (8,) of a proposal against cards (N, 10)."""
    best, which = 0.0, -1
    for i, card in enumerate(cards):
        overlap = quad_iou(proposal, card[1:9].reshape(4, 2))
        if overlap > best:
            best, which = overlap, i
    if best < 0.25:
        return NONE, np.zeros(8)
    card = cards[which]
    if best < 0.36 or card[9] < 0.2:
        return SKIP, np.zeros(8)
    inverse = np.linalg.inv(frame[:, :2])
    corners = _nearest_order((card[1:9].reshape(4, 2) - frame[:, 2]) @ inverse.T)
    return int(card[0]), (corners - TEMPLATE).ravel()


def loose_truth(proposal: np.ndarray, loose: np.ndarray) -> tuple[int, np.ndarray]:
    """Return kind and box (4,) in pixels of a proposal against upright boxes (N, 5)."""
    box = boxes_of(proposal[None])[0]
    low, high = np.maximum(loose[:, 1:3], box[:2]), np.minimum(loose[:, 3:5], box[2:])
    inter = np.clip(high - low, 0, None).prod(1)
    area = (loose[:, 3:5] - loose[:, 1:3]).prod(1)
    overlap = inter / (area + (box[2:] - box[:2]).prod() - inter)
    i = int(overlap.argmax()) if len(loose) else -1
    if i < 0 or overlap[i] < 0.2:
        return NONE, np.zeros(4)
    if overlap[i] < 0.5:
        return SKIP, np.zeros(4)
    return int(loose[i, 0]), loose[i, 1:]


class Harvest:
    """Crops with truth out of pictures; `finder` proposes as it will at run time."""

    def __init__(self, finder: Finder) -> None:
        self.finder = finder

    def proposals(self, rng: np.random.Generator, image: np.ndarray, labels: Labels) -> np.ndarray:
        """Return quads (N, 4, 2)."""
        h, w = image.shape[:2]
        quads = labels.cards[:, 1:9].reshape(-1, 4, 2)
        found = self.finder.search(image)
        mine = found.quads[found.is_card]
        mine = mine[rng.permutation(len(mine))[:14]]
        if len(labels.loose):
            quads = np.stack([guess(rng, row[1:]) for row in labels.loose])
        near = [moved(rng, quads[i]) for i in rng.permutation(len(quads))[:10] for _ in range(2)]
        far = [elsewhere(rng, quads, labels.boxes, w, h) for _ in range(4)]
        return np.concatenate([mine, np.array(near + far).reshape(-1, 4, 2)])

    def rows(
        self, rng: np.random.Generator, image: np.ndarray, labels: Labels
    ) -> list[tuple[np.ndarray, ...]]:
        """Return (crop, kind, moves 8, frame 6, box 4) of one picture; a zero box means exact corners."""
        quads = self.proposals(rng, image, labels)
        maps = frames(quads)
        good = (np.abs(maps[:, :, 1]).sum(1) > 3) & (quads.max((1, 2)) < 4000)
        quads, maps = quads[good], maps[good]
        crops, out = cut(image, maps), []
        for crop, quad, frame in zip(crops, quads, maps, strict=True):
            box = np.zeros(4)
            if len(labels.loose):
                kind, box = loose_truth(quad, labels.loose)
                moves = np.zeros(8)
            else:
                kind, moves = exact_truth(quad, frame, labels.cards)
            if kind != SKIP and np.abs(moves).max() < 1.2:
                out.append((crop, np.array(kind), moves, frame.ravel(), box))
        return out


def make_maker(scenes: str, photos: Path | None) -> Maker:
    """Return a function (seed, count) -> arrays from `count` pictures, a third of them photographs."""

    def make(seed: int, count: int) -> dict[str, np.ndarray]:
        rng = np.random.default_rng(seed)
        harvest = Harvest(Finder(settings=FinderSettings(thresholds=(0.12,) * 5)))
        exact = [Shards(Path(folder)) for folder in scenes.split(",")]
        real = Photographs(photos / "cards-full" / "train", "cards") if photos is not None else None
        rows: list[tuple[np.ndarray, ...]] = []
        for _ in range(count):
            source: Shards | Photographs = exact[int(rng.integers(len(exact)))]
            if real is not None and rng.random() < 0.35:
                source = real
            image, labels = source[int(rng.integers(len(source)))]
            if rng.random() < 0.5:
                scale = rng.uniform(0.4, 1.0)
                image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
                labels = Labels(
                    labels.cards * np.r_[1, np.full(8, scale), 1],
                    labels.loose * np.r_[1, np.full(4, scale)],
                    labels.boxes * np.r_[1, np.full(4, scale)],
                    labels.known,
                )
            rows += harvest.rows(rng, image, labels)
        names = ("crops", "classes", "moves", "frames", "boxes")
        kinds = (np.uint8, np.int16, np.float32, np.float32, np.float32)
        return {
            n: np.stack([r[k] for r in rows]).astype(t)
            for k, (n, t) in enumerate(zip(names, kinds, strict=True))
        }

    return make


def main() -> None:
    """Fill the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", required=True, help="folders of the finder's shards, separated by commas")
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shards", type=int, default=10)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    a = parser.parse_args()
    fill(partial(make_maker, a.scenes, a.photos), a.out, a.shards, a.count, a.seed, a.processes)


if __name__ == "__main__":
    main()
