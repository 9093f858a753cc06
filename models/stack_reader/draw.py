"""Draw chip stacks as a shallow camera sees them: many chip sets, cloths, lights, neighbours and things in the way.

Every stack is drawn in the geometry of a calibrated camera, so that its strip can be cut by the very code that runs
at the table. Colours of a chip set are random, or a house's usual ones turned a little: the reader must compare with
the set it is given, not know it.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera import Camera, Lens, look_at
from calibration.layout import CHIP_HEIGHT
from vision.stack_crops import MOST, RADIUS

Shape = tuple[np.ndarray, np.ndarray]
"""A polygon on the table (N, 3) mm and its colour."""
SCALE = 2  # drawn at twice the size, then shrunk: edges of chips fall between pixels
HOUSE = np.array(
    [
        [233, 230, 220], [240, 169, 189], [179, 32, 44], [47, 95, 174], [31, 122, 69], [29, 29, 33], [90, 47, 134],
        [217, 154, 31],
    ],
    float,
)  # fmt: skip


@dataclass(slots=True)
class ChipSet:
    """Colours of K chips (K, 3) RGB 0..255, and how the house spots their edges."""

    body: np.ndarray
    spot: np.ndarray
    inlay: np.ndarray
    spots: int
    share: float
    split: bool
    ring: float

    def describe(self) -> np.ndarray:
        """Return the set as the network is told it (K, 9)."""
        paper = np.broadcast_to(self.inlay, self.body.shape)
        return np.concatenate([self.body, self.spot, paper], 1).astype(np.float32) / 255


@dataclass(slots=True)
class Stack:
    """One stack: foot (x, y) mm, chips (indices into the set) bottom to top, and the share of its side that shows."""

    x: float
    y: float
    chips: np.ndarray
    seen: float = 1.0


def _turn(rng: np.random.Generator, colours: np.ndarray) -> np.ndarray:
    """Turn hues and shades a little, as houses differ."""
    hsv = cv2.cvtColor(np.clip(colours, 0, 255).astype(np.uint8)[None], cv2.COLOR_RGB2HSV)[0].astype(float)
    hsv[:, 0] = (hsv[:, 0] + rng.normal(0, 7) + rng.normal(0, 2, len(hsv))) % 180
    hsv[:, 1] *= rng.uniform(0.8, 1.2)
    hsv[:, 2] *= rng.uniform(0.85, 1.1)
    return cv2.cvtColor(np.clip(hsv, 0, 255).astype(np.uint8)[None], cv2.COLOR_HSV2RGB)[0].astype(float)


def chip_set(rng: np.random.Generator) -> ChipSet:
    """Choose a chip set whose chips differ."""
    k = int(rng.integers(4, 9))
    if rng.random() < 0.6:
        body = _turn(rng, HOUSE[rng.permutation(8)[:k]])
    else:
        body = np.zeros((0, 3))
        while len(body) < k:
            one = rng.uniform(15, 250, 3)
            if not len(body) or np.abs(body - one).sum(1).min() > 90:
                body = np.vstack([body, one])
    pale = rng.random(k) < 0.7
    spot = np.where(
        pale[:, None],
        rng.uniform(190, 250, (k, 3)) * rng.uniform(0.6, 1, (k, 3)),
        rng.uniform(10, 255, (k, 3)),
    )
    far = np.abs(spot - body).sum(1) > 110
    spot = np.where(far[:, None], spot, 255 - body)
    return ChipSet(
        body, np.clip(spot, 0, 255), rng.uniform(215, 255) * np.array([1, 0.985, 0.955]),
        int(rng.integers(3, 13)), float(rng.uniform(0.26, 0.52)), bool(rng.random() < 0.35),
        float(rng.uniform(0.44, 0.68)),
    )  # fmt: skip


def camera(rng: np.random.Generator) -> Camera:
    """A shallow camera somewhere over the table's edge, at 1080p or up to 4K."""
    finer = 1.0 if rng.random() < 0.8 else rng.uniform(1.2, 2.0)
    f = 1330 * rng.uniform(0.88, 1.3) * finer
    w, h = round(1920 * finer), round(1080 * finer)
    lens = Lens(w, h, f, f, (w - 1) / 2, (h - 1) / 2, rng.uniform(-0.14, 0.0), rng.uniform(0, 0.03))
    at = (rng.uniform(-250, 250), rng.uniform(-720, -450), rng.uniform(560, 980))
    return look_at(
        "bets", lens, at, (rng.uniform(-60, 60), 315 + rng.uniform(-60, 60), 0), rng.normal(0, 0.01)
    )


