"""The process of one table: moments in; events judged, recorded and then told; previews for the room."""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2

from engine import events as ev
from engine.errors import BadEvent
from engine.events import Event
from engine.events.codec import decode, to_line
from engine.verdicts import Verdict
from pipeline.bus import (
    ALERTS,
    EVENTS,
    PREVIEW,
    SIGNALS,
    AlertNote,
    Bus,
    EventNote,
    Preview,
    Publisher,
    RingFrame,
    SignalNote,
    Subscriber,
)
from pipeline.judge import TableJudge, Told
from pipeline.live.gather import Gatherer
from pipeline.live.health import Heart
from pipeline.live.looks import LookLog
from pipeline.live.watcher import Moment, Watcher
from pipeline.record.store import wall_clock

PREVIEW_SECONDS: Final = 0.2
PREVIEW_WIDTH: Final = 640
PREVIEW_QUALITY: Final = 70
LONG_SKIP: Final = 10
"""So many frames in a row that were not looked at are an event of the table: something may have been missed."""
WITNESS: Final = "signal:pitwatch"
DELAYS: Final = 512


@dataclass(slots=True)
class TableParts:
    """What a table's process works with."""

    table: str
    judge: TableJudge
    watcher: Watcher
    gatherer: Gatherer
    looks: LookLog
    film_clock: bool = False


class TableProcess:
    """Runs one table until told to stop."""

    def __init__(self, parts: TableParts, bus: Bus) -> None:
        self.parts = parts
        name = f"table:{parts.table}"
        self._heart = Heart(bus, name, "table")
        self._events = Publisher(bus, EVENTS, name)
        self._alerts = Publisher(bus, ALERTS, name)
        self._previews = Publisher(bus, PREVIEW, name)
        self._signals = Subscriber(bus, [SIGNALS])
        self._lost: set[str] = set()
        self._shown: dict[str, float] = {}
        self._at = 0
        self._gap_since: int | None = None
        self._alerted = 0
        self._refused = 0
        self._steps: deque[float] = deque(maxlen=DELAYS)
        self._delays: deque[float] = deque(maxlen=DELAYS)

    def run(self, stop: threading.Event, ends: bool = False) -> None:
        """Watch; with `ends`, stop when the film is over (no frame came for a while)."""
        quiet = time.monotonic()
        while not stop.is_set():
            moment = self.parts.gatherer.next(0.25)
            began = time.perf_counter()
            if moment is not None:
                quiet = time.monotonic()
                self._at = moment.at
            elif ends and time.monotonic() - quiet > 1.5:
                break
            self.step(moment)
            if moment is not None:
                self._steps.append(time.perf_counter() - began)
                self._show(moment)
            self._beat()
        self._tell(self.parts.judge.feed_all(self.parts.watcher.finish()), wall_clock())

    def resume(self, last_at: int | None) -> None:
        """Begin after an interruption: what happened since the log's last event was not seen, and the log says so.

        A round that was in play goes on if its end is seen, and is marked as interrupted if the next one begins.
        """
        if last_at is not None:
            self._gap_since = last_at

    def _gap(self, at: int) -> list[Event]:
        """Return the events that say that nothing was seen between the last event and now, once."""
        since, self._gap_since = self._gap_since, None
        if since is None:
            return []
        base = {"seq": 0, "table": self.parts.table, "witness": WITNESS, "zone": "table"}
        blocked = ev.ViewBlocked(at=min(since, at), why="the watch was interrupted", **base)  # type: ignore[arg-type]
        return [blocked, ev.ViewRestored(at=at, **base)]  # type: ignore[arg-type]

    def step(self, moment: Moment | None) -> list[Told]:
        """One moment: what was heard and noticed, what was seen, judged, made durable, told."""
        gap = [] if moment is None else self._gap(moment.at)
        signals = [*gap, *self._heard(), *self._noticed()]
        if moment is None and not signals:
            return []
        events = self.parts.watcher.update(moment, signals)
        told = self.parts.judge.feed_all(events)
        self._tell(told, moment.arrived if moment is not None else wall_clock())
        if moment is not None:
            self.parts.looks.note(moment)
        return told

    # ── what comes in ────────────────────────────────────────────────────────────────────────────────

    def _heard(self) -> list[Event]:
        """Return the signals that came for this table, at the table's time."""
        found: list[Event] = []
        while (message := self._signals.receive(0)) is not None:
            note: SignalNote = message.payload
            if note.table != self.parts.table:
                continue
            at = self._at if self.parts.film_clock else note.came
            witness = f"signal:{note.sender}"
            try:
                found.append(
                    decode({**note.event, "seq": 0, "at": at, "table": note.table, "witness": witness})
                )
            except BadEvent:
                self._refused += 1
        return found

    def _noticed(self) -> list[Event]:
        """Return what the watch noticed about itself: cameras lost and back, long runs of skipped frames."""
        events: list[Event] = []
        base = {"seq": 0, "at": self._at or wall_clock(), "table": self.parts.table, "witness": WITNESS}
        eyes = self.parts.gatherer.eyes
        silent = {eye.name for eye in eyes if eye.silent}
        for name in sorted(silent - self._lost):
            zones = ("table",) if len(silent) == len(eyes) else ()
            events.append(ev.CameraLost(camera=name, zones=zones, why="no picture arrives", **base))  # type: ignore[arg-type]
        back = sorted(self._lost - silent)
        events += [ev.CameraRestored(camera=name, **base) for name in back]  # type: ignore[arg-type]
        self._lost = silent
        for name, first, last in self.parts.gatherer.skips():
            self.parts.looks.skipped(name, first, last)
            if last - first + 1 >= LONG_SKIP:
                events.append(ev.FramesSkipped(camera=name, first=first, last=last, **base))  # type: ignore[arg-type]
        return events

    # ── what goes out ────────────────────────────────────────────────────────────────────────────────

    def _tell(self, told: Sequence[Told], arrived: int) -> None:
        """Tell what is recorded; how long each alert took is measured from the arrival of its frame."""
        for one in told:
            line = to_line(one.event)
            self._events.send(
                EventNote(table=self.parts.table, seq=one.event.seq, previous=one.previous, line=line)
            )
            ids = one.alerts or (0,) * len(one.verdicts)
            for number, verdict in zip(ids, one.verdicts, strict=True):
                self._alerted += 1
                proved = arrived if self.parts.film_clock else one.event.at
                self._alerts.send(_note(number, self.parts.table, verdict, proved))
                if not self.parts.film_clock and self._at:
                    self._delays.append(max(0.0, (wall_clock() - one.event.at) / 1000))

    def _show(self, moment: Moment) -> None:
        now = time.monotonic()
        for name, frame in moment.frames.items():
            if now - self._shown.get(name, 0.0) >= PREVIEW_SECONDS:
                self._shown[name] = now
                preview, jpeg = _preview(self.parts.table, name, frame, self.parts.watcher)
                self._previews.send(preview, jpeg)

    def _beat(self) -> None:
        judge, eyes = self.parts.judge.health, self.parts.gatherer.eyes
        why = judge.why or (f"no picture from {', '.join(sorted(self._lost))}" if self._lost else "")
        figures = {
            "steps": float(len(self._steps) and sum(eye.looked for eye in eyes)),
            "skipped": float(sum(eye.skipped for eye in eyes)),
            "spool": float(judge.waiting),
            "lost_events": float(judge.lost),
            "alerts": float(self._alerted),
            "signals_refused": float(self._refused),
            "seq": float(max(0, self.parts.judge.last_seq)),
            "step_ms_p50": 1000 * _share(self._steps, 0.5),
            "step_ms_p99": 1000 * _share(self._steps, 0.99),
            "alert_seconds_p50": _share(self._delays, 0.5),
            "alert_seconds_p99": _share(self._delays, 0.99),
        }
        self._heart.beat("degraded" if why else "ok", why, **figures)

    def close(self) -> None:
        """Stop telling and listening."""
        for one in (self._events, self._alerts, self._previews, self._signals, self._heart, self.parts.looks):
            one.close()


