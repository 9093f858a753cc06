"""Eyes: pixels to table millimetres, old news as the very same object, backs apart, hands with arms."""

from __future__ import annotations

from math import hypot

import cv2
import numpy as np
import pytest

from calibration.camera import Camera, overview_camera
from calibration.layout import CARD_HEIGHT, CARD_WIDTH, standard_layout
from tests.vision.fakes import COLOURS, PaperAligner, PaperFinder, PaperReader, PaperStacks
from vision.detections import Kind
from vision.evaluator import Evaluator
from vision.eyes import Eyes

LAYOUT = standard_layout()
CAMERA = overview_camera(960, 540)


class QuadFinder(PaperFinder):
    """Gives cards their real corners: the smallest turned rectangle around each patch."""

    def find(self, image: np.ndarray, look: tuple[int, int] | None = None):  # type: ignore[no-untyped-def]
        from dataclasses import replace

        found = super().find(image, look)
        quads = found.quads.copy()
        for i in np.flatnonzero(found.is_card):
            x0, y0, x1, y1 = (int(v) for v in found.boxes[i])
            patch = np.abs(image[y0:y1, x0:x1].astype(int) - COLOURS[Kind(int(found.kinds[i]))]).max(2) < 30
            ys, xs = np.nonzero(patch)
            corners = cv2.boxPoints(cv2.minAreaRect(np.stack([xs + x0, ys + y0], 1).astype(np.float32)))
            if np.linalg.norm(corners[1] - corners[0]) > np.linalg.norm(corners[2] - corners[1]):
                corners = np.roll(corners, 1, 0)
            quads[i] = corners
        return replace(found, quads=quads)


def cloth() -> np.ndarray:
    frame = np.full((540, 960, 3), (40, 90, 30), np.uint8)
    frame[::30] = (60, 120, 50)
    return frame


def lay(frame: np.ndarray, camera: Camera, kind: Kind, x: float, y: float, yaw: float = 0.0) -> np.ndarray:
    """A card on the table, seen by a camera."""
    c, s = np.cos(np.radians(yaw)), np.sin(np.radians(yaw))
    w, h = CARD_WIDTH / 2, CARD_HEIGHT / 2
    local = np.array([(-w, h), (w, h), (w, -h), (-w, -h)])
    corners = local @ np.array([[c, s], [-s, c]]) + [x, y]
    pixels = camera.project(np.column_stack([corners, np.zeros(4)]))
    out = frame.copy()
    cv2.fillPoly(out, [np.round(pixels).astype(np.int32)], COLOURS[kind])
    return out


def eyes(camera: Camera = CAMERA) -> Eyes:
    evaluator = Evaluator(QuadFinder(), PaperAligner(), PaperReader())
    return Eyes(camera, LAYOUT, None, evaluator, PaperStacks())


def test_a_card_is_where_it_lies_in_millimetres() -> None:
    view = eyes().look(lay(cloth(), CAMERA, Kind.FACE, 120.0, 400.0, 20.0), 0, 0)
    (card,) = view.cards
    assert hypot(card.x - 120.0, card.y - 400.0) < 4.0
    assert abs((card.angle - 20.0 + 90.0) % 180.0 - 90.0) < 5.0
    assert card.flat
    assert (card.label, card.face_up, card.back) == ("As", True, None)


def test_a_still_thing_is_the_very_same_object_and_a_changed_neighbour_is_not() -> None:
    see = eyes()
    first = lay(lay(cloth(), CAMERA, Kind.FACE, -300.0, 400.0), CAMERA, Kind.BACK, 300.0, 400.0)
    before = see.look(first, 0, 0)
    moved = lay(lay(cloth(), CAMERA, Kind.FACE, -300.0, 400.0), CAMERA, Kind.BACK, 330.0, 420.0)
    see.look(moved, 1, 40)
    after = see.look(moved, 2, 80)
    face = next(card for card in before.cards if card.face_up)
    back = next(card for card in before.cards if not card.face_up)
    assert any(card is face for card in after.cards)
    assert not any(card is back for card in after.cards)
    assert len(after.cards) == 2


