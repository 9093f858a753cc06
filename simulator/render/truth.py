"""What can be seen in a picture, measured on the id picture: exact to the pixel, occlusion included."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.layout import CARD_HEIGHT, CARD_THICKNESS, CARD_WIDTH, Layout
from simulator.render.meshes import card_outline
from simulator.render.pieces import ARM_TAG, CORNERS, FACE_TAG, RACK, card_points, chip_places, rim_points
from simulator.scene import CardPose, ChipStack, DeckBlock, HandPose, Scene

Floats = NDArray[np.float64]
Numbers = NDArray[np.uint16]
INDEX_MM: Final = (14.0, 27.0)
"""How much of a corner of a card (width, height) holds its index."""
_W, _H = CARD_WIDTH / 2, CARD_HEIGHT / 2
_INDEX: Final = np.array(
    [(-_W, _H), (-_W + INDEX_MM[0], _H), (-_W + INDEX_MM[0], _H - INDEX_MM[1]), (-_W, _H - INDEX_MM[1])]
)
_OUTLINE: Final = card_outline()
LEAST_PIXELS: Final = 4
"""What shows less than this is not seen."""


class Truth:
    """The truth of one picture: `scene` as `camera` sees it, with the number of the object at every pixel."""

    def __init__(
        self, scene: Scene, camera: Camera, layout: Layout, ids: Numbers, tag_of: Callable[[str], int]
    ) -> None:
        self.scene, self.camera, self.layout, self.ids, self.tag_of = scene, camera, layout, ids, tag_of
        self.counts = np.bincount(ids.ravel(), minlength=65536)
        self.size = (camera.lens.width, camera.lens.height)

    def as_dict(self) -> Mapping[str, Any]:
        """Cards, stacks, hands and decks of which anything shows."""
        cards = (self._card(card) for card in self.scene.cards)
        stacks = (self._stack(stack) for stack in self.scene.stacks)
        hands = (self._hand(hand) for hand in self.scene.hands)
        rack = self.scene.fixtures
        decks = [self._deck(block) for block in self.scene.blocks]
        if rack.rack_cards:
            x, y = self.layout.rack.centre
            decks.append(self._deck(DeckBlock(RACK, rack.rack_cards, x, y + 3, 5.0, 1.5, rack.rack_deck)))
        return {
            "cards": [one for one in cards if one],
            "stacks": [one for one in stacks if one],
            "hands": [one for one in hands if one],
            "decks": [one for one in decks if one],
        }

    def mask(self, name: str) -> NDArray[np.bool_]:
        """The pixels (H, W) at which an object shows, its arm left out."""
        tag = self.tag_of(name)
        return np.asarray((self.ids == tag) | (self.ids == tag + FACE_TAG))

    def _card(self, card: CardPose) -> dict[str, Any] | None:
        tag = self.tag_of(card.id)
        face, back = int(self.counts[tag + FACE_TAG]), int(self.counts[tag])
        if face + back < LEAST_PIXELS:
            return None
        shows = face >= back
        order = CORNERS if shows else CORNERS[[1, 0, 3, 2]]
        whole = _area(self.camera.project(card_points(card, _OUTLINE)))
        corners = [0.0, 0.0]
        if shows:
            corners = [self._share(card_points(card, _INDEX * turn), tag + FACE_TAG) for turn in (1, -1)]
        return {
            "id": card.id,
            "label": (card.label or "??") if shows else "back",
            "card": card.label or "??",
            "quad": _round(self.camera.project(card_points(card, order))),
            "visible": _part(max(face, back), whole),
            "corners": corners,
            "at": [round(card.x, 1), round(card.y, 1), round(card.z, 1)],
        }

    def _share(self, points: Floats, tag: int) -> float:
        """How much of a flat convex part of an object shows."""
        px = self.camera.project(points)
        low, high = np.floor(px.min(0)).astype(int), np.ceil(px.max(0)).astype(int) + 1
        if not np.isfinite(px).all() or (high - low > 4000).any():
            return 0.0
        area = np.zeros(tuple((high - low)[::-1]), np.uint8)
        cv2.fillConvexPoly(area, np.round((px - low) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
        x0, y0 = np.maximum(low, 0)
        x1, y1 = np.minimum(high, self.size)
        if x1 <= x0 or y1 <= y0:
            return 0.0
        inside = area[y0 - low[1] : y1 - low[1], x0 - low[0] : x1 - low[0]] > 0
        return _part(int((inside & (self.ids[y0:y1, x0:x1] == tag)).sum()), float(area.sum()))

    def _stack(self, stack: ChipStack) -> dict[str, Any] | None:
        seen = int(self.counts[self.tag_of(stack.id)])
        if not stack.chips or seen < LEAST_PIXELS:
            return None
        px = self.camera.project(rim_points(chip_places(stack)[0]))
        hull = cv2.convexHull(px.astype(np.float32))
        top = [(stack.x, stack.y, stack.z), (stack.x, stack.y, stack.z + stack.height)]
        foot, head = self.camera.project(top)
        return {
            "id": stack.id,
            "chips": list(stack.chips),
            "box": self._box(px),
            "foot": _round(foot),
            "head": _round(head),
            "visible": _part(seen, float(cv2.contourArea(hull))),
            "at": [round(stack.x, 1), round(stack.y, 1), round(stack.z, 1)],
        }

    def _hand(self, hand: HandPose) -> dict[str, Any] | None:
        tag = self.tag_of(hand.id)
        if self.counts[tag] < LEAST_PIXELS:
            return None
        mask = (self.ids == tag).view(np.uint8)
        x, y, w, h = cv2.boundingRect(mask)
        part = mask[y : y + h, x : x + w]
        shapes, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE, offset=(x, y))
        shape = cv2.approxPolyDP(max(shapes, key=cv2.contourArea), 1.5, True).reshape(-1, 2)
        return {
            "id": hand.id,
            "who": hand.who,
            "side": hand.side,
            "box": [x, y, x + w - 1, y + h - 1],
            "mask": shape.tolist(),
            "arm": int(self.counts[tag + ARM_TAG]),
            "tip": _round(self.camera.project([(hand.x, hand.y, hand.z)])[0]),
            "at": [round(hand.x, 1), round(hand.y, 1), round(hand.z, 1)],
        }

    def _deck(self, block: DeckBlock) -> dict[str, Any] | None:
        tag = self.tag_of(block.id)
        seen = int(self.counts[tag] + self.counts[tag + FACE_TAG])
        if seen < LEAST_PIXELS:
            return None
        high = max(1, block.cards) * CARD_THICKNESS
        flat = CardPose(block.id, None, block.x, block.y, block.z + high, block.yaw, flip=180.0)
        top = card_points(flat, CORNERS)
        px = self.camera.project(np.concatenate([top, top - (0, 0, high)]))
        return {
            "id": block.id,
            "cards": block.cards,
            "top": block.top or "back",
            "quad": _round(px[:4]),
            "box": self._box(px),
            "visible": _part(seen, float(cv2.contourArea(cv2.convexHull(px.astype(np.float32))))),
            "at": [round(block.x, 1), round(block.y, 1), round(block.z, 1)],
        }

    def _box(self, px: Floats) -> list[float]:
        """The upright box of points, cut at the picture's edge."""
        low = np.clip(px.min(0), 0, np.subtract(self.size, 1))
        high = np.clip(px.max(0), 0, np.subtract(self.size, 1))
        return [round(float(v), 2) for v in (*low, *high)]


def _area(px: Floats) -> float:
    return float(cv2.contourArea(px.astype(np.float32)))


def _part(seen: int, whole: float) -> float:
    return round(min(1.0, seen / max(whole, 1.0)), 3)


def _round(px: Floats) -> list[Any]:
    out: list[Any] = np.round(px, 2).tolist()
    return out
