"""A camera from landmarks: exact without noise, honest with it, and not fooled by wrong clicks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.camera import PRESETS, Camera, overview_camera
from calibration.drawing import flat
from calibration.errors import CannotSolve, LandmarkError
from calibration.landmarks import LandmarksModel, landmarks_of
from calibration.layout import LayoutSpec, standard_layout
from calibration.refine import changed
from calibration.solve import solve

LAYOUT = standard_layout()
PRINTED = {n: m.point for n, m in landmarks_of(LAYOUT).items() if m.sigma < 2}
GRID = np.array(
    [(x, y) for x in np.linspace(-700, 700, 9) for y in np.linspace(120, 700, 6) if LAYOUT.on_cloth(x, y)]
)


def clicks(camera: Camera, rng: np.random.Generator, count: int, noise: float) -> LandmarksModel:
    names = list(PRINTED)
    pixels = camera.project([(*PRINTED[n], 0.0) for n in names])
    lens = camera.lens
    shows = [i for i, (x, y) in enumerate(pixels) if 4 < x < lens.width - 5 and 4 < y < lens.height - 5]
    chosen = rng.choice(shows, min(count, len(shows)), replace=False)
    points = {names[i]: tuple((pixels[i] + rng.normal(0, noise, 2).clip(-3, 3)).tolist()) for i in chosen}
    return LandmarksModel(camera=camera.name, width=lens.width, height=lens.height, points=points)


def knocked(name: str, rng: np.random.Generator, width: int = 1920, height: int = 1080) -> Camera:
    change = np.concatenate(
        [rng.normal(0, 0.04, 3), rng.normal(0, 60, 3), rng.normal(0, 0.06, 1), rng.normal(0, 0.03, 1), [0.0]]
    )
    return changed(PRESETS[name](width, height), change)


def off(truth: Camera, other: Camera) -> float:
    """Root mean square error over the cloth, mm."""
    pixels = truth.project(flat(GRID))
    inside = ((pixels > 0) & (pixels < (truth.lens.width, truth.lens.height))).all(axis=1)
    return float(np.sqrt(np.mean(np.sum((other.unproject(pixels[inside]) - GRID[inside]) ** 2, axis=1))))


@settings(max_examples=12, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), name=st.sampled_from(sorted(PRESETS)))
def test_good_clicks_give_the_camera_within_a_millimetre(seed: int, name: str) -> None:
    rng = np.random.default_rng(seed)
    truth = knocked(name, rng)
    found = solve(clicks(truth, rng, 40, 0.3), LAYOUT)
    assert not found.outliers
    assert off(truth, found.camera) < 1.5
    assert found.rms_px < 0.8
    assert found.rms_mm < 1.5


@settings(max_examples=8, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000))
def test_the_stated_uncertainty_is_honest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = knocked("overview", rng)
    found = solve(clicks(truth, rng, 14, 1.0), LAYOUT)
    assert off(truth, found.camera) < 3.5 * found.worst_sigma_mm


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_wrong_clicks_are_named_and_left_out(name: str) -> None:
    rng = np.random.default_rng(3)
    truth = knocked(name, rng)
    marks = clicks(truth, rng, 24, 0.5)
    points = dict(marks.points)
    one, other, astray = list(points)[:3]
    points[one], points[other] = points[other], points[one]
    points[astray] = (points[astray][0] + 45, points[astray][1])
    found = solve(marks.model_copy(update={"points": points}), LAYOUT)
    assert set(found.outliers) == {one, other, astray}
    assert off(truth, found.camera) < 2.5


def test_an_old_calibration_helps_when_there_are_few_landmarks() -> None:
    rng = np.random.default_rng(8)
    truth = overview_camera()
    marks = clicks(changed(truth, np.array([0.01, 0.01, 0, 5, 5, 5, 0, 0, 0.0])), rng, 8, 0.5)
    alone, helped = solve(marks, LAYOUT), solve(marks, LAYOUT, truth)
    assert helped.worst_sigma_mm < alone.worst_sigma_mm


def test_a_4k_camera_and_a_table_of_five_work_alike() -> None:
    rng = np.random.default_rng(4)
    truth = knocked("overview", rng, 3840, 2160)
    found = solve(clicks(truth, rng, 30, 0.6), LAYOUT)
    assert found.camera.lens.width == 3840
    assert off(truth, found.camera) < 1.0
    five = standard_layout(LayoutSpec(seats=5, bet_round=True))
    marks = {n: m.point for n, m in landmarks_of(five).items() if m.sigma < 2}
    pixels = truth.project([(*p, 0.0) for p in marks.values()])
    points = {n: (float(x), float(y)) for n, (x, y) in zip(marks, pixels, strict=True)}
    assert (
        off(truth, solve(LandmarksModel(camera="o", width=3840, height=2160, points=points), five).camera)
        < 0.5
    )


def refused(points: dict[str, tuple[float, float]]) -> str:
    with pytest.raises(CannotSolve) as caught:
        solve(
            LandmarksModel(camera="overview", width=1920, height=1080, points=points), LAYOUT, None, "m.toml"
        )
    return str(caught.value)


def seen_by_overview(names: list[str]) -> dict[str, tuple[float, float]]:
    pixels = overview_camera().project([(*PRINTED[n], 0.0) for n in names])
    return {n: (float(x), float(y)) for n, (x, y) in zip(names, pixels, strict=True)}


def test_sets_that_say_nothing_are_refused_in_one_line() -> None:
    names = list(PRINTED)
    assert "too few" in refused(seen_by_overview(names[6:11]))
    line = {n: (100.0 + 90 * i, 300.0 + 30 * i) for i, n in enumerate(names[6:14])}
    assert "m.toml" in refused(line)
    one_seat = [n for n in names if n.startswith("seat4:ante")] + [
        n for n in names if n.startswith("seat4:bet")
    ]
    assert "close together" in refused(seen_by_overview(one_seat[:8]))
    scrambled = seen_by_overview(names[:20])
    mixed = dict(
        zip(scrambled, np.random.default_rng(1).permutation(list(scrambled.values())).tolist(), strict=True)
    )
    assert "m.toml" in refused({n: (x, y) for n, (x, y) in mixed.items()})


def test_an_unknown_landmark_is_named_with_a_hint() -> None:
    marks = LandmarksModel(
        camera="overview", width=1920, height=1080, points={"seat1:ante:iner_left": (1.0, 2.0)}
    )
    with pytest.raises(
        LandmarkError, match=r"points\.seat1:ante:iner_left.*did you mean 'seat1:ante:inner_left'"
    ):
        solve(marks, LAYOUT, None, "m.toml")
