"""Between processes: one typed publisher and subscriber per topic, frames by shared memory, nothing but plain JSON.

    publisher = Publisher(bus, ALERTS, "table:CS-1")
    publisher.send(AlertNote(...))

    with Subscriber(bus, [PREVIEW]) as subscriber:
        message = subscriber.receive(1.0)          # Message(topic, sender, number, payload, blob) or None

The bus tells; the record knows. A subscriber that was away or came late misses notes on the bus and finds what they
told of in the record: `pipeline.bus.feed` does that, and is what a reader should use.
"""

from pipeline.bus.address import Bus, BusKeys
from pipeline.bus.frames import FrameRing, RingFrame
from pipeline.bus.sockets import Publisher, Subscriber
from pipeline.bus.topics import (
    ALERTS,
    EVENTS,
    HEALTH,
    PREVIEW,
    SIGNALS,
    TOPICS,
    AlertNote,
    EventNote,
    Health,
    Preview,
    SignalNote,
    Topic,
)
from pipeline.bus.wire import Message

__all__ = [
    "ALERTS",
    "EVENTS",
    "HEALTH",
    "PREVIEW",
    "SIGNALS",
    "TOPICS",
    "AlertNote",
    "Bus",
    "BusKeys",
    "EventNote",
    "FrameRing",
    "Health",
    "Message",
    "Preview",
    "Publisher",
    "RingFrame",
    "SignalNote",
    "Subscriber",
    "Topic",
]
