"""What all tracks share: where a thing is, whether it rests, how long it has not been seen and why.

A look is one independent observation. A thing rests when two looks agree; a resting thing moves when two looks in a
row disagree with where it rested, or one disagrees by far: one bad measurement moves nothing.
"""

from __future__ import annotations

from math import hypot
from typing import Final

Frame = tuple[str, int]
"""A camera and a frame number."""

FAR: Final = 28.0
"""One look this far (mm) from where a thing rested is enough to say that it moved."""
PAUSE: Final = 450
"""A thing that rested for a shorter time (ms) than this was still on its way."""
UNCHANGED: Final = 100
"""A thing whose pixels have not changed for so long (ms) rests, though nobody looked a second time."""


class Motion:
    """Position over time of one tracked thing."""

    __slots__ = (
        "_anchor", "_looks_here", "_odd", "bare_since", "born", "came_from", "covered_at", "frame", "id",
        "looks", "rest_since", "seen", "travelled", "vx", "vy", "x", "y",
    )  # fmt: skip

    def __init__(self, number: int, x: float, y: float, at: int, frame: Frame) -> None:
        self.id = number
        self.x, self.y = x, y
        self.vx = self.vy = 0.0
        self.born = self.seen = at
        self.frame = frame
        self.looks = 1
        self.came_from = (x, y)
        self.travelled = 0.0
        self.rest_since: int | None = None
        self.covered_at: int | None = None
        self.bare_since: int | None = None
        self._anchor = (x, y, at)
        self._looks_here = 1
        self._odd = 0

    @property
    def resting(self) -> bool:
        """Whether it lies or stands still."""
        return self.rest_since is not None

    def still_there(self, at: int, frame: Frame) -> None:
        """Note that its pixels have not changed."""
        self.seen, self.frame = at, frame
        self.bare_since = None

    def unchanged(self, at: int, frame: Frame) -> bool:
        """Note that its pixels are those of the last look; returns whether it has thereby come to rest."""
        self.still_there(at, frame)
        if self.rest_since is not None or at - self._anchor[2] < UNCHANGED:
            return False
        self.rest_since = self._anchor[2]
        self.vx = self.vy = 0.0
        return True

    def look(self, x: float, y: float, at: int, frame: Frame, steady: float) -> None:
        """Take in a new look; `steady` is how far (mm) looks at a resting thing may scatter."""
        dt = max(1, at - self.seen)
        self.looks += 1
        ax, ay, since = self._anchor
        off = hypot(x - ax, y - ay)
        if off <= steady:
            n = self._looks_here = min(self._looks_here + 1, 12)
            self._odd = 0
            if self.rest_since is None and n >= 2:
                self.rest_since = since
                self.vx = self.vy = 0.0
            if self.rest_since is not None:
                ax, ay = ax + (x - ax) / n, ay + (y - ay) / n
                self._anchor = (ax, ay, since)
                x, y = ax, ay
        elif self.rest_since is not None and off < FAR and self._odd == 0:
            self._odd = 1
            x, y = self.x, self.y
        else:
            k = 1.0 if self.rest_since is not None or self.looks == 2 else 0.7
            self.vx += k * ((x - self.x) / dt - self.vx)
            self.vy += k * ((y - self.y) / dt - self.vy)
            if self.rest_since is not None and at - self.rest_since > PAUSE:
                self.came_from = (self.x, self.y)
                self.travelled = 0.0
            self.travelled += hypot(x - self.x, y - self.y)
            self.rest_since, self._odd, self._looks_here = None, 0, 1
            self._anchor = (x, y, at)
        self.x, self.y = x, y
        self.still_there(at, frame)

    def ahead(self, at: int) -> tuple[float, float]:
        """Where it should be at a time, if it goes on as it went."""
        if self.rest_since is not None:
            return self.x, self.y
        dt = min(at - self.seen, 320)
        return self.x + self.vx * dt, self.y + self.vy * dt

    @property
    def speed(self) -> float:
        """How fast it last went (mm per ms)."""
        return hypot(self.vx, self.vy)

    def excuse(self, at: int) -> None:
        """Note that it is not seen because something is before it."""
        self.covered_at = at
        self.bare_since = None

    def bare(self, at: int) -> int:
        """Note that nothing is before it and yet it is not seen; returns for how long that has been so (ms)."""
        if self.bare_since is None:
            self.bare_since = at
        return at - self.bare_since
