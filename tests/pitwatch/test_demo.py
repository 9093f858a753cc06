"""The demonstration: shipped rounds played as if live, with film where there is any, and checked over the API."""

from __future__ import annotations

import threading
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest

from pipeline.record import Record
from pitwatch.cli import main
from pitwatch.data import shipped
from pitwatch.films import films_of
from pitwatch.replaying import LONGEST_WAIT, Replay, load_log, shortened
from room.read.footage import Preview
from room.read.recorded import RecordedFootage

LOGS = shipped("datasets") / "logs"


def film(path: Path, seconds: int, fps: int = 25) -> None:
    """Write a film whose brightness tells the time: 8 levels a second."""
    with av.open(str(path), "w") as out:
        track = out.add_stream("libx264", rate=fps, options={"g": "25", "preset": "ultrafast"})
        track.width, track.height, track.pix_fmt = 320, 180, "yuv420p"
        for n in range(seconds * fps):
            picture = np.full((180, 320, 3), 60 + 8 * (n // fps), np.uint8)
            out.mux(track.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
        out.mux(track.encode())


def brightness(jpeg: bytes) -> float:
    import cv2

    return float(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR).mean())


def test_the_whole_demo_checks_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--check", "--quick", "--port", "0", "--speed", "400"]) == 0
    said = capsys.readouterr().out
    assert "CS-1: wager.late, seat 2: found" in said
    assert "exported, verified" in said
    assert "everything as expected" in said


def test_the_old_demo_in_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--text"]) == 0
    assert "NOT as expected" not in capsys.readouterr().out


def test_a_shortened_log_keeps_order_and_cuts_waits() -> None:
    log = load_log(LOGS / "nz-wager-late")
    played = list(shortened(log.events, "CS-7", 41, 9000))
    assert [one.seq for one in played] == list(range(42, 42 + len(played)))
    waits = [b.at - a.at for a, b in pairwise(played)]
    assert min(waits) >= 0
    assert max(waits) <= LONGEST_WAIT
    assert {one.table for one in played} == {"CS-7"}


def test_films_run_in_step_with_their_log(tmp_path: Path) -> None:
    log = load_log(LOGS / "nz-wager-late")
    film(tmp_path / "overview.mp4", 20)
    log = type(log)(log.name, log.rulebook, log.settings, log.events, log.expected, films_of(tmp_path))
    record = Record.open(f"sqlite:///{tmp_path / 'record.db'}")
    shown: list[Preview] = []
    Replay(record, "CS-1", [log], tmp_path, tmp_path / "video", shown.append).run(
        threading.Event(), speed=200
    )
    first = next(iter(record.events("CS-1")))
    start = first.at - log.events[0].at
    footage = RecordedFootage(tmp_path / "video", tmp_path / "cut")
    assert footage.cameras("CS-1") == ["overview"]
    for second in (3, 11, 17):
        jpeg = footage.still("CS-1", "overview", start + second * 1000 + 500)
        assert jpeg is not None
        assert abs(brightness(jpeg) - 60 - 8 * second) < 3.9
    clip = footage.clip("CS-1", "overview", start + 10_000, start + 14_000)
    assert clip is not None
    assert start + 9_000 <= clip.start <= start + 10_000
    assert footage.still("CS-1", "overview", start + 60_000) is None
    assert footage.clip("CS-1", "bets", start, start + 1000) is None
    record.close()


def test_the_room_needs_an_administrator_and_takes_one_at_set_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    url = f"sqlite:///{tmp_path / 'record.db'}"
    base = ["room", "--record", url, "--home", str(tmp_path)]
    assert main(base) == 2
    assert "--setup" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", io.StringIO("vera\nshort\n"))
    assert main([*base, "--setup"]) == 2
    assert "password" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", io.StringIO("vera\na long enough secret\n"))
    assert main([*base, "--setup"]) == 0
    assert main([*base, "--setup"]) == 2
    assert main([*base, "--host", "0.0.0.0"]) == 2
    assert "--cert" in capsys.readouterr().err
