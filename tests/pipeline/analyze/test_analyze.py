"""Films in, files out: the whole of `analyze` with eyes that read a choreography instead of pixels, and bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from calibration.camera import PRESETS
from calibration.layout import standard_layout
from calibration.tablefile import TableModel, camera_model, load_table, save_table
from engine.monitor import Monitor
from engine.settings import TableSettings
from pipeline.analyze import Film, match_films, write_analysis
from pipeline.analyze.films import moments
from pipeline.analyze.sync import find_shift
from pipeline.errors import AnalysisError
from pipeline.table import TableWatch
from pitwatch.analysis import analyze_files
from pitwatch.cli import main
from pitwatch.errors import BadInput
from pitwatch.evaluation import Evaluation, evaluate_folder
from pitwatch.testing import Found, analyze_folder
from simulator.choreography import Performance, choreograph
from simulator.director import Script, Want
from simulator.director import legal as legal_script
from simulator.logs import table_of, write_script_logs
from simulator.observe import CLEAR, observe
from vision.observe import View

FPS = 25
SIZE = (192, 108)


def make_film(path: Path, frames: int, fps: int = FPS, seed: int = 1, still: range = range(0)) -> None:
    """A small film in which something moves about."""
    rng = np.random.default_rng(seed)
    walk = np.cumsum(rng.normal(0, 3, frames) * (rng.random(frames) < 0.4))
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=fps, options={"preset": "ultrafast", "g": "25"})
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        for number in range(frames):
            picture = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
            x = int(abs(walk[number if number not in still else still.start])) % 150
            picture[30:80, x : x + 40] = 210
            for packet in stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)


@lru_cache(maxsize=1)
def scene() -> tuple[Script, Performance]:
    script = legal_script("s10", 1, Want(seats_at_least=1, seats_at_most=1))
    film = choreograph(script, standard_layout(), 1)
    return script, film


class ScriptedEyes:
    """Eyes that know what every frame shows."""

    def __init__(self, name: str, views: dict[int, View]) -> None:
        self.camera = PRESETS[name]()
        self._views = views
        self._last = View(name, -1, 0)

    def look(self, frame: Any, index: int, at: int) -> View:
        self._last = self._views.get(index, self._last)
        return self._last


def opener(model: TableModel, settings: TableSettings, monitor: Monitor, cameras: Any) -> TableWatch:
    views: dict[str, dict[int, View]] = {name: {} for name in cameras}
    for moment in observe(scene()[1], standard_layout(), CLEAR, 1):
        for view in moment:
            if view.camera in views:
                views[view.camera][view.index] = view
    eyes = {name: ScriptedEyes(name, views[name]) for name in cameras}
    return TableWatch(settings, model.build_layout(), eyes, monitor, check_cameras=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clip as the simulator leaves it, with pictures that show nothing of it."""
    out = tmp_path_factory.mktemp("clip")
    script, film = scene()
    write_script_logs(film.script, out)
    cameras = tuple(camera_model(PRESETS[name](), f"{name}.mp4") for name in ("overview", "bets"))
    save_table(table_of(script).model_copy(update={"cameras": cameras}), out / "table.toml")
    for name in ("overview", "bets"):
        make_film(out / f"{name}.mp4", film.frames)
    return out


@pytest.fixture(scope="module")
def found(folder: Path, analyze_clip: Callable[..., Found]) -> Found:
    return analyze_clip(folder, opener)


def test_a_clip_is_analysed_end_to_end(found: Found) -> None:
    found.expect_events(
        ("RoundOpened", {}),
        ("WagerPlaced", {"area": "ante"}),
        ("CardDealt", {"seat": 0}),
        ("RoundClosed", {}),
    )
    found.expect_alerts()
    assert found.case().round.errors == []


def test_the_fixture_analyses_a_clip_once(folder: Path, analyze_clip: Callable[..., Found]) -> None:
    first = analyze_clip(folder, opener)
    assert analyze_clip(str(folder)) is first


def test_expectations_that_do_not_hold_fail(found: Found) -> None:
    with pytest.raises(AssertionError, match="no PacketDealt"):
        found.expect_events(("PacketDealt", {}))
    with pytest.raises(AssertionError, match="alerted"):
        found.expect_alerts(("wager.late", 3))


