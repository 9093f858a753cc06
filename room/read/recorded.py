"""Recorded video and live pictures where the pipeline runs: its segments on disk, its previews on the bus."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from pipeline.bus import HEALTH, PREVIEW, Bus, Subscriber
from pipeline.bus import Health as HealthNote
from pipeline.bus import Preview as PreviewNote
from pipeline.errors import BusError, VideoError
from pipeline.video import clip, segments, still
from room.read.footage import Clip, Preview

KEEP_CLIPS: Final = 64
FRESH: Final = 10.0
"""Seconds after which a process that said nothing counts as silent."""


class RecordedFootage:
    """Stills and clips from the segments under a root; clips are cut once and kept for a while in a folder."""

    def __init__(self, root: Path, cache: Path, fps: float = 25.0) -> None:
        self._root = root
        self._cache = cache
        self._fps = fps
        self._lock = threading.Lock()

    def cameras(self, table: str) -> list[str]:
        """Return the cameras of which something was recorded."""
        folder = self._root / table
        if "/" in table or not folder.is_dir():
            return []
        return sorted(one.name for one in folder.iterdir() if one.is_dir() and self._any(table, one.name))

    def _any(self, table: str, camera: str) -> bool:
        try:
            return bool(segments(self._root, table, camera))
        except VideoError:
            return False

    def still(self, table: str, camera: str, at: int) -> bytes | None:
        """Return the picture at a moment as a JPEG."""
        try:
            return still(self._root, table, camera, at).jpeg
        except VideoError:
            return None

    def clip(self, table: str, camera: str, start: int, end: int) -> Clip | None:
        """Return a piece of video; what is still being recorded is cut anew each time."""
        name = hashlib.sha256(f"{table}\n{camera}\n{start}\n{end}".encode()).hexdigest()[:24]
        try:
            newest = segments(self._root, table, camera)
            settled = bool(newest) and newest[-1].start > end
            with self._lock:
                path = self._cache / f"{name}-{'done' if settled else time.monotonic_ns()}.mp4"
                self._cache.mkdir(parents=True, exist_ok=True)
                written = clip(self._root, table, camera, start, end, path)
                self._tidy()
        except (VideoError, OSError):
            return None
        return Clip(written[0].path, written[0].start, self._fps)

    def _tidy(self) -> None:
        files = sorted(self._cache.glob("*.mp4"), key=lambda one: one.stat().st_mtime)
        for old in files[:-KEEP_CLIPS]:
            old.unlink(missing_ok=True)


class BusListener:
    """Takes previews and health from the bus, in a thread of its own."""

    def __init__(self, bus: Bus, show: Callable[[Preview], None]) -> None:
        self._bus = bus
        self._show = show
        self._stop = threading.Event()
        self._health: dict[str, HealthNote] = {}
        self._heard: dict[str, float] = {}
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="room-bus", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Stop listening."""
        self._stop.set()
        self._thread.join(timeout=3)

    def status(self) -> list[dict[str, Any]]:
        """Return how each process of the pipeline does."""
        now = time.monotonic()
        with self._lock:
            return [
                {
                    "process": note.process,
                    "kind": note.kind,
                    "state": note.state if now - self._heard[name] <= FRESH else "down",
                    "why": note.why if now - self._heard[name] <= FRESH else "nothing was heard of it lately",
                    "gauges": dict(note.gauges),
                }
                for name, note in sorted(self._health.items())
            ]

    def _run(self) -> None:
        with Subscriber(self._bus, [PREVIEW, HEALTH]) as subscriber:
            while not self._stop.is_set():
                try:
                    message = subscriber.receive(0.5)
                except BusError:  # a message that is none: the next one may be
                    continue
                if message is None:
                    continue
                if isinstance(message.payload, PreviewNote):
                    self._show(_preview(message.payload, message.blob))
                elif isinstance(message.payload, HealthNote):
                    with self._lock:
                        self._health[message.payload.process] = message.payload
                        self._heard[message.payload.process] = time.monotonic()


def _preview(note: PreviewNote, jpeg: bytes) -> Preview:
    marks = [
        {
            "quad": [list(point) for point in mark.quad],
            "label": mark.label,
            "conf": mark.conf,
            "kind": mark.kind,
        }
        for mark in note.marks
    ]
    overlay = {"width": note.width, "height": note.height, "marks": marks, "state": note.state}
    return Preview(note.table, note.camera, note.at, note.index, jpeg, overlay)
