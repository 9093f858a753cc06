"""Samples for the finder: composed scenes and rendered stills from shards, photographs from their folders."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from models.finder.targets import Labels
from models.scenes.compose import Scene
from models.scenes.library import pictures

MEMORY = 2_500_000_000
"""Bytes of decoded pictures that one source may keep: decoding costs as much as learning."""
KINDS = {"face": 0, "back": 1, "stack": 2, "hand": 3, "deck": 4}


def labels_of(scene: Scene) -> Labels:
    """Return a scene's truth as labels."""
    cards = [[float(c.label == "back"), *c.quad.ravel(), c.visible] for c in scene.cards]
    boxes = [[float(KINDS[b.kind]), *b.box] for b in scene.boxes]
    return Labels(np.array(cards).reshape(-1, 10), np.zeros((0, 5)), np.array(boxes).reshape(-1, 5))


def pack(samples: Sequence[tuple[np.ndarray, Labels]]) -> dict[str, np.ndarray]:
    """Return pictures (as JPEG bytes end to end) and labels as plain arrays for one shard."""
    codes = [cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 93])[1].ravel() for image, _ in samples]
    cards = [np.column_stack([np.full(len(s.cards), i), s.cards]) for i, (_, s) in enumerate(samples)]
    boxes = [np.column_stack([np.full(len(s.boxes), i), s.boxes]) for i, (_, s) in enumerate(samples)]
    return {
        "bytes": np.concatenate(codes),
        "ends": np.cumsum([len(c) for c in codes]),
        "cards": np.concatenate(cards),
        "boxes": np.concatenate(boxes),
    }


class Shards:
    """Random access to the samples of all shards in a folder; pictures stay JPEG in memory until asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.read: set[Path] = set()
        self.parts: list[dict[str, np.ndarray]] = []
        self.where: list[tuple[int, int]] = []
        self.decoded: dict[int, np.ndarray] = {}
        self.room = MEMORY
        self.refresh()

    def refresh(self) -> None:
        """Read the shards that were made since the last time."""
        for path in sorted(set(self.folder.glob("shard[0-9]*[0-9].npz")) - self.read):
            with np.load(path) as arrays:
                part = {name: arrays[name] for name in arrays.files}
            self.where += [(len(self.parts), i) for i in range(len(part["ends"]))]
            self.parts.append(part)
            self.read.add(path)

    def __len__(self) -> int:
        return len(self.where)

    def __getitem__(self, index: int) -> tuple[np.ndarray, Labels]:
        p, i = self.where[index]
        part = self.parts[p]
        image = self.decoded.get(index)
        if image is None:
            start = 0 if i == 0 else int(part["ends"][i - 1])
            image = cv2.imdecode(part["bytes"][start : int(part["ends"][i])], cv2.IMREAD_COLOR)
            self.room -= image.nbytes
            if self.room > 0:
                self.decoded[index] = image
        cards, boxes = part["cards"], part["boxes"]
        known = tuple(int(k) for k in part.get("known", range(len(KINDS))))
        return image, Labels(
            cards[cards[:, 0] == i, 1:], np.zeros((0, 5)), boxes[boxes[:, 0] == i, 1:], known
        )


class Photographs:
    """Photographs whose labels are upright boxes: whole cards (`cards-full`) or chips (`chips-stacks`)."""

    def __init__(self, folder: Path, kind: str, shrink: float = 1.0) -> None:
        """Take a folder; shrunken copies are kept in memory, since their cards are large anyway."""
        self.items, self.kind, self.shrink = pictures(folder), kind, shrink
        self.decoded: dict[int, np.ndarray] = {}

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: int) -> tuple[np.ndarray, Labels]:
        path, rows = self.items[index]
        image = self.decoded.get(index)
        if image is None:
            image = cv2.imread(str(path), cv2.IMREAD_COLOR)
            if self.shrink != 1:
                image = cv2.resize(image, None, fx=self.shrink, fy=self.shrink, interpolation=cv2.INTER_AREA)
                self.decoded[index] = image
        h, w = image.shape[:2]
        rows = rows * [1, w, h, w, h]
        if self.kind == "chips":
            rows[:, 0] = KINDS["stack"]
            return image, Labels(boxes=rows, known=(0, 1, 2))
        rows[:, 0] = rows[:, 0] == 52
        return image, Labels(loose=rows, known=(0, 1, 2, 4))


def _move(labels: Labels, matrix: np.ndarray, width: int, height: int) -> Labels:
    """Apply a 2x3 affine map that keeps upright boxes upright, and drop what left the picture."""

    def points(p: np.ndarray) -> np.ndarray:
        return p @ matrix[:, :2].T + matrix[:, 2]

    def boxes(rows: np.ndarray) -> np.ndarray:
        if not len(rows):
            return rows
        ends = points(rows[:, 1:].reshape(-1, 2)).reshape(-1, 2, 2)
        full = np.concatenate([ends.min(1), ends.max(1)], 1)
        cut = np.clip(full, 0, [width, height, width, height])
        share = (cut[:, 2:] - cut[:, :2]).prod(1) / np.maximum((full[:, 2:] - full[:, :2]).prod(1), 1)
        return np.column_stack([rows[:, 0], cut])[share > 0.3]

    cards = labels.cards.copy()
    cards[:, 1:9] = points(cards[:, 1:9].reshape(-1, 2)).reshape(-1, 8)
    return Labels(cards, boxes(labels.loose), boxes(labels.boxes), labels.known)


def _anchor(rng: np.random.Generator, labels: Labels, shape: tuple[int, ...]) -> tuple[np.ndarray, float]:
    """Pick one thing of a picture; return its middle and its length in pixels (of a card, or of what is as large)."""
    quads = labels.cards[:, 1:9].reshape(-1, 4, 2)
    things = [(q.mean(0), float(np.linalg.norm(q[2] - q[1]))) for q in quads]
    for rows, share in ((labels.loose, 0.8), (labels.boxes[labels.boxes[:, 0] == KINDS["stack"]], 1.6)):
        things += [((r[1:3] + r[3:5]) / 2, float(max(r[3] - r[1], r[4] - r[2])) * share) for r in rows]
    if not things:
        return np.array(shape[1::-1]) / 2, float(max(shape) / 5)
    return things[int(rng.integers(len(things)))]


def _place(rng: np.random.Generator, spread: np.ndarray, target: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return where the middle of a picture of size `spread` goes so that `at` (from its middle) lands in the target."""
    middle = rng.uniform(0.1, 0.9, 2) * target - at
    slack = np.abs(spread - target) / 2
    return np.asarray(np.clip(middle, target / 2 - slack, target / 2 + slack))


