"""In which line of a TOML text a field is: `tomllib` forgets it, and a person who mistyped needs it."""

from __future__ import annotations

import re
from collections.abc import Sequence

HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")
KEY = re.compile(r"^\s*([A-Za-z0-9_\-\"'. ]+?)\s*=")


def line_of(text: str, path: Sequence[str | int]) -> int | None:
    """Return the line of a field, or of the closest thing around it that has one.

    >>> line_of('name = "x"\\n[[table]]\\nfile = 1\\n[[table]]\\nfile = 2\\n', ("table", 1, "file"))
    5
    >>> line_of('name = "x"\\n[[table]]\\n', ("table", 0, "file"))
    2
    """
    known: dict[tuple[str | int, ...], int] = {}
    counts: dict[tuple[str | int, ...], int] = {}
    here: tuple[str | int, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        header, key = HEADER.match(line), KEY.match(line)
        if header:
            here = _resolve(_parts(header[2]), counts, header[1] == "[[")
            known.setdefault(here, number)
        elif key:
            known.setdefault((*here, *_parts(key[1])), number)
    wanted = tuple(path)
    while wanted:
        if wanted in known:
            return known[wanted]
        wanted = wanted[:-1]
    return None


def _parts(name: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in name.split("."))


def _resolve(
    parts: tuple[str, ...], counts: dict[tuple[str | int, ...], int], grows: bool
) -> tuple[str | int, ...]:
    """Return the full path of a section: arrays of tables get the number of their latest entry."""
    path: tuple[str | int, ...] = ()
    for place, part in enumerate(parts):
        path = (*path, part)
        if path in counts and not (grows and place == len(parts) - 1):
            path = (*path, counts[path])
    if grows:
        plain = path
        counts[plain] = counts.get(plain, -1) + 1
        return (*plain, counts[plain])
    return path
