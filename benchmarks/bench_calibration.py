"""How well cameras are calibrated, and what watching one costs.

    python benchmarks/bench_calibration.py                 # landmarks: clicks of some noise against the true camera
    python benchmarks/bench_calibration.py --film DIR      # a simulated film: --auto from the nominal mount, and health

Errors are over the cloth that a camera shows, in mm; a film's true cameras are those of its table.toml.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import av
import numpy as np

from calibration.camera import PRESETS, Camera
from calibration.drawing import flat
from calibration.health import CameraHealth
from calibration.landmarks import LandmarksModel, landmarks_of
from calibration.layout import Layout, standard_layout
from calibration.refine import changed
from calibration.search import find
from calibration.solve import solve
from calibration.tablefile import load_table

TRIALS = 12


def off(truth: Camera, other: Camera, layout: Layout) -> tuple[float, float]:
    """Root mean square and largest error (mm) over the cloth that shows."""
    spots = np.array(
        [
            (x, y)
            for x in np.linspace(-900, 900, 19)
            for y in np.linspace(20, 880, 10)
            if layout.on_cloth(x, y)
        ]
    )
    pixels = truth.project(flat(spots))
    shows = ((pixels > 0) & (pixels < (truth.lens.width, truth.lens.height))).all(axis=1)
    error = np.hypot(*(other.unproject(pixels[shows]) - spots[shows]).T)
    return float(np.sqrt(np.mean(error**2))), float(error.max())


def landmarks() -> None:
    layout = standard_layout()
    marks = {name: one.point for name, one in landmarks_of(layout).items() if one.sigma < 2}
    names = list(marks)
    rng = np.random.default_rng(0)
    print("camera    clicks  noise px   rms mm  worst trial's rms   stated sigma (median, worst place)")
    for name, preset in PRESETS.items():
        for count, noise in ((8, 0.5), (12, 0.5), (24, 0.5), (24, 1.0), (60, 1.0)):
            rows = []
            for _ in range(TRIALS):
                sizes = ((0.05, 3), (80, 3), (0.08, 1), (0.04, 1), (0.01, 1))
                truth = changed(preset(), np.concatenate([rng.normal(0, s, n) for s, n in sizes]))
                pixels = truth.project([(*marks[n], 0.0) for n in names])
                shows = [i for i, (x, y) in enumerate(pixels) if 5 < x < 1914 and 5 < y < 1074]
                chosen = rng.choice(shows, min(count, len(shows)), replace=False)
                points = {names[i]: tuple((pixels[i] + rng.normal(0, noise, 2)).tolist()) for i in chosen}
                found = solve(LandmarksModel(camera=name, width=1920, height=1080, points=points), layout)
                rows.append((off(truth, found.camera, layout)[0], found.sigma_mm, found.worst_sigma_mm))
            data = np.array(rows)
            rms, sigma, worst = data[:, 0], np.median(data[:, 1]), np.median(data[:, 2])
            print(
                f"{name:9} {count:6} {noise:9} {rms.mean():8.2f} {rms.max():12.2f} {sigma:16.2f} {worst:10.2f}"
            )


def film(folder: Path, limit: int) -> None:
    table = load_table(folder / "table.toml")
    layout = table.build_layout()
    for name, truth in table.build_cameras().items():
        health, spent, said, frames, picture = CameraHealth(truth, layout), 0.0, "", 0, None
        with av.open(str(folder / f"{name}.mp4")) as video:
            for frame in video.decode(video=0):
                image, at = frame.to_ndarray(format="bgr24"), round(frame.time * 1000)
                picture = image if frames == 30 or picture is None else picture
                start = time.process_time()
                now = health.update(image, at)
                spent += (time.process_time() - start) if frames else 0.0
                if f"{now.state} {now.why}" != said:
                    said = f"{now.state} {now.why}"
                    print(f"{name}: at {at / 1000:.2f} s {said}")
                frames += 1
                if frames >= limit:
                    break
        print(
            f"{name}: health over {frames} frames, {spent / max(1, frames - 1) * 1000:.2f} ms of CPU a frame"
        )
        guess = PRESETS[name](truth.lens.width, truth.lens.height)
        start = time.process_time()
        fit = find(picture, guess, layout)
        before, after = off(truth, guess, layout), off(truth, fit.camera, layout)
        print(
            f"{name}: --auto from {before[0]:.1f} mm off to {after[0]:.2f} mm rms, {after[1]:.2f} mm at most;"
            f" {fit.found:.0%} of the lines, {time.process_time() - start:.1f} s of CPU"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--film", type=Path)
    parser.add_argument("--frames", type=int, default=250)
    args = parser.parse_args()
    if args.film:
        film(args.film, args.frames)
    else:
        landmarks()


if __name__ == "__main__":
    main()
