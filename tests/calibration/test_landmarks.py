"""The landmarks file: reads back what was written, in both forms, and names what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.errors import LandmarkError
from calibration.landmarks import (
    LandmarksModel,
    dump_landmarks,
    landmarks_of,
    load_landmarks,
    parse_landmarks,
)
from calibration.layout import LayoutSpec, standard_layout

MARKS = LandmarksModel(
    camera="overview",
    width=1920,
    height=1080,
    points={"seat1:ante:inner_left": (411.5, 388.0), "dealer:inner_left": (1, 2)},
)


@pytest.mark.parametrize("as_json", [False, True])
def test_text_reads_back(as_json: bool) -> None:
    name = "marks.json" if as_json else "marks.toml"
    assert parse_landmarks(dump_landmarks(MARKS, as_json), name) == MARKS


def test_every_landmark_lies_on_the_table_and_has_words() -> None:
    for spec in (LayoutSpec(), LayoutSpec(seats=5, bet_round=True)):
        for name, mark in landmarks_of(standard_layout(spec)).items():
            assert mark.name == name
            assert mark.words
            assert abs(mark.point[0]) <= spec.half_width
            assert -1 <= mark.point[1] <= spec.depth


@pytest.mark.parametrize(
    "text, what",
    [
        ("camera = 3", "camera"),
        ("not toml at all [", "not valid TOML"),
        ('camera="a"\nwidth=10\nheight=10\nextra=1\n[points]\n"x"=[1,2]', "extra"),
        ('camera="a"\nwidth=10\nheight=10\n[points]\n"x"=[1]', r"points\.x"),
        ('camera="a"\nwidth=10\nheight=10\n[points]\n"x"=[11,2]', "outside the 10 x 10 picture"),
        ('camera="a"\nwidth=10\nheight=10\n[points]\n"x"=[nan,2]', r"points\.x"),
        ('camera="a"\nwidth=10\nheight=10\n[points]\n', "points"),
    ],
)
def test_what_is_wrong_is_named(text: str, what: str) -> None:
    with pytest.raises(LandmarkError, match=what) as caught:
        parse_landmarks(text, "marks.toml")
    assert str(caught.value).startswith("marks.toml: ")
    assert "\n" not in str(caught.value)


def test_a_missing_or_binary_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(LandmarkError, match="no such file"):
        load_landmarks(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(LandmarkError, match="UTF-8"):
        load_landmarks(tmp_path / "bad.toml")
