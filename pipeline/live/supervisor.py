"""Starts a site's processes, listens to their hearts, and starts again, with growing pauses, what died or hangs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pipeline.bus import HEALTH, Bus, Subscriber
from pipeline.bus.hub import Hub
from pipeline.capture.clock import backoff
from pipeline.live.health import HealthBook

STEADY: Final = 30.0
"""A process that ran for so long (s) was well: its next pause is short again."""
GRACE: Final = 5.0
"""Seconds that a process has to end when it is asked to."""
SILENT: Final = 20.0
STARTING: Final = 60.0
"""Seconds that a process has before its first heartbeat: loading models takes a while on a busy machine."""


@dataclass(frozen=True, slots=True)
class Job:
    """A process to be kept running."""

    name: str
    kind: str
    command: tuple[str, ...]


@dataclass(slots=True)
class Child:
    """A job and its process, if it runs."""

    job: Job
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    due: float = 0.0
    restarts: int = -1
    why: str = ""
    wait: Callable[[bool], float] = field(default_factory=lambda: backoff(0.5, 30.0))


class Supervisor:
    """Keeps the jobs of one site running until told to stop. It holds the bus, so that workers may come and go."""

    def __init__(self, jobs: Sequence[Job], run: Path, bus: Bus, hub: Hub, silent: float = SILENT) -> None:
        self.children = {job.name: Child(job) for job in jobs}
        self.book = HealthBook(silent)
        self.run_folder = run
        self._hub = hub
        self._ears = Subscriber(bus, [HEALTH])
        self._began = time.time()
        self._written = 0.0

    def run(self, stop: threading.Event) -> None:
        """Supervise until told to stop, then end all children."""
        try:
            while not stop.is_set():
                self.tend()
        finally:
            self.end()

    def tend(self) -> None:
        """One round: hear, start, end, write."""
        deadline = time.monotonic() + 0.2
        while (message := self._ears.receive(max(0.0, deadline - time.monotonic()))) is not None:
            if message.payload.process in self.children:
                self.book.heard(message.payload)
        now = time.monotonic()
        for child in self.children.values():
            self._tend_one(child, now)
        if now - self._written >= 1.0:
            self._written = now
            self.write_status()

    def _tend_one(self, child: Child, now: float) -> None:
        process = child.process
        if process is None:
            if now >= child.due:
                self._start(child, now)
            return
        code = process.poll()
        if code is not None:
            self._died(child, now, self._last_words(child, code))
        elif now - child.started > STARTING and self.book.silent(child.job.name, child.started):
            process.kill()
            process.wait()
            self._died(child, now, f"said nothing for {self.book.silent_after:g} s and was ended")

    def _start(self, child: Child, now: float) -> None:
        self._words(child).unlink(missing_ok=True)
        child.process = subprocess.Popen(child.job.command, stdin=subprocess.DEVNULL, start_new_session=True)  # noqa: S603
        child.started, child.restarts = now, child.restarts + 1

    def _died(self, child: Child, now: float, why: str) -> None:
        child.process, child.why = None, why
        child.due = now + child.wait(now - child.started > STEADY)

    def _words(self, child: Child) -> Path:
        return self.run_folder / f"{child.job.name.replace(':', '-').replace('/', '-')}.why"

    def _last_words(self, child: Child, code: int) -> str:
        """Return why a process ended: its own words, or how it was ended."""
        try:
            return self._words(child).read_text(encoding="utf-8").strip()[:500] or f"ended with code {code}"
        except (OSError, UnicodeDecodeError):
            return f"killed by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"

    # ── what others see ──────────────────────────────────────────────────────────────────────────────

    def status(self) -> dict[str, Any]:
        """Return how everything is, as plain values."""
        rows = [self._row(child) for child in self.children.values()]
        worst = max((("ok", "degraded", "down").index(row["state"]) for row in rows), default=0)
        return {
            "state": ("ok", "degraded", "down")[worst],
            "pid": os.getpid(),
            "since": round(self._began * 1000),
            "wall": time.time_ns() // 1_000_000,
            "processes": rows,
        }

    def _row(self, child: Child) -> dict[str, Any]:
        known = self.book.known.get(child.job.name)
        running = child.process is not None
        fresh = known is not None and known.heard >= child.started
        if not running:
            state, why = "down", child.why
        elif not fresh or known is None:
            state, why = "degraded", f"starting{f' again: {child.why}' if child.why else ''}"
        else:
            state, why = known.note.state, known.note.why
        return {
            "process": child.job.name,
            "kind": child.job.kind,
            "state": state,
            "why": why,
            "pid": child.process.pid if child.process is not None else None,
            "restarts": max(0, child.restarts),
            "gauges": dict(known.note.gauges) if known is not None and fresh else {},
        }

    def write_status(self) -> None:
        """Leave the status in a file: `pitwatch status` needs no network and no running bus."""
        part = self.run_folder / "status.json.part"
        try:
            part.write_text(json.dumps(self.status()), encoding="utf-8")
            part.replace(self.run_folder / "status.json")
        except OSError:
            self._written = 0.0  # a disk that is full: the age of the old file shows it

    def end(self) -> None:
        """Ask all children to end, then make them."""
        running = [child.process for child in self.children.values() if child.process is not None]
        for process in running:
            process.terminate()
        deadline = time.monotonic() + GRACE
        for process in running:
            try:
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for child in self.children.values():
            child.process, child.why = None, "the site was stopped"
        self.write_status()
        self._ears.close()
        self._hub.close()
