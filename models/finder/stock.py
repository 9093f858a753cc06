"""Compose the finder's scenes: python -m models.finder.stock --out DIR [--photos DIR] [--shards N]."""

import argparse
from functools import partial
from pathlib import Path

import numpy as np

from models.finder.data import labels_of, pack
from models.scenes.library import composer, deck_art
from models.scenes.stock import Maker, fill

SIZE = (640, 448)


def make_maker(art: Path | None, split: str, drawn: int, photos: Path | None) -> Maker:
    """Return a function (seed, count) -> arrays of one shard."""

    def make(seed: int, count: int) -> dict[str, np.ndarray]:
        source = composer(deck_art(art, split), drawn, photos, seed, split)
        rng = np.random.default_rng(seed)
        scenes = [source.scene(rng, *SIZE) for _ in range(count)]
        return pack([(scene.image, labels_of(scene)) for scene in scenes])

    return make


def main() -> None:
    """Fill the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--art", type=Path, help="a folder of decks instead of the simulator's art")
    parser.add_argument("--split", default="train")
    parser.add_argument("--shards", type=int, default=24)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--drawn", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    a = parser.parse_args()
    fill(
        partial(make_maker, a.art, a.split, a.drawn, a.photos), a.out, a.shards, a.count, a.seed, a.processes
    )


if __name__ == "__main__":
    main()
