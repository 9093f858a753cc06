"""Pictures and clips, where any were recorded. The room shows what there is and says where there is none."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Preview:
    """The newest picture of one camera: a JPEG, when it was taken, and what was found in it."""

    table: str
    camera: str
    at: int
    index: int
    jpeg: bytes
    overlay: dict[str, Any]


class Footage(Protocol):
    """Recorded video by table, camera and time of the log (milliseconds)."""

    def cameras(self, table: str) -> list[str]:
        """Return the cameras of which something was recorded."""
        ...

    def still(self, table: str, camera: str, at: int) -> bytes | None:
        """Return the picture at a moment as a JPEG, or None where nothing was recorded."""
        ...

    def clip(self, table: str, camera: str, start: int, end: int) -> Clip | None:
        """Return a playable piece of video that covers a stretch, or None where nothing was recorded."""
        ...


@dataclass(frozen=True, slots=True)
class Clip:
    """A file that a browser plays; `start` is the time of the log of its first frame."""

    path: Path
    start: int
    fps: float


class NoFootage:
    """A room without recorded video."""

    def cameras(self, table: str) -> list[str]:
        """Return none."""
        return []

    def still(self, table: str, camera: str, at: int) -> bytes | None:
        """Return none."""
        return None

    def clip(self, table: str, camera: str, start: int, end: int) -> Clip | None:
        """Return none."""
        return None
