"""The ring's other end: what is too old or too much goes, oldest first; what a held case needs stays for ever."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import VideoError
from pipeline.video.segments import SAFE, Segment, segments

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Pruned:
    """How much went, how much is left, and how much of that is held."""

    removed: int
    removed_bytes: int
    kept_bytes: int
    held_bytes: int


def prune(
    root: Path, before: int, most_bytes: int | None = None, held: Mapping[str, Iterable[Span]] | None = None
) -> Pruned:
    """Remove segments that ended before a time, and the oldest ones while all together are more than a bound.

    `held` are spans (the log's ms) by table that must stay. The newest segment of a camera is being written: it stays.
    """
    spans = {table: list(some) for table, some in (held or {}).items()}
    found = [
        (table, one, _size(one)) for table, camera in _cameras(root) for one in segments(root, table, camera)
    ]
    total = sum(size for _, _, size in found)
    removed = removed_bytes = held_bytes = 0
    for table, one, size in sorted(found, key=lambda entry: entry[1].start):
        if one.end is None:
            continue
        if any(start < one.end and end >= one.start for start, end in spans.get(table, ())):
            held_bytes += size
            continue
        if one.end < before or (most_bytes is not None and total > most_bytes):
            try:
                one.path.unlink(missing_ok=True)
            except OSError as error:
                raise VideoError(f"{one.path}: {error.strerror}") from None
            total, removed, removed_bytes = total - size, removed + 1, removed_bytes + size
    return Pruned(removed, removed_bytes, total, held_bytes)


def _cameras(root: Path) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for table in sorted(root.iterdir()) if root.is_dir() else ():
        if table.is_dir() and SAFE.match(table.name):
            found += [
                (table.name, one.name)
                for one in sorted(table.iterdir())
                if one.is_dir() and SAFE.match(one.name)
            ]
    return found


def _size(one: Segment) -> int:
    try:
        return one.path.stat().st_size
    except OSError:
        return 0
