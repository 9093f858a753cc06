"""Make the reader's crops: python -m models.card_reader.stock --out DIR [--photos DIR] [--shards N]."""

import argparse
from functools import partial
from pathlib import Path

import numpy as np

from models.scenes.camera import random_camera
from models.scenes.crops import CropMaker
from models.scenes.drawn_decks import LABELS
from models.scenes.library import composer, deck_art
from models.scenes.stock import Maker, fill


def make_maker(
    art: Path | None, split: str, drawn: int, photos: Path | None, shortest: float = 38.0
) -> Maker:
    """Return a function (seed, count) -> arrays; every shard draws decks of its own beside the art."""

    def make(seed: int, count: int) -> dict[str, np.ndarray]:
        rng = np.random.default_rng(seed)
        source = composer(deck_art(art, split), drawn, photos, seed, split)
        patches = [
            source.backgrounds.draw(rng, random_camera(rng, 320, 240, 80, rng.uniform(0, 0.8)))
            for _ in range(150)
        ]
        maker = CropMaker(source.decks, LABELS, patches, shortest)
        pairs = [maker.crop(rng) for _ in range(count)]
        return {
            "crops": np.stack([p[0] for p in pairs]),
            "classes": np.array([p[1] for p in pairs], np.int16),
        }

    return make


def main() -> None:
    """Fill the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--art", type=Path, help="a folder of decks instead of the simulator's art")
    parser.add_argument("--split", default="train")
    parser.add_argument("--shards", type=int, default=30)
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--drawn", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--shortest", type=float, default=38.0, help="least length of a card in pixels")
    a = parser.parse_args()
    fill(
        partial(make_maker, a.art, a.split, a.drawn, a.photos, a.shortest),
        a.out,
        a.shards,
        a.count,
        a.seed,
        a.processes,
    )


if __name__ == "__main__":
    main()
