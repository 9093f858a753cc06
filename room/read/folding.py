"""The fold as the room needs it: one event after the other, with retractions taken back.

The engine's fold knows no retraction, because it keeps no events. Here the events of the round are kept, and a
retracted one is left out when they are folded again, as the monitor does.
"""

from __future__ import annotations

from engine import events as ev
from engine.events import Event
from engine.state import TableState, apply, empty_table


class Folding:
    """The state of one table while its events come in."""

    def __init__(self, seats: int) -> None:
        self.state: TableState = empty_table(seats)
        self.seq = -1
        self.at = 0
        self._start = self.state
        self._events: list[Event] = []

    def feed(self, event: Event) -> None:
        """Take one event in."""
        self.seq, self.at = event.seq, event.at
        if isinstance(event, ev.EventRetracted):
            self._without(event.retracts)
            return
        if isinstance(event, ev.RoundOpened):
            self._start, self._events = self.state, []
        self._events.append(event)
        self._apply(event)

    def _apply(self, event: Event) -> None:
        seat = max(getattr(event, "seat", 0), getattr(event, "to_seat", 0))
        if seat < len(self.state.seats):  # a seat that this table does not have is somebody's typing error
            self.state = apply(self.state, event)

    def _without(self, seq: int) -> None:
        self._events = [event for event in self._events if event.seq != seq]
        self.state = self._start
        for event in self._events:
            self._apply(event)
