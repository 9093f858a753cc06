"""The post at work: alerts from the record to every receiver, each in its own thread; trouble of the site as notices.

A notice (a camera is lost, the record is away, a process is silent) is no alert of the game. It goes the same ways, but
from memory: when the record is away, it must not wait for the record.
"""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Sequence
from typing import Final

from engine.verdicts import Severity
from pipeline.alerts.post import Post
from pipeline.alerts.routes import RouteRule, Subject, targets
from pipeline.bus import ALERTS, HEALTH, Bus, Health, Subscriber
from pipeline.errors import NotDelivered, RecordAway
from pipeline.live.health import Heart
from pipeline.record.store import wall_clock

LOOK_AGAIN: Final = 2.0
PATIENCE: Final = 3.0
"""Seconds that a process may be unwell before people are told: a camera that blinks is not worth a call."""
SILENT: Final = 15.0
MOST_NOTICES: Final = 200


class Office:
    """Runs the post of one site."""

    def __init__(self, post: Post, routes: Sequence[RouteRule], bus: Bus, site: str) -> None:
        self._post = post
        self._routes = routes
        self._site = site
        self._ears = Subscriber(bus, [ALERTS, HEALTH])
        self._heart = Heart(bus, "post", "post")
        self._away = ""
        self._kick = {name: threading.Event() for name in post.targets}
        self._notices: dict[str, deque[tuple[str, bytes]]] = {
            name: deque(maxlen=MOST_NOTICES) for name in post.targets
        }
        self._ill: dict[str, tuple[float, str]] = {}
        self._told: set[str] = set()
        self._heard: dict[str, float] = {}
        self._threads: list[threading.Thread] = []

    def run(self, stop: threading.Event) -> None:
        """Work until told to stop."""
        for name in self._post.targets:
            thread = threading.Thread(target=self._deliver, args=(name, stop), name=name, daemon=True)
            thread.start()
            self._threads.append(thread)
        looked = beaten = float("-inf")
        while not stop.is_set():
            message = self._ears.receive(0.25)
            now = time.monotonic()
            if message is not None and message.topic is HEALTH:
                self._hear(message.payload, now)
            elif message is not None or now - looked >= LOOK_AGAIN:
                looked = now
                self._take_in()
            self._diagnose(now)
            if now - beaten >= 1.0:
                beaten = now
                self._beat()
        for thread in self._threads:
            thread.join(6)

    def close(self) -> None:
        """Let go of receivers and the bus."""
        for target in self._post.targets.values():
            target.close()
        self._ears.close()
        self._heart.close()

    def _take_in(self) -> None:
        try:
            while self._post.take_in():
                for kick in self._kick.values():
                    kick.set()
            self._away = ""
        except RecordAway as error:
            self._away = str(error)

    def _deliver(self, name: str, stop: threading.Event) -> None:
        """The thread of one receiver."""
        while not stop.is_set():
            self._kick[name].wait(0.5)
            self._kick[name].clear()
            self._hand_notices(name)
            try:
                while not stop.is_set() and self._post.deliver(name):
                    pass
            except RecordAway as error:
                self._away = str(error)

    def _hand_notices(self, name: str) -> None:
        waiting = self._notices[name]
        while waiting:
            key, body = waiting[0]
            try:
                self._post.targets[name].send(key, body)
            except NotDelivered:
                return
            waiting.popleft()

    # ── the site's own trouble ───────────────────────────────────────────────────────────────────────

    def _hear(self, note: Health, now: float) -> None:
        self._heard[note.process] = now
        if note.state == "ok":
            self._ill.pop(note.process, None)
            if note.process in self._told:
                self._told.discard(note.process)
                self._notice(note.process, "well again", Severity.INFO)
        else:
            since = self._ill.get(note.process, (now, ""))[0]
            self._ill[note.process] = (since, note.why)

    def _diagnose(self, now: float) -> None:
        for process, last in self._heard.items():
            if now - last > SILENT:
                self._ill.setdefault(process, (now, "nothing is heard of it"))
        for process, (since, why) in self._ill.items():
            if now - since >= PATIENCE and process not in self._told:
                self._told.add(process)
                self._notice(process, why, Severity.HIGH)

    def _notice(self, process: str, why: str, severity: Severity) -> None:
        """Put a notice on its way; one that says all is well goes to whoever was told of the trouble."""
        table = process.partition(":")[2].partition("/")[0]
        key = f"health.{process}.{wall_clock()}"
        subject = Subject(table, f"health.{process}", "health", int(max(severity, Severity.HIGH)))
        alert = {
            "verdict": "health",
            "check": f"health.{process.partition(':')[0]}",
            "table": table or None,
            "title": f"{process}: {why}",
            "severity": severity.word,
            "at": wall_clock(),
        }
        body = json.dumps({"site": self._site, "id": key, "alert": alert}, ensure_ascii=False).encode()
        for target in targets(self._routes, subject):
            self._notices[target].append((key, body))
            self._kick[target].set()

    def _beat(self) -> None:
        if self._away:
            self._heart.beat("degraded", self._away)
            return
        try:
            figures = self._post.figures()
        except RecordAway as error:
            self._away = str(error)
            return
        trouble = figures.pop("trouble")
        self._heart.beat(
            "degraded" if trouble else "ok", trouble, **{k: float(v) for k, v in figures.items()}
        )