def _pile(rng: np.random.Generator, k: int) -> np.ndarray:
    """Chips of one stack: one kind, sorted kinds, or any order."""
    count = int(min(MOST, 1 + rng.geometric(0.16))) if rng.random() < 0.7 else int(rng.integers(1, MOST + 1))
    how = rng.random()
    if how < 0.3:
        return np.full(count, rng.integers(k))
    kinds = rng.permutation(k)[: int(rng.integers(2, 5))]
    chips = rng.choice(kinds, count)
    return np.sort(chips)[::-1] if how < 0.75 else chips


def place(rng: np.random.Generator, cam: Camera, k: int) -> list[Stack]:
    """Some stacks near each other, often touching, within the camera's picture."""
    while True:
        x, y = rng.uniform(-700, 700), rng.uniform(150, 820)
        px = cam.project([[x, y, 0]])[0]
        if 120 < px[0] < cam.lens.width - 120 and 160 < px[1] < cam.lens.height - 60:
            break
    stacks = [Stack(x, y, _pile(rng, k))]
    turn = rng.uniform(0, 2 * np.pi)
    for _ in range(int(rng.choice([0, 1, 2, 3], p=[0.35, 0.3, 0.2, 0.15]))):
        gap = rng.uniform(40.5, 47) if rng.random() < 0.6 else rng.uniform(47, 95)
        one = Stack(x + gap * np.cos(turn), y + gap * np.sin(turn), _pile(rng, k))
        turn += rng.choice([np.pi, np.pi / 2]) + rng.normal(0, 0.3)
        if all(np.hypot(one.x - s.x, one.y - s.y) > 40 for s in stacks):
            stacks.append(one)
    return stacks


class Canvas:
    """A window of a camera's picture, drawn finer than it is, with the id of what shows at each pixel."""

    def __init__(self, cam: Camera, low: np.ndarray, size: tuple[int, int]) -> None:
        self.cam, self.low = cam, low
        self.image = np.zeros((size[1] * SCALE, size[0] * SCALE, 3), np.float32)
        self.ids = np.zeros(self.image.shape[:2], np.uint8)

    def at(self, points: np.ndarray) -> np.ndarray:
        """Fixed-point canvas positions of table points (N, 3)."""
        p = (self.cam.project(points) - self.low + 0.5) * SCALE - 0.5
        return np.round(np.clip(p, -4000, 4000) * 8).astype(np.int32)

    def fill(self, pts: np.ndarray, colour: np.ndarray, ident: int) -> None:
        cv2.fillPoly(self.image, [pts], tuple(map(float, colour)), cv2.LINE_8, 3)
        cv2.fillPoly(self.ids, [pts], ident, cv2.LINE_8, 3)

    def fill_all(self, shapes: list[Shape], ident: int) -> None:
        """Fill shapes in their order; projecting them together costs a tenth of one by one."""
        if shapes:
            where = self.at(np.concatenate([points for points, _ in shapes]))
            ends = np.cumsum([len(points) for points, _ in shapes])[:-1]
            for pts, (_, colour) in zip(np.split(where, ends), shapes, strict=True):
                self.fill(pts, colour, ident)


def _ring(x: float, y: float, z: float, r: float, angles: np.ndarray) -> np.ndarray:
    return np.stack([x + r * np.cos(angles), y + r * np.sin(angles), np.full(len(angles), z)], 1)


