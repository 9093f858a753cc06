"""Unrolling stacks: geometry that must hold for every camera, and a reader that abstains."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.camera import Camera, bets_camera, overview_camera
from calibration.layout import CHIP_HEIGHT, standard_layout
from vision.stack_crops import BELOW, PER_CHIP, RADIUS, ROWS, feet_of, readable, shifted, unroll

FEET = np.array([[-400.0, 350.0], [0.0, 480.0], [380.0, 520.0]])


def bands(camera: Camera, foot: np.ndarray, count: int) -> np.ndarray:
    """A picture of a stack whose chips are bright and dark in turn."""
    import cv2

    frame = np.full((camera.lens.height, camera.lens.width, 3), 60, np.uint8)
    ring = np.linspace(0, 2 * np.pi, 60)
    for i in range(count):
        for z in np.linspace(i, i + 1, 5) * CHIP_HEIGHT:
            points = np.stack(
                [foot[0] + RADIUS * np.cos(ring), foot[1] + RADIUS * np.sin(ring), 0 * ring + z], 1
            )
            tone = 230 if i % 2 == 0 else 20
            cv2.fillPoly(
                frame, [np.round(camera.project(points) * 16).astype(np.int32)], (tone,) * 3, cv2.LINE_8, 4
            )
    return frame


@pytest.mark.parametrize("camera", [bets_camera(), bets_camera(3840, 2160)], ids=["1080p", "4K"])
@pytest.mark.parametrize("foot", FEET)
def test_every_chip_is_a_band_of_the_same_height(camera: Camera, foot: np.ndarray) -> None:
    strip = unroll(bands(camera, foot, 6), camera, foot[None])[0]
    middle = strip[:, 14:18, 0].mean(1)
    for i in range(6):
        row = ROWS - (BELOW + i) * PER_CHIP - PER_CHIP // 2
        assert (middle[row] > 125) == (i % 2 == 0)


def test_a_foot_is_found_from_its_box_and_moved_by_its_shift() -> None:
    camera = bets_camera()
    ring = np.linspace(0, 2 * np.pi, 90)
    for foot in FEET:
        points = np.stack([foot[0] + RADIUS * np.cos(ring), foot[1] + RADIUS * np.sin(ring)], 1)
        low = camera.project(np.column_stack([points, 0 * ring]))
        high = camera.project(np.column_stack([points, 0 * ring + 20]))
        both = np.concatenate([low, high]) + 0.5
        found = feet_of(camera, np.concatenate([both.min(0), both.max(0)])[None])[0]
        assert np.hypot(*(found - foot)) < 7.0
        moved = shifted(camera, foot[None], np.array([[0.3, 1.0]]))
        back = shifted(camera, moved, np.array([[-0.3, -1.0]]))
        assert np.hypot(*(back[0] - foot)) < 0.5


def test_chips_are_counted_only_where_they_can_be_told_apart() -> None:
    layout = standard_layout()
    bets = np.array([place.bet.centre for place in layout.seats])
    assert readable(bets_camera(), bets).all()
    assert not readable(overview_camera(), bets).any()
    assert len(readable(bets_camera(), np.zeros((0, 2)))) == 0