def test_a_second_look_is_another_object() -> None:
    see = eyes()
    frame = lay(cloth(), CAMERA, Kind.FACE, -300.0, 400.0)
    seen = {id(card): card for i in range(8) for card in see.look(frame, i, 40 * i).cards}
    assert len(seen) == 2


def test_backs_are_told_apart_by_colour_and_keep_their_names() -> None:
    see = eyes()
    frame = lay(cloth(), CAMERA, Kind.BACK, -300.0, 400.0)
    other = dict(COLOURS)
    first = see.look(frame, 0, 0).cards[0]
    assert first.back == "back0"
    assert other[Kind.BACK] == (200, 40, 20)
    from vision.backs import Backs

    backs, quads = Backs(), np.array([[[0, 0], [20, 0], [20, 28], [0, 28]]], np.float32)
    blue, red = np.full((40, 40, 3), (200, 40, 20), np.uint8), np.full((40, 40, 3), (30, 30, 190), np.uint8)
    assert [backs.names(image, quads)[0] for image in (blue, red, blue, red)] == [
        "back0",
        "back1",
        "back0",
        "back1",
    ]


def test_a_hand_has_a_tip_on_the_table_and_an_arm_that_comes_over_the_edge() -> None:
    see = eyes()
    for i in range(3):
        see.look(cloth(), i, 40 * i)
    tip, body = (0.0, 420.0), LAYOUT.dealer_body
    line = CAMERA.project([(*tip, 0.0), (body[0], -5.0, 0.0)])
    frame = cloth()
    arm = np.round(line).astype(int)
    cv2.line(frame, tuple(map(int, arm[0])), tuple(map(int, arm[1])), (90, 60, 60), 30)
    cv2.circle(frame, tuple(map(int, arm[0])), 24, COLOURS[Kind.HAND], -1)
    for i in range(3, 6):
        view = see.look(frame, i, 40 * i)
    (hand,) = view.hands
    assert hypot(hand.tip[0] - tip[0], hand.tip[1] - tip[1]) < 70.0
    assert hand.entry is not None
    assert hand.entry[1] < 120.0
    assert hypot(hand.spine[-1][0], hand.spine[-1][1] - hand.entry[1]) < 120.0


def test_stacks_stand_on_their_feet() -> None:
    from vision.stack_crops import RADIUS

    see = eyes()
    frame = cloth()
    foot = (200.0, 300.0)
    ring = np.linspace(0, 2 * np.pi, 40)
    base = np.stack([foot[0] + RADIUS * np.cos(ring), foot[1] + RADIUS * np.sin(ring), 0 * ring], 1)
    for z in np.linspace(0, 33, 12):
        pixels = CAMERA.project(base + np.array([0, 0, z]))
        cv2.fillPoly(frame, [np.round(pixels).astype(np.int32)], COLOURS[Kind.STACK])
    (stack,) = see.look(frame, 0, 0).stacks
    assert hypot(stack.x - foot[0], stack.y - foot[1]) < 6.0
    assert stack.chips == (500,)


def test_frames_of_another_size_are_measured_alike() -> None:
    big = overview_camera(1920, 1080)
    frame = cv2.resize(
        lay(cloth(), CAMERA, Kind.FACE, 120.0, 400.0), (1920, 1080), interpolation=cv2.INTER_NEAREST
    )
    (card,) = eyes(CAMERA).look(frame, 0, 0).cards
    assert hypot(card.x - 120.0, card.y - 400.0) < 4.0
    assert big.lens.width == 1920


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        (np.zeros((540, 960, 3), np.uint8), "dark"),
        (np.full((540, 960, 3), 120, np.uint8), "nothing"),
        (np.zeros((8, 8, 3), np.uint8), "shape"),
    ],
)
def test_a_useless_frame_says_so(frame: np.ndarray, why: str) -> None:
    view = eyes().look(frame, 3, 120)
    assert not view.usable
    assert why in view.why
    assert not view.cards
