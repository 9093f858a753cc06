"""Where the bus is, and who may speak on it.

On one machine the bus is a pair of Unix sockets in a folder that only its owner can enter. Between machines it is TCP
with CURVE: every message is encrypted, and only machines whose public key is listed get in. Nothing listens beyond
this machine unless the site file says so, and then never without keys.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import zmq

from pipeline.errors import BusError


@dataclass(frozen=True, slots=True)
class BusKeys:
    """A machine's CURVE key pair (Z85 text) and the hub's public key."""

    public: str
    secret: str
    hub: str

    def __repr__(self) -> str:
        return f"BusKeys({self.public})"

    @classmethod
    def load_or_make(cls, path: Path, hub: str = "") -> BusKeys:
        """Load a machine's keys; make them on first use, readable by their owner only."""
        try:
            public, secret = path.read_text("ascii").split()
        except FileNotFoundError:
            public, secret = (part.decode() for part in zmq.curve_keypair())
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                    file.write(f"{public} {secret}\n")
            except OSError as error:
                raise BusError(f"{path}: {error.strerror}") from None
        except (OSError, ValueError):
            raise BusError(f"{path}: not a pair of CURVE keys") from None
        try:
            if zmq.curve_public(secret.encode()).decode() != public:
                raise BusError(f"{path}: the two keys are no pair")
        except (ValueError, zmq.ZMQError):
            raise BusError(f"{path}: not a pair of CURVE keys") from None
        return cls(public, secret, hub or public)


@dataclass(frozen=True, slots=True)
class Bus:
    """The two ends of the hub: publishers connect to `inlet`, subscribers to `outlet`."""

    inlet: str
    outlet: str
    keys: BusKeys | None = None

    @classmethod
    def at(cls, folder: Path) -> Bus:
        """The bus of this machine, in a run folder."""
        ends = [f"ipc://{folder / name}" for name in ("bus-in", "bus-out")]
        if max(map(len, ends)) > 100:
            raise BusError(f"{folder}: too long a path for a Unix socket")
        return cls(ends[0], ends[1])
