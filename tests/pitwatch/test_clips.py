"""The shipped clips: small enough, whole, and their truth judged as their `expected.jsonl` says."""

from __future__ import annotations

import json
from pathlib import Path

import av
import pytest

from calibration.tablefile import load_table
from engine.events.codec import read_lines
from pitwatch.cli import main

CLIPS = Path(__file__).parents[2] / "datasets" / "clips"
NAMES = sorted(path.parent.name for path in CLIPS.glob("*/truth.jsonl"))


def test_the_clips_are_small_enough_to_ship() -> None:
    assert {"nz-clean"} <= set(NAMES)
    assert sum(path.stat().st_size for path in CLIPS.rglob("*") if path.is_file()) < 60_000_000


@pytest.mark.parametrize("name", NAMES)
def test_a_clip_is_as_long_as_its_truth(name: str) -> None:
    folder = CLIPS / name
    cameras = load_table(folder / "table.toml").build_cameras()
    assert set(cameras) == {"overview", "bets"}
    with (folder / "truth.jsonl").open() as file:
        end = max(event.at for event in read_lines(file, "truth.jsonl"))
    for camera in cameras:
        with av.open(str(folder / f"{camera}.mp4")) as video:
            stream = video.streams.video[0]
            assert (stream.width, stream.height, stream.average_rate) == (1920, 1080, 25)
            assert stream.frames * 40 >= end


@pytest.mark.parametrize("name", NAMES)
def test_a_clip_is_judged_as_expected(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = CLIPS / name
    lines = (folder / "expected.jsonl").read_text().splitlines()
    expected = [json.loads(line) for line in lines]
    wrong = [one["check"] for one in expected if one["verdict"] == "violation"]
    words = [
        "judge",
        folder / "truth.jsonl",
        "--rulebook",
        name.split("-")[0],
        "--table",
        folder / "table.toml",
    ]
    assert main([str(word) for word in words]) == (1 if wrong else 0)
    alerts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["check"] for one in alerts if one["verdict"] == "violation"] == wrong
