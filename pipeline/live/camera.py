"""The process of one camera: its source into shared memory and onto the tape."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

from av.video.frame import VideoFrame

from pipeline.bus import Bus, FrameRing
from pipeline.capture import Capture, CaptureState, FrameClock, Mode, SourceSpec
from pipeline.live.health import Heart
from pipeline.video import Tape


@dataclass(frozen=True, slots=True)
class CameraJob:
    """What one camera's process has to do."""

    table: str
    camera: str
    spec: SourceSpec
    mode: Mode
    film_clock: bool
    ring: Path
    video: Path
    segment_ms: int


class RingSink:
    """Puts frames into shared memory; made anew when the camera changes its size."""

    def __init__(self, path: Path, mode: Mode, stop: threading.Event) -> None:
        self._path = path
        self._mode = mode
        self._stop = stop
        self._ring: FrameRing | None = None

    def put(self, frame: VideoFrame, at: int, arrived: int) -> bool:
        """Take a frame; in complete mode wait until there is room."""
        width, height = frame.width - frame.width % 2, frame.height - frame.height % 2
        if (width, height) != (frame.width, frame.height):
            frame = frame.reformat(width=width, height=height, format="yuv420p")
        if self._ring is None or not self._ring.fits(width, height):
            self._ring = FrameRing.create(self._path, width, height)
        while self._mode is Mode.COMPLETE and not self._ring.wait_for_room(0.5):
            if self._stop.is_set():
                return False
        self._ring.put(frame, at, arrived)
        return True


def run_camera(job: CameraJob, bus: Bus, stop: threading.Event) -> None:
    """Watch one camera until told to stop; a film that ended leaves its process waiting, so that nobody restarts it."""
    heart = Heart(bus, f"camera:{job.table}/{job.camera}", "camera")
    tape = Tape(job.video, job.table, job.camera, job.segment_ms)
    beating = threading.Event()

    def told(state: CaptureState) -> None:
        beating.set()
        ok = (state.connected or state.ended) and not tape.trouble
        heart.beat(
            "ok" if ok else "degraded",
            "" if ok else (state.why or tape.trouble),
            connected=float(state.connected),
            frames=float(state.frames),
            bad_packets=float(state.bad_packets),
            connections=float(state.connections),
            jumps=float(state.jumps),
            width=float(state.width),
            height=float(state.height),
            last_at=float(state.last_at),
            tape_bytes=float(tape.bytes),
        )

    capture = Capture(job.spec, RingSink(job.ring, job.mode, stop), tape, FrameClock(job.film_clock), told)
    capture.run(stop)
    while not stop.wait(1.0):
        told(capture.state)
    heart.close()
