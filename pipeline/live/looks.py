"""Which frames were looked at, live: one line a minute, so that a replay can look at exactly the same ones."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Final

from pipeline.live.watcher import Moment

EVERY: Final = 60.0
MOST_BYTES: Final = 64 * 1024 * 1024


class LookLog:
    """Appends runs of skipped frames per camera to `looks.jsonl`; the file is turned over when it is large.

    It is a note on the side: a disk that is full stops it, and only it.
    """

    def __init__(self, path: Path, mode: str) -> None:
        self.path = path
        self.trouble = ""
        self._mode = mode
        self._runs: dict[str, list[tuple[int, int]]] = {}
        self._last: dict[str, int] = {}
        self._since = time.monotonic()

    def note(self, moment: Moment) -> None:
        """A moment was looked at."""
        for name, frame in moment.frames.items():
            self._last[name] = frame.index
        if time.monotonic() - self._since >= EVERY:
            self.flush()

    def skipped(self, camera: str, first: int, last: int) -> None:
        """Frames were not looked at."""
        self._runs.setdefault(camera, []).append((first, last))

    def flush(self) -> None:
        """Write what was gathered."""
        self._since = time.monotonic()
        line = {"mode": self._mode, "until": self._last, "skipped": self._runs}
        self._runs = {}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists() and self.path.stat().st_size > MOST_BYTES:
                self.path.replace(self.path.with_suffix(".old.jsonl"))
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line, separators=(",", ":")) + "\n")
            self.trouble = ""
        except OSError as error:
            self.trouble = f"{self.path}: {error.strerror}"

    def close(self) -> None:
        """Write the rest."""
        if self._last:
            self.flush()
