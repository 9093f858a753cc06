"""From values of a scene to what the graphics card draws: rows of card and chip instances, and solid triangles.

A piece is everything that one id shows. It is made once for each value and kept as long as the value rests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import cos, pi, radians, sin
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from calibration.layout import CARD_HEIGHT, CARD_THICKNESS, CARD_WIDTH, CHIP_DIAMETER, CHIP_HEIGHT, Layout
from simulator.art.decks import LABELS
from simulator.errors import SceneError
from simulator.render import fixtures
from simulator.render.clutter import clutter_mesh
from simulator.render.limbs import hand_mesh
from simulator.render.meshes import F32
from simulator.scene import (
    CardPose,
    ChipStack,
    Clutter,
    CutCard,
    DeckBlock,
    HandPose,
    Look,
    Scene,
    SceneObject,
)

Floats = NDArray[np.float64]
DECK_LAYERS: Final = 53
CUT_LAYER, BLANK_LAYER = 2 * DECK_LAYERS, 2 * DECK_LAYERS + 1
CARD_ROW, CHIP_ROW, TAG = 19, 15, -1
ARM_TAG, FACE_TAG = 16384, 32768
"""Added to an object's number in the id picture where its arm, or the face of a card, is seen."""
RACK: Final = "rack"
Value = SceneObject | tuple[Any, ...]


@dataclass(slots=True)
class Piece:
    """What one id shows. `hulls` are convex point sets (N, 3) mm that together enclose it."""

    value: Value
    hulls: list[Floats]
    cards: F32 | None = None
    chips: F32 | None = None
    solid: F32 | None = None
    glass: F32 | None = None
    tag: int = 0
    tiles: Any = None
    shade: Any = None
    spots: dict[str, Any] = field(default_factory=dict)


def card_frame(card: CardPose) -> Floats:
    """Columns: the card's right, top and face normal (3, 3) in the table frame, seen on its face."""
    yaw, tilt, roll, over = (radians(v) for v in (card.yaw, card.tilt, card.roll, 180.0 - card.flip))
    turn = _about(2, yaw) @ _about(0, tilt) @ _about(1, roll)
    frame: Floats = turn @ _about(1 if card.flip_axis == "long" else 0, over)
    return frame


def _about(axis: int, angle: float) -> Floats:
    c, s = cos(angle), sin(angle)
    out = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    out[i, i] = out[j, j] = c
    out[i, j], out[j, i] = -s, s
    return out


def bend_of(card: CardPose, frame: Floats) -> float:
    """How far the ends rise along the face normal (mm): a card bends upwards whichever side is up."""
    return card.curl if frame[2, 2] >= 0 else -card.curl


def card_points(card: CardPose, local: Floats) -> Floats:
    """Points of a card (N, 2), mm about its middle on its face, in the table frame (N, 3)."""
    frame = card_frame(card)
    rise = bend_of(card, frame) * (local[:, 1] / 44.0) ** 2
    out: Floats = np.column_stack([local, rise]) @ frame.T + (card.x, card.y, card.z)
    return out


CORNERS: Final = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) * (CARD_WIDTH / 2, CARD_HEIGHT / 2)


def chip_places(stack: ChipStack) -> tuple[Floats, Floats]:
    """Middle of the bottom (N, 3) and turn (N,) of every chip of a stack, bottom to top."""
    n = len(stack.chips)
    raw = np.random.Generator(np.random.PCG64(stack.seed)).normal(size=(max(n, 1), 3))[:n]
    level = np.arange(n) * CHIP_HEIGHT
    off = np.clip(raw[:, :2], -2, 2) * stack.jitter * 0.6 + np.outer(level / 66.0, stack.lean)
    if n:
        off[0] *= 0.2
    middle = np.column_stack([stack.x + off[:, 0], stack.y + off[:, 1], stack.z + level])
    return middle, raw[:, 2] * 7.0


def rim_points(middles: Floats, steps: int = 24) -> Floats:
    """Points on the upper and lower rims of chips (M, 3)."""
    a = np.linspace(0, 2 * pi, steps, endpoint=False)
    ring = np.column_stack([np.cos(a), np.sin(a), np.zeros(steps)]) * (CHIP_DIAMETER / 2)
    low = (middles[:, None] + ring).reshape(-1, 3)
    return np.concatenate([low, low + (0, 0, CHIP_HEIGHT)])


