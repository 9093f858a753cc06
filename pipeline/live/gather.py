"""The frames of one moment from the rings of several cameras, in either mode, and which frames were not looked at."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pipeline.bus import FrameRing, RingFrame
from pipeline.capture import Mode
from pipeline.errors import BusError
from pipeline.live.watcher import Moment

TOGETHER: Final = 120
"""Frames of different cameras that are no further apart (ms) show one moment."""
LOST_AFTER: Final = 3.0
"""Seconds without a new frame after which a camera counts as lost."""
POLL: Final = 0.004


@dataclass(slots=True)
class Eye:
    """One camera as its reader knows it."""

    name: str
    path: Path
    ring: FrameRing | None = None
    last: int = -1
    heard: float = field(default_factory=time.monotonic)
    looked: int = 0
    skipped: int = 0
    runs: list[tuple[int, int]] = field(default_factory=list)

    def attach(self) -> FrameRing | None:
        """Return the ring, attached again where the camera changed its size."""
        if self.ring is not None and self.ring.replaced:
            self.ring.close()
            self.ring = None
        if self.ring is None:
            try:
                self.ring = FrameRing.attach(self.path)
            except BusError:
                return None
            if self.last < 0:
                self.last = max(-1, self.ring.next_index - self.ring.slots - 1)
        return self.ring

    def take(self, frame: RingFrame) -> None:
        """Look at a frame; those between it and the last one were skipped."""
        if frame.index > self.last + 1 and self.looked:
            self.runs.append((self.last + 1, frame.index - 1))
            self.skipped += frame.index - 1 - self.last
        self.last = frame.index
        self.looked += 1
        self.heard = time.monotonic()

    @property
    def silent(self) -> bool:
        """Whether no frame came for too long."""
        return time.monotonic() - self.heard > LOST_AFTER


class Gatherer:
    """Gives moments, oldest first, from one or more cameras. The first camera sets the pace in complete mode."""

    def __init__(self, rings: Sequence[tuple[str, Path]], mode: Mode, look_fps: float = 0.0) -> None:
        self.eyes = [Eye(name, path) for name, path in rings]
        self.mode = mode
        self._period = 1 / look_fps if look_fps > 0 else 0.0
        self._due = 0.0

    def next(self, seconds: float) -> Moment | None:
        """Return the next moment, or None if no frame came in time."""
        deadline = time.monotonic() + seconds
        while True:
            moment = self._complete() if self.mode is Mode.COMPLETE else self._real_time()
            if moment is not None or time.monotonic() >= deadline:
                return moment
            time.sleep(POLL)

    def skips(self) -> list[tuple[str, int, int]]:
        """Return (camera, first, last) of the frames that were not looked at since the last call."""
        found = [(eye.name, first, last) for eye in self.eyes for first, last in eye.runs]
        for eye in self.eyes:
            eye.runs.clear()
        return found

    def _real_time(self) -> Moment | None:
        """The newest frame of each camera; what came before is skipped."""
        now = time.monotonic()
        if now < self._due:
            return None
        found: dict[str, RingFrame] = {}
        for eye in self.eyes:
            ring = eye.attach()
            if ring is not None and ring.next_index - 1 > eye.last and (frame := ring.latest()) is not None:
                found[eye.name] = frame
        if not found:
            return None
        at = max(frame.at for frame in found.values())
        found = {name: frame for name, frame in found.items() if at - frame.at <= TOGETHER}
        for eye in self.eyes:
            if eye.name in found:
                eye.take(found[eye.name])
        self._due = max(self._due + self._period, now)
        return Moment(at, found)

    def _complete(self) -> Moment | None:
        """The next frame of the first camera, with the frames of the others at that time; the writers wait for it."""
        first, *others = self.eyes
        ring = first.attach()
        if ring is None or (frame := ring.read(first.last + 1)) is None:
            return None
        found = {first.name: frame}
        for eye in others:
            other, may_come = self._up_to(eye, frame.at)
            if other is not None:
                found[eye.name] = other
            elif may_come and not eye.silent:
                return None
        for eye in self.eyes:
            if eye.name in found:
                eye.take(found[eye.name])
                assert eye.ring is not None
                eye.ring.done(eye.last)
        return Moment(frame.at, found)

    def _up_to(self, eye: Eye, at: int) -> tuple[RingFrame | None, bool]:
        """Return the camera's frame closest to a time after the last one looked at, and whether one may still come.

        Frames that are too old for any moment to come are let go, so that their writer need not wait.
        """
        ring = eye.attach()
        if ring is None:
            return None, True
        best: RingFrame | None = None
        while (frame := ring.read((eye.last if best is None else best.index) + 1)) is not None:
            if best is not None and abs(frame.at - at) > abs(best.at - at):
                break
            best = frame
            if frame.at >= at:
                break
        if best is None or best.at < at - TOGETHER:
            if best is not None:
                eye.take(best)
                ring.done(best.index)
            return None, True
        return (best, False) if best.at <= at + TOGETHER else (None, False)
