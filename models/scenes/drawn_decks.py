"""Decks drawn from fonts and dice, so that no reader can learn one deck by heart.

Art that can be had under a free licence comes mostly with small indices; casino decks have large ones. Each
drawn deck takes an index face and size, a pip shape, colours, two or four corner indices and court pictures
(borrowed from other art, or plain letters), all from a seed.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

RANKS = "23456789TJQKA"
SUITS = "cdhs"
LABELS = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARD = (240, 336)
_GLYPHS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_THIRDS = {
    "2": [(0, -1), (0, 1)],
    "3": [(0, -1), (0, 0), (0, 1)],
    "4": [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    "5": [(-1, -1), (1, -1), (-1, 1), (1, 1), (0, 0)],
    "6": [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
    "7": [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1), (0, -0.5)],
    "8": [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1), (0, -0.5), (0, 0.5)],
    "9": [(x, y) for x in (-1, 1) for y in (-1, -1 / 3, 1 / 3, 1)] + [(0, 0)],
    "T": [(x, y) for x in (-1, 1) for y in (-1, -1 / 3, 1 / 3, 1)] + [(0, -2 / 3), (0, 2 / 3)],
}


_UNFIT = (
    "italic",
    "oblique",
    "mono",
    "math",
    "symbol",
    "dingbat",
    "z003",
    "d050000l",
    "light",
    "thin",
    "obl",
    "initials",
)


def _draws(path: Path) -> bool:
    """Tell whether a face has its own drawing for every rank; one without shows the same empty box for all."""
    try:
        face = ImageFont.truetype(str(path), 24)
    except OSError:
        return False
    shapes = {bytes(face.getmask(letter)) for letter in "A234567890JQK"}
    return len(shapes) == 13 and bytes(face.getmask("\uffff")) not in shapes


def families(folders: Sequence[Path], split: str = "") -> list[list[Path]]:
    """Return upright text faces under the folders by family; italic, symbol and code faces make no index.

    A split of "train" leaves every sixth family to the others, so that a reader is judged on letters it never saw.
    """
    found = sorted(p for folder in folders for p in folder.rglob("*") if p.suffix in {".ttf", ".otf"})
    groups: dict[str, list[Path]] = {}
    for path in found:
        if not any(word in path.name.lower() for word in _UNFIT):
            groups.setdefault(path.stem.partition("-")[0], []).append(path)
    kept = [good for name in sorted(groups) if (good := [p for p in groups[name] if _draws(p)])]
    if not split:
        return kept
    return [group for i, group in enumerate(kept) if (i % 6 == 3) == (split != "train")]


def _heart(n: int, width: float) -> np.ndarray:
    t = np.linspace(0, 2 * math.pi, n)
    x = 16 * np.sin(t) ** 3
    y = -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))
    return np.stack([x / 17 * width, (y + 2.5) / 15], 1)


def pip_mask(suit: str, size: int, rng: np.random.Generator) -> np.ndarray:
    """Return one pip as a (size, size) uint8 mask: curves with a random waist, width and stem."""
    s = size * 4
    mask = np.zeros((s, s), np.uint8)
    width = rng.uniform(0.82, 1.0)
    stem = rng.uniform(0.16, 0.34)

    def fill(points: np.ndarray) -> None:
        cv2.fillPoly(mask, [np.round((points * 0.48 + 0.5) * s).astype(np.int32)], 255)

    if suit == "d":
        bulge, wide = rng.uniform(0.0, 0.16), rng.uniform(0.66, 0.9)
        t = np.linspace(0, 1, 12)
        corners = np.array([[0, -1], [wide, 0], [0, 1], [-wide, 0], [0, -1]])
        sides = [
            a + (b - a) * t[:, None] - bulge * (a + b) * (t * (1 - t) * 2)[:, None]
            for a, b in itertools.pairwise(corners)
        ]
        fill(np.concatenate(sides))
    elif suit == "h":
        fill(_heart(80, width))
    else:
        if suit == "s":
            fill(_heart(80, width) * [1, -0.86] + [0, -0.14])
        else:
            r, spread = rng.uniform(0.36, 0.46), rng.uniform(0.46, 0.56)
            for x, y in ((0.0, -0.98 + r), (-spread, 0.16), (spread, 0.16)):
                centre = (int((x * 0.48 + 0.5) * s), int((y * 0.48 + 0.5) * s))
                cv2.circle(mask, centre, int(r * 0.48 * s), 255, -1)
            fill(np.array([[-0.2, -0.1], [0.2, -0.1], [0.2, 0.3], [-0.2, 0.3]]))
        fill(np.array([[-0.06, 0.1], [0.06, 0.1], [0.1, 0.6], [stem, 0.98], [-stem, 0.98], [-0.1, 0.6]]))
    return cv2.resize(mask, (size, size), interpolation=cv2.INTER_AREA)


def _ink(card: np.ndarray, mask: np.ndarray, x: float, y: float, colour: np.ndarray) -> None:
    """Lay a mask in one colour with its centre at (x, y); parts beyond the card are cut off."""
    h, w = mask.shape
    x0, y0 = round(x - w / 2), round(y - h / 2)
    cx0, cy0, cx1, cy1 = max(x0, 0), max(y0, 0), min(x0 + w, card.shape[1]), min(y0 + h, card.shape[0])
    if cx1 <= cx0 or cy1 <= cy0:
        return
    alpha = mask[cy0 - y0 : cy1 - y0, cx0 - x0 : cx1 - x0, None].astype(np.float32) / 255
    part = card[cy0:cy1, cx0:cx1, :3]
    part[:] = (part * (1 - alpha) + colour * alpha).astype(np.uint8)


def text_mask(text: str, font: Path, height: int, squeeze: float) -> np.ndarray:
    """Return text as a mask whose ink is `height` pixels high."""
    face = ImageFont.truetype(str(font), 96)
    left, top, right, bottom = face.getbbox(text)
    sheet = Image.new("L", (int(right - left) + 4, int(bottom - top) + 4))
    ImageDraw.Draw(sheet).text((2 - left, 2 - top), text, font=face, fill=255)
    scale = height / max(sheet.height - 4, 1)
    size = (max(2, round(sheet.width * scale * squeeze)), max(2, round(sheet.height * scale)))
    return cv2.resize(np.asarray(sheet), size, interpolation=cv2.INTER_AREA)


def outline(width: int, height: int, radius: float) -> np.ndarray:
    """Return the alpha of a card with rounded corners."""
    big = np.zeros((height * 2, width * 2), np.uint8)
    r = int(radius * 2)
    cv2.rectangle(big, (r, 0), (width * 2 - r, height * 2), 255, -1)
    cv2.rectangle(big, (0, r), (width * 2, height * 2 - r), 255, -1)
    for x in (r, width * 2 - r):
        for y in (r, height * 2 - r):
            cv2.circle(big, (x, y), r, 255, -1)
    return cv2.resize(big, (width, height), interpolation=cv2.INTER_AREA)


class DeckPainter:
    """One drawn deck: everything random is chosen once, so that its 52 cards belong together."""

    def __init__(
        self, seed: int, faces: Sequence[Sequence[Path]], courts: Sequence[Mapping[str, np.ndarray]]
    ) -> None:
        self.rng = rng = np.random.default_rng(seed)
        family = faces[int(rng.integers(len(faces)))]
        self.font = family[int(rng.integers(len(family)))]
        self.index = rng.uniform(0.15, 0.34) if rng.random() < 0.7 else rng.uniform(0.10, 0.15)
        self.squeeze = rng.uniform(0.65, 1.0)
        self.suit_scale = rng.uniform(0.55, 1.1)
        self.four_corners = rng.random() < 0.2
        self.beside = rng.random() < 0.08
        self.pip = int(CARD[0] * rng.uniform(0.17, 0.27))
        self.ace = int(CARD[0] * rng.choice([0.28, 0.5, 0.75]))
        self.courts = courts[int(rng.integers(len(courts)))] if courts and rng.random() < 0.85 else None
        red = np.array([rng.uniform(0, 60), rng.uniform(0, 50), rng.uniform(170, 245)])
        black = np.full(3, rng.uniform(0, 45)) + rng.uniform(0, 15, 3)
        self.colours = {"c": black, "s": black, "d": red, "h": red}
        self.paper = np.array([rng.uniform(225, 255), rng.uniform(235, 255), rng.uniform(240, 255)])
        if rng.random() < 0.12:
            self.colours = self.colours | {"c": np.array([30.0, 130, 20]), "d": np.array([200.0, 80, 20])}
        if rng.random() < 0.06:
            gold = np.array([rng.uniform(60, 140), rng.uniform(150, 200), rng.uniform(190, 240)])
            self.paper, self.colours = black, dict.fromkeys(SUITS, gold)
        self.pips = {suit: pip_mask(suit, 160, rng) for suit in SUITS}
        self.corner = rng.uniform(0.03, 0.07) * CARD[0]

    def _pip(self, suit: str, size: int, flip: bool = False) -> np.ndarray:
        mask = cv2.resize(self.pips[suit], (size, size), interpolation=cv2.INTER_AREA)
        return mask[::-1] if flip else mask

    def face(self, label: str) -> np.ndarray:
        """Return a card's face as (336, 240, 4) uint8 BGRA."""
        w, h = CARD
        rank, suit = label
        card = np.empty((h, w, 4), np.uint8)
        card[..., :3] = self.paper
        ink = self.colours[suit]
        if rank in "JQK":
            self._court(card, label)
        elif rank == "A":
            _ink(card, self._pip(suit, self.ace), w / 2, h / 2, ink)
        else:
            for x, y in _THIRDS[rank]:
                inset = max(0.0, self.index - 0.15)
                at = (w * (0.5 + (0.22 - 0.3 * inset) * x), h * (0.5 + (0.34 - 0.25 * inset) * y))
                _ink(card, self._pip(suit, int(self.pip * (1 - inset)), y > 0), *at, ink)
        self._indices(card, rank, suit)
        card[..., 3] = outline(w, h, self.corner)
        return card

    def _court(self, card: np.ndarray, label: str) -> None:
        w, h = CARD
        if self.courts is None:
            mask = text_mask(label[0], self.font, int(h * 0.4), self.squeeze)
            _ink(card, mask, w / 2, h / 2, self.colours[label[1]])
            return
        x0, y0 = int(w * 0.2), int(h * 0.1)
        picture = cv2.resize(self.courts[label], CARD, interpolation=cv2.INTER_AREA)[y0 : h - y0, x0 : w - x0]
        alpha = picture[..., 3:].astype(np.float32) / 255
        card[y0 : h - y0, x0 : w - x0, :3] = picture[..., :3] * alpha + self.paper * (1 - alpha)
        if self.corner > 8:
            cv2.rectangle(
                card, (x0, y0), (w - x0, h - y0), (*tuple(map(float, self.colours[label[1]])), 255.0), 1
            )

    def _indices(self, card: np.ndarray, rank: str, suit: str) -> None:
        w, h = CARD
        size = int(self.index * w)
        squeeze = self.squeeze * (0.75 if rank == "T" else 1.0)
        letter = text_mask("10" if rank == "T" else rank, self.font, size, squeeze)
        pip = self._pip(suit, max(8, int(size * self.suit_scale)))
        x = max(letter.shape[1], pip.shape[1]) / 2 + w * 0.025
        y = size / 2 + h * 0.025
        sides = ((x, False), (w - x, False)) if self.four_corners else ((x, False),)
        for _ in range(2):
            for cx, _flip in sides:
                pad = np.full(3, 255.0) if self.paper[0] > 128 else self.paper
                if rank in "JQK":
                    cv2.rectangle(
                        card,
                        (int(cx - x), 0),
                        (int(cx + x), int(y + size * 1.2)),
                        (*tuple(map(float, pad)), 255.0),
                        -1,
                    )
                _ink(card, letter, cx, y, self.colours[suit])
                if self.beside:
                    _ink(card, pip, cx + letter.shape[1] / 2 + pip.shape[1] * 0.6, y, self.colours[suit])
                else:
                    _ink(card, pip, cx, y + size / 2 + pip.shape[0] * 0.62, self.colours[suit])
            card[:] = card[::-1, ::-1].copy()

    def back(self) -> np.ndarray:
        """Return a back: a margin and a repeated two-colour ornament, or one plain colour."""
        w, h = CARD
        rng = self.rng
        tone = rng.uniform(0, 220, 3)
        light = rng.uniform(170, 255, 3) if rng.random() < 0.7 else rng.uniform(0, 255, 3)
        n = int(rng.integers(5, 40))
        tile = (rng.random((n, n)) < rng.uniform(0.2, 0.6)).astype(np.uint8) * 255
        kind = rng.random()
        if kind < 0.35:
            yy, xx = np.mgrid[:n, :n]
            tile = (((xx + yy) % n < n * 0.35) | ((xx - yy) % n < n * 0.3)).astype(np.uint8) * 255
        elif kind < 0.6:
            tile = np.vstack([np.hstack([tile, tile[:, ::-1]]), np.hstack([tile[::-1], tile[::-1, ::-1]])])
        elif kind < 0.75:
            tile[:] = 0
        reps = (h // tile.shape[0] + 1, w // tile.shape[1] + 1)
        mask = cv2.GaussianBlur(np.tile(tile, reps)[:h, :w], (0, 0), 0.8)[..., None].astype(np.float32) / 255
        back = np.empty((h, w, 4), np.uint8)
        back[..., :3] = tone * (1 - mask) + light * mask
        margin = int(rng.choice([0, 6, 10, 16, 22]))
        if margin:
            frame = np.zeros((h, w), bool)
            frame[margin : h - margin, margin : w - margin] = True
            back[~frame, :3] = rng.uniform(225, 255, 3) if rng.random() < 0.85 else tone
        if rng.random() < 0.4:
            centre, r = (w // 2, h // 2), int(w * rng.uniform(0.1, 0.3))
            cv2.circle(back, centre, r, (*tuple(map(float, light)), 255.0), -1)
            cv2.circle(
                back, centre, int(r * 0.8), (*tuple(map(float, tone)), 255.0), int(rng.choice([2, 4, -1]))
            )
        back[..., 3] = outline(w, h, self.corner)
        return back

    def deck(self) -> dict[str, np.ndarray]:
        """Return all 52 faces and the back, by label."""
        return {label: self.face(label) for label in LABELS} | {"back": self.back()}
