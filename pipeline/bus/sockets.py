"""Publishers and subscribers: typed, counted, bounded; a slow reader loses notes, never the sender its pace."""

from __future__ import annotations

import time
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Generic

import zmq

from pipeline.bus.address import Bus
from pipeline.bus.topics import P, Topic
from pipeline.bus.wire import Message, pack, unpack
from pipeline.errors import BadMessage, BusError

QUEUE = 1000
"""Notes that may wait for a slow reader; more are dropped, and the hole in the numbers shows it."""
LINGER_MS = 200


def connect(bus: Bus, kind: int, address: str) -> zmq.Socket[bytes]:
    """Return a socket that is connected to one end of the hub."""
    socket: zmq.Socket[bytes] = zmq.Context.instance().socket(kind)
    socket.linger = LINGER_MS
    socket.sndhwm = socket.rcvhwm = QUEUE
    if bus.keys is not None and address.startswith("tcp://"):
        socket.curve_publickey = bus.keys.public.encode()
        socket.curve_secretkey = bus.keys.secret.encode()
        socket.curve_serverkey = bus.keys.hub.encode()
    try:
        socket.connect(address)
    except zmq.ZMQError as error:
        socket.close()
        raise BusError(f"bus: {address}: {error.strerror}") from None
    return socket


class Publisher(Generic[P]):
    """Tells one topic; never waits for anybody."""

    def __init__(self, bus: Bus, topic: Topic[P], sender: str) -> None:
        self.topic = topic
        self.sender = sender
        self.sent = 0
        self.dropped = 0
        self._socket = connect(bus, zmq.PUB, bus.inlet)

    def send(self, payload: P, blob: bytes = b"") -> None:
        """Tell; a note that cannot leave is counted and lost: whatever matters is in the record."""
        frames = pack(Message(self.topic, self.sender, self.sent, payload, blob))
        self.sent += 1
        try:
            self._socket.send_multipart(frames, zmq.NOBLOCK)
        except zmq.Again:
            self.dropped += 1

    def close(self) -> None:
        """Stop telling."""
        self._socket.close()


class Subscriber:
    """Hears some topics. `refused` counts messages that were none, `missed` those that never arrived."""

    def __init__(self, bus: Bus, topics: Iterable[Topic[Any]]) -> None:
        self.refused = 0
        self.missed = 0
        self._topics = {one.name: one for one in topics}
        self._last: dict[tuple[str, str], int] = {}
        self._socket = connect(bus, zmq.SUB, bus.outlet)
        largest = max((one.most_bytes + one.most_blob for one in self._topics.values()), default=0)
        self._socket.setsockopt(zmq.MAXMSGSIZE, largest + 4096)
        for name in self._topics:
            self._socket.subscribe(name)

    def __enter__(self) -> Subscriber:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def receive(self, seconds: float) -> Message[Any] | None:
        """Return the next message, or None if none came in time; what is no message is counted and passed over."""
        deadline = time.monotonic() + seconds
        while True:
            left = max(0.0, deadline - time.monotonic())
            if not self._socket.poll(round(left * 1000)):
                return None
            try:
                message = unpack(self._socket.recv_multipart(zmq.NOBLOCK), self._topics)
            except BadMessage:
                self.refused += 1
                continue
            except zmq.Again:
                continue
            self._count(message)
            return message

    def _count(self, message: Message[Any]) -> None:
        key = (message.topic.name, message.sender)
        last = self._last.get(key)
        if last is not None and message.number > last + 1:
            self.missed += message.number - last - 1
        self._last[key] = message.number

    def close(self) -> None:
        """Stop listening."""
        self._socket.close()
