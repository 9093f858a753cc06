"""Capture from files and the tape: every frame once, in time; clips and stills are the camera's own packets."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from av.video.frame import VideoFrame
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.capture import Capture, FrameClock, SourceSpec
from pipeline.errors import SourceRefused, VideoError
from pipeline.video import Tape, clip, prune, segments, still
from tests.pipeline.film import grey, make_film


def luma(frame: VideoFrame) -> int:
    return round(float(np.mean(frame.to_ndarray()[: frame.height])))


class Frames:
    def __init__(self, most: int = 10_000, stop: threading.Event | None = None) -> None:
        self.seen: list[tuple[int, int]] = []
        self.most = most

    def put(self, frame: VideoFrame, at: int, arrived: int) -> bool:
        self.seen.append((at, luma(frame)))
        return len(self.seen) < self.most


def record(film: Path, root: Path, segment_ms: int = 1000) -> list[tuple[int, int]]:
    frames = Frames()
    tape = Tape(root, "CS-1", "overview", segment_ms)
    Capture(SourceSpec(str(film), paced=False), frames, tape, FrameClock(film=True)).run(threading.Event())
    assert tape.trouble == ""
    return frames.seen


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_film(tmp_path_factory.mktemp("film") / "film.mp4")


def test_a_film_gives_every_frame_at_its_own_time(film: Path, tmp_path: Path) -> None:
    seen = record(film, tmp_path)
    assert [at for at, _ in seen] == [n * 40 for n in range(75)]
    assert all(abs(level - grey(n)) <= 2 for n, (_, level) in enumerate(seen))


def test_a_clip_holds_the_recorded_packets_unchanged(film: Path, tmp_path: Path) -> None:
    record(film, tmp_path / "video")
    [cut] = clip(tmp_path / "video", "CS-1", "overview", 1100, 2100, tmp_path / "cut.mp4")
    assert cut.start == 1000  # the key frame before
    assert 2080 <= cut.end <= 2240  # what the last frames are decoded from goes along
    with av.open(str(film)) as source, av.open(str(cut.path)) as copy:
        original = {bytes(packet) for packet in source.demux(video=0) if packet.size}
        assert all(bytes(packet) in original for packet in copy.demux(video=0) if packet.size)
    with av.open(str(cut.path)) as copy:
        levels = [luma(frame) for frame in copy.decode(video=0)]
    assert abs(levels[0] - grey(25)) <= 2
    assert len(levels) == cut.packets


def test_a_still_is_the_frame_of_that_moment(film: Path, tmp_path: Path) -> None:
    record(film, tmp_path)
    for at in (0, 999, 1000, 1039, 2960):
        found = still(tmp_path, "CS-1", "overview", at)
        assert found.at == at // 40 * 40
        picture = cv2.imdecode(np.frombuffer(found.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
        assert picture is not None
        # a decoded JPEG is full range, the film's luma is not
        assert abs((grey(found.at // 40) - 16) * 255 / 219 - float(picture.mean())) <= 4
    with pytest.raises(VideoError, match="no picture"):
        still(tmp_path, "CS-1", "overview", 60_000)
    with pytest.raises(VideoError, match="no recording"):
        clip(tmp_path, "CS-1", "bets", 0, 10, tmp_path / "x.mp4")
    with pytest.raises(VideoError, match="not a name"):
        segments(tmp_path, "..", "overview")


def test_a_segment_that_was_cut_short_is_read_as_far_as_it_goes(film: Path, tmp_path: Path) -> None:
    record(film, tmp_path / "video", segment_ms=60_000)
    [segment] = segments(tmp_path / "video", "CS-1", "overview")
    data = segment.path.read_bytes()
    segment.path.write_bytes(data[: len(data) * 2 // 3])
    [cut] = clip(tmp_path / "video", "CS-1", "overview", 0, 60_000, tmp_path / "cut.mp4")
    assert 10 < cut.packets < 75
    assert still(tmp_path / "video", "CS-1", "overview", 400).at == 400


def test_a_change_of_resolution_gives_a_second_clip(film: Path, tmp_path: Path) -> None:
    large = make_film(tmp_path / "large.mp4", frames=30, width=480, height=272)
    tape = Tape(tmp_path / "video", "CS-1", "overview", 1000)
    clock = FrameClock(film=True)
    for path in (film, large):
        Capture(SourceSpec(str(path), paced=False), Frames(), tape, clock).run(threading.Event())
        clock.restart()
    cuts = clip(tmp_path / "video", "CS-1", "overview", 2000, 4000, tmp_path / "cut.mp4")
    assert [one.path.name for one in cuts] == ["cut.mp4", "cut-2.mp4"]
    assert cuts[1].start == 3000


def test_a_looped_film_goes_on_in_time(film: Path) -> None:
    frames = Frames(most=160)
    stop = threading.Event()
    capture = Capture(SourceSpec(str(film), loop=True, paced=False), frames, clock=FrameClock(film=True))
    capture._told = lambda state: stop.set() if state.frames >= 160 else None
    capture.run(stop)
    assert [at for at, _ in frames.seen] == [n * 40 for n in range(160)]


@pytest.mark.parametrize("name", ["missing.mp4", "."])
def test_a_source_that_can_never_work_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(SourceRefused):
        Capture(SourceSpec(str(tmp_path / name)), Frames()).run(threading.Event())


def test_a_full_disk_stops_the_tape_and_not_the_watch(film: Path, tmp_path: Path) -> None:
    (tmp_path / "CS-1").write_text("a file where a folder should be")
    frames, tape = Frames(), Tape(tmp_path, "CS-1", "overview")
    Capture(SourceSpec(str(film), paced=False), frames, tape, FrameClock(film=True)).run(threading.Event())
    assert len(frames.seen) == 75
    assert "Not a directory" in tape.trouble


def test_pruning_keeps_what_is_new_and_what_is_held(film: Path, tmp_path: Path) -> None:
    record(film, tmp_path)
    assert [one.start for one in segments(tmp_path, "CS-1", "overview")] == [0, 1000, 2000]
    done = prune(tmp_path, before=5000, held={"CS-1": [(100, 400)]})
    assert [one.start for one in segments(tmp_path, "CS-1", "overview")] == [0, 2000]
    assert done.removed == 1
    assert done.held_bytes > 0
    prune(tmp_path, before=0, most_bytes=1)
    assert [one.start for one in segments(tmp_path, "CS-1", "overview")] == [2000]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.one_of(st.none(), st.integers(-(10**9), 10**12)), st.integers(0, 10**6)), max_size=60
    )
)
def test_the_clock_never_runs_backwards(steps: list[tuple[int | None, int]]) -> None:
    clock, now, last = FrameClock(), 10**12, -1
    for pts, later in steps:
        now += later
        at = clock.stamp(pts, now)
        assert at > last
        last = at


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_a_damaged_film_neither_crashes_nor_hangs(
    film: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    content = bytearray(film.read_bytes())
    for _ in range(data.draw(st.integers(1, 30))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(content)))
    broken = tmp_path_factory.mktemp("broken") / "film.mp4"
    broken.write_bytes(content[:cut] if data.draw(st.booleans()) else content)
    stop = threading.Event()
    capture = Capture(SourceSpec(str(broken), paced=False), Frames(most=500), clock=FrameClock(film=True))
    capture._told = lambda state: stop.set() if not state.connected and state.why else None
    with suppress(SourceRefused):
        capture.run(stop)
