"""Scenes put together from card art: the same mess as on a table, with exact truth for every card."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from models.scenes.backgrounds import Backgrounds
from models.scenes.camera import CARD_MM, Camera, card_corners, random_camera
from models.scenes.light import film, relight
from models.scenes.things import (
    draw_hand,
    draw_sheet,
    draw_stack,
    draw_stub,
    draw_tray,
    random_chip,
    sheet_corners,
)

FACES_MIN_VISIBLE = 0.1


@dataclass(frozen=True, slots=True)
class CardTruth:
    """One card of a scene; corners run from its top left clockwise, `index` is how much of its best index shows."""

    label: str
    quad: np.ndarray
    visible: float
    index: float


@dataclass(frozen=True, slots=True)
class BoxTruth:
    """A stack, hand or deck by its visible pixels' box (x0, y0, x1, y1)."""

    kind: str
    box: np.ndarray


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture (H, W, 3) BGR and all that is in it."""

    image: np.ndarray
    cards: tuple[CardTruth, ...]
    boxes: tuple[BoxTruth, ...]


class Deck:
    """A deck's art with half and quarter sizes, so that small cards do not alias."""

    def __init__(self, art: Mapping[str, np.ndarray]) -> None:
        self.labels = [label for label in art if label != "back"]
        self.levels = {label: self._levels(image) for label, image in art.items()}

    @staticmethod
    def _levels(image: np.ndarray) -> list[np.ndarray]:
        image = image.copy()
        image[..., :3][image[..., 3] == 0] = 255
        out = [image]
        for _ in range(3):
            h, w = out[-1].shape[:2]
            out.append(cv2.resize(out[-1], (w // 2, h // 2), interpolation=cv2.INTER_AREA))
        return out

    def level(self, label: str, width: float) -> np.ndarray:
        """Return the art nearest above `width` pixels."""
        levels = self.levels[label]
        fit = [im for im in levels if im.shape[1] >= width * 0.9]
        return fit[-1] if fit else levels[0]


def lay(
    image: np.ndarray, ids: np.ndarray, art: np.ndarray, quad: np.ndarray, ident: int, shadow: float = 0.0
) -> None:
    """Warp BGRA art onto a quad (4, 2), with a soft contact shadow, and mark its pixels in `ids`."""
    h, w = image.shape[:2]
    x0, y0 = np.floor(quad.min(0)).astype(int) - 4
    x1, y1 = np.ceil(quad.max(0)).astype(int) + 5
    x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, w), min(y1, h)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    ah, aw = art.shape[:2]
    source = np.array([[0, 0], [aw, 0], [aw, ah], [0, ah]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(source, (quad - [x0, y0]).astype(np.float32) - 0.5)
    laid = cv2.warpPerspective(art, warp, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR)
    part, alpha = image[y0:y1, x0:x1], laid[..., 3:].astype(np.float32) * np.float32(1 / 255)
    mixed = part.astype(np.float32)
    if shadow:
        soft = cv2.GaussianBlur(laid[..., 3], (0, 0), max(0.8, np.ptp(quad[:, 0]) * 0.02))
        mixed *= 1 - soft[..., None] * np.float32(shadow / 255)
    mixed += (laid[..., :3] - mixed) * alpha
    part[:] = mixed
    ids[y0:y1, x0:x1][laid[..., 3] > 127] = ident


def _visible(ids: np.ndarray, ident: int, quad: np.ndarray) -> tuple[float, float]:
    """Return the share of a card that shows, and the larger share of its two main indices."""
    grid = np.array([[0, 0], [31, 0], [31, 43], [0, 43]], np.float32)
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), grid)
    seen = cv2.warpPerspective((ids == ident).astype(np.uint8), warp, (32, 44), flags=cv2.INTER_NEAREST)
    corner = seen[1:14, 1:9]
    return float(seen.mean()), float(max(corner.mean(), seen[30:43, 23:31].mean()))


def place_cards(rng: np.random.Generator, reach: np.ndarray) -> list[tuple[float, float, float]]:
    """Return (x, y, angle) for one group of cards around a random spot: row, fan, pile, hand or single cards."""
    low, high = reach
    x, y = rng.uniform(low, high)
    turn, kind = rng.uniform(0, 2 * np.pi), rng.random()
    if kind < 0.22:
        return [(x, y, turn)]
    n = int(rng.integers(2, 8))
    along = np.array([np.cos(turn), np.sin(turn)])
    if kind < 0.5:
        step = rng.uniform(8, 75) if rng.random() < 0.75 else rng.uniform(64, 90)
        wobble = rng.uniform(0, 0.1)
        return [
            (*(np.array([x, y]) + along * step * i + rng.normal(0, 2, 2)), turn + rng.normal(0, wobble))
            for i in range(n)
        ]
    if kind < 0.7:
        fan, radius = rng.uniform(0.1, 0.4), rng.uniform(45, 130)
        out = []
        for i in range(n):
            a = turn + (i - n / 2) * fan
            out.append((x - radius * np.sin(a), y + radius * np.cos(a), a))
        return out
    loose = rng.uniform(8, 60)
    return [
        (
            x + rng.normal(0, loose),
            y + rng.normal(0, loose),
            rng.uniform(0, 2 * np.pi) if rng.random() < 0.6 else turn + rng.normal(0, 0.2),
        )
        for _ in range(n)
    ]


class Composer:
    """Makes scenes from decks and backgrounds; one composer per process, one generator per scene."""

    def __init__(self, decks: Sequence[Deck], backgrounds: Backgrounds) -> None:
        self.decks = decks
        self.backgrounds = backgrounds

    def scene(
        self,
        rng: np.random.Generator,
        width: int,
        height: int,
        card_px: tuple[float, float] = (22, 250),
        extras: float = 1.0,
    ) -> Scene:
        """Compose one scene; the length of a card in the middle is drawn log-uniformly from `card_px`."""
        size = float(np.exp(rng.uniform(*np.log(card_px))))
        tilt = min(abs(rng.normal(0, 0.5)), 1.15)
        cam = random_camera(rng, width, height, size, tilt)
        image, ids = self.backgrounds.draw(rng, cam), np.zeros((height, width), np.int16)
        corners = np.array([[0, height * 0.05], [width, height * 0.05], [width, height], [0, height]], float)
        ground = cam.ground(corners)
        room = np.abs(cam.project(ground) - corners).max() < 1
        reach = np.array([ground.min(0), ground.max(0)]) if room else np.array([[-300.0, -300], [300, 300]])
        reach = np.clip(reach, -1500, 1500)
        laid: list[tuple[int, str, np.ndarray]] = []
        boxes: list[tuple[int, str]] = []
        deck = self.decks[int(rng.integers(len(self.decks)))]
        backs = rng.choice([0.0, 0.15, 0.5, 1.0], p=[0.35, 0.35, 0.2, 0.1])
        groups = int(rng.integers(1, 3 + int(min(9.0, 350 / size))))
        ident = 1
        self._clutter(rng, cam, image, ids, reach)
        for _ in range(groups):
            if rng.random() < 0.12:
                deck = self.decks[int(rng.integers(len(self.decks)))]
            ident = self._cards(rng, cam, image, ids, deck, float(backs), reach, laid, ident)
        ident = self._extras(rng, cam, image, ids, deck, reach, boxes, ident, extras, laid)
        cards = []
        for number, label, quad in laid:
            visible, index = _visible(ids, number, quad)
            if visible >= FACES_MIN_VISIBLE:
                cards.append(CardTruth(label, quad, visible, index))
        things = []
        for number, kind in boxes:
            ys, xs = np.nonzero(ids == number)
            if len(xs) > 30:
                things.append(
                    BoxTruth(kind, np.array([xs.min(), ys.min(), xs.max() + 1, ys.max() + 1], float))
                )
        return Scene(film(rng, relight(rng, image)), tuple(cards), tuple(things))

    def _cards(
        self,
        rng: np.random.Generator,
        cam: Camera,
        image: np.ndarray,
        ids: np.ndarray,
        deck: Deck,
        backs: float,
        reach: np.ndarray,
        laid: list[tuple[int, str, np.ndarray]],
        ident: int,
    ) -> int:
        shadow = rng.uniform(0, 0.5)
        size = (CARD_MM[0] * (0.92 if rng.random() < 0.2 else 1.0), CARD_MM[1])
        down = rng.random() < backs
        for x, y, angle in place_cards(rng, reach):
            label = (
                "back"
                if down != (rng.random() < 0.06)
                else str(deck.labels[int(rng.integers(len(deck.labels)))])
            )
            corners = card_corners(x, y, angle, size)
            quad = cam.project(corners)
            if (
                (quad < -60).any()
                or (quad > [cam.width + 60, cam.height + 60]).any()
                or not cv2.isContourConvex(quad.astype(np.float32))
            ):
                continue
            width = float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2
            if width < 5:
                continue
            lay(image, ids, deck.level(label, width), quad, ident, shadow)
            laid.append((ident, label, quad))
            ident += 1
        return ident

    def _clutter(
        self, rng: np.random.Generator, cam: Camera, image: np.ndarray, ids: np.ndarray, reach: np.ndarray
    ) -> None:
        """Draw flat things and chip trays under everything else, so that not every rectangle is a card."""
        for _ in range(int(rng.integers(1, 5)) if rng.random() < 0.4 else 0):
            quad = cam.project(sheet_corners(rng, reach))
            if cv2.isContourConvex(quad.astype(np.float32)) and np.abs(quad).max() < 3000:
                lay(image, ids, draw_sheet(rng), quad, 0, rng.uniform(0, 0.5))
        if rng.random() < 0.12:
            draw_tray(rng, cam, image, ids, rng.uniform(*reach))

    def _extras(
        self,
        rng: np.random.Generator,
        cam: Camera,
        image: np.ndarray,
        ids: np.ndarray,
        deck: Deck,
        reach: np.ndarray,
        boxes: list[tuple[int, str]],
        ident: int,
        amount: float,
        laid: list[tuple[int, str, np.ndarray]],
    ) -> int:
        if rng.random() < 0.55 * amount:
            designs = [random_chip(rng) for _ in range(4)]
            for _ in range(int(rng.integers(1, 9))):
                chips = [designs[int(rng.integers(4))]] * int(rng.integers(1, 13))
                if rng.random() < 0.4:
                    chips = [designs[int(rng.integers(4))] for _ in chips]
                draw_stack(rng, cam, image, ids, ident, rng.uniform(*reach), chips)
                boxes.append((ident, "stack"))
                ident += 1
        if rng.random() < 0.2 * amount:
            corners = card_corners(*rng.uniform(*reach), rng.uniform(0, 2 * np.pi))
            top = draw_stub(rng, cam, image, ids, ident, corners, rng.uniform(3, 16))
            lay(image, ids, deck.level("back", float(np.linalg.norm(top[1] - top[0]))), top, ident)
            boxes.append((ident, "deck"))
            ident += 1
        if rng.random() < 0.35 * amount:
            for _ in range(int(rng.integers(1, 3))):
                if laid and rng.random() < 0.6:
                    tip = laid[int(rng.integers(len(laid)))][2].mean(0) + rng.normal(0, 20, 2)
                else:
                    tip = rng.uniform(0, 1, 2) * [cam.width, cam.height]
                span = cam.project(cam.ground(tip[None]) + np.array([[0.0, 0], [20, 0], [0, 20]]))
                scale = float(np.linalg.norm(span[1:] - span[0], axis=1).max()) / 20
                draw_hand(rng, image, ids, ident, tip, min(scale, 4.0) * rng.uniform(0.9, 1.15))
                boxes.append((ident, "hand"))
                ident += 1
        return ident
