"""What every event has in common, and the small words that events are made of.

An event is a frozen record in the past tense: what was seen, by whom, when, how surely. It says
what happened physically ("a card was turned up at seat 3"), never what it means ("a card was exposed
in error"): meaning is the rulebook's business, and the same film must give the same events under
every rulebook.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

DEALER = 0
"""Seat number of the dealer; players' seats are 1, 2, … as dealt (1 = farthest to the dealer's left)."""
OUTSIDER = -1
"""Actor number of somebody who is neither the dealer nor a seated player."""


class Area(StrEnum):
    """A wagering area of one seat."""

    ANTE = "ante"
    BET = "bet"
    JACKPOT = "jackpot"


class Tender(StrEnum):
    """What a wager is made with."""

    CHIPS = "chips"
    PLAQUE = "plaque"
    COUPON = "coupon"
    CASH = "cash"


class Role(StrEnum):
    """Somebody at the table, by what they are there for."""

    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    PLAYER = "player"
    MACHINE = "machine"


class Device(StrEnum):
    """A machine that holds, shuffles or deals cards; `HAND` is the dealer's own hand."""

    SHOE = "shoe"
    SHUFFLER = "shuffler"
    AUTO_SHOE = "auto_shoe"
    HAND = "hand"


class Side(StrEnum):
    """A hand of the dealer."""

    LEFT = "left"
    RIGHT = "right"


class Pool(StrEnum):
    """A jackpot meter: the single one, or one of the two sub-pools."""

    MAIN = "main"
    MAJOR = "major"
    MINOR = "minor"


@dataclass(frozen=True, slots=True)
class FrameRef:
    """One frame of one camera that an event rests on."""

    camera: str
    index: int


@dataclass(frozen=True, kw_only=True)
class Event:
    """One thing that happened.

    `witness` is `camera:NAME`, `signal:NAME` or `operator:NAME`. `at` is in milliseconds; `seq` orders
    events of one table where clocks cannot.
    """

    seq: int
    at: int
    table: str
    confidence: float = 1.0
    witness: str = "camera:overview"
    frames: tuple[FrameRef, ...] = ()
