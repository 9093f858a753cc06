"""Labelled training pictures in bulk: random moments of random rounds, filmed by cameras that stand anywhere.

A *shift* is one look with one round, from which a few pictures are taken; shifts are drawn from the seed alone, so the
same seed gives the same pictures however many processes share the work. Written are

    images/000017.jpg   the picture
    truth/000017.json   what shows in it: cards, stacks, hands, decks (see docs/simulator.md)
    labels/000017.txt   the same for YOLO: class x y w h, classes as in `CLASSES`
    crops/…             with `crops`: upright cards and boxes of stacks, named by what they show
"""

from __future__ import annotations

import json
import multiprocessing
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import cos, exp, log, pi, radians, sin
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Lens, look_at
from calibration.layout import CARD_HEIGHT, Layout, standard_layout
from simulator.choreography import Performance, choreograph
from simulator.director import Script, Want, legal
from simulator.errors import ScriptError, SimulatorError
from simulator.litter import strewn
from simulator.looks import faults_of, sample_look
from simulator.render.studio import RenderStudio
from simulator.scenarios import scenario_names, script_of
from simulator.scene import Scene

CLASSES: Final = ("face", "back", "stack", "hand", "deck")
SHIFT: Final = 16
"""Pictures taken of one look and round."""
LEAST: Final = 0.12
"""What shows less than this share is not labelled for YOLO."""
CARD_PX: Final = (40.0, 250.0)
SIZES: Final = ((1.0, 0.3), (2 / 3, 0.45), (0.5, 0.25))
"""Share of the full size, and how often."""
Told = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class StillOrder:
    """What one shift is made from; plain values, so that another process can do it."""

    out: Path
    split: str
    seed: int
    size: tuple[int, int]
    own_art: bool
    crops: bool
    shift: int
    count: int


