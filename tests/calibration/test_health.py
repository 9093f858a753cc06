"""A camera that cannot be trusted is noticed within three seconds, whatever moves on the table; and comes back."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from calibration.camera import PRESETS, Camera
from calibration.health import CameraHealth, Condition, Health
from calibration.layout import LayoutSpec, standard_layout
from calibration.recover import displacement
from calibration.refine import changed
from tests.calibration.drawn import Image, Stage

LAYOUT = standard_layout()
SIZE = (960, 540)
STEP = 160
FAULT, MENDED, END = 3200, 6400, 9600
Spoil = Callable[[Image, int], Image]


def camera_of(name: str) -> Camera:
    return PRESETS[name](*SIZE)


def play(
    name: str, spoil: Spoil | None = None, knock: Camera | None = None, back: bool = False, until: int = END
) -> list[tuple[int, Health]]:
    """The verdicts over a stream that goes wrong at FAULT (and is mended at MENDED, if by `spoil`)."""
    stage, health = Stage(camera_of(name), LAYOUT), CameraHealth(camera_of(name), LAYOUT)
    said: list[tuple[int, Health]] = []
    for at in range(0, until, STEP):
        if knock is not None and at == FAULT:
            stage.aim(knock)
        if back and at == MENDED:
            stage.aim(camera_of(name))
        frame = stage.frame(at)
        if spoil is not None and FAULT <= at < MENDED:
            frame = spoil(frame, at)
        said.append((at, health.update(frame, at)))
    return said


def states(said: list[tuple[int, Health]], start: int, end: int) -> set[Condition]:
    return {health.state for at, health in said if start <= at < end}


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_play_flicker_and_hands_are_no_fault(name: str) -> None:
    said = play(name, until=12_800)
    assert states(said, 0, 99_999) == {Condition.OK}
    assert all(health.usable and health.camera is None for _, health in said)


def test_lights_that_dim_or_brighten_are_no_fault() -> None:
    said = play("overview", lambda frame, at: (frame * 0.5).astype(np.uint8))
    assert states(said, 0, END) == {Condition.OK}


def grain(frame: Image, at: int) -> np.ndarray:
    return np.random.default_rng(at).integers(-2, 3, (*frame.shape[:2], 1))


def cover(frame: Image, at: int) -> Image:
    tiny = cv2.resize(frame, (12, 7), interpolation=cv2.INTER_AREA)
    soft = cv2.resize(tiny, frame.shape[1::-1], interpolation=cv2.INTER_CUBIC).astype(np.float32) * 0.35 + 15
    return np.clip(soft + grain(frame, at), 0, 255).astype(np.uint8)


def defocus(frame: Image, at: int) -> Image:
    soft = cv2.GaussianBlur(frame, (0, 0), 1.8).astype(np.float32)
    return np.clip(soft + grain(frame, at), 0, 255).astype(np.uint8)


def black(frame: Image, at: int) -> Image:
    return np.random.default_rng(at).integers(0, 6, frame.shape, dtype=np.uint8)


@pytest.mark.parametrize("name", sorted(PRESETS))
@pytest.mark.parametrize(
    "spoil, state", [(cover, Condition.COVERED), (defocus, Condition.DEFOCUSED), (black, Condition.BLACK)]
)
def test_a_fault_is_said_within_three_seconds_and_ends_by_itself(
    name: str, spoil: Spoil, state: Condition
) -> None:
    said = play(name, spoil)
    assert states(said, 0, FAULT) == {Condition.OK}
    late = [health for at, health in said if FAULT + 1600 <= at < MENDED]
    assert all(not health.usable and health.state is state and health.why for health in late)
    after = [health for at, health in said if at >= MENDED + 1600]
    assert all(health.usable and health.camera is None for health in after)


def test_a_frozen_picture_is_said_and_ends_with_the_first_change() -> None:
    kept: list[Image] = []

    def freeze(frame: Image, at: int) -> Image:
        kept.append(frame)
        return kept[0]

    said = play("overview", freeze)
    first = next(at for at, health in said if health.state is Condition.FROZEN)
    assert first - FAULT <= 3000
    assert not next(health for at, health in said if at == first).usable
    assert all(health.usable for at, health in said if at >= MENDED + 400)


@pytest.mark.parametrize("name", sorted(PRESETS))
@pytest.mark.parametrize(
    "change",
    [(0.0016, 0.0012, 0.0, 0, 0, 0), (0.012, -0.02, 0.01, 5, 8, -3), (0.05, -0.06, 0.03, 10, 8, -10)],
)
def test_a_knock_is_solved_and_measured(name: str, change: tuple[float, ...]) -> None:
    knocked = changed(camera_of(name), np.array([*change, 0.0, 0.0, 0.0]))
    said = play(name, knock=knocked)
    assert states(said, 0, FAULT) == {Condition.OK}
    assert any(
        health.state is Condition.MOVED and not health.usable for at, health in said if at < FAULT + 3000
    )
    trusted = [health for at, health in said if at >= FAULT + 3000]
    assert all(health.usable and health.camera is not None and "moved" in health.why for health in trusted)
    last = trusted[-1].camera
    assert last is not None
    assert displacement(knocked, last, LAYOUT)[0] < 1.2


def test_a_camera_put_back_is_as_calibrated_again() -> None:
    knocked = changed(camera_of("overview"), np.array([0.012, -0.02, 0.01, 5, 8, -3, 0.0, 0.0, 0.0]))
    said = play("overview", knock=knocked, back=True)
    assert said[-1][1] == Health(Condition.OK, True)


def test_a_camera_that_moved_since_the_calibration_is_corrected_at_the_start() -> None:
    real = changed(camera_of("overview"), np.array([0.004, 0.003, 0.0, 0, 0, 0, 0.0, 0.0, 0.0]))
    health = CameraHealth(camera_of("overview"), LAYOUT)
    now = health.update(Stage(real, LAYOUT).frame(0), 0)
    assert now.usable
    assert now.camera is not None
    assert displacement(real, now.camera, LAYOUT)[1] < 2.0


def test_a_table_file_of_another_table_is_not_trusted() -> None:
    five = standard_layout(LayoutSpec(seats=5))
    health = CameraHealth(camera_of("overview"), five)
    stage = Stage(camera_of("overview"), LAYOUT)
    said = [health.update(stage.frame(at), at) for at in (0, 200, 400)]
    assert not any(one.usable for one in said)
    assert "wrong table file" in said[-1].why


def test_a_turned_away_camera_stays_untrusted() -> None:
    away = changed(camera_of("overview"), np.array([0.9, 0.0, 0.0, 0, 0, 0, 0.0, 0.0, 0.0]))
    said = play("overview", knock=away, until=FAULT + 2400)
    assert not said[-1][1].usable


def test_a_new_size_of_frames_is_the_same_camera() -> None:
    health = CameraHealth(camera_of("overview"), LAYOUT)
    stage = Stage(camera_of("overview"), LAYOUT)
    assert health.update(stage.frame(0), 0).usable
    small = cv2.resize(stage.frame(400), (640, 360), interpolation=cv2.INTER_AREA)
    assert health.update(np.asarray(small, np.uint8), 400).usable
