"""Where a site keeps what, under its home: one place that knows the names of folders."""

from __future__ import annotations

import hashlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import SiteError

SHARED = Path("/dev/shm")  # noqa: S108  # the system's shared memory, in a folder that only its owner enters


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of one site; `run` and `rings` live only as long as the machine is up."""

    home: Path

    @property
    def video(self) -> Path:
        """Recorded segments."""
        return self.home / "video"

    @property
    def run(self) -> Path:
        """Sockets and status; short, because a Unix socket's path is bounded."""
        name = hashlib.sha256(str(self.home.resolve()).encode()).hexdigest()[:12]
        return Path(tempfile.gettempdir()) / f"pitwatch-{os.getuid()}-{name}"

    @property
    def rings(self) -> Path:
        """Shared memory."""
        base = SHARED if SHARED.is_dir() and os.access(SHARED, os.W_OK) else self.run
        return base / self.run.name

    def ring(self, table: str, camera: str) -> Path:
        """The ring of one camera."""
        return self.rings / f"{table}.{camera}"

    def spool(self, table: str) -> Path:
        """Where a table's events wait while the record is away."""
        return self.home / "spool" / f"{table}.jsonl"

    def looks(self, table: str) -> Path:
        """Which frames were looked at."""
        return self.home / "looks" / f"{table}.jsonl"

    def make(self) -> None:
        """Make the folders; those others must not enter are closed to them, and must be ours."""
        try:
            self.home.mkdir(parents=True, exist_ok=True)
            for folder in (self.run, self.rings):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                if folder.stat().st_uid != os.getuid():
                    raise SiteError(f"{folder}: belongs to somebody else")
                folder.chmod(0o700)
        except OSError as error:
            raise SiteError(f"{error.filename or self.home}: {error.strerror}") from None