def write_stills(
    count: int,
    out: Path,
    *,
    split: str = "train",
    seed: int = 1,
    size: tuple[int, int] = (1920, 1080),
    processes: int = 1,
    own_art: bool = False,
    crops: bool = False,
    first: int = 0,
    progress: Told | None = None,
) -> None:
    """Write `count` labelled pictures into a folder; `first` shifts are passed over (to go on with a set)."""
    for name in ("images", "labels", "truth", *(("crops/cards", "crops/stacks") if crops else ())):
        try:
            (out / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SimulatorError(f"{out}: cannot be written: {error.strerror}") from None
    (out / "classes.txt").write_text("\n".join(CLASSES) + "\n")
    orders = [
        StillOrder(out, split, seed, size, own_art, crops, first + number, min(SHIFT, count - number * SHIFT))
        for number in range(-(-count // SHIFT))
    ]
    tell = progress or (lambda done, total: None)
    done = 0
    if processes <= 1:
        for order in orders:
            for _ in range(take_shift(order)):
                done += 1
                tell(done, count)
        return
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for made in pool.imap_unordered(take_shift, orders):
            done += made
            tell(done, count)


def take_shift(order: StillOrder) -> int:
    """Take the pictures of one shift; returns how many."""
    rng = random.Random(f"stills:{order.split}:{order.seed}:{order.shift}")
    layout = standard_layout()
    script = _script(rng)
    play = choreograph(replace(script, notes={}), layout, rng.randrange(1 << 30))
    look = sample_look(order.split, rng.randrange(1 << 30), order.own_art)
    camera = _camera(rng, order.size, Scene(), layout)
    with RenderStudio(look, camera, layout, script.settings.chip_values) as studio:
        for number in range(order.count):
            before, scene = _moment(rng, play)
            if rng.random() < 0.65:
                extra = strewn(rng, layout, script.settings.chip_values)
                before, scene = _with(before, extra), _with(scene, extra)
            camera = _camera(rng, order.size, scene, layout)
            faults = faults_of(replace(look, seed=rng.randrange(1 << 30)), camera.name, rng.uniform(0.2, 2.0))
            if rng.random() < 0.6:
                faults = replace(faults, clock="")
            studio.retake(camera, faults)
            picture = studio.picture(scene, rng.randrange(10_000), False, before)
            _write(order, order.shift * SHIFT + number, picture, studio.truth(scene), rng)
    return order.count


def _script(rng: random.Random) -> Script:
    """A round of either rulebook, one in three with something irregular."""
    rulebook = rng.choice(("nz", "s10"))
    if rng.random() < 0.35:
        name = rng.choice(scenario_names(rulebook, visible_only=True))
        try:
            return script_of(name, rulebook, rng.randrange(1 << 20))
        except ScriptError:  # not every scene can be had with every draw
            pass
    return legal(rulebook, rng.randrange(1 << 20), Want(seats_at_most=rng.randint(4, 7)))


def _moment(rng: random.Random, play: Performance) -> tuple[Scene, Scene]:
    """A random moment, later rather than earlier, and the scene a frame before it."""
    t = play.timeline.duration * (0.08 + 0.9 * rng.random() ** 0.7)
    return play.timeline.scene_at(t - 40.0), play.timeline.scene_at(t)


def _with(scene: Scene, extra: Scene) -> Scene:
    return replace(scene, cards=(*scene.cards, *extra.cards), stacks=(*scene.stacks, *extra.stacks))


def _camera(rng: random.Random, full: tuple[int, int], scene: Scene, layout: Layout) -> Camera:
    """A camera anywhere: steep like the overview or shallow like the bets camera, near or far."""
    share = rng.choices([s for s, _ in SIZES], [w for _, w in SIZES])[0]
    width, height = (round(v * share / 2) * 2 for v in full)
    things = [(c.x, c.y) for c in scene.cards] + [(s.x, s.y) for s in scene.stacks] + [layout.dealer.centre]
    x, y = rng.choice(things)
    shallow = rng.random() < 0.45
    rise = radians(rng.uniform(22, 48) if shallow else rng.uniform(50, 88))
    low, high = (log(v) for v in CARD_PX)
    card_px = exp(rng.uniform(low, high))
    if rng.random() < 0.25:  # the reference rig's own scale
        card_px = (80.0 if not shallow else 95.0) * height / 1080
    far = rng.uniform(1000, 2600) if not shallow else rng.uniform(800, 1700)
    f = card_px / CARD_HEIGHT * far
    around = rng.uniform(-pi, pi)
    if shallow or rng.random() < 0.5:  # over the dealer's shoulder, or from the ceiling on the players' side
        around = (-pi / 2 if shallow or rng.random() < 0.3 else pi / 2) + rng.gauss(0, 0.45)
    position = (x + far * cos(rise) * cos(around), y + far * cos(rise) * sin(around), far * sin(rise))
    wander = 0.3 * width / f * far
    target = (
        min(700.0, max(-700.0, x + rng.uniform(-wander, wander))),
        min(700.0, max(60.0, y + 0.5 * rng.uniform(-wander, wander))),
        0.0,
    )
    bend = rng.uniform(-0.16, 0.02)
    lens = Lens(width, height, f, f, (width - 1) / 2, (height - 1) / 2, bend, -0.2 * bend)
    return look_at("bets" if shallow else "overview", lens, position, target, rng.gauss(0, 0.06))


def _write(
    order: StillOrder, number: int, picture: NDArray[np.uint8], truth: Mapping[str, Any], rng: random.Random
) -> None:
    """Write a picture, then its labels."""
    name = f"{number:06d}"
    quality = [cv2.IMWRITE_JPEG_QUALITY, rng.randint(55, 95)]
    height, width = picture.shape[:2]
    image = np.ascontiguousarray(picture[:, :, ::-1])
    if not cv2.imwrite(str(order.out / "images" / f"{name}.jpg"), image, quality):
        raise SimulatorError(f"{order.out}: cannot be written: {name}.jpg")
    lines = [f"{k} {x:.6f} {y:.6f} {w:.6f} {h:.6f}" for k, x, y, w, h in yolo_boxes(truth, width, height)]
    (order.out / "labels" / f"{name}.txt").write_text("".join(line + "\n" for line in lines))
    if order.crops:
        _crop(order.out / "crops", name, image, truth)
    record = {"image": f"images/{name}.jpg", "width": width, "height": height, **truth}
    (order.out / "truth" / f"{name}.json").write_text(json.dumps(record, separators=(",", ":")) + "\n")


def yolo_boxes(
    truth: Mapping[str, Any], width: int, height: int
) -> list[tuple[int, float, float, float, float]]:
    """Class and box (middle, size; shares of the picture) of everything that shows enough."""
    out = []
    for kind, box in _boxes(truth):
        x0, y0, x1, y1 = np.clip(box, 0, [width, height, width, height])
        if x1 - x0 >= 3 and y1 - y0 >= 3:
            out.append(
                (kind, (x0 + x1) / 2 / width, (y0 + y1) / 2 / height, (x1 - x0) / width, (y1 - y0) / height)
            )
    return out


def _boxes(truth: Mapping[str, Any]) -> list[tuple[int, tuple[float, ...]]]:
    found: list[tuple[int, tuple[float, ...]]] = []
    for card in truth["cards"]:
        if card["visible"] >= LEAST:
            quad = np.asarray(card["quad"])
            found.append((1 if card["label"] == "back" else 0, (*quad.min(0), *quad.max(0))))
    found += [(2, tuple(stack["box"])) for stack in truth["stacks"] if stack["visible"] >= LEAST]
    found += [(3, tuple(hand["box"])) for hand in truth["hands"]]
    found += [(4, tuple(deck["box"])) for deck in truth["decks"] if deck["visible"] >= LEAST]
    return found


def _crop(out: Path, name: str, image: NDArray[np.uint8], truth: Mapping[str, Any]) -> None:
    """Upright pictures of single cards (126 x 176) and the boxes of stacks."""
    goal = np.array([(0, 0), (126, 0), (126, 176), (0, 176)], np.float32)
    for i, card in enumerate(truth["cards"]):
        if card["visible"] > 0.5:
            turn = cv2.getPerspectiveTransform(np.asarray(card["quad"], np.float32), goal)
            flat = cv2.warpPerspective(image, turn, (126, 176), flags=cv2.INTER_AREA)
            cv2.imwrite(str(out / "cards" / f"{card['label']}-{name}-{i}.jpg"), flat)
    for i, stack in enumerate(truth["stacks"]):
        x0, y0, x1, y1 = (int(v) for v in stack["box"])
        if stack["visible"] > 0.6 and x1 - x0 > 12 and y1 - y0 > 12:
            part = image[max(0, y0 - 3) : y1 + 4, max(0, x0 - 3) : x1 + 4]
            chips = "_".join(str(value) for value in stack["chips"])
            cv2.imwrite(str(out / "stacks" / f"{name}-{i}-{chips}.jpg"), part)
