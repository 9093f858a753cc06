"""Fill a folder with training samples in shards, several processes at once, each shard from its own seed.

Shards make every recipe resumable: a shard that exists is not made again.
"""

import multiprocessing
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

Maker = Callable[[int, int], dict[str, np.ndarray]]


def _one(job: tuple[Callable[[], Maker], Path, int, int]) -> Path:
    factory, path, seed, count = job
    cv2.setNumThreads(1)
    if not path.exists():
        arrays = factory()(seed, count)
        part = path.with_suffix(".part.npz")
        np.savez(part, allow_pickle=False, **arrays)
        part.rename(path)
    return path


def fill(
    factory: Callable[[], Maker], folder: Path, shards: int, count: int, seed: int, processes: int
) -> list[Path]:
    """Make `shards` files of `count` samples; `factory` builds a maker inside each process, once per shard."""
    folder.mkdir(parents=True, exist_ok=True)
    jobs = [(factory, folder / f"shard{i:04d}.npz", seed + i, count) for i in range(shards)]
    todo = [job for job in jobs if not job[1].exists()]
    if processes == 1:
        for job in todo:
            print("made", _one(job).name, flush=True)
    else:
        with multiprocessing.get_context("fork").Pool(processes) as pool:
            for path in pool.imap_unordered(_one, todo):
                print("made", path.name, flush=True)
    return [job[1] for job in jobs]
