"""Everything, in order, once: notes from the bus where they fit, the record where they do not.

A reader says how far it has come and asks again and again. Notes make it quick; the record makes it whole.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Mapping

from engine.events import Event
from engine.events.codec import decode
from pipeline.bus.address import Bus
from pipeline.bus.sockets import Subscriber
from pipeline.bus.topics import ALERTS, EVENTS, EventNote
from pipeline.record import Record
from pipeline.record.schema import AlertRow

LOOK_AGAIN = 2.0
"""Seconds after which the record is asked even if no note came: a note may have been the one that was lost."""


class EventFeed:
    """The events of some tables from a number on, live."""

    def __init__(self, bus: Bus, record: Record, after: Mapping[str, int]) -> None:
        self._subscriber = Subscriber(bus, [EVENTS])
        self._record = record
        self._at = dict(after)
        self._ready: deque[Event] = deque()
        self._asked = 0.0
        self.caught_up = 0

    def next(self, seconds: float) -> Event | None:
        """Return the next event, or None if none came in time."""
        deadline = time.monotonic() + seconds
        while not self._ready:
            now = time.monotonic()
            if now - self._asked >= LOOK_AGAIN:
                self._asked = now
                for table in self._at:
                    self._catch_up(table)
                continue
            if now >= deadline:
                return None
            message = self._subscriber.receive(min(deadline - now, LOOK_AGAIN))
            if message is not None:
                self._heard(message.payload)
        return self._ready.popleft()

    def _heard(self, note: EventNote) -> None:
        at = self._at.get(note.table)
        if at is None or note.seq <= at:
            return
        if note.previous != at:
            self._catch_up(note.table)
            return
        self._ready.append(decode(json.loads(note.line)))
        self._at[note.table] = note.seq

    def _catch_up(self, table: str) -> None:
        for event in self._record.events(table, after=self._at[table]):
            self._ready.append(event)
            self._at[table] = event.seq
            self.caught_up += 1

    def close(self) -> None:
        """Stop listening."""
        self._subscriber.close()


class AlertFeed:
    """Alerts from an id on, live; a note only says that it is time to look."""

    def __init__(self, bus: Bus, record: Record, after: int = 0) -> None:
        self._subscriber = Subscriber(bus, [ALERTS])
        self._record = record
        self.after = after
        self._ready: deque[AlertRow] = deque()
        self._asked = 0.0

    def next(self, seconds: float) -> AlertRow | None:
        """Return the next alert, or None if none came in time."""
        deadline = time.monotonic() + seconds
        while not self._ready:
            now = time.monotonic()
            if now - self._asked >= LOOK_AGAIN:
                self._look(now)
                continue
            if now >= deadline:
                return None
            message = self._subscriber.receive(min(deadline - now, LOOK_AGAIN))
            if message is not None and message.payload.id > self.after:
                self._look(now)
        return self._ready.popleft()

    def _look(self, now: float) -> None:
        self._asked = now
        for row in self._record.alerts(after=self.after):
            self._ready.append(row)
            self.after = row.id or self.after

    def close(self) -> None:
        """Stop listening."""
        self._subscriber.close()
