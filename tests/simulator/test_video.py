"""What is written can be read back frame by frame, and the same frames give the same bytes."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from simulator.errors import SimulatorError
from simulator.video import VideoWriter


def _frames(count: int) -> list[NDArray[np.uint8]]:
    frames = []
    for number in range(count):
        frame = np.full((64, 96, 3), 40, np.uint8)
        frame[:, number * 6 : number * 6 + 12] = (200, 180, 60)
        frames.append(frame)
    return frames


def _write(path: Path) -> None:
    with VideoWriter(path, (96, 64), fps=25) as video:
        for frame in _frames(10):
            video.write(frame)


def test_frames_come_back_in_order_with_exact_times(tmp_path: Path) -> None:
    _write(tmp_path / "a.mp4")
    with av.open(str(tmp_path / "a.mp4")) as container:
        read = [(frame.time, frame.to_ndarray(format="rgb24")) for frame in container.decode(video=0)]
    assert [round(time * 1000) for time, _ in read] == [40 * number for number in range(10)]
    for (_, got), wanted in zip(read, _frames(10), strict=True):
        assert np.abs(got.astype(int) - wanted.astype(int)).mean() < 6


def test_the_same_frames_give_the_same_bytes(tmp_path: Path) -> None:
    _write(tmp_path / "a.mp4")
    _write(tmp_path / "b.mp4")
    assert (tmp_path / "a.mp4").read_bytes() == (tmp_path / "b.mp4").read_bytes()


def test_a_folder_that_is_not_there_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(SimulatorError, match=r"a\.mp4: cannot be written"):
        VideoWriter(tmp_path / "missing" / "a.mp4", (96, 64))
