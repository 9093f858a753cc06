"""The hub: takes from publishers, gives to subscribers; Unix sockets always, TCP with CURVE where configured."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import zmq
import zmq.auth.thread

from pipeline.bus.address import Bus, BusKeys
from pipeline.bus.topics import TOPICS
from pipeline.errors import BusError

QUEUE = 5000
LARGEST = max(one.most_bytes + one.most_blob for one in TOPICS.values()) + 4096


class Hub:
    """Carries messages between processes, in a thread of its own."""

    def __init__(
        self, bus: Bus, remote: tuple[str, str] | None = None, keys: BusKeys | None = None,
        allowed: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """`remote` are the TCP ends (inlet, outlet) for other machines, whose public keys are `allowed`."""
        if remote is not None and (keys is None or not allowed):
            raise BusError("bus: other machines need CURVE keys on both sides")
        self._context = zmq.Context()
        self._guard: zmq.auth.thread.ThreadAuthenticator | None = None
        if remote is not None:
            self._guard = zmq.auth.thread.ThreadAuthenticator(self._context)
            self._guard.start()
            self._guard.configure_curve_callback("*", _Allowed(allowed))
        ends = [bus.inlet, bus.outlet]
        self._inlet = self._socket(zmq.XSUB)
        self._outlet = self._socket(zmq.XPUB)
        self._stop_at = f"inproc://stop-{id(self)}"
        self._control = self._context.socket(zmq.PAIR)
        self._control.bind(self._stop_at)
        self._ears = self._context.socket(zmq.PAIR)
        self._ears.connect(self._stop_at)
        self._bind(self._inlet, [ends[0]])
        self._bind(self._outlet, [ends[1]])
        if remote is not None and keys is not None:
            for socket, address in zip((self._inlet, self._outlet), remote, strict=True):
                socket.curve_server = True
                socket.curve_secretkey = keys.secret.encode()
                self._bind(socket, [address])
        self._thread = threading.Thread(target=self._carry, name="bus", daemon=True)
        self._thread.start()

    def _socket(self, kind: int) -> zmq.Socket[bytes]:
        socket: zmq.Socket[bytes] = self._context.socket(kind)
        socket.linger = 0
        socket.sndhwm = socket.rcvhwm = QUEUE
        socket.setsockopt(zmq.MAXMSGSIZE, LARGEST)
        return socket

    def _bind(self, socket: zmq.Socket[bytes], addresses: Sequence[str]) -> None:
        for address in addresses:
            if address.startswith("ipc://"):
                Path(address[6:]).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            try:
                socket.bind(address)
            except zmq.ZMQError as error:
                raise BusError(f"bus: {address}: {error.strerror}") from None

    def _carry(self) -> None:
        """Carry until told to stop. Notes from outside are passed on as they are; each receiver checks them."""
        poller = zmq.Poller()
        for socket in (self._inlet, self._outlet, self._ears):
            poller.register(socket, zmq.POLLIN)
        while True:
            ready = dict(poller.poll())
            if self._ears in ready:
                break
            if self._inlet in ready:
                self._outlet.send_multipart(self._inlet.recv_multipart())
            if self._outlet in ready:
                self._inlet.send_multipart(self._outlet.recv_multipart())
        for socket in (self._inlet, self._outlet, self._ears):
            socket.close()

    def close(self) -> None:
        """Stop carrying."""
        self._control.send(b"")
        self._thread.join(5)
        self._control.close()
        if self._guard is not None:
            self._guard.stop()
        self._context.term()


class _Allowed:
    """Lets in the listed public keys."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = {key.encode() for key in keys}

    def callback(self, domain: str, key: bytes) -> bool:
        """Answer whether a key may come in."""
        return zmq_z85(key) in self._keys


def zmq_z85(key: bytes) -> bytes:
    """Return a key as text, whichever way the authenticator hands it over."""
    from zmq.utils import z85

    return key if len(key) == 40 else bytes(z85.encode(key))