def _share(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0.0


def _note(number: int, table: str, verdict: Verdict, proved: int) -> AlertNote:
    return AlertNote(
        id=number,
        table=table,
        round=verdict.round,
        seq=verdict.seq,
        ruling=str(verdict.ruling),
        check=verdict.check,
        severity=int(verdict.severity),
        proved=max(0, proved),
        recorded=wall_clock(),
        body=json.dumps(verdict.to_mapping(), ensure_ascii=False, separators=(",", ":")),
    )


def _preview(table: str, camera: str, frame: RingFrame, watcher: Watcher) -> tuple[Preview, bytes]:
    """Return a small picture with what the eyes marked in it."""
    width, height = frame.size
    scale = min(1.0, PREVIEW_WIDTH / width)
    size = (max(2, round(width * scale)), max(2, round(height * scale)))
    picture = cv2.resize(frame.bgr(), size, interpolation=cv2.INTER_LINEAR)
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, PREVIEW_QUALITY])
    marks = tuple(
        one.model_copy(update={"quad": tuple((x * scale, y * scale) for x, y in one.quad)})
        for one in watcher.marks(camera)
    )
    preview = Preview(
        table=table, camera=camera, at=frame.at, index=frame.index, width=size[0], height=size[1], scale=scale,
        marks=marks[:400],
    )  # fmt: skip
    return preview, data.tobytes()