@dataclass(slots=True)
class Builder:
    """Makes pieces for one look, layout and chip set."""

    look: Look
    layout: Layout
    values: Sequence[int]
    _tags: dict[str, int] = field(default_factory=dict)

    def tag_of(self, name: str) -> int:
        """The number of an object in the id picture; the same through the whole film."""
        return self._tags.setdefault(name, len(self._tags) + 1)

    def values_of(self, scene: Scene, dealer: bool = False) -> Iterator[tuple[str, Value]]:
        """Every id of a scene with the value that decides what it shows, fixtures in small parts.

        The `dealer`'s body is left out for a camera that looks over the dealer's shoulder.
        """
        for thing in scene.objects():
            yield thing.id, thing
        fixed = scene.fixtures
        for index, (value, count) in enumerate(fixed.tray):
            yield f"tray:{index}", ("tray", index, len(fixed.tray), value, count)
        for part in range(fixtures.RAIL_PARTS):
            yield f"rail:{part}", ("rail", part)
        yield "board", ("board",)
        yield "troughs", ("troughs", len(fixed.tray))
        yield "stand", ("stand",)
        yield RACK, ("rack", fixed.rack_cards, fixed.rack_deck)
        yield "shoe", ("shoe", fixed.shoe, fixed.shoe_light)
        for place in self.layout.seats:
            yield f"lamp:{place.seat}", ("lamp", place.seat, place.seat in fixed.lights)
        for who in sorted({hand.who for hand in scene.hands if hand.who >= (0 if dealer else 1)}):
            yield f"torso:{who}", ("torso", who)

    def build(self, name: str, value: Value) -> Piece:
        """Make the piece of an id."""
        if isinstance(value, tuple):
            piece = self._fixture(value)
        else:
            piece = self._thing(value)
        if not isinstance(value, tuple) or value[0] == "rack":
            piece.tag = self.tag_of(name)
            _number(piece)
        return piece

    def _thing(self, value: SceneObject) -> Piece:
        if isinstance(value, CardPose):
            return self._card(value)
        if isinstance(value, ChipStack):
            return self._stack(value)
        if isinstance(value, HandPose):
            mesh, hulls = hand_mesh(value, self.layout, self.look.person(value.who))
            return Piece(value, hulls, solid=mesh)
        if isinstance(value, DeckBlock):
            return self._block(value)
        if isinstance(value, CutCard):
            pose = CardPose(value.id, None, value.x, value.y, value.z, value.yaw, tilt=value.tilt)
            return Piece(
                value, [card_points(pose, CORNERS)], cards=self._row(pose, CUT_LAYER, CUT_LAYER, 0.8)
            )
        assert isinstance(value, Clutter)
        solid, glass = clutter_mesh(value)
        points = np.concatenate([m[:, :3] for m in (solid, glass) if m is not None]).astype(np.float64)
        return Piece(value, [_box(points)], solid=solid, glass=glass)

    def layers(self, label: str | None, deck: int) -> tuple[int, int]:
        """The layers of the art that show a card's face and back."""
        deck = deck % 2
        if label is None:
            return BLANK_LAYER, deck * DECK_LAYERS + 52
        if label not in _NUMBER:
            raise SceneError(f"unknown card {label}")
        return deck * DECK_LAYERS + _NUMBER[label], deck * DECK_LAYERS + 52

    def _row(self, card: CardPose, face: int, back: int, thick: float, skew: float = 0.0) -> F32:
        frame = card_frame(card)
        row = np.empty((1, CARD_ROW), np.float32)
        row[0, :3] = card.x, card.y, card.z
        row[0, 3:12] = frame.T.ravel()
        row[0, 12:16] = bend_of(card, frame), thick, skew, self.look.card_wear
        row[0, 16:19] = face, back, 0
        return row

    def _card(self, card: CardPose) -> Piece:
        face, back = self.layers(card.label, card.deck)
        ends = card_points(card, CORNERS)
        hull = np.concatenate([ends, ends + (0, 0, -abs(card.curl) - 0.5), ends + (0, 0, 0.5)])
        return Piece(card, [hull], cards=self._row(card, face, back, CARD_THICKNESS))

    def _block(self, block: DeckBlock) -> Piece:
        thick = max(1, block.cards) * CARD_THICKNESS
        pose = CardPose(
            block.id, block.top, block.x, block.y, block.z + thick / 2, block.yaw,
            flip=0.0 if block.top is None else 180.0, deck=block.deck,
        )  # fmt: skip
        face, back = self.layers(block.top, block.deck)
        rows = [self._row(pose, face, back, thick, block.skew)]
        if block.cut_card is not None:
            level = block.z + min(block.cut_card, block.cards) * CARD_THICKNESS
            out = 3.0 if block.cut_card <= 0 else 9.0
            x, y = (
                block.x + out * sin(radians(-block.yaw)) * -1,
                block.y - out * cos(radians(block.yaw)),
            )
            cut = CardPose(block.id, None, x, y, max(0.4, level), block.yaw)
            rows.append(self._row(cut, CUT_LAYER, CUT_LAYER, 0.8))
        flat = card_points(pose, CORNERS * 1.15)
        hull = np.concatenate([flat - (0, 0, thick / 2), flat + (0, 0, thick / 2 + 1)])
        return Piece(block, [hull], cards=np.concatenate(rows))

    def _stack(self, stack: ChipStack) -> Piece:
        middles, turns = chip_places(stack)
        rows = chip_rows(middles, turns, [self._chip_layer(value) for value in stack.chips], stack.seed)
        hull = rim_points(middles, 12) if len(middles) else np.zeros((1, 3))
        return Piece(stack, [hull], chips=rows)

    def _chip_layer(self, value: int) -> int:
        try:
            return sorted(self.values).index(value)
        except ValueError:
            raise SceneError(f"no chip of {value} cents in this set") from None

    def _fixture(self, value: tuple[Any, ...]) -> Piece:
        kind = value[0]
        if kind == "tray":
            return self._column(value)
        if kind == "rack":
            return self._rack(value)
        solid, glass = None, None
        if kind == "rail":
            solid = fixtures.rail_mesh(self.layout, self.look, value[1])
        elif kind == "board":
            solid = fixtures.board_mesh(self.layout)
        elif kind == "troughs":
            solid = fixtures.tray_mesh(self.layout, value[1])
        elif kind == "stand":
            solid, glass = fixtures.rack_mesh(self.layout)
        elif kind == "shoe":
            solid = None if value[1] == "none" else fixtures.shoe_mesh(self.layout, value[1], value[2])
        elif kind == "lamp":
            solid = fixtures.light_mesh(self.layout.seat(value[1]).jackpot, value[2])
        else:
            solid = self._torso(value[1])
        parts = [m[:, :3] for m in (solid, glass) if m is not None]
        points = np.concatenate(parts).astype(np.float64) if parts else np.zeros((1, 3))
        return Piece(value, [_box(points)], solid=solid, glass=glass)

    def _torso(self, who: int) -> F32:
        sleeve = self.look.person(who).sleeve
        if who == 0:
            return fixtures.torso_mesh(*self.layout.dealer_body, pi / 2, sleeve, True)
        place = self.layout.seat(who)
        return fixtures.torso_mesh(*place.body, place.direction, sleeve, False)

    def _column(self, value: tuple[Any, ...]) -> Piece:
        _, index, columns, chip, count = value
        tray = self.layout.tray
        x = tray.centre[0] - tray.width / 2 + tray.width * (index + 0.5) / columns
        y = tray.centre[1] + tray.depth / 2 - 4
        z = 5.0 + CHIP_DIAMETER / 2
        middles = np.column_stack([np.full(count, x), y - CHIP_HEIGHT * np.arange(count), np.full(count, z)])
        turns = np.random.Generator(np.random.PCG64(index)).uniform(0, 6.28, count)
        rows = chip_rows(middles, turns, [self._chip_layer(chip)] * count, index)
        c, s = np.cos(turns), np.sin(turns)
        zero = np.zeros(count)
        rows[:, 3:6] = np.column_stack([c, zero, s])
        rows[:, 6:9] = np.column_stack([s, zero, -c])
        rows[:, 9:12] = (0, -1, 0)
        half = CHIP_DIAMETER / 2
        low, high = (x - half, y - CHIP_HEIGHT * count, 0), (x + half, y, z + half)
        return Piece(value, [_box(np.array([low, high]))], chips=rows)

    def _rack(self, value: tuple[Any, ...]) -> Piece:
        _, cards, deck = value
        x, y = self.layout.rack.centre
        if not cards:
            return Piece(value, [np.array([[x, y, 5.0]])])
        piece = self._block(DeckBlock(RACK, cards, x, y + 3, 5.0, 1.5, deck, skew=1.5))
        piece.value = value
        return piece


