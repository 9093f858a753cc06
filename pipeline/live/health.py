"""Heartbeats: each process says on the bus how it is; the supervisor remembers, and notices silence."""

from __future__ import annotations

import os
import resource
import time
from dataclasses import dataclass, field

from pipeline.bus import HEALTH, Bus, Health, Publisher

BEAT_SECONDS = 1.0


class Heart:
    """A worker's heartbeat: at most one note a second, at once when its state changes."""

    def __init__(self, bus: Bus, process: str, kind: str) -> None:
        self.process = process
        self.kind = kind
        self._publisher = Publisher(bus, HEALTH, process)
        self._last = 0.0
        self._state = ""

    def beat(self, state: str = "ok", why: str = "", **gauges: float) -> None:
        """Say how it is, if it is time to or has changed."""
        now = time.monotonic()
        if now - self._last < BEAT_SECONDS and state == self._state:
            return
        self._last, self._state = now, state
        self._publisher.send(
            Health(
                process=self.process,
                kind=self.kind,
                pid=os.getpid(),
                wall=time.time_ns() // 1_000_000,
                state=state,
                why=why[:1000],
                gauges={"memory_mb": memory_mb(), "cpu_seconds": time.process_time(), **gauges},
            )
        )

    def close(self) -> None:
        """Say nothing more."""
        self._publisher.close()


def memory_mb() -> float:
    """Return how much memory this process holds now, in MB; its peak where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize() / 1e6
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


@dataclass(slots=True)
class Known:
    """What is known of one process."""

    note: Health
    heard: float
    restarts: int = 0


@dataclass(slots=True)
class HealthBook:
    """The last word of every process."""

    silent_after: float = 10.0
    known: dict[str, Known] = field(default_factory=dict)

    def heard(self, note: Health) -> None:
        """Take a note in."""
        old = self.known.get(note.process)
        self.known[note.process] = Known(note, time.monotonic(), old.restarts if old else 0)

    def silent(self, process: str, since: float) -> bool:
        """Whether a process that was started at a time (monotonic) has said nothing for too long."""
        one = self.known.get(process)
        last = max(since, one.heard if one else 0.0)
        return time.monotonic() - last > self.silent_after
