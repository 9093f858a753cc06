"""The loop of one camera: connect, record, decode, hand on; when it breaks, say so, wait, and connect again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from av.packet import Packet
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from pipeline.capture.clock import FrameClock, backoff
from pipeline.capture.source import SourceSpec, Stream
from pipeline.errors import CameraAway

STEADY_SECONDS = 10.0
"""A connection that held for so long worked: the next wait is short again."""


class Sink(Protocol):
    """Where frames go. `put` may wait (complete mode); it returns false if it was told to stop."""

    def put(self, frame: VideoFrame, at: int, arrived: int) -> bool:
        """Take a decoded frame with its time and when it arrived (Unix ms)."""
        ...


class Recorder(Protocol):
    """Where compressed packets go, untouched."""

    def begin(self, stream: Stream) -> None:
        """A new connection: its stream's parameters may differ from the last one's."""
        ...

    def add(self, packet: Packet[VideoStream], offset: float) -> None:
        """Take a packet; `offset` (ms) turns its stamps into times of the log."""
        ...

    def end(self) -> None:
        """The connection is over."""
        ...


@dataclass(frozen=True, slots=True)
class CaptureState:
    """What the status page shows of a camera."""

    connected: bool = False
    why: str = "not yet connected"
    frames: int = 0
    bad_packets: int = 0
    connections: int = 0
    jumps: int = 0
    width: int = 0
    height: int = 0
    last_at: int = 0
    ended: bool = False


class Capture:
    """One camera from its source to its sink and its recorder."""

    def __init__(
        self, spec: SourceSpec, sink: Sink, tape: Recorder | None = None, clock: FrameClock | None = None,
        told: Callable[[CaptureState], None] = lambda state: None,
        wait: Callable[[bool], float] | None = None,
    ) -> None:  # fmt: skip
        self.spec = spec
        self.state = CaptureState()
        self._sink = sink
        self._tape = tape
        self._clock = clock or FrameClock()
        self._told = told
        self._wait = wait or backoff()
        self._zero = time.time() * 1000 - time.monotonic() * 1000

    def run(self, stop: threading.Event) -> None:
        """Watch the camera until told to stop, or until a film that is not looped ends."""
        while not stop.is_set():
            began, before = time.monotonic(), self.state.frames
            try:
                self._once(stop)
                why = "the film ended"
            except CameraAway as error:
                why = str(error)
            if self.spec.is_file and why == "the film ended":
                if not self.spec.loop:
                    self._tell(connected=False, ended=True, why=why)
                    return
                self._clock.restart()
                if self.state.frames > before:
                    continue
                why = f"{self.spec.shown}: no frame in it can be decoded"
            self._tell(connected=False, why=why)
            self._clock.restart()
            self._pause(self._wait(time.monotonic() - began > STEADY_SECONDS), stop)

    def _pause(self, seconds: float, stop: threading.Event) -> None:
        """Wait before the next try, and go on saying so: silence would mean that the process hangs."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and not stop.wait(min(left, 1.0)):
            self._told(self.state)

    def now(self) -> float:
        """Return Unix time in ms that a step of the system's clock cannot turn back."""
        return self._zero + time.monotonic() * 1000

    def _once(self, stop: threading.Event) -> None:
        """One connection, from its opening to its end."""
        self._zero = time.time() * 1000 - time.monotonic() * 1000
        with Stream(self.spec) as stream:
            self._tell(connected=True, why="", connections=self.state.connections + 1)
            if self._tape is not None:
                self._tape.begin(stream)
            try:
                self._read(stream, stop)
            finally:
                if self._tape is not None:
                    self._tape.end()

    def _read(self, stream: Stream, stop: threading.Event) -> None:
        began: float | None = None
        for packet in stream.packets():
            if stop.is_set():
                return
            stamp = packet.pts if packet.pts is not None else packet.dts
            if self.spec.is_file and self.spec.paced and stamp is not None:
                due = stamp * stream.tick / 1000
                began = time.monotonic() - due if began is None else began
                if stop.wait(max(0.0, began + due - time.monotonic())):
                    return
            arrived = self.now()
            offset = self._clock.offset(None if stamp is None else stamp * stream.tick, arrived)
            if self._tape is not None and packet.size:
                self._tape.add(packet, offset)
            for frame in stream.decode(packet):
                if not self._take(frame, stream, offset, arrived):
                    return

    def _take(self, frame: VideoFrame, stream: Stream, offset: float, arrived: float) -> bool:
        at = self._clock.forward(arrived if frame.pts is None else frame.pts * stream.tick + offset)
        taken = self._sink.put(frame, at, round(arrived))
        self.state = replace(
            self.state,
            frames=self.state.frames + 1,
            bad_packets=stream.bad_packets,
            jumps=self._clock.jumps,
            width=frame.width,
            height=frame.height,
            last_at=at,
        )
        self._told(self.state)
        return taken

    def _tell(self, **changes: object) -> None:
        self.state = replace(self.state, **changes)  # type: ignore[arg-type]
        self._told(self.state)
