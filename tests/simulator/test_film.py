"""Films as files: whole or not at all, the same truth for the same seed, errors in one line."""

from __future__ import annotations

import gzip
import json
import multiprocessing
import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import av
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera import PRESETS, Camera
from calibration.layout import Layout
from calibration.tablefile import load_table
from engine.events.codec import read_lines
from simulator.director import Script, Want, legal
from simulator.errors import ScriptError, SimulatorError
from simulator.film import film
from simulator.scene import Look, Scene

SIZE = (320, 180)
NAMES = ("expected.jsonl", "frames.jsonl.gz", "overview.mp4", "signals.jsonl", "table.toml", "truth.jsonl")


class FlatStudio:
    """Draws cards as plain quads: enough to film with where there is no OpenGL."""

    def __init__(self, look: Look, camera: Camera, layout: Layout, values: tuple[int, ...]) -> None:
        self.camera = camera

    def __enter__(self) -> FlatStudio:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def picture(self, scene: Scene, number: int, still: bool) -> NDArray[np.uint8]:
        picture = np.full((SIZE[1], SIZE[0], 3), (30, 90, 50), np.uint8)
        for x, y in self.camera.project(
            [(card.x, card.y, card.z) for card in scene.cards] or np.zeros((0, 3))
        ):
            cv2.circle(picture, (round(x), round(y)), 4, (250, 250, 250), -1)
        return picture

    def truth(self, scene: Scene) -> Mapping[str, Any]:
        return {"cards": [card.id for card in scene.cards]}


class FullDisk(FlatStudio):
    """Runs out of room after a few frames."""

    def picture(self, scene: Scene, number: int, still: bool) -> NDArray[np.uint8]:
        if number == 5:
            raise OSError(28, "No space left on device")
        return super().picture(scene, number, still)


class Slow(FlatStudio):
    """Takes its time, so that it can be killed."""

    def picture(self, scene: Scene, number: int, still: bool) -> NDArray[np.uint8]:
        time.sleep(0.05)
        return super().picture(scene, number, still)


def script() -> Script:
    return legal("nz", 3, Want(seats_at_most=1))


def make(out: Path, studio: Any = FlatStudio, limit: float = 4.0) -> Script:
    camera = PRESETS["overview"](*SIZE, 25.0)
    return film(script(), (camera,), Look(), out, seed=3, limit=limit, studio=studio)


@pytest.fixture(autouse=True)
def _plain_chips(monkeypatch: pytest.MonkeyPatch) -> None:
    from simulator.logs import chip_set

    monkeypatch.setattr("simulator.film.chips_of", lambda look, values: chip_set(tuple(values)))


def test_a_film_brings_all_its_files(tmp_path: Path) -> None:
    make(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(NAMES)
    with av.open(str(tmp_path / "overview.mp4")) as video:
        assert sum(1 for _ in video.decode(video=0)) == 100
    with (tmp_path / "truth.jsonl").open() as file:
        assert all(event.at <= 4000 for event in read_lines(file, "truth.jsonl"))
    table = load_table(tmp_path / "table.toml")
    assert table.build_cameras()["overview"].lens.width == SIZE[0]
    with gzip.open(tmp_path / "frames.jsonl.gz", "rt") as file:
        lines = [json.loads(line) for line in file]
    assert [line["frame"] for line in lines] == list(range(0, 100, 5))


def test_same_seed_same_bytes(tmp_path: Path) -> None:
    make(tmp_path / "a", limit=2.0)
    make(tmp_path / "b", limit=2.0)
    for name in NAMES:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name


def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(SimulatorError, match="No space left on device") as caught:
        make(tmp_path, FullDisk)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_bad_folder_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SimulatorError, match="cannot be written"):
        make(tmp_path / "file" / "out")


def test_hours_are_not_filmed(tmp_path: Path) -> None:
    from dataclasses import replace

    one = script()
    last = one.beats[-1]
    late = replace(last, event=replace(last.event, at=last.event.at + 9 * 3_600_000))
    camera = PRESETS["overview"](*SIZE, 25.0)
    with pytest.raises(ScriptError, match="events-only"):
        film(replace(one, beats=(*one.beats[:-1], late)), (camera,), Look(), tmp_path, studio=FlatStudio)


def _make_slowly(out: Path) -> None:
    make(out, Slow, 30.0)


def test_a_killed_run_leaves_no_file_under_its_final_name(tmp_path: Path) -> None:
    worker = multiprocessing.get_context("fork").Process(target=_make_slowly, args=(tmp_path,))
    worker.start()
    deadline = time.monotonic() + 20
    while not list(tmp_path.glob(".making-*/overview.mp4")) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    worker.join()
    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith(".")] == []
