"""`pitwatch calibrate` as a user meets it: from clicks or a picture to a table file, its check, and what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.camera import PRESETS, Camera
from calibration.landmarks import LandmarksModel, dump_landmarks, landmarks_of
from calibration.layout import standard_layout
from calibration.recover import displacement
from calibration.refine import changed
from calibration.tablefile import load_table
from pitwatch.cli import main
from pitwatch.config import load_settings
from tests.calibration.drawn import Stage

LAYOUT = standard_layout()


def picture(path: Path, camera: Camera) -> Path:
    cv2.imwrite(str(path), Stage(camera, LAYOUT, hands=False).frame(0))
    return path


def clicked(path: Path, camera: Camera, step: int = 3) -> Path:
    marks = {n: m.point for n, m in landmarks_of(LAYOUT).items() if m.sigma < 2}
    pixels = camera.project([(*p, 0.0) for p in marks.values()])
    lens = camera.lens
    points = {
        n: (round(float(x), 1), round(float(y), 1))
        for n, (x, y) in list(zip(marks, pixels, strict=True))[::step]
        if 0 < x < lens.width - 1 and 0 < y < lens.height - 1
    }
    model = LandmarksModel(camera=camera.name, width=lens.width, height=lens.height, points=points)
    path.write_text(dump_landmarks(model, path.suffix == ".json"), encoding="utf-8")
    return path


def truth(name: str, width: int = 1280, height: int = 720) -> Camera:
    return changed(PRESETS[name](width, height), np.array([0.01, -0.01, 0.01, 20, -20, 10, 0.01, 0, 0.0]))


def test_from_clicks_to_a_table_file_that_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One camera first, the second added later: cameras are a list."""
    table = tmp_path / "table.toml"
    marks = clicked(tmp_path / "overview.json", truth("overview"))
    assert (
        main(
            [
                "calibrate",
                "--landmarks",
                str(marks),
                "--name",
                "CS-07",
                "--rulebook",
                "s10",
                "--out",
                str(table),
            ]
        )
        == 0
    )
    made, settings = load_settings(table)
    assert (made.name, made.rulebook, settings.seats) == ("CS-07", "s10", 7)
    assert displacement(truth("overview"), made.build_cameras()["overview"], LAYOUT)[1] < 1.0
    still = picture(tmp_path / "bets.png", truth("bets"))
    drawn = tmp_path / "drawn.png"
    assert main(
        ["calibrate", "--auto", "--picture", str(still), "--camera", "bets", "--table", str(table), "--out", str(table),
         "--source", "bets.mp4", "--draw", str(drawn), "--json"]
    ) == 0  # fmt: skip
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert result["lines"]["found"] > 0.6
    both = load_table(table)
    assert [one.name for one in both.cameras] == ["overview", "bets"]
    assert both.cameras[1].source == "bets.mp4"
    assert displacement(truth("bets"), both.build_cameras()["bets"], LAYOUT)[1] < 1.5
    assert cv2.imread(str(drawn)).shape == (720, 1280, 3)
    check = ["calibrate", "--check", "--table", str(table), "--camera", "bets", "--picture", str(still)]
    assert main(check) == 0
    assert "reprojection error" in capsys.readouterr().out
    moved = picture(
        tmp_path / "moved.png", changed(truth("bets"), np.array([0.006, 0.006, 0, 0, 0, 0, 0, 0, 0.0]))
    )
    assert main([*check[:-1], str(moved), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["ok"] is False
    assert report["drift_mm"] > 3


def test_a_4k_camera_is_found_and_refined(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    camera = truth("overview", 3840, 2160)
    still = picture(tmp_path / "still.png", camera)
    marks = clicked(tmp_path / "marks.toml", camera, 9)
    table = tmp_path / "table.toml"
    code = main(
        ["calibrate", "--landmarks", str(marks), "--auto", "--picture", str(still), "--out", str(table)]
    )
    assert code == 0, capsys.readouterr().out
    made = load_table(table).build_cameras()["overview"]
    assert (made.lens.width, made.lens.height) == (3840, 2160)
    assert displacement(camera, made, LAYOUT)[1] < 0.5
    assert main(["calibrate", "--check", "--table", str(table), "--landmarks", str(marks)]) == 0


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Good and bad files by name."""
    root = tmp_path_factory.mktemp("files")
    camera = PRESETS["overview"](640, 360)
    names = {n: root / f"{n}.png" for n in ("still", "gone", "text", "square", "grey")}
    names |= {"marks": root / "marks.toml", "table": root / "table.toml", "film": root / "film.mp4"}
    names["nowhere"] = root / "no" / "where.toml"
    picture(names["still"], camera)
    names["text"].write_text("hello")
    names["film"].write_bytes(b"\0" * 500)
    cv2.imwrite(str(names["square"]), np.full((400, 400, 3), 90, np.uint8))
    cv2.imwrite(str(names["grey"]), np.full((360, 640, 3), 90, np.uint8))
    clicked(names["marks"], camera)
    assert main(["calibrate", "--landmarks", str(names["marks"]), "--out", str(names["table"])]) in (0, 1)
    return names


def test_names_are_listed_for_people_and_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "--names", "--seats", "5"]) == 0
    assert "seat5:ante:inner_left" in capsys.readouterr().out
    assert main(["calibrate", "--names", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["seat7:jackpot:centre"]["words"]


@pytest.mark.parametrize(
    "arguments, said",
    [
        ([], "say how"),
        (["--auto"], "--auto needs --picture"),
        (["--check", "--picture", "{still}"], "--check needs --table"),
        (["--check", "--table", "{table}"], "--picture or --landmarks"),
        (["--check", "--table", "{table}", "--picture", "{still}", "--camera", "side"],
         "no camera 'side' (it has overview)"),
        (["--check", "--table", "{table}", "--picture", "{gone}", "--camera", "overview"], "gone.png: no such file"),
        (["--check", "--table", "{table}", "--picture", "{text}"], "text.png: not a picture"),
        (["--check", "--table", "{table}", "--picture", "{film}"], "film.mp4: not a picture or film"),
        (["--check", "--table", "{table}", "--picture", "{square}"], "another shape"),
        (["--auto", "--picture", "{still}", "--camera", "side"], "knows no mount 'side'"),
        (["--auto", "--picture", "{still}"], "--camera NAME"),
        (["--landmarks", "{marks}", "--camera", "bets"], "camera: 'overview' is not 'bets'"),
        (["--landmarks", "{marks}", "--picture", "{square}"], "is not the size of"),
        (["--landmarks", "{marks}", "--out", "{nowhere}"], "cannot be written"),
        (["--landmarks", "{marks}", "--seats", "12"], "--seats: 12"),
        (["--landmarks", "{marks}", "--table", "{marks}"], "marks.toml: "),
        (["--auto", "--picture", "{grey}", "--camera", "overview"], "was not found"),
    ],
)  # fmt: skip
def test_bad_input_is_one_clear_line(
    files: dict[str, Path], capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert main(["calibrate", *(a.format(**files) for a in arguments)]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
