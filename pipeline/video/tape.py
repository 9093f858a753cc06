"""The ring of recent video of one camera: packets as they came, remuxed into short segments.

Nothing is decoded or encoded. Matroska takes any codec and can be read up to its last packet after a crash; every
packet is handed to the operating system at once, so that evidence of the last second is there when it is asked for.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Final

import av
import av.error
from av.container import OutputContainer
from av.packet import Packet
from av.video.stream import VideoStream

from pipeline.capture.source import Stream
from pipeline.errors import VideoError
from pipeline.video.segments import folder_of

SEGMENT_MS: Final = 10_000
MS: Final = Fraction(1, 1000)


class Tape:
    """Writes one camera's packets; a disk that is full stops the tape, not the watch.

    `trouble` says why nothing is written now; writing is tried again with the next key frame.
    """

    def __init__(self, root: Path, table: str, camera: str, segment_ms: int = SEGMENT_MS) -> None:
        self.folder = folder_of(root, table, camera)
        self.trouble = ""
        self.bytes = 0
        self._segment_ms = segment_ms
        self._template: VideoStream | None = None
        self._out: OutputContainer | None = None
        self._track: VideoStream | None = None
        self._start = 0
        self._last_dts = -1

    def begin(self, stream: Stream) -> None:
        """A new connection: the next key frame begins a segment with its parameters."""
        self.end()
        self._template = stream.video
        self._tick = stream.tick

    def add(self, packet: Packet[VideoStream], offset: float) -> None:
        """Write a packet under its time of the log."""
        stamp = packet.pts if packet.pts is not None else packet.dts
        if stamp is None or self._template is None:
            return
        at = round(stamp * self._tick + offset)
        try:
            if packet.is_keyframe and (
                self._out is None or at - self._start >= self._segment_ms or at < self._start
            ):
                self._open(at)
            if self._out is not None:
                self._write(packet, at)
        except (av.error.FFmpegError, OSError) as error:
            self.trouble = f"video: {self.folder}: {error.strerror or error}"
            self.end()
        except VideoError as error:
            self.trouble = str(error)

    def end(self) -> None:
        """Finish the segment; what is on disk stays whatever happens."""
        out, self._out, self._track = self._out, None, None
        if out is None:
            return
        try:
            out.close()
        except (av.error.FFmpegError, OSError) as error:
            self.trouble = f"video: {self.folder}: {error.strerror or error}"

    def _open(self, at: int) -> None:
        self.end()
        assert self._template is not None
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise VideoError(f"video: {self.folder}: {error.strerror}") from None
        path = self.folder / f"{max(0, at)}.mkv"
        self._out = av.open(
            str(path),
            "w",
            format="matroska",
            options={"cluster_time_limit": "1000", "flush_packets": "1", "live": "1"},
        )
        self._track = self._out.add_stream_from_template(self._template)
        self._start, self._last_dts = at, -1
        self.trouble = ""

    def _write(self, packet: Packet[VideoStream], at: int) -> None:
        """Mux a copy: the packet itself still has to be decoded with its own stamps."""
        assert self._out is not None
        assert self._track is not None
        copy = Packet(bytes(packet))
        copy.stream = self._track
        copy.is_keyframe = packet.is_keyframe
        copy.time_base = self._track.time_base or MS
        scale = 0.001 / float(copy.time_base)
        lead = 0 if packet.dts is None or packet.pts is None else (packet.pts - packet.dts) * self._tick
        dts = max(round((at - self._start - lead) * scale), self._last_dts + 1)
        copy.dts, copy.pts = dts, max(round((at - self._start) * scale), dts)
        self._last_dts = dts
        self.bytes += packet.size
        self._out.mux_one(copy)
