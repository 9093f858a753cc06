"""Rectified crops of single cards as a finder would hand them over: covered, blurred, small, and a little off."""

from collections.abc import Sequence

import cv2
import numpy as np

from models.scenes.camera import CARD_MM, card_corners
from models.scenes.compose import Deck, _visible, lay
from models.scenes.light import film, relight
from models.scenes.things import draw_hand
from vision.quads import CROP_SIZE, rectify

BACK, UNREADABLE = 52, 53
_STRETCH = np.array([CARD_MM[0] / 2, CARD_MM[1] / 2])


def _plane(rng: np.random.Generator, long_px: float, side: int) -> np.ndarray:
    """Return a homography from card millimetres (y up) to a square canvas, turned, squashed and in perspective."""
    scale = long_px / CARD_MM[1]
    turn, axis = rng.uniform(0, 2 * np.pi, 2)
    squash = 1 - min(abs(rng.normal(0, 0.25)), 0.6)
    spin = np.array([[np.cos(axis), -np.sin(axis)], [np.sin(axis), np.cos(axis)]])
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    linear = spin @ np.diag([1, squash]) @ spin.T @ turned @ np.diag([1, -1]) * scale
    plane = np.eye(3)
    plane[:2, :2] = linear
    plane[:2, 2] = side / 2
    tilt = np.eye(3)
    tilt[2, :2] = rng.normal(0, 0.0006, 2)
    return np.asarray(plane @ tilt)


def _project(plane: np.ndarray, points: np.ndarray) -> np.ndarray:
    h = np.column_stack([points, np.ones(len(points))]) @ plane.T
    return np.asarray(h[:, :2] / h[:, 2:])


def jitter(rng: np.random.Generator, quad: np.ndarray, amount: float) -> np.ndarray:
    """Move a quad as a finder's error would: shift and size together, corners a little on their own."""
    size = np.sqrt(cv2.contourArea(quad.astype(np.float32)) + 1)
    centre = quad.mean(0)
    quad = centre + (quad - centre) * (1 + rng.normal(0, amount, 1)) + rng.normal(0, amount * size * 0.6, 2)
    return np.asarray(quad + rng.normal(0, amount * size * 0.4, (4, 2)))


def _neighbours(rng: np.random.Generator) -> list[tuple[float, float, float]]:
    """Return offsets (x, y, angle) of other cards: the next of a row or fan, or thrown across."""
    kind = rng.random()
    if kind < 0.45:
        step = np.array([rng.choice([-1, 1]) * rng.uniform(10, 60), rng.normal(0, 3)])
        if rng.random() < 0.3:
            step = step[::-1] * 1.3
        return [(*(step * (i + 1)), rng.normal(0, 0.04)) for i in range(int(rng.integers(1, 3)))]
    if kind < 0.75:
        fan = rng.choice([-1, 1]) * rng.uniform(0.12, 0.45)
        pivot = rng.uniform(45, 130) * rng.choice([-1, 1])
        return [
            (-pivot * np.sin(fan * k), pivot * (np.cos(fan * k) - 1), fan * k)
            for k in range(1, int(rng.integers(2, 4)))
        ]
    return [(*rng.normal(0, 40, 2), rng.uniform(0, 2 * np.pi)) for _ in range(int(rng.integers(1, 3)))]


def class_of(label: str, labels: Sequence[str], visible: float, index: float) -> int:
    """Return the class a crop is taught: a card whose marks do not show is unreadable, not guessed."""
    if label == "back":
        return BACK if visible > 0.15 else UNREADABLE
    if index < 0.35 and visible < 0.3:
        return UNREADABLE
    return labels.index(label)


class CropMaker:
    """Draws endless training crops; `patches` are pictures to cut backgrounds from."""

    def __init__(
        self,
        decks: Sequence[Deck],
        labels: Sequence[str],
        patches: Sequence[np.ndarray],
        shortest: float = 38.0,
    ) -> None:
        """Take art and grounds; `shortest` is the least length of a card in pixels."""
        self.decks, self.labels, self.patches, self.shortest = decks, list(labels), patches, shortest

    def _ground(self, rng: np.random.Generator, side: int) -> np.ndarray:
        patch = self.patches[int(rng.integers(len(self.patches)))]
        n = int(rng.integers(30, min(patch.shape[:2])))
        y, x = rng.integers(0, patch.shape[0] - n + 1), rng.integers(0, patch.shape[1] - n + 1)
        return cv2.resize(patch[y : y + n, x : x + n], (side, side), interpolation=cv2.INTER_LINEAR)

    def crop(self, rng: np.random.Generator) -> tuple[np.ndarray, int]:
        """Return one crop (112, 80, 3) BGR and its class."""
        long_px = float(
            np.exp(rng.uniform(np.log(self.shortest), np.log(120 if rng.random() < 0.75 else 230)))
        )
        side = int(long_px * 1.5) + 8
        image, ids = self._ground(rng, side), np.zeros((side, side), np.int16)
        plane = _plane(rng, long_px, side)
        deck = self.decks[int(rng.integers(len(self.decks)))]
        quad = _project(plane, card_corners(0, 0, 0))
        label, visible, index = "", 0.0, 0.0
        if rng.random() > 0.03:
            label = "back" if rng.random() < 0.06 else deck.labels[int(rng.integers(52))]
            self._table(rng, image, ids, plane, deck, label, long_px)
            visible, index = _visible(ids, 1, quad)
        image = film(rng, image, blur=0.45 + long_px / 130)
        if rng.random() < 0.5:
            quad = np.roll(quad, 2, 0)
        if rng.random() < 0.04:
            quad = np.roll(quad, 1, 0)
        crop = rectify(image, jitter(rng, quad, abs(rng.normal(0, 0.022)))[None], CROP_SIZE)[0]
        # Light varies slowly over a card: it may as well fall on the crop, which is far cheaper.
        return relight(rng, crop), class_of(label, self.labels, visible, index) if label else UNREADABLE

    def _table(
        self,
        rng: np.random.Generator,
        image: np.ndarray,
        ids: np.ndarray,
        plane: np.ndarray,
        deck: Deck,
        label: str,
        long_px: float,
    ) -> None:
        shadow, width = rng.uniform(0, 0.5), long_px * 0.7
        around = _neighbours(rng) if rng.random() < 0.6 else []
        above = rng.random() < 0.6

        def put(x: float, y: float, angle: float, what: str, ident: int) -> None:
            quad = _project(plane, card_corners(x, y, angle))
            lay(image, ids, deck.level(what, width), quad, ident, shadow)

        def other() -> str:
            return "back" if rng.random() < 0.12 else deck.labels[int(rng.integers(52))]

        if not above:
            for spot in around:
                put(*spot, other(), 2)
        elif rng.random() < 0.3:
            for x, y, angle in around:
                put(-x, -y, -angle, other(), 2)
        put(0, 0, 0, label, 1)
        if above:
            for spot in around:
                put(*spot, other(), 2)
        if rng.random() < 0.1:
            tip = _project(plane, rng.normal(0, 1, (1, 2)) * _STRETCH)[0]
            draw_hand(rng, image, ids, 3, tip, long_px / CARD_MM[1])
