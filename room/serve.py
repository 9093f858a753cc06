"""Serving the room: uvicorn, TLS by option, and an end that does not wait for open pushes."""

from __future__ import annotations

import socket
from pathlib import Path
from types import FrameType

import uvicorn

from room.app import create_app
from room.services import Room


class RoomServer(uvicorn.Server):
    """A server that tells the pages goodbye when it is asked to stop."""

    def __init__(self, config: uvicorn.Config, room: Room) -> None:
        super().__init__(config)
        self._room = room

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop: the pushes end first, so that nothing holds the door."""
        self._room.live.leave()
        super().handle_exit(sig, frame)


def make_server(
    room: Room, host: str, port: int, certificate: Path | None = None, key: Path | None = None
) -> RoomServer:
    """Return a server for a room; with a certificate it speaks TLS and nothing else."""
    config = uvicorn.Config(
        create_app(room),
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=3,
        ssl_certfile=None if certificate is None else str(certificate),
        ssl_keyfile=None if key is None else str(key),
    )
    return RoomServer(config, room)


def free_port(host: str, wanted: int) -> int:
    """Return the wanted port if it is free, or another one that is."""
    for port in (wanted, 0):
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    return wanted
