"""Pack rendered stills for the finder: python -m models.finder.stills --stills DIR --out DIR.

The simulator makes them: pitwatch simulate --stills 900 --split train --out DIR. Run it again when there are more:
shards that exist are kept, and only full ones are written while stills are still being made (--all writes the rest).
"""

import argparse
from pathlib import Path

import numpy as np

from models.finder.data import labels_of, pack
from models.scenes.stills import read_still

PER_SHARD = 16


def main() -> None:
    """Fill the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stills", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--all", action="store_true")
    a = parser.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    truths = sorted((a.stills / "truth").glob("*.json"))
    for number, start in enumerate(range(0, len(truths), PER_SHARD)):
        part, path = truths[start : start + PER_SHARD], a.out / f"shard{number:04d}.npz"
        if path.exists() or (len(part) < PER_SHARD and not a.all):
            continue
        scenes = [read_still(truth) for truth in part]
        np.savez(path.with_suffix(".part.npz"), **pack([(s.image, labels_of(s)) for s in scenes]))
        path.with_suffix(".part.npz").rename(path)
        print("made", path.name, flush=True)


if __name__ == "__main__":
    main()
