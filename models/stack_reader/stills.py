"""Film stacks with the simulator's bets camera: python -m models.stack_reader.stills --out DIR [--split train].

Writes shards of strips like `stock.py`, and with `--pictures` also the pictures with their truth, camera and chip set,
which `pitwatch evaluate --models --stills` and `measure.py` read. Needs the extra `sim`.
"""

import argparse
import json
import random
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from calibration.camera import Camera, bets_camera
from calibration.layout import Layout, standard_layout
from calibration.tablefile import ChipSetModel, camera_model
from models.stack_reader.stock import CHIPS, COARSE, ENOUGH, FINE
from simulator.art.chips import chip_model
from simulator.choreography import choreograph
from simulator.director import Want, legal
from simulator.looks import faults_of, sample_look
from simulator.render.studio import RenderStudio
from simulator.scene import ChipStack, Scene
from vision.stack_crops import MOST, readable, shifted, unroll
from vision.stack_reader import describe

PICTURES = 5


def _near(rng: random.Random, stacks: list[ChipStack], x: float, y: float, chips: tuple[int, ...]) -> None:
    if all((x - s.x) ** 2 + (y - s.y) ** 2 > 40.5**2 for s in stacks):
        name = f"strewn:stack:{len(stacks)}"
        stacks.append(ChipStack(name, chips, x, y, jitter=rng.uniform(0.1, 0.9), seed=rng.randrange(1 << 16)))


def _pile(rng: random.Random, values: tuple[int, ...]) -> tuple[int, ...]:
    count = min(MOST - 1, 1 + int(rng.expovariate(0.2))) if rng.random() < 0.75 else rng.randint(1, 20)
    how = rng.random()
    if how < 0.3:
        return (rng.choice(values),) * count
    kinds = rng.sample(values, min(len(values), rng.randint(2, 4)))
    chips = [rng.choice(kinds) for _ in range(count)]
    return tuple(sorted(chips, reverse=True)) if how < 0.8 else tuple(chips)


def crowd(rng: random.Random, scene: Scene, layout: Layout, values: tuple[int, ...]) -> Scene:
    """A moment of play with more stacks than play has: in the betting areas, beside each other, in front of players."""
    stacks = list(scene.stacks)
    for place in layout.seats:
        for area in (place.ante, place.bet, place.stash):
            for _ in range(rng.choice((0, 1, 1, 2, 3))):
                x, y = area.at(rng.uniform(-0.6, 0.6) * area.depth, rng.uniform(-0.6, 0.6) * area.width)
                if all((x - c.x) ** 2 + (y - c.y) ** 2 > 65**2 for c in scene.cards):
                    _near(rng, stacks, x, y, _pile(rng, values))
    return replace(scene, stacks=tuple(stacks))


def place_camera(rng: random.Random, loose: float) -> Camera:
    """The reference bets camera, moved by some centimetres."""
    base = bets_camera()
    moved = tuple(v + rng.gauss(0, 30.0 * loose) for v in base.position)
    return replace(base, position=(moved[0], moved[1], moved[2]))


class Shard:
    """Collects strips."""

    def __init__(self) -> None:
        self.rows: list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, bool]] = []

    def add(
        self, rng: np.random.Generator, image: np.ndarray, cam: Camera, truth: dict, chips: ChipSetModel
    ) -> None:
        told = np.full((CHIPS, 9), -1, np.float32)
        told[: len(chips.chip)] = describe(chips.chip)
        order = {chip.value: i for i, chip in enumerate(chips.chip)}
        for stack in truth["stacks"]:
            foot = np.array([stack["at"][:2]], float)
            if stack["visible"] < 0.05 or len(stack["chips"]) > MOST or abs(stack["at"][2]) > 1.5:
                continue
            if not readable(cam, foot)[0]:
                continue
            clear = stack["visible"] > ENOUGH
            for fine in (True, True, bool(rng.random() < 0.3)):
                shift = rng.normal(0, 1, (1, 2)) * np.array(FINE if fine else COARSE)
                strip = unroll(image, cam, shifted(cam, foot, -shift))[0]
                row = np.full(MOST, -1)
                if clear:
                    row[: len(stack["chips"])] = [order[v] for v in stack["chips"]]
                seen = shift[0] if stack["visible"] > 0.25 else np.full(2, np.nan)
                self.rows.append((strip, row, told, seen, fine))

    def save(self, path: Path) -> None:
        strips, chips, told, shifts, fine = (np.stack(part) for part in zip(*self.rows, strict=True))
        np.savez(
            path,
            strips=strips,
            chips=chips.astype(np.int8),
            told=told,
            shifts=shifts.astype(np.float32),
            fine=fine,
        )


def film(out: Path, split: str, seed: int, shift: int, pictures: bool, loose: float) -> int:
    """Film one look: a few moments of a round; returns how many strips there are."""
    rng = random.Random(f"stacks:{split}:{seed}:{shift}")
    layout = standard_layout()
    script = legal(rng.choice(("nz", "s10")), rng.randrange(1 << 20), Want(seats_at_most=7))
    play = choreograph(replace(script, notes={}), layout, rng.randrange(1 << 30))
    look = sample_look(split, rng.randrange(1 << 30))
    values = tuple(script.settings.chip_values)
    chips, shard = chip_model(look.chips, values), Shard()
    with RenderStudio(look, place_camera(rng, loose), layout, values) as studio:
        for number in range(PICTURES):
            t = play.timeline.duration * (0.08 + 0.9 * rng.random())
            scene = crowd(rng, play.timeline.scene_at(t), layout, values)
            cam = place_camera(rng, loose)
            faults = faults_of(replace(look, seed=rng.randrange(1 << 30)), cam.name, rng.uniform(0.3, 1.6))
            studio.retake(cam, faults)
            rgb = studio.picture(scene, rng.randrange(10_000), False, scene)
            data = cv2.imencode(".jpg", np.ascontiguousarray(rgb[..., ::-1]), [1, rng.randint(60, 95)])[1]
            truth = dict(studio.truth(scene))
            image = cv2.imdecode(data, cv2.IMREAD_COLOR)
            shard.add(np.random.default_rng([shift, number]), image, cam, truth, chips)
            if pictures:
                _write(out, f"{shift * PICTURES + number:06d}", data, image, truth, cam, chips)
    shard.save(out / f"{seed:03d}-{shift:04d}.npz")
    return len(shard.rows)


def _write(
    out: Path, name: str, data: np.ndarray, image: np.ndarray, truth: dict, cam: Camera, chips: ChipSetModel
) -> None:
    for folder in ("images", "truth"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    (out / "images" / f"{name}.jpg").write_bytes(data.tobytes())
    record = {
        "image": f"images/{name}.jpg", "width": image.shape[1], "height": image.shape[0], **truth,
        "camera": camera_model(cam).model_dump(mode="json"), "chips": chips.model_dump(mode="json"),
    }  # fmt: skip
    (out / "truth" / f"{name}.json").write_text(json.dumps(record, separators=(",", ":")) + "\n")


def main() -> None:
    """Film; shifts that are there stay."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--split", default="train", choices=("train", "valid", "test"))
    parser.add_argument("--shifts", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pictures", action="store_true")
    parser.add_argument("--loose", type=float, default=1.0, help="how far the camera strays from its place")
    a = parser.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    for shift in range(a.shifts):
        if not (a.out / f"{a.seed:03d}-{shift:04d}.npz").exists():
            print(shift, film(a.out, a.split, a.seed, shift, a.pictures, a.loose), flush=True)


if __name__ == "__main__":
    main()