def augment(
    rng: np.random.Generator,
    image: np.ndarray,
    labels: Labels,
    width: int,
    height: int,
    long_px: tuple[float, float],
) -> tuple[np.ndarray, Labels]:
    """Cut around one thing, scaled so that a card there has a length in `long_px`; mirror, quarter-turn, recolour."""
    h, w = image.shape[:2]
    centre, length = _anchor(rng, labels, image.shape)
    least = 0.8 * min(width / w, height / h)  # a picture much smaller than its place would waste it
    scale = float(np.clip(np.exp(rng.uniform(*np.log(long_px))) / max(length, 4.0), least, 1.6))
    a, b = scale * rng.choice([-1, 1], 2)
    linear = np.array([[a, 0], [0, b]]) if rng.random() < 0.6 else np.array([[0, a], [b, 0]])
    half = np.array([w / 2, h / 2])
    middle = _place(
        rng, np.abs(linear @ (2 * half)), np.array([width, height], float), linear @ (centre - half)
    )
    matrix = np.column_stack([linear, middle - linear @ half])
    # Only the part that will show is worked on; where it shrinks, by area, since point sampling would alias.
    ends = np.array([[0, 0], [width, height]], float) - matrix[:, 2]
    ends = ends @ np.linalg.inv(matrix[:, :2]).T
    low = np.clip(np.floor(ends.min(0)).astype(int) - 4, 0, [w - 1, h - 1])
    high = np.clip(np.ceil(ends.max(0)).astype(int) + 4, low + 1, [w, h])
    image = image[low[1] : high[1], low[0] : high[0]]
    inner = np.column_stack([matrix[:, :2], matrix[:, 2] + matrix[:, :2] @ low])
    if scale < 0.7 and min(image.shape[:2]) * scale >= 2:
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        inner[:, :2] /= scale
    border = [float(v) for v in rng.uniform(0, 160, 3)]
    out = cv2.warpAffine(
        image,
        inner,
        (width, height),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=border,
    )
    gain, lift = rng.normal(1, 0.12, 3), rng.normal(0, 8)
    table = np.clip(np.arange(256)[:, None] * gain + lift, 0, 255).astype(np.uint8)
    return cv2.LUT(out, table[None]), _move(labels, matrix, width, height)


def beside(left: tuple[np.ndarray, Labels], right: tuple[np.ndarray, Labels]) -> tuple[np.ndarray, Labels]:
    """Put two samples of one height side by side; a class counts as labelled only if it is in both."""
    dx = left[0].shape[1]
    a, b = left[1], right[1]
    cards, loose, boxes = b.cards.copy(), b.loose.copy(), b.boxes.copy()
    cards[:, 1:9:2] += dx
    loose[:, 1::2] += dx
    boxes[:, 1::2] += dx
    # A middle beyond the seam would glow in the neighbour.
    seen = (a.cards[:, 1:9:2].mean(1) < dx), (cards[:, 1:9:2].mean(1) > dx)
    return np.hstack([left[0], right[0]]), Labels(
        np.concatenate([a.cards[seen[0]], cards[seen[1]]]),
        np.concatenate([a.loose, loose]),
        np.concatenate([a.boxes, boxes]),
        tuple(k for k in a.known if k in b.known),
    )
