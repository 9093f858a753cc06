"""What the routes work with, made once when the room opens."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline.record import Record
from room.migrate import migrate
from room.people import People
from room.people.limiter import Limiter
from room.people.passwords import Passwords
from room.read.footage import Footage, NoFootage
from room.read.live import Live
from room.read.tables import House


@dataclass(frozen=True, slots=True)
class RoomConfig:
    """How the room is set up. `home` holds the signing key; `secure` is set when it is served over TLS."""

    record: str
    home: Path
    secure: bool = False
    quick_passwords: bool = False
    house: House = field(default_factory=House)
    models: Path | None = None
    footage: Footage = field(default_factory=NoFootage)
    demo: bool = False


class Tickets:
    """One-time links: good once, for ten minutes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tickets: dict[str, tuple[str, float]] = {}
        self._lock = threading.Lock()

    def make(self, account: str, seconds: float = 600.0) -> str:
        """Return a ticket for an account."""
        ticket = secrets.token_urlsafe(24)
        with self._lock:
            self._tickets[ticket] = (account, self._clock() + seconds)
        return ticket

    def take(self, ticket: str) -> str | None:
        """Return the account of a ticket, once."""
        with self._lock:
            account, until = self._tickets.pop(ticket, ("", 0.0))
        return account if account and self._clock() <= until else None


class Room:
    """Everything behind the routes."""

    def __init__(self, config: RoomConfig) -> None:
        self.config = config
        self.record = Record.open(config.record)
        migrate(self.record.engine)
        self.people = People(self.record.engine, Passwords(quick=config.quick_passwords))
        self.limiter = Limiter()
        self.tickets = Tickets()
        self.house = config.house
        self.footage = config.footage
        self.live = Live(self.record, self.house)
        self.status: Callable[[], list[dict[str, Any]]] = list  # who listens to the bus says more

    def close(self) -> None:
        """Stop following and give the record back."""
        self.live.stop()
        self.record.close()
