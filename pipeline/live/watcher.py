"""What turns frames into events, as the live processes see it: the real eyes, or a script in their place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from engine import events as ev
from engine.events import Event
from pipeline.bus import RingFrame
from pipeline.bus.topics import Mark

SCRIPT_PAUSE = 2_000
"""Between the end of a script and its next beginning (ms)."""


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """The frames of one moment: by camera, those that were taken at (nearly) the same time `at`."""

    at: int
    frames: Mapping[str, RingFrame]

    @property
    def arrived(self) -> int:
        """When its last frame arrived (Unix ms)."""
        return max((one.arrived for one in self.frames.values()), default=0)


class Watcher(Protocol):
    """One table's eyes and interpretation. Deterministic: no clock but the frames' own times.

    `signals` are events with a time but without a meaningful number: they are numbered with the others.
    """

    def update(self, moment: Moment | None, signals: Sequence[Event]) -> list[Event]:
        """Take in one moment (None: only signals came); returns the events that are certain now."""
        ...

    def marks(self, camera: str) -> tuple[Mark, ...]:
        """What was seen in the last frame of a camera, in its pixels, for the room's overlay."""
        ...

    def finish(self) -> list[Event]:
        """The film is over: everything that was kept back."""
        ...


class ScriptWatcher:
    """Plays an event log at the frames' times, again and again: everything but the eyes at work.

    It knows its place by the time since its first frame, so it needs no clock, and goes on numbering where the table's
    log ended.
    """

    def __init__(self, table: str, script: Sequence[Event], first_seq: int, loop: bool = True) -> None:
        self._table = table
        self._script = list(script)
        self._seq = first_seq
        self._loop = loop
        self._start: int | None = None
        self._at = 0
        self._last = 0

    def update(self, moment: Moment | None, signals: Sequence[Event]) -> list[Event]:
        """Return the script's events up to the moment, and the signals."""
        events = [self._numbered(signal, signal.at) for signal in signals]
        if moment is None or not self._script:
            return events
        if self._start is None:
            self._start = moment.at - self._script[0].at
        while self._at < len(self._script) and self._script[self._at].at + self._start <= moment.at:
            event = self._script[self._at]
            events.append(self._numbered(event, event.at + self._start))
            self._at += 1
        if self._at == len(self._script) and self._loop:
            self._at = 0
            self._start += self._script[-1].at - self._script[0].at + SCRIPT_PAUSE
        return events

    def _numbered(self, event: Event, at: int) -> Event:
        self._last = max(self._last, at)
        made = replace(event, seq=self._seq, at=self._last, table=self._table)
        if isinstance(made, ev.EventRetracted):
            made = replace(made, retracts=max(0, self._seq - 1))
        self._seq += 1
        return made

    def marks(self, camera: str) -> tuple[Mark, ...]:
        """Return nothing: a script sees nothing."""
        return ()

    def finish(self) -> list[Event]:
        """Return nothing: nothing is kept back."""
        return []
