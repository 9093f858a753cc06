"""A real RTSP camera on loopback that stalls, changes its resolution, goes away and returns."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from av.video.frame import VideoFrame

from pipeline.capture import Capture, SourceSpec
from pipeline.capture.clock import backoff
from pipeline.video import Tape, clip, segments

SERVER = Path(__file__).with_name("rtsp_server.py")


class Camera:
    """The server as a process that can be told what to do, and killed."""

    def __init__(self, port: str = "0") -> None:
        self._start(port)

    def _start(self, port: str) -> None:
        self.process = subprocess.Popen(
            ["/usr/bin/python3", str(SERVER), port],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.port = self.process.stdout.readline().strip()
        assert self.port, self.process.stderr.read() if self.process.stderr else ""

    @property
    def url(self) -> str:
        return f"rtsp://127.0.0.1:{self.port}/cam"

    def tell(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def vanish(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()

    def come_back(self) -> None:
        self._start(self.port)


class Frames:
    """Keeps what arrives; only sizes and times."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int, int]] = []

    def put(self, frame: VideoFrame, at: int, arrived: int) -> bool:
        self.seen.append((at, frame.width, frame.height))
        return True


@pytest.fixture
def camera() -> Iterator[Camera]:
    made = Camera()
    yield made
    made.vanish()


def wait_until(true: Callable[[], bool], seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def test_a_camera_that_stalls_changes_size_vanishes_and_returns(camera: Camera, tmp_path: Path) -> None:
    frames, told, stop = Frames(), [], threading.Event()
    tape = Tape(tmp_path, "CS-1", "overview", segment_ms=500)
    spec = SourceSpec(camera.url, open_seconds=2, read_seconds=1)
    capture = Capture(
        spec,
        frames,
        tape,
        told=lambda state: told.append((state.connected, state.why)),
        wait=backoff(0.1, 0.4),
    )
    thread = threading.Thread(target=capture.run, args=(stop,))
    thread.start()
    try:
        wait_until(lambda: len(frames.seen) > 60)
        assert frames.seen[-1][1:] == (320, 240)

        camera.tell("stall")
        wait_until(lambda: not capture.state.connected)
        assert "no answer in time" in capture.state.why or "no picture" in capture.state.why
        camera.tell("go")
        wait_until(lambda: capture.state.connected and capture.state.connections >= 2)

        seen = len(frames.seen)
        wait_until(lambda: len(frames.seen) > seen + 10)
        camera.tell("size 480 270")
        wait_until(lambda: frames.seen[-1][1:] == (480, 270))

        camera.vanish()
        wait_until(lambda: not capture.state.connected)
        gone = len(frames.seen)
        camera.come_back()
        wait_until(lambda: capture.state.connected and len(frames.seen) > gone + 25)
    finally:
        stop.set()
        thread.join(10)
    assert not thread.is_alive()
    times = [at for at, _, _ in frames.seen]
    assert times == sorted(set(times))  # the clock survived all of it
    assert abs(times[-1] - time.time() * 1000) < 5_000
    assert (False, capture.state.why) in told
    assert tape.trouble == ""
    assert len(segments(tmp_path, "CS-1", "overview")) >= 3
    cut = clip(tmp_path, "CS-1", "overview", times[30], times[45], tmp_path / "cut.mp4")
    assert cut[0].start <= times[30]
    assert cut[0].packets >= 15


def test_a_camera_that_is_not_there_is_tried_again_and_never_waited_for(tmp_path: Path) -> None:
    stop, whys = threading.Event(), []
    spec = SourceSpec("rtsp://127.0.0.1:9/none", open_seconds=0.5, read_seconds=0.5)
    capture = Capture(spec, Frames(), told=lambda state: whys.append(state.why), wait=backoff(0.05, 0.1))
    thread = threading.Thread(target=capture.run, args=(stop,))
    thread.start()
    wait_until(lambda: len(whys) >= 3)
    stop.set()
    thread.join(5)
    assert not thread.is_alive()
    assert all("127.0.0.1:9" in why for why in whys)
