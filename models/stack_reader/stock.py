"""Draw strips to train on: python -m models.stack_reader.stock --out DIR [--shards N] [--seed N].

Each shard holds strips, the chips of each (-1 above the top; a count of 0 for a strip that cannot be read), the chip
sets they belong to, and the true shift of the foot.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np

from models.stack_reader.draw import Canvas, ChipSet, Stack, camera, chip_set, draw_stack, place
from vision.stack_crops import MOST, RADIUS, SLOTS, readable, shifted, unroll

CHIPS = 8
ENOUGH = 0.45
"""The least share of a stack's side that must show for it to be read."""
COARSE = (0.55, 2.2)  # standard deviation of shifts at the first look: sideways in radii, upwards in chips
FINE = (0.05, 0.2)


def _cloth(rng: np.random.Generator, canvas: Canvas, stacks: list[Stack]) -> None:
    """Felt with print, cards and shadows."""
    h, w = canvas.image.shape[:2]
    base = np.array([30, 90, 60]) if rng.random() < 0.35 else rng.uniform(10, 190, 3)
    canvas.image[:] = base
    rough = cv2.resize(5 * rng.standard_normal((h // 6 + 1, w // 6 + 1), np.float32), (w, h))
    canvas.image += rough[..., None]
    centre = np.array([stacks[0].x, stacks[0].y])
    for _ in range(int(rng.integers(0, 6))):
        c, a = centre + rng.normal(0, 60, 2), rng.uniform(0, np.pi)
        size = (63, 88) if rng.random() < 0.4 else (rng.uniform(20, 100), rng.uniform(1.5, 12))
        d, e = np.array([np.cos(a), np.sin(a)]) * size[0] / 2, np.array([-np.sin(a), np.cos(a)]) * size[1] / 2
        quad = np.array([c - d - e, c + d - e, c + d + e, c - d + e])
        canvas.fill(canvas.at(np.column_stack([quad, np.full(4, 0.3)])), rng.uniform(100, 255, 3), 0)
    soft = np.ones((h, w), np.float32)
    for stack in stacks:
        reach = rng.normal(0, 0.35, 2) * len(stack.chips) * 3.3
        for k in np.linspace(0, 1, 4):
            ring = np.linspace(0, 2 * np.pi, 25)[:-1]
            xy = (
                np.array([stack.x, stack.y])
                + reach * k
                + 1.08 * RADIUS * np.stack([np.cos(ring), np.sin(ring)], 1)
            )
            cv2.fillPoly(soft, [canvas.at(np.column_stack([xy, np.zeros(24)]))], 0.55, cv2.LINE_8, 3)
    canvas.image *= cv2.GaussianBlur(soft, (0, 0), rng.uniform(2, 7))[..., None]


def _cover(rng: np.random.Generator, canvas: Canvas, stacks: list[Stack]) -> None:
    """A hand, a sleeve or a card in the way."""
    target = stacks[int(rng.integers(len(stacks)))]
    foot = canvas.at(np.array([[target.x, target.y, len(target.chips) * 1.6]]))[0] / 8
    a = rng.uniform(0, 2 * np.pi)
    tip = foot + np.array([np.cos(a), np.sin(a)]) * rng.uniform(-10, 90)
    colour = (
        rng.uniform(0.3, 1.1) * np.array([215, 165, 135]) if rng.random() < 0.7 else rng.uniform(0, 255, 3)
    )
    for _ in range(int(rng.integers(1, 5))):
        way = np.array([np.cos(a), np.sin(a)]) * 400 + rng.normal(0, 60, 2)
        p, q = tip + rng.normal(0, 25, 2), tip + way
        wide = int(rng.uniform(22, 60))
        for k, dark in ((1.0, 0.8), (0.6, 1.0)):
            ends = [tuple(map(int, np.clip(v, -2000, 2000))) for v in (p, q)]
            cv2.line(
                canvas.image, *ends, tuple(map(float, colour * dark)), max(1, int(wide * k)), cv2.LINE_AA
            )
        cv2.line(canvas.ids, *ends, 255, wide)


def _film(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """Lens, light and compression: from what was drawn (RGB) to what a camera hands over (BGR)."""
    h, w = image.shape[0] // 2, image.shape[1] // 2
    image = cv2.resize(np.clip(image, 0, 255), (w, h), interpolation=cv2.INTER_AREA)
    warm = rng.normal(0, 0.09)
    gain = np.array([1 + warm, 1 + rng.normal(0, 0.03), 1 - warm]) * rng.uniform(0.55, 1.25)
    ramp = (
        1
        + np.linspace(-1, 1, w)[None, :] * rng.normal(0, 0.08)
        + np.linspace(-1, 1, h)[:, None] * rng.normal(0, 0.08)
    )
    image = image * (gain * ramp[..., None]).astype(np.float32)
    image = 255 * np.clip(image / 255, 0, None) ** rng.uniform(0.8, 1.2)
    grey = image.mean(2, keepdims=True)
    image = grey + (image - grey) * rng.uniform(0.7, 1.15)
    if rng.random() < 0.75:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.25, 0.95))
    if rng.random() < 0.25:
        soft = cv2.GaussianBlur(image, (0, 0), 1.2)
        image = image + (image - soft) * rng.uniform(0.3, 1.0)
    image = image + rng.uniform(0.5, 6) * rng.standard_normal(image.shape, np.float32)
    bgr = np.ascontiguousarray(np.clip(image, 0, 255).astype(np.uint8)[..., ::-1])
    if rng.random() < 0.85:
        quality = int(rng.uniform(35, 95))
        bgr = cv2.imdecode(cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1)
    return np.asarray(bgr)


def scene(rng: np.random.Generator) -> tuple[list[np.ndarray], Canvas, list[Stack], ChipSet]:
    """Draw one window with stacks; return two pictures of it, the canvas, the stacks and their set."""
    cam, house = camera(rng), chip_set(rng)
    stacks = place(rng, cam, len(house.body))
    feet = np.array([[s.x, s.y, 0.0] for s in stacks])
    tops = feet + np.array([0, 0, SLOTS * 3.3])
    span = cam.project(np.concatenate([feet, tops]))
    pad = 55 * cam.lens.width / 1920
    low = np.floor(span.min(0) - pad)
    size = tuple(int(v) for v in np.ceil(span.max(0) + pad - low))
    canvas = Canvas(cam, low, (size[0], size[1]))
    _cloth(rng, canvas, stacks)
    near = sorted(range(len(stacks)), key=lambda i: -float(cam.to_camera(feet[i : i + 1])[0, 2]))
    alone = []
    for i in near:
        draw_stack(rng, canvas, stacks[i], house, i + 1)
        alone.append((i, canvas.ids == i + 1))
    if rng.random() < 0.22:
        _cover(rng, canvas, stacks)
    for i, mask in alone:
        stacks[i].seen = float((mask & (canvas.ids == i + 1)).sum() / max(1, mask.sum()))
    return [_film(rng, canvas.image) for _ in range(2)], canvas, stacks, house


def samples(rng: np.random.Generator) -> list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, bool]]:
    """Strips of one scene: strip, chips (21,), set (8, 9), shift (2,), and whether it was cut finely."""
    pictures, canvas, stacks, house = scene(rng)
    cam = canvas.cam
    told = np.zeros((CHIPS, 9), np.float32)
    told[: len(house.body)] = house.describe()
    told[len(house.body) :] = -1
    out = []
    for stack in stacks:
        foot = np.array([[stack.x, stack.y]])
        if not readable(cam, foot)[0]:
            continue
        for picture, fine in [(one, how) for one in pictures for how in (True, bool(rng.random() < 0.3))]:
            shift = rng.normal(0, 1, (1, 2)) * np.array(FINE if fine else COARSE)
            strip = unroll_window(picture, canvas, shifted(cam, foot, -shift))
            chips = np.full(MOST, -1)
            if stack.seen > ENOUGH:
                chips[: len(stack.chips)] = stack.chips
            out.append((strip[0], chips, told, shift[0] if stack.seen > 0.25 else np.full(2, np.nan), fine))
    if rng.random() < 0.08:  # nothing stands here
        foot = np.array([[stacks[0].x, stacks[0].y]]) + rng.normal(0, 1, 2) * 70
        if min(np.hypot(foot[0, 0] - s.x, foot[0, 1] - s.y) for s in stacks) > 45:
            out.append(
                (
                    unroll_window(pictures[0], canvas, foot)[0],
                    np.full(MOST, -1),
                    told,
                    np.full(2, np.nan),
                    True,
                )
            )
    return out


def unroll_window(picture: np.ndarray, canvas: Canvas, feet: np.ndarray) -> np.ndarray:
    """Cut strips from a window of a camera's picture."""
    return unroll(picture, canvas.cam, feet, (float(canvas.low[0]), float(canvas.low[1])))


def main() -> None:
    """Fill the folder, shard by shard; shards that are there stay."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shards", type=int, default=12)
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    a = parser.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    for shard in range(a.shards):
        path = a.out / f"{a.seed:03d}-{shard:03d}.npz"
        if path.exists():
            continue
        rng = np.random.default_rng([a.seed, shard])
        rows = []
        while len(rows) < a.count:
            rows += samples(rng)
        strips, chips, told, shifts, fine = (np.stack(part) for part in zip(*rows, strict=True))
        np.savez(
            path,
            strips=strips,
            chips=chips.astype(np.int8),
            told=told,
            shifts=shifts.astype(np.float32),
            fine=fine,
        )
        print(path.name, len(rows), flush=True)


if __name__ == "__main__":
    main()