_NUMBER: Final[Mapping[str, int]] = {label: i for i, label in enumerate(LABELS)}


def chip_rows(middles: Floats, turns: Floats, layers: Sequence[int], seed: int) -> F32:
    """Instances (N, 15) of chips that lie flat."""
    rows = np.zeros((len(middles), CHIP_ROW), np.float32)
    rows[:, :3] = middles
    rows[:, 3], rows[:, 4] = np.cos(turns), np.sin(turns)
    rows[:, 6], rows[:, 7] = -np.sin(turns), np.cos(turns)
    rows[:, 11] = 1.0
    rows[:, 12] = layers
    rows[:, 13] = 0.94 + 0.06 * np.sin(np.arange(len(middles)) * 2.4 + seed % 7)
    return rows


def _box(points: Floats) -> Floats:
    low, high = points.min(0), points.max(0)
    return np.array(
        [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    )


def _number(piece: Piece) -> None:
    """Write the number of a piece into its rows; the arm of a hand has a number of its own."""
    for rows in (piece.cards, piece.chips, piece.solid, piece.glass):
        if rows is not None:
            rows[:, TAG] = piece.tag
    if isinstance(piece.value, HandPose) and piece.solid is not None:
        piece.solid[HAND_ROWS:, TAG] = piece.tag + ARM_TAG


HAND_ROWS: Final = 6942
