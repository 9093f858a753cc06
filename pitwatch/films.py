"""Shipped films beside a replayed log: put on the tape as a camera's packets would be, and shown as live pictures.

A film begins at time 0 of its log. Played from some moment of the table's log on, its packets are remuxed into the
room's video folder under that moment, so that stills and clips are cut from it as from any recording; its pictures are
decoded in step with the clock and shown as previews.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import av
import av.error
import cv2
from av.video.frame import VideoFrame

from pipeline.video.segments import folder_of
from pitwatch.errors import BadInput
from room.read.footage import Preview

PREVIEW_WIDTH = 960
PREVIEW_EVERY = 200
"""Milliseconds between two live pictures."""
Show = Callable[[Preview], None]


@dataclass(frozen=True, slots=True)
class Film:
    """One camera's film of a log."""

    camera: str
    path: Path


def films_of(folder: Path) -> tuple[Film, ...]:
    """Return the films that lie beside a log."""
    return tuple(Film(path.stem, path) for path in sorted(folder.glob("*.mp4")))


@contextmanager
def _opened(path: Path) -> Iterator[av.container.InputContainer]:
    try:
        with av.open(str(path)) as source:
            yield source
    except (av.error.FFmpegError, OSError) as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None


def put_on_tape(film: Film, root: Path, table: str, start: int) -> None:
    """Copy a film's packets into a segment that begins at a moment of the table's log."""
    folder = folder_of(root, table, film.camera)
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f"{start}.part"
    with _opened(film.path) as source, av.open(str(part), "w", format="matroska") as out:
        video = source.streams.video[0]
        track = out.add_stream_from_template(video)
        for packet in source.demux(video):
            if packet.dts is None:
                continue
            packet.stream = track
            out.mux(packet)
    part.replace(folder / f"{start}.mkv")


def show(film: Film, table: str, start: int, speed: float, stop: threading.Event, tell: Show) -> None:
    """Show a film's pictures as they become due, until it ends or is stopped."""
    begun, due, index = time.monotonic(), 0, 0
    with _opened(film.path) as source:
        video = source.streams.video[0]
        video.thread_type = "AUTO"
        for frame in source.decode(video):
            index += 1
            at = round((frame.time or 0.0) * 1000)
            if at < due:
                continue
            wait = at / 1000 / speed - (time.monotonic() - begun)
            if stop.wait(max(0.0, wait)):
                return
            if wait < -1.0:  # late: this one is skipped, the next is more current
                due = at + PREVIEW_EVERY
                continue
            due = at + PREVIEW_EVERY
            tell(_preview(film, table, start + at, index, frame))


def _preview(film: Film, table: str, at: int, index: int, frame: VideoFrame) -> Preview:
    height = round(frame.height * PREVIEW_WIDTH / frame.width)
    small = frame.reformat(PREVIEW_WIDTH, height, format="bgr24").to_ndarray()
    _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 78])
    overlay = {"width": PREVIEW_WIDTH, "height": height, "marks": [], "state": ""}
    return Preview(table, film.camera, at, index, data.tobytes(), overlay)
