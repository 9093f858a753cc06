"""Clock offsets between cameras of one table: solved to a frame, or not claimed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.sync import clock_offset, clock_offsets, motion_energy


def energies(seed: int, seconds: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """Motion of a table every 10 ms: reaches and pauses of a dealer and players."""
    rng = np.random.default_rng(seed)
    times = np.arange(0, seconds * 1000, 10.0)
    energy = np.zeros_like(times)
    at = 0.0
    while at < seconds * 1000:
        length, size = rng.uniform(200, 1500), rng.uniform(0.3, 3)
        energy += size * np.exp(-(((times - at) / length) ** 2))
        at += rng.uniform(300, 3000)
    return times, energy


@settings(max_examples=25, deadline=None, derandomize=True)
@given(seed=st.integers(0, 1000), offset=st.integers(-1900, 1900))
def test_an_offset_up_to_two_seconds_is_solved_to_a_frame(seed: int, offset: int) -> None:
    rng = np.random.default_rng(seed + 1)
    times, energy = energies(seed)
    a_times = times[::4]
    a = energy[::4] * 1.3 + rng.normal(0, 0.05, len(a_times)) ** 2
    b_times = times[3::4] - offset
    b = 0.6 * energy[3::4] ** 0.8 + rng.normal(0, 0.05, len(b_times)) ** 2
    found = clock_offset(a_times, a, b_times, b)
    assert found is not None
    assert found.ms == pytest.approx(offset, abs=40)


def test_strangers_stillness_rhythm_and_short_clips_give_no_answer() -> None:
    (times, one), (_, other) = energies(1), energies(2)
    assert clock_offset(times, one, times, other) is None
    assert clock_offset(times, one, times, np.zeros_like(one)) is None
    even = 1 + np.sin(times / 110)
    assert clock_offset(times, even, times, even) is None
    assert clock_offset(times[:300], one[:300], times[:300], one[:300]) is None


def test_every_camera_is_set_against_the_first() -> None:
    times, one = energies(5)
    offsets = clock_offsets([(times, one), (times - 520, one), (times, np.zeros_like(one))])
    assert offsets[0] is not None
    assert offsets[0].ms == 0
    assert offsets[1] is not None
    assert offsets[1].ms == pytest.approx(520, abs=20)
    assert offsets[2] is None


def test_noise_is_no_motion() -> None:
    rng = np.random.default_rng(1)
    before = rng.integers(100, 110, (90, 160), dtype=np.uint8)
    now = rng.integers(100, 110, (90, 160), dtype=np.uint8)
    assert motion_energy(before, now) == 0
    now[20:40, 20:60] = 200
    assert motion_energy(before, now) > 3
