"""The deal: cards and packets delivered, cards that show, the stub.

Cards of one hand are numbered in the order in which they came, from 1; in a packet 1 is the bottom card.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import UNKNOWN, Card
from engine.events.base import Event, Side


@dataclass(frozen=True, kw_only=True)
class DeckHeld(Event):
    """The dealer took the deck in one hand; whether it is held over the tray."""

    hand: Side
    over_tray: bool | None = None


@dataclass(frozen=True, kw_only=True)
class CardDealt(Event):
    """One card was delivered to a seat (0 = dealer); `hand` is the dealer's hand that placed it."""

    seat: int
    card: Card = UNKNOWN
    face_up: bool = False
    back: str | None = None
    hand: Side | None = None


@dataclass(frozen=True, kw_only=True)
class PacketDealt(Event):
    """A packet of cards was delivered to a seat at once; `count` None if it could not be told."""

    seat: int
    count: int | None = None
    back: str | None = None


@dataclass(frozen=True, kw_only=True)
class CardMisdrawn(Event):
    """A card was drawn that nobody was due, and kept face down."""


@dataclass(frozen=True, kw_only=True)
class CardFoundFaceUp(Event):
    """A card came out of the shoe or the deck face up, before it was given to anyone."""

    card: Card = UNKNOWN


@dataclass(frozen=True, kw_only=True)
class CardDiscarded(Event):
    """A single card that belongs to no hand went to the discard rack."""

    card: Card = UNKNOWN
    back: str | None = None


@dataclass(frozen=True, kw_only=True)
class CardsTurned(Event):
    """Cards of a hand were turned over: up-card, reveal, exposure, or face down again.

    `by` is the seat whose hand turned them (0 = dealer). `position` numbers a single card in its hand.
    """

    seat: int
    cards: tuple[Card, ...]
    face_up: bool = True
    by: int | None = None
    position: int | None = None


@dataclass(frozen=True, kw_only=True)
class CardFlashed(Event):
    """The face of a card was seen for a moment; it lies face down again."""

    seat: int
    card: Card = UNKNOWN
    by: int | None = None


@dataclass(frozen=True, kw_only=True)
class CardIdentified(Event):
    """A card that lay at a seat as `??` was read later."""

    seat: int
    card: Card
    position: int | None = None


@dataclass(frozen=True, kw_only=True)
class HandSpread(Event):
    """The cards of a hand were spread in a row."""

    seat: int
    count: int | None = None
    face_up: bool = False


@dataclass(frozen=True, kw_only=True)
class StubPlaced(Event):
    """The stub was put down: in the rack or elsewhere; whether faces showed."""

    in_rack: bool = True
    exposed: bool = False


@dataclass(frozen=True, kw_only=True)
class StubCounted(Event):
    """The stub was counted face down on the layout."""

    count: int | None = None
