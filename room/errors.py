"""What the room raises; each message is one clear line.

RoomError
├── BadAccount    a name, password or role that cannot be used
├── Denied        the person may not do this
└── TooMany       too many failed sign-ins; `seconds` says when to try again
"""

from __future__ import annotations


class RoomError(Exception):
    """What all errors of this package share."""


class BadAccount(RoomError):
    """An account cannot be made or changed like this."""


class Denied(RoomError):
    """The person may not do this."""


class TooMany(RoomError):
    """Too many failed sign-ins."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"too many failed sign-ins; try again in {seconds} seconds")
        self.seconds = seconds
