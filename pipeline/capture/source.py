"""Where a camera's video comes from, and one connection to it that never waits for ever.

FFmpeg's own calls are given deadlines through its interrupt callback, for opening and for every read; a device whose
driver blocks regardless is ended from outside, because a capture is a process of its own with a heartbeat.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import TracebackType

import av
import av.error
from av.container import InputContainer
from av.packet import Packet
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from pipeline.errors import CameraAway, SourceRefused

DEVICE = "/dev/"
RTSP = ("rtsp://", "rtsps://")
QUICK_START = {"fflags": "nobuffer", "analyzeduration": "500000"}
"""Half a second is enough to learn a stream's parameters; what is buffered meanwhile comes late and all at once."""
BAD_IN_A_ROW = 250
"""So many packets in a row that cannot be decoded mean that the stream is lost, not a few of its packets."""


class Mode(StrEnum):
    """How frames are taken when there are more than can be looked at; it is written into the record."""

    REAL_TIME = "real_time"
    COMPLETE = "complete"


@dataclass(frozen=True, slots=True)
class SourceSpec:
    """A camera's source: `rtsp://…`, `/dev/video0`, or a file.

    A file is played at its own speed (`paced`) and, with `loop`, again and again: a film in a camera's place.
    """

    url: str
    loop: bool = False
    paced: bool = True
    open_seconds: float = 5.0
    read_seconds: float = 5.0

    @property
    def is_file(self) -> bool:
        """Whether the source is a film: its end is an end, not a failure."""
        return "://" not in self.url and not self.url.startswith(DEVICE)

    @property
    def shown(self) -> str:
        """The source without a password, for logs and pages."""
        head, at, tail = self.url.rpartition("@")
        return f"{head.split('://')[0]}://…@{tail}" if at and "://" in head else self.url


@contextmanager
def _mapped(spec: SourceSpec) -> Iterator[None]:
    """Turn FFmpeg's errors into ours; nothing but its own message is kept."""
    try:
        yield
    except av.error.ExitError:
        raise CameraAway(f"{spec.shown}: no answer in time") from None
    except (av.error.FileNotFoundError, av.error.PermissionError, av.error.IsADirectoryError) as error:
        kind = SourceRefused if spec.is_file else CameraAway
        raise kind(f"{spec.shown}: {error.strerror}") from None
    except av.error.EOFError:
        raise CameraAway(f"{spec.shown}: the stream ended") from None
    except (av.error.FFmpegError, OSError) as error:
        raise CameraAway(f"{spec.shown}: {error.strerror or 'cannot be read'}") from None


class Stream:
    """One connection to a source: its video packets, and the frames in them."""

    def __init__(self, spec: SourceSpec) -> None:
        self.spec = spec
        self.bad_packets = 0
        self._bad_in_a_row = 0
        with _mapped(spec):
            self._container = _open(spec)
        if not self._container.streams.video:
            self._container.close()
            raise SourceRefused(f"{spec.shown}: there is no video in it")
        self.video: VideoStream = self._container.streams.video[0]
        self.video.thread_type = "NONE"  # one thread: processes share the cores, not threads

    def __enter__(self) -> Stream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._container.close()

    @property
    def tick(self) -> float:
        """Milliseconds of one unit of the stream's time stamps."""
        base = self.video.time_base
        return float(base) * 1000 if base else 1.0

    def packets(self) -> Iterator[Packet[VideoStream]]:
        """Yield video packets until a file ends; a stream that stalls or ends raises `CameraAway`."""
        deadline = time.monotonic() + self.spec.read_seconds
        packets = self._container.demux()
        while True:
            try:
                with _mapped(self.spec):
                    packet = next(packets, None)
            except CameraAway:
                if self.spec.is_file:
                    return  # a file that breaks off is as long as it can be read
                raise
            if packet is None:
                if self.spec.is_file:
                    return
                raise CameraAway(f"{self.spec.shown}: the stream ended")
            if packet.stream_index == self.video.index and (packet.size or self.spec.is_file):
                deadline = time.monotonic() + self.spec.read_seconds
                yield packet  # type: ignore[misc]  # it is of the video stream
            elif time.monotonic() > deadline:
                raise CameraAway(f"{self.spec.shown}: no picture for {self.spec.read_seconds:g} s")

    def decode(self, packet: Packet[VideoStream]) -> list[VideoFrame]:
        """Return the frames that a packet completes; a packet that cannot be decoded completes none."""
        try:
            frames = [frame for frame in packet.decode() if isinstance(frame, VideoFrame)]
        except (av.error.FFmpegError, ValueError):
            self.bad_packets += 1
            self._bad_in_a_row += 1
            if self._bad_in_a_row >= BAD_IN_A_ROW:
                raise CameraAway(f"{self.spec.shown}: its video cannot be decoded") from None
            return []
        self._bad_in_a_row = 0
        return frames


def _open(spec: SourceSpec) -> InputContainer:
    options: dict[str, str] = {}
    form = None
    if spec.url.startswith(RTSP):
        options = {"rtsp_transport": "tcp", "timeout": str(int(spec.read_seconds * 1e6)), **QUICK_START}
    elif spec.url.startswith(DEVICE):
        form = "v4l2"
    elif spec.is_file and not Path(spec.url).is_file():
        raise SourceRefused(f"{spec.url}: no such file")
    return av.open(
        spec.url,
        "r",
        format=form,
        options=options,
        timeout=(spec.open_seconds, spec.read_seconds),
        metadata_errors="replace",
    )
