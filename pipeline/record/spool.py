"""Where events wait while the record is away: a bounded file, flushed to disk line by line.

One line is one event with its verdicts. A torn last line (the machine went down while writing it) is dropped:
it was never confirmed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pipeline.errors import RecordAway, RecordRefused

MOST_BYTES = 64 * 1024 * 1024


class SpoolFull(RecordAway):
    """The spool has reached its bound; nothing more can be taken until the record is back."""


class Spool:
    """A first-in, first-out file of JSON lines."""

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES) -> None:
        self.path = path
        self.most_bytes = most_bytes
        self._count = sum(1 for _ in self.read())

    def __len__(self) -> int:
        return self._count

    def put(self, entry: dict[str, Any]) -> None:
        """Add an entry and wait until the disk has it."""
        data = (json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as file:
                if file.tell() + len(data) > self.most_bytes:
                    raise SpoolFull(f"{self.path}: the spool is full ({self._count} events wait)")
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise SpoolFull(f"{self.path}: {error.strerror}") from None
        self._count += 1

    def read(self) -> Iterator[dict[str, Any]]:
        """Yield what waits, oldest first."""
        try:
            lines = self.path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return
        except OSError as error:
            raise RecordAway(f"{self.path}: {error.strerror}") from None
        for number, line in enumerate(lines[:-1], start=1):
            try:
                entry = json.loads(line)
            except (json.JSONDecodeError, UnicodeDecodeError):
                raise RecordRefused(f"{self.path}, line {number}: not JSON") from None
            yield entry

    def clear(self) -> None:
        """Forget what has been recorded."""
        self.path.unlink(missing_ok=True)
        self._count = 0