def draw_stack(rng: np.random.Generator, canvas: Canvas, stack: Stack, house: ChipSet, ident: int) -> None:
    """Draw a stack bottom to top."""
    view = np.arctan2(canvas.cam.position[1] - stack.y, canvas.cam.position[0] - stack.x)
    half = view + np.linspace(-np.pi / 2, np.pi / 2, 13)
    sloppy, groove, lean = rng.uniform(0, 0.9), rng.uniform(0.45, 0.95), rng.normal(0, 0.06, 2)
    mass, circle = rng.uniform(0.55, 0.95), np.linspace(0, 2 * np.pi, 25)[:-1]
    side: list[Shape] = []
    lids: list[Shape] = []
    for i, chip in enumerate(stack.chips):
        x, y = np.array([stack.x, stack.y]) + rng.normal(0, sloppy, 2) + lean * i
        z0, z1, shade = i * CHIP_HEIGHT, (i + 1) * CHIP_HEIGHT, mass * rng.uniform(0.95, 1.05)
        turn = rng.uniform(0, 2 * np.pi)
        spots = [np.linspace(a, b, 3) for a, b in _spots(house, turn, half[0], half[-1])]
        side += lids
        for za, zb, dark in ((z0, z0 + 0.6, groove), (z0 + 0.6, z1, 1.0)):
            for arc, colour in [(half, house.body[chip]), *((spot, house.spot[chip]) for spot in spots)]:
                band = np.concatenate([_ring(x, y, za, RADIUS, arc), _ring(x, y, zb, RADIUS, arc[::-1])])
                side.append((band, colour * shade * dark))
        lids = [(_ring(x, y, z1, RADIUS - 0.2, circle), house.body[chip] * min(1.0, mass * 1.2))]
    canvas.fill_all(side, ident)
    _shade(canvas, ident, rng.uniform(-1, 1), rng.uniform(0, 0.35))
    canvas.fill_all(lids + _face(rng, (x, y, z1), house, int(chip), turn, min(1.0, mass * 1.25)), ident)


def _spots(house: ChipSet, turn: float, first: float, last: float) -> list[tuple[float, float]]:
    """Angles of the edge spots within the visible half."""
    out, step = [], 2 * np.pi / house.spots
    wide = step * house.share
    parts = [(0.0, 0.4 * wide), (0.6 * wide, wide)] if house.split else [(0.0, wide)]
    for k in range(house.spots):
        for a, b in parts:
            start = first + ((turn + k * step + a - first) % (2 * np.pi))
            lo, hi = start, start + b - a
            if lo < last:
                out.append((lo, min(hi, last)))
            if hi > first + 2 * np.pi:
                out.append((first, min(hi - 2 * np.pi, last)))
    return out


def _shade(canvas: Canvas, ident: int, lamp: float, contrast: float) -> None:
    """Darken a stack's side towards where the lamp is not."""
    mask = canvas.ids == ident
    xs = np.flatnonzero(mask.any(0))
    if len(xs) > 1:
        u = np.clip((np.arange(mask.shape[1]) - xs[0]) / (xs[-1] - xs[0]) * 2 - 1, -1, 1)
        gain = 1 - contrast * (1 - np.cos((u - lamp) * 1.2)) / 1.2
        canvas.image[mask] *= np.broadcast_to(gain, mask.shape)[mask][:, None].astype(np.float32)


def _face(
    rng: np.random.Generator,
    at: tuple[float, float, float],
    house: ChipSet,
    chip: int,
    turn: float,
    light: float,
) -> list[Shape]:
    """The face of the top chip: spots, inlay, and strokes in place of the number."""
    x, y, z = at
    out: list[Shape] = []
    for a, b in _spots(house, turn, 0.0, 2 * np.pi):
        arc = np.linspace(a, b, 4)
        outer, inner = (
            _ring(x, y, z, RADIUS - 0.3, arc),
            _ring(x, y, z, RADIUS * (house.ring + 0.14), arc[::-1]),
        )
        out.append((np.concatenate([outer, inner]), house.spot[chip] * light))
    out.append((_ring(x, y, z, RADIUS * house.ring, np.linspace(0, 2 * np.pi, 25)[:-1]), house.inlay * light))
    for _ in range(int(rng.integers(1, 4))):
        c, d = np.array([x, y]) + rng.normal(0, 3.5, 2), rng.normal(0, 3.5, 2)
        e = np.array([-d[1], d[0]]) / (np.hypot(*d) + 1e-6) * 1.1
        quad = np.array([c - d - e, c - d + e, c + d + e, c + d - e])
        out.append((np.column_stack([quad, np.full(4, z)]), np.full(3, 26.0)))
    return out
