"""Crops of photographed cards: python -m models.card_reader.photos --photos DIR --out DIR.

Photographs come with upright boxes around cards (`cards-full`) or corner indices (`cards-index`), not with corners.
The finder (and the aligner, once there is one) gives the corners; a crop is kept where it and the label agree.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np

from models.card_reader.corners import Corners
from models.scenes.crops import BACK, UNREADABLE, jitter
from models.scenes.library import pictures
from vision.quads import box_iou, boxes_of, rectify

_CARDS, _JOKER = 52, 53
Rows = list[tuple[np.ndarray, int]]


def by_box(quads: np.ndarray, rows: np.ndarray, least: float = 0.62) -> list[int]:
    """Return each quad's class from whole-card boxes (N, 5), -1 if none fits, UNREADABLE if there is no card at all."""
    if not len(rows):
        return [UNREADABLE] * len(quads)
    overlap = box_iou(boxes_of(quads), rows[:, 1:])
    best = overlap.argmax(1)
    out = []
    for i, j in enumerate(best):
        inside = overlap[i, j]
        out.append(int(rows[j, 0]) if inside > least else UNREADABLE if inside < 0.1 else -1)
    return [BACK if k == BACK else k if k < _CARDS or k == UNREADABLE else -1 for k in out]


def by_index(quads: np.ndarray, rows: np.ndarray) -> list[int]:
    """Return each quad's class from index boxes (N, 5) that lie in its corners, -1 if none or if they differ."""
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    middles = ((rows[:, 1:3] + rows[:, 3:]) / 2).astype(np.float32)
    out = []
    for quad in quads:
        seen = set()
        if len(rows):
            warp = cv2.getPerspectiveTransform(quad.astype(np.float32), square)
            at = cv2.perspectiveTransform(middles[None], warp)[0]
            x, y = np.abs(at - 0.5).T
            corner = (x > 0.22) & (x < 0.5) & (y > 0.25) & (y < 0.5)
            upright = (at[:, 0] < 0.5) == (at[:, 1] < 0.5)
            seen = {int(k) for k in rows[corner & upright, 0]} if (corner & ~upright).sum() == 0 else {-1, -2}
        out.append(seen.pop() if len(seen) == 1 else -1)
    return [k if 0 <= k < _CARDS else UNREADABLE if k == _JOKER else -1 for k in out]


def harvest(
    corners: Corners, folder: Path, kind: str, copies: int, rng: np.random.Generator, every: int = 1
) -> Rows:
    """Return (crop, class) pairs of every so-manieth picture of a folder of photographs."""
    out: Rows = []
    for path, boxes in pictures(folder)[::every]:
        image = cv2.imread(str(path), cv2.IMREAD_COLOR)
        h, w = image.shape[:2]
        rows = boxes * [1, w, h, w, h]
        quads = corners(image)
        if not len(quads):
            continue
        classes = by_box(quads, rows) if kind == "box" else by_index(quads, rows)
        for quad, number in zip(quads, classes, strict=True):
            if number >= 0 and not (number == UNREADABLE and rng.random() < 0.5):
                moved = np.stack([quad, *(jitter(rng, quad, 0.02) for _ in range(copies - 1))])
                out += [(crop, number) for crop in rectify(image, moved)]
    return out


def fill(photos: Path, out: Path, split: str = "train", copies: int = 3, every: int = 1) -> None:
    """Write one shard per folder of photographs, unless it is there."""
    out.mkdir(parents=True, exist_ok=True)
    rng, corners = np.random.default_rng(1), Corners()
    for number, (name, kind) in enumerate((("cards-full", "box"), ("cards-index", "index"))):
        path = out / f"shard{9000 + number}.npz"
        rows = [] if path.exists() else harvest(corners, photos / name / split, kind, copies, rng, every)
        if not rows:
            continue
        classes = np.array([r[1] for r in rows], np.int16)
        np.savez(path, crops=np.stack([r[0] for r in rows]), classes=classes)
        print(name, len(rows), "crops,", int((classes == UNREADABLE).sum()), "of them of nothing", flush=True)


def main() -> None:
    """Harvest one split."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--copies", type=int, default=3)
    parser.add_argument("--split", default="train")
    a = parser.parse_args()
    cv2.setNumThreads(1)
    fill(a.photos, a.out, a.split, a.copies)


if __name__ == "__main__":
    main()