def test_output_is_the_same_from_run_to_run(found: Found, folder: Path, tmp_path: Path) -> None:
    write_analysis(found.analysis, tmp_path / "a")
    write_analysis(analyze_folder(folder, opener).analysis, tmp_path / "b")
    for name in ("events.jsonl", "alerts.jsonl", "rounds.json", "report.html"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_the_report_stands_alone(found: Found, tmp_path: Path) -> None:
    write_analysis(found.analysis, tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "http://" not in page.replace("http-equiv", "")
    rounds = json.loads((tmp_path / "rounds.json").read_text(encoding="utf-8"))
    assert len(rounds["rounds"]) == 1
    assert rounds["rounds"][0]["seats"]


def test_a_folder_is_evaluated_against_its_truth(folder: Path) -> None:
    done = Evaluation([evaluate_folder(folder, opener=opener, found="again")])
    figures = done.figures()
    assert figures["rounds_without_error"] == 1.0
    assert figures["false_alerts"] == 0
    assert figures["events_f1"] > 0.95


def test_films_are_matched_to_cameras_by_name(tmp_path: Path) -> None:
    make_film(tmp_path / "bets.mp4", 5)
    make_film(tmp_path / "left.mp4", 5)
    films = match_films([tmp_path / "bets.mp4"], ["overview", "bets"], {"overview": tmp_path / "left.mp4"})
    assert [(film.camera, film.path.name) for film in films] == [
        ("overview", "left.mp4"),
        ("bets", "bets.mp4"),
    ]
    with pytest.raises(AnalysisError, match=r"left.mp4: no camera"):
        match_films([tmp_path / "left.mp4"], ["overview", "bets"])
    with pytest.raises(AnalysisError, match="'north'"):
        match_films([], ["overview"], {"north": tmp_path / "left.mp4"})


def test_a_truncated_film_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "overview.ts"
    make_film(path, 100)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * 0.6)])
    film = Film("overview", path)
    assert 20 < len(list(film.shots())) < 100


def test_a_damaged_film_is_read_around_the_damage(tmp_path: Path) -> None:
    path = tmp_path / "overview.mp4"
    make_film(path, 120)
    data = bytearray(path.read_bytes())
    data[len(data) // 3 : len(data) // 3 + 400] = bytes(400)
    path.write_bytes(bytes(data))
    shots = list(Film("overview", path).shots())
    assert len(shots) > 40
    assert all(a.at < b.at for a, b in pairwise(shots))


@pytest.mark.parametrize("content", [b"", b"this is no film", b"\x00" * 4096])
def test_what_is_no_film_is_one_clear_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "overview.mp4"
    path.write_bytes(content)
    with pytest.raises(AnalysisError, match=r"overview.mp4: "):
        Film("overview", path)


def test_moments_bring_cameras_of_different_rates_together(tmp_path: Path) -> None:
    make_film(tmp_path / "overview.mp4", 50, fps=25)
    make_film(tmp_path / "bets.mp4", 20, fps=10)
    films = [Film("overview", tmp_path / "overview.mp4"), Film("bets", tmp_path / "bets.mp4")]
    listed = list(moments(films))
    times = [max(shot.at for shot in shots) for shots in listed]
    assert sorted(times) == times
    assert sum(len(shots) for shots in listed) == 70
    assert sum(len(shots) == 2 for shots in listed) >= 10


@pytest.mark.parametrize("late", [0, 400, -1200, 2000])
def test_cameras_out_of_step_are_found_from_what_moves(late: int) -> None:
    rng = np.random.default_rng(5)
    times = np.arange(0, 40_000, 40.0)
    moved = np.convolve(
        (rng.random(len(times)) < 0.06) * rng.uniform(1, 4, len(times)), np.hanning(15), mode="same"
    )
    other = 0.6 * np.interp(times + late, times, moved) + rng.normal(0, 0.05, len(times)) ** 2
    shift = find_shift((times, moved), (times, other))
    assert shift.sure
    assert abs(shift.offset - late) <= 60


def test_nothing_that_moves_together_cannot_be_put_in_step() -> None:
    rng = np.random.default_rng(6)
    times = np.arange(0, 40_000, 40.0)
    assert not find_shift((times, rng.random(len(times))), (times, rng.random(len(times)))).sure


def run(*args: object) -> int:
    return main([str(arg) for arg in args])


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda clip: ["north.mp4"], "north.mp4"),
        (lambda clip: [clip / "overview.mp4", "--signals", clip / "none.jsonl"], "none.jsonl"),
        (lambda clip: [clip / "overview.mp4", "--table", clip / "truth.jsonl"], "truth.jsonl"),
        (lambda clip: [clip / "overview.mp4", "--rulebook", "mars"], "mars"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[Path], list[Any]],
    says: str,
) -> None:
    more = change(folder)
    args = [
        "analyze",
        "--table",
        folder / "table.toml",
        "--rulebook",
        "s10",
        "--out",
        tmp_path / "out",
        "--quiet",
        *more,
    ]
    assert run(*args) == 2
    error = capsys.readouterr().err
    assert says in error
    assert len(error.strip().splitlines()) == 1


def test_a_film_of_another_shape_is_refused(folder: Path, tmp_path: Path) -> None:
    model = load_table(folder / "table.toml")
    lens = model.cameras[0].lens.model_copy(update={"width": 1000})
    wrong = model.model_copy(update={"cameras": (model.cameras[0].model_copy(update={"lens": lens}),)})
    save_table(wrong, tmp_path / "wrong.toml")
    with pytest.raises(BadInput, match="192x108"):
        analyze_files([folder / "overview.mp4"], tmp_path / "wrong.toml", "s10", opener=opener)


def test_a_camera_without_film_is_said(folder: Path) -> None:
    done = analyze_files([folder / "overview.mp4"], folder / "table.toml", "s10", opener=opener)
    assert "bets: no video was given" in done.unseen
