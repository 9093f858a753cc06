"""One time line per camera: the camera's time stamps give the rhythm, the machine's clock gives the time of day.

A camera's stamps are even but start anywhere, drift, and jump when it restarts; arrival times are true but late by
whatever the network took. So a frame's time is its stamp plus an offset, the offset is learnt from the earliest
arrivals, and a stamp that is far from what it should be is a jump: the offset is learnt anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

JUMP: Final = 1_500
"""A stamp this far (ms) from where the clock expects it is a jump of the camera, not a late packet."""
LATER: Final = 0.02
"""Share of a delay by which the offset follows arrivals that come late: a drifting camera is followed, a burst not."""

FILM_STEP: Final = 40
"""Between the last frame of a looped film and its first (ms)."""


class FrameClock:
    """Turns a camera's stamps into milliseconds that never run backwards.

    With `film` the stamps themselves are the time, counted from the first: the same file gives the same times always.

    >>> clock = FrameClock()
    >>> [clock.stamp(pts, now) for pts, now in ((9_000, 100_000), (9_040, 100_075), (9_080, 100_082))]
    [100000, 100041, 100081]
    >>> clock.stamp(0, 100_120), clock.jumps
    (100120, 1)
    """

    def __init__(self, film: bool = False) -> None:
        self.film = film
        self.jumps = 0
        self._offset: float | None = None
        self._last = -1
        self._start = 0

    def offset(self, pts: float | None, now: float) -> float:
        """Learn from a stamp and its arrival (both ms); returns what is to be added to stamps now."""
        if pts is None:
            return 0.0 if self._offset is None else self._offset
        if self.film:
            if self._offset is None:
                self._offset = self._start - pts
            return self._offset
        if self._offset is None:
            self._offset = now - pts
        late = now - (pts + self._offset)
        if abs(late) > JUMP:
            self.jumps += 1
            self._offset = now - pts
        else:
            self._offset += late if late < 0 else late * LATER
        return self._offset

    def stamp(self, pts: float | None, now: float) -> int:
        """Return the time of a frame, later than that of the frame before it."""
        offset = self.offset(pts, now)
        return self.forward(now if pts is None else pts + offset)

    def forward(self, at: float) -> int:
        """Return a time that comes after the last one."""
        self._last = max(round(at), self._last + 1)
        return self._last

    def restart(self) -> None:
        """The camera was away, or a looped film begins again: its stamps begin anew."""
        self._offset = None
        self._start = self._last + FILM_STEP


def backoff(first: float = 0.5, most: float = 15.0) -> Callable[[bool], float]:
    """Return a function that says how long to wait: doubled after each failure, short again after a success.

    >>> wait = backoff(1.0, 5.0)
    >>> [wait(False), wait(False), wait(False), wait(False), wait(True)]
    [1.0, 2.0, 4.0, 5.0, 1.0]
    """
    step = first

    def wait(worked: bool) -> float:
        nonlocal step
        if worked:
            step = first
        now, step = step, min(most, step * 2)
        return now

    return wait
