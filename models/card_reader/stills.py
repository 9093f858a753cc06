"""Crops of cards in rendered stills: python -m models.card_reader.stills --stills DIR --out DIR [--copies N].

Corners come from the truth, moved a little as a finder would, so that a reader meets table light, real perspective
and hands before it is judged there.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np

from models.scenes.crops import class_of, jitter
from models.scenes.drawn_decks import LABELS
from models.scenes.stills import read_still
from vision.quads import rectify

PER_SHARD = 160
_LEAST_VISIBLE, _LEAST_LONG = 0.12, 34.0


def crops_of(truth: Path, rng: np.random.Generator, copies: int) -> list[tuple[np.ndarray, int]]:
    """Return (crop, class) pairs of one still; every crop comes either way up."""
    scene, out = read_still(truth), []
    for card in scene.cards:
        long = float(np.linalg.norm(card.quad[2] - card.quad[1]))
        if card.visible < _LEAST_VISIBLE or long < _LEAST_LONG:
            continue
        number = class_of(card.label, LABELS, card.visible, card.index)
        if number >= len(LABELS) and rng.random() < 0.6:
            continue  # backs are many and easy
        quads = [jitter(rng, card.quad, abs(rng.normal(0, 0.02))) for _ in range(copies)]
        quads = [np.roll(q, 2, 0) if rng.random() < 0.5 else q for q in quads]
        out += [(crop, number) for crop in rectify(scene.image, np.stack(quads))]
    return out


def fill(folders: str, out: Path, copies: int) -> None:
    """Write shards of the stills of folders (separated by commas); shards that exist are kept."""
    out.mkdir(parents=True, exist_ok=True)
    truths = [t for folder in folders.split(",") for t in sorted((Path(folder) / "truth").glob("*.json"))]
    for number, start in enumerate(range(0, len(truths), PER_SHARD)):
        path = out / f"shard{5000 + number}.npz"
        if path.exists():
            continue
        rng = np.random.default_rng(number)
        pairs = [pair for truth in truths[start : start + PER_SHARD] for pair in crops_of(truth, rng, copies)]
        classes = np.array([p[1] for p in pairs], np.int16)
        np.savez(path.with_suffix(".part.npz"), crops=np.stack([p[0] for p in pairs]), classes=classes)
        path.with_suffix(".part.npz").rename(path)
        print("made", path.name, len(pairs), "crops", flush=True)


def main() -> None:
    """Fill the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stills", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--copies", type=int, default=2)
    a = parser.parse_args()
    cv2.setNumThreads(1)
    fill(a.stills, a.out, a.copies)


if __name__ == "__main__":
    main()
