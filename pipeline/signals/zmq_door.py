"""The ZMQ door: a REQ socket sends two frames, token and JSON, and gets JSON back; beyond this machine with CURVE."""

from __future__ import annotations

import json
import threading

import zmq

from pipeline.bus.address import BusKeys
from pipeline.errors import BusError
from pipeline.signals.desk import MOST_BYTES, Desk, Refusal


class ZmqDoor:
    """Answers in a thread of its own; a router, so that one bad sender cannot jam the others."""

    def __init__(self, desk: Desk, address: str, port: int, keys: BusKeys | None = None) -> None:
        self._desk = desk
        self._stop = threading.Event()
        self._socket = _router(keys)
        try:
            self._socket.bind(f"tcp://{address}:{port or '*'}")
        except zmq.ZMQError as error:
            self._socket.close()
            raise BusError(f"signals: {address}:{port}: {error.strerror}") from None
        self.port = int(bytes(self._socket.getsockopt(zmq.LAST_ENDPOINT)).rstrip(b"\0").rpartition(b":")[2])
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while not self._stop.is_set():
            if not self._socket.poll(200):
                continue
            frames = self._socket.recv_multipart()
            answer = json.dumps(self._answer(frames[1:])).encode()
            try:
                self._socket.send_multipart([frames[0], b"", answer], zmq.NOBLOCK)
            except zmq.ZMQError:
                continue  # it did not wait for the answer
        self._socket.close()

    def _answer(self, frames: list[bytes]) -> dict[str, object]:
        if len(frames) != 3 or frames[0]:
            return {"error": "message: not two frames (token, JSON) from a REQ socket", "code": 400}
        try:
            return self._desk.take(frames[1].decode("utf-8", "replace"), frames[2])
        except Refusal as refusal:
            return {"error": refusal.why, "code": refusal.code}

    def close(self) -> None:
        """Close the door."""
        self._stop.set()
        self._thread.join(5)


def _router(keys: BusKeys | None) -> zmq.Socket[bytes]:
    socket: zmq.Socket[bytes] = zmq.Context.instance().socket(zmq.ROUTER)
    socket.setsockopt(zmq.LINGER, 0)
    socket.setsockopt(zmq.MAXMSGSIZE, MOST_BYTES + 4096)
    if keys is not None:
        socket.setsockopt(zmq.CURVE_SERVER, 1)
        socket.setsockopt(zmq.CURVE_SECRETKEY, keys.secret.encode())
    return socket
