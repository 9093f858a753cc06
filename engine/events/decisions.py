"""Between deal and reveal: hands picked up, laid down, looked at, folded, moved, collected."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import UNKNOWN, Card
from engine.events.base import Event


@dataclass(frozen=True, kw_only=True)
class HandPickedUp(Event):
    """Somebody took up the cards of a seat."""

    seat: int
    by: int | None = None
    count: int | None = None


@dataclass(frozen=True, kw_only=True)
class HandLaidDown(Event):
    """The cards of a seat were put back on the layout, face down."""

    seat: int
    by: int | None = None
    count: int | None = None


@dataclass(frozen=True, kw_only=True)
class HandTouched(Event):
    """A hand touched cards that lie on the layout."""

    seat: int
    by: int | None = None


@dataclass(frozen=True, kw_only=True)
class HandViewed(Event):
    """Somebody looked at the faces of a seat's cards."""

    seat: int
    by: int | None = None


@dataclass(frozen=True, kw_only=True)
class CardsOutOfSight(Event):
    """Cards of a seat went where the dealer and the camera cannot see them.

    `off_table`: below or beside the table; otherwise hidden above it.
    """

    seat: int
    off_table: bool
    count: int | None = None


@dataclass(frozen=True, kw_only=True)
class CardMoved(Event):
    """A card went from one seat's hand to another's."""

    seat: int
    to_seat: int
    card: Card = UNKNOWN
    by: int | None = None


@dataclass(frozen=True, kw_only=True)
class InformationPassed(Event):
    """Somebody reported that players exchanged information about their hands."""

    seats: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class PlayerFolded(Event):
    """The player gave up the hand."""

    seat: int


@dataclass(frozen=True, kw_only=True)
class HandCounted(Event):
    """The dealer spread a hand face down, one by one, and counted it."""

    seat: int
    count: int | None = None


@dataclass(frozen=True, kw_only=True)
class CardsCollected(Event):
    """The dealer took a hand's cards to the discard rack.

    `in_order` is false when they were mixed with other cards, so that the hand cannot be laid out again.
    """

    seat: int
    count: int | None = None
    cards: tuple[Card, ...] = ()
    in_order: bool | None = None
    back: str | None = None


@dataclass(frozen=True, kw_only=True)
class HandRebuilt(Event):
    """A collected hand was taken back out of the rack; whether its cards were the top five."""

    seat: int
    from_top: bool | None = None
