"""What cards lie on: cloths with printed layouts, wood, noise, and card-free parts of real photographs."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from models.scenes.camera import Camera

_WORDS = (
    "CARIBBEAN STUD POKER",
    "ANTE",
    "BET",
    "DEALER PLAYS WITH ACE-KING",
    "BLACKJACK PAYS 3 TO 2",
    "INSURANCE 2 TO 1",
    "ROYAL FLUSH 100 TO 1",
    "FULL HOUSE 7 TO 1",
    "PLAY",
    "TRIPS",
    "BONUS",
    "RAISE",
    "CASINO",
    "10",
    "A K Q J",
    "PLAYER",
    "BANKER",
    "TIE",
)


def _noise(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    total = np.zeros((h, w), np.float32)
    for cells in (4, 16, 64, 200):
        small = rng.normal(0, 1, (max(2, cells * h // w), cells)).astype(np.float32)
        total += cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR) * rng.uniform(0, 1)
    return total


def cloth(rng: np.random.Generator, cam: Camera) -> np.ndarray:
    """Return a cloth in one colour with weave, and in most cases a printed layout in perspective."""
    h, w = cam.height, cam.width
    green = np.array([rng.uniform(20, 90), rng.uniform(60, 140), rng.uniform(0, 60)])
    colour = green if rng.random() < 0.55 else rng.uniform(0, 200, 3)
    image = np.empty((h, w, 3), np.float32)
    image[:] = colour
    image += rng.uniform(0, 6) * _noise(rng, h, w)[..., None] + rng.normal(0, rng.uniform(0, 7), (h, w, 1))
    image = np.clip(image, 0, 255).astype(np.uint8)
    if rng.random() < 0.75:
        _print_layout(rng, cam, image)
    return image


def _print_layout(rng: np.random.Generator, cam: Camera, image: np.ndarray) -> None:
    """Print boxes, circles and words on a sheet in table millimetres and lay it down by homography."""
    n = 900
    sheet = np.zeros((n, n, 4), np.uint8)
    inks = [(*map(float, rng.uniform(120, 255, 3)), 255.0), (*map(float, rng.uniform(0, 255, 3)), 255.0)]
    for _ in range(int(rng.integers(2, 16))):
        ink, at = inks[int(rng.integers(2))], rng.integers(0, n, 2)
        fill = -1 if rng.random() < 0.15 else int(rng.integers(2, 6))
        kind, spot = rng.random(), tuple(map(int, at))
        if kind < 0.35:
            cv2.rectangle(sheet, spot, tuple(map(int, at + rng.integers(40, 200, 2))), ink, fill)
        elif kind < 0.55:
            cv2.circle(sheet, spot, int(rng.integers(20, 90)), ink, fill)
        elif kind < 0.65:
            r = int(rng.integers(150, 700))
            cv2.ellipse(sheet, spot, (r, r), 0, 20, 160, ink, abs(fill))
        else:
            size, face = rng.uniform(0.7, 4), int(rng.choice([0, 2, 3, 4]))
            cv2.putText(
                sheet, str(rng.choice(_WORDS)), (spot[0] - 200, spot[1]), face, size, ink, int(size * 2.2) + 1
            )
    scale = float(
        np.abs(cam.ground(np.array([[cam.width, cam.height / 2], [0, cam.height / 2]]))).max()
    ) * rng.uniform(1.0, 1.6)
    turn = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(turn) * 2 * scale / n, np.sin(turn) * 2 * scale / n
    place = np.array([[c, s, -n / 2 * (c + s)], [s, -c, -n / 2 * (s - c)], [0, 0, 1]])
    warp = cam.plane @ place
    size_px = (cam.width, cam.height)
    laid = cv2.warpPerspective(sheet, warp, size_px, flags=cv2.INTER_LINEAR)
    mask = laid[..., 3:] * (rng.uniform(0.4, 1.0) / 255)
    image[:] = (image * (1 - mask) + laid[..., :3] * mask).astype(np.uint8)


def wood(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    """Return boards or a plain surface: noise drawn out along one direction."""
    grain = rng.normal(0, 1, (h // 2 + 1, max(2, w // 60))).astype(np.float32)
    grain = cv2.resize(grain, (w, h), interpolation=cv2.INTER_CUBIC)
    base = np.array([rng.uniform(30, 140), rng.uniform(60, 170), rng.uniform(80, 210)])
    image = base + grain[..., None] * rng.uniform(2, 18)
    if rng.random() < 0.5:
        image = image.transpose(1, 0, 2)
        image = cv2.resize(image, (w, h))
    return np.clip(image, 0, 255).astype(np.uint8)


class Backgrounds:
    """A source of backgrounds; photographs are kept in memory, and parts with cards or chips are not cut out."""

    def __init__(self, photographs: Sequence[tuple[Path, np.ndarray]]) -> None:
        """Take (picture, boxes (N, 4) in relative x0 y0 x1 y1) pairs."""
        self.photographs = photographs
        self._cache: dict[Path, np.ndarray] = {}

    def _picture(self, path: Path) -> np.ndarray:
        if path not in self._cache:
            if len(self._cache) > 300:
                self._cache.clear()
            picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
            shrink = 1200 / max(picture.shape[:2])
            if shrink < 0.8:
                picture = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
            self._cache[path] = picture
        return self._cache[path]

    def photograph(self, rng: np.random.Generator, h: int, w: int) -> np.ndarray | None:
        """Return a card-free cut of a photograph, or None if a few tries find none."""
        for _ in range(8):
            path, boxes = self.photographs[int(rng.integers(len(self.photographs)))]
            side = rng.uniform(0.2, 0.75)
            x0, y0 = rng.uniform(0, 1 - side, 2)
            clash = (
                (boxes[:, 0] < x0 + side)
                & (boxes[:, 2] > x0)
                & (boxes[:, 1] < y0 + side)
                & (boxes[:, 3] > y0)
            )
            if clash.any():
                continue
            picture = self._picture(path)
            ph, pw = picture.shape[:2]
            cut = picture[int(y0 * ph) : int((y0 + side) * ph), int(x0 * pw) : int((x0 + side) * pw)]
            if rng.random() < 0.5:
                cut = cut[:, ::-1]
            return cv2.resize(cut, (w, h), interpolation=cv2.INTER_LINEAR)
        return None

    def draw(self, rng: np.random.Generator, cam: Camera) -> np.ndarray:
        """Return a fresh background for one scene."""
        kind = rng.random()
        if kind < 0.4 or (kind < 0.85 and not self.photographs):
            return cloth(rng, cam)
        if kind < 0.85:
            cut = self.photograph(rng, cam.height, cam.width)
            return cloth(rng, cam) if cut is None else cut
        if kind < 0.95:
            return wood(rng, cam.height, cam.width)
        image = np.empty((cam.height, cam.width, 3), np.uint8)
        image[:] = rng.uniform(0, 255, 3)
        return image
