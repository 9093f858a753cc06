"""The HTTP door: one address, one method; anything else gets a short answer and goes away."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from pipeline.errors import BusError
from pipeline.signals.desk import MOST_BYTES, Desk, Refusal

SECONDS = 5.0
"""A sender that is slower than this is let go: a door is not to be held open."""


class HttpDoor:
    """Serves `POST /signals` in threads of its own."""

    def __init__(self, desk: Desk, address: str, port: int) -> None:
        handler = type("SignalHandler", (_Handler,), {"desk": desk, "timeout": SECONDS})
        try:
            self._server = ThreadingHTTPServer((address, port), handler)
        except OSError as error:
            raise BusError(f"signals: {address}:{port}: {error.strerror}") from None
        self._server.daemon_threads = True
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.2,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Close the door."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


class _Handler(BaseHTTPRequestHandler):
    desk: Desk
    protocol_version = "HTTP/1.1"
    server_version = "pitwatch"
    sys_version = ""

    def do_POST(self) -> None:
        """Take a signal."""
        try:
            if self.path != "/signals":
                raise Refusal(404, "path: only /signals is here")
            scheme, _, token = self.headers.get("Authorization", "").partition(" ")
            if scheme.lower() != "bearer":
                raise Refusal(401, "token: missing (Authorization: Bearer …)")
            self._answer(202, self.desk.take(token, self._body()))
        except Refusal as refusal:
            self.close_connection = True
            self._answer(refusal.code, {"error": refusal.why})
        except (TimeoutError, ConnectionError):
            self.close_connection = True

    def _body(self) -> bytes:
        length = self.headers.get("Content-Length", "")
        if not length.isdigit():
            raise Refusal(411, "Content-Length: missing")
        if int(length) > MOST_BYTES:
            raise Refusal(413, f"body: {length[:12]} bytes are more than {MOST_BYTES}")
        return self.rfile.read(int(length))

    def _answer(self, code: int, body: dict[str, Any]) -> None:
        data = json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        if code == 401:
            self.send_header("WWW-Authenticate", "Bearer")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: refusals are counted, and tokens must not end up in a log."""
