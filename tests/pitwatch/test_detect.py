"""`pitwatch detect` and `enroll`: the contract's lines, bad files told one by one, the rest goes on."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from pitwatch.cli import main
from pitwatch.commands.detect import plain, told
from vision.detections import Detections, Stack
from vision.drawing import draw


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    image = np.full((240, 320, 3), (40, 90, 30), np.uint8)
    image[60:148, 100:163] = 245
    path = tmp_path / "one.png"
    cv2.imwrite(str(path), image)
    return path


def test_bad_files_cost_a_line_each_and_the_rest_goes_on(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"no picture")
    drawn = tmp_path / "seen"
    code = main(
        ["detect", str(tmp_path / "none.jpg"), str(broken), str(picture), "--json", "--draw", str(drawn)]
    )
    out, err = capsys.readouterr()
    assert code == 2
    assert len(err.splitlines()) == 2
    assert "none.jpg: no such file" in err
    assert "broken.jpg: not a picture" in err
    (line,) = [json.loads(one) for one in out.splitlines()]
    assert line["image"] == str(picture)
    assert set(line) == {"image", "cards", "chips"}
    assert (drawn / "one.seen.png").is_file()


def test_the_lines_are_those_of_the_contract() -> None:
    quads = np.array([[[1, 2], [3, 2], [3, 5], [1, 5]]] * 3, np.float32)
    found = Detections(
        np.array([0, 2, 2], np.int8), quads, np.array([0.9, 0.8, 0.7]), ("As", "", ""), np.array([0.99, 0, 0]),
        (None, Stack(("5", "5"), 1000, 0.95), None),
    )  # fmt: skip
    data = plain(Path("x.jpg"), found)
    assert data["cards"] == [
        {"quad": [[1.0, 2.0], [3.0, 2.0], [3.0, 5.0], [1.0, 5.0]], "label": "As", "conf": 0.99}
    ]
    assert data["chips"][0] == {"box": [1.0, 2.0, 3.0, 5.0], "count": 2, "value": 1000, "conf": 0.95}
    assert data["chips"][1]["count"] is None
    assert told(Path("x.jpg"), found) == "x.jpg: cards As; stacks 2 ?"
    assert draw(np.zeros((40, 40, 3), np.uint8), found).any()


def test_a_picture_without_a_spread_is_refused(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["enroll", str(picture), "--out", str(tmp_path / "deck.npz")]) == 2
    assert "a spread has 52" in capsys.readouterr().err
    assert not (tmp_path / "deck.npz").exists()
