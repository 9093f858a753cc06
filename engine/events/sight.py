"""Signals from machines, and what could not be seen: blocked zones, lost cameras, lost signals, corrections.

A zone is `seat:3`, `dealer`, `tray`, `rack`, `deck` or `table` (everything).
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.events.base import Event


@dataclass(frozen=True, kw_only=True)
class ShufflerReported(Event):
    """The shuffler reported how many cards of a deck it counted."""

    deck: str
    count: int


@dataclass(frozen=True, kw_only=True)
class ShufflerJammed(Event):
    """The shuffler jammed, stopped or did not complete its cycle."""

    deck: str | None = None


@dataclass(frozen=True, kw_only=True)
class ShoeJammed(Event):
    """The automated shoe jammed, stopped or did not deal all cards."""


@dataclass(frozen=True, kw_only=True)
class ViewBlocked(Event):
    """A zone cannot be seen from now on."""

    zone: str
    why: str


@dataclass(frozen=True, kw_only=True)
class ViewRestored(Event):
    """A zone can be seen again."""

    zone: str


@dataclass(frozen=True, kw_only=True)
class CameraLost(Event):
    """A camera gives no usable picture; `zones` are those that no other camera sees."""

    camera: str
    zones: tuple[str, ...]
    why: str


@dataclass(frozen=True, kw_only=True)
class CameraRestored(Event):
    """A camera gives a usable picture again."""

    camera: str


@dataclass(frozen=True, kw_only=True)
class SignalLost(Event):
    """A table signal no longer arrives: one of `engine.settings.SIGNALS`."""

    signal: str
    why: str


@dataclass(frozen=True, kw_only=True)
class SignalRestored(Event):
    """A table signal arrives again."""

    signal: str


@dataclass(frozen=True, kw_only=True)
class FramesSkipped(Event):
    """Frames of a camera were not looked at (live, under load)."""

    camera: str
    first: int
    last: int


@dataclass(frozen=True, kw_only=True)
class EventRetracted(Event):
    """Later evidence showed that an earlier event did not happen."""

    retracts: int
    why: str
