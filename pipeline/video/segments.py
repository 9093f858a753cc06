"""Which segments there are: names say when they begin, so nothing else has to be kept in step with the files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import av
import av.error

from pipeline.errors import VideoError

NAME = re.compile(r"^(\d{1,16})\.mkv$")
SAFE = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._ -]{0,63}$")


@dataclass(frozen=True, slots=True)
class Segment:
    """One file of video; `end` is when the next one begins (the last one is open)."""

    path: Path
    start: int
    end: int | None


def folder_of(root: Path, table: str, camera: str) -> Path:
    """Return where a camera's segments lie; a name that could lead elsewhere is refused."""
    for name in (table, camera):
        if not SAFE.match(name):
            raise VideoError(f"video: {name!r} is not a name for a folder")
    return root / table / camera


def segments(root: Path, table: str, camera: str) -> list[Segment]:
    """Return a camera's segments, oldest first."""
    folder = folder_of(root, table, camera)
    try:
        names = [entry.name for entry in folder.iterdir()]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise VideoError(f"{folder}: {error.strerror}") from None
    starts = sorted(int(found[1]) for name in names if (found := NAME.match(name)))
    ends: list[int | None] = [*starts[1:], None]
    return [Segment(folder / f"{start}.mkv", start, end) for start, end in zip(starts, ends, strict=True)]


def covering(root: Path, table: str, camera: str, start: int, end: int) -> list[Segment]:
    """Return the segments that may hold video of a span."""
    return [
        one
        for one in segments(root, table, camera)
        if one.start <= end and (one.end is None or one.end > start)
    ]


@contextmanager
def mapped(path: Path) -> Iterator[None]:
    """Turn FFmpeg's errors into ours."""
    try:
        yield
    except (av.error.FFmpegError, OSError, ValueError) as error:
        text = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise VideoError(f"{path}: {text}") from None
