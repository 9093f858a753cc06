"""Clips and stills from recorded segments. A clip is the camera's own packets in a new file: never re-encoded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import av
import cv2
from av.container import InputContainer, OutputContainer
from av.packet import Packet
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from pipeline.errors import VideoError
from pipeline.video.segments import Segment, covering, mapped

MS = Fraction(1, 1000)
JPEG_QUALITY = 90
SLACK_MS = 2_000
"""A still may be so much older than asked before it counts as missing: what changed slowly is still true."""


@dataclass(frozen=True, slots=True)
class Clip:
    """A written clip: from which key frame to which last frame (the log's ms), and what is missing in between."""

    path: Path
    start: int
    end: int
    packets: int
    gaps: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Still:
    """One picture and the time of its frame."""

    at: int
    jpeg: bytes


def clip(root: Path, table: str, camera: str, start_ms: int, end_ms: int, out: Path) -> list[Clip]:
    """Write the video of a span, from the key frame at or before its start; returns what was written.

    Where the camera changed its resolution or codec within the span, a second file follows (`out-2.mp4`): the packets
    of both cannot share one without re-encoding.
    """
    found = covering(root, table, camera, start_ms, end_ms)
    if not found:
        raise VideoError(f"video: no recording of camera {camera} of table {table} at that time")
    clips: list[Clip] = []
    for number, group in enumerate(_alike(found), start=1):
        path = out if number == 1 else out.with_name(f"{out.stem}-{number}{out.suffix}")
        written = _remux(group, start_ms, end_ms, path)
        if written is not None:
            clips.append(written)
    if not clips:
        raise VideoError(f"video: no recording of camera {camera} of table {table} at that time")
    return clips


def still(root: Path, table: str, camera: str, at_ms: int) -> Still:
    """Return the picture that a camera showed at a time: the last frame at or before it."""
    best: tuple[int, VideoFrame] | None = None
    for segment in reversed(covering(root, table, camera, at_ms - SLACK_MS, at_ms)):
        with mapped(segment.path):
            best = _frame_at(segment, at_ms)
        if best is not None:
            break
    if best is None or at_ms - best[0] > SLACK_MS:
        raise VideoError(f"video: no picture of camera {camera} of table {table} at that time")
    bgr = best[1].to_ndarray(format="bgr24")
    worked, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not worked:
        raise VideoError("video: the picture cannot be written as JPEG")
    return Still(best[0], data.tobytes())


def _frame_at(segment: Segment, at_ms: int) -> tuple[int, VideoFrame] | None:
    best: tuple[int, VideoFrame] | None = None
    with _open(segment) as source:
        video = source.streams.video[0]
        source.seek(max(0, at_ms - segment.start) * 1000, backward=True, any_frame=False)
        for packet in _readable(source, video):
            for frame in packet.decode():
                if not isinstance(frame, VideoFrame) or frame.pts is None:
                    continue
                at = segment.start + round(frame.pts * (frame.time_base or MS) * 1000)
                if at > at_ms:
                    return best
                best = at, frame
    return best


def _open(segment: Segment) -> InputContainer:
    return av.open(str(segment.path), "r", timeout=5.0, metadata_errors="replace")


def _readable(source: InputContainer, video: VideoStream) -> Iterator[Packet[VideoStream]]:
    """Yield a segment's packets; one that is still being written, or was cut short, ends where it can be read."""
    packets = source.demux(video)
    while True:
        try:
            packet = next(packets)
        except (StopIteration, av.error.FFmpegError):
            return
        yield packet


def _alike(found: Sequence[Segment]) -> list[list[Segment]]:
    """Group neighbouring segments that can share one file."""
    groups: list[list[Segment]] = []
    last: object = None
    for segment in found:
        try:
            with mapped(segment.path), _open(segment) as source:
                context = source.streams.video[0].codec_context
                kind = (context.name, context.width, context.height, bytes(context.extradata or b""))
        except (VideoError, IndexError):
            continue  # a segment that was killed before its first packet
        if kind == last:
            groups[-1].append(segment)
        else:
            groups.append([segment])
        last = kind
    return groups


def _remux(group: Sequence[Segment], start_ms: int, end_ms: int, path: Path) -> Clip | None:
    """Copy the packets of like segments into one file."""
    packets = list(_span(group, start_ms, end_ms))
    if not packets:
        return None
    first, last = packets[0][0], max(at for at, _, _ in packets)
    with mapped(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with _open(group[0]) as template, av.open(str(path), "w") as out:
            track = out.add_stream_from_template(template.streams.video[0])
            _copy(packets, first, out, track)
    times = sorted(at for at, _, _ in packets)
    gaps = tuple((a, b) for a, b in pairwise(times) if b - a > 500)
    return Clip(path, first, last, len(packets), gaps)


def _copy(
    packets: Sequence[tuple[int, int, Packet[VideoStream]]],
    first: int,
    out: OutputContainer,
    track: VideoStream,
) -> None:
    last = -1
    for at, dts, packet in packets:
        copy = Packet(bytes(packet))
        copy.stream, copy.is_keyframe, copy.time_base = track, packet.is_keyframe, MS
        copy.dts = last = max(dts - first, last + 1)
        copy.pts = max(at - first, last)
        out.mux_one(copy)


def _span(
    group: Sequence[Segment], start_ms: int, end_ms: int
) -> Iterator[tuple[int, int, Packet[VideoStream]]]:
    """Yield (time, decoding time, packet) from the last key frame at or before the start to the end."""
    held: list[tuple[int, int, Packet[VideoStream]]] = []
    begun, last = False, -1
    for segment in group:
        with mapped(segment.path), _open(segment) as source:
            for packet in _readable(source, source.streams.video[0]):
                if packet.pts is None or not packet.size:
                    continue
                base = packet.time_base or MS
                at = segment.start + round(packet.pts * base * 1000)
                dts = (
                    min(at, last + 1)
                    if packet.dts is None
                    else segment.start + round(packet.dts * base * 1000)
                )
                last = dts
                if packet.is_keyframe and not begun:
                    held = []
                if dts > end_ms and (packet.is_keyframe or begun):
                    yield from held
                    return
                held.append((at, dts, packet))
                if at >= start_ms:
                    begun = True
                    yield from held
                    held = []
    if begun:
        yield from held
