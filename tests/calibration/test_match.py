"""The printed lines give the camera: on any cloth, with things in the way, from a guess far off; or a plain no."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.camera import PRESETS, Camera
from calibration.check import check_picture, same_shape
from calibration.drawing import overlay
from calibration.errors import PictureError
from calibration.layout import LayoutSpec, standard_layout
from calibration.match import LENS_TOO, align, judge
from calibration.recover import displacement
from calibration.refine import changed
from calibration.search import find
from tests.calibration.drawn import FELTS, Stage, table_picture

LAYOUT = standard_layout()
SIZE = (1280, 720)


def nudged(camera: Camera, turn: float, move: float, seed: int = 1) -> Camera:
    rng = np.random.default_rng(seed)
    return changed(camera, np.concatenate([rng.normal(0, turn, 3), rng.normal(0, move, 3), np.zeros(3)]))


@pytest.mark.parametrize("name", sorted(PRESETS))
@pytest.mark.parametrize("felt", sorted(FELTS))
def test_a_guess_some_centimetres_off_is_pulled_onto_the_lines(name: str, felt: str) -> None:
    truth = PRESETS[name](*SIZE)
    picture = table_picture(truth, LAYOUT, felt)
    guess = nudged(truth, 0.004, 6.0)
    assert displacement(guess, truth, LAYOUT)[1] > 4.0
    fit = align(picture, guess, LAYOUT)
    assert fit.good
    assert displacement(truth, fit.camera, LAYOUT)[1] < 1.0


def test_a_mount_far_off_is_found_by_search_and_always_alike() -> None:
    truth = changed(
        PRESETS["overview"](*SIZE), np.array([0.05, -0.04, 0.03, 60.0, -50.0, 40.0, 0.03, 0.01, 0.0])
    )
    picture = Stage(truth, LAYOUT, hands=False).frame(800)
    guess = PRESETS["overview"](*SIZE)
    assert not align(picture, guess, LAYOUT, LENS_TOO).good
    fit = find(picture, guess, LAYOUT)
    assert fit.good
    assert displacement(truth, fit.camera, LAYOUT)[1] < 2.0
    assert find(picture, guess, LAYOUT).camera == fit.camera


def test_another_layout_or_an_empty_cloth_does_not_fit() -> None:
    camera = PRESETS["overview"](*SIZE)
    picture = table_picture(camera, LAYOUT)
    five = standard_layout(LayoutSpec(seats=5))
    assert not align(picture, camera, five).good
    blank = np.full_like(picture, 90)
    assert not judge(blank, camera, LAYOUT).good
    report = check_picture(camera, five, picture)
    assert not report.ok
    assert "not found" in report.why


def test_check_measures_drift() -> None:
    camera = PRESETS["bets"](*SIZE)
    picture = Stage(camera, LAYOUT).frame(400)
    good = check_picture(camera, LAYOUT, picture)
    assert good.ok
    assert good.drift_mm is not None
    assert good.drift_mm < 1.0
    off = check_picture(nudged(camera, 0.004, 3.0), LAYOUT, picture)
    assert not off.ok
    assert "moved" in off.why


def test_a_picture_of_another_shape_is_refused() -> None:
    with pytest.raises(PictureError, match=r"s\.png: 640 x 480 has another shape"):
        same_shape(PRESETS["bets"](*SIZE), 640, 480, "s.png")


def test_the_overlay_draws_on_the_lines() -> None:
    camera = PRESETS["overview"](*SIZE)
    picture = table_picture(camera, LAYOUT)
    drawn = overlay(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), camera.resized(1920, 1080), LAYOUT)
    x, y = camera.project([(*LAYOUT.dealer.at(56.0, 0.0), 0.0)])[0]
    around = drawn[round(y) - 1 : round(y) + 2, round(x)].astype(int)
    assert (np.abs(around - (255, 0, 255)).max(axis=1) < 40).any()
