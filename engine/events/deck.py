"""The table and its decks: opening, inspection, spread, wash, shuffle, cut, count, removal."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Card
from engine.events.base import Device, Event, Role


@dataclass(frozen=True, kw_only=True)
class TableOpened(Event):
    """The table was opened for play."""


@dataclass(frozen=True, kw_only=True)
class TableClosed(Event):
    """The table was closed."""


@dataclass(frozen=True, kw_only=True)
class TableVacated(Event):
    """The last player left: the table is open, but nobody plays."""


@dataclass(frozen=True, kw_only=True)
class PlayerSat(Event):
    """A player sat down at a seat (`player` is a handle such as a tracking number, if known)."""

    seat: int
    player: str | None = None


@dataclass(frozen=True, kw_only=True)
class PlayerLeft(Event):
    """The player of a seat stood up and left it."""

    seat: int


@dataclass(frozen=True, kw_only=True)
class DealerChanged(Event):
    """Another dealer took over the table."""

    dealer: str | None = None


@dataclass(frozen=True, kw_only=True)
class DeckBrought(Event):
    """A new deck was opened for use at the table."""

    deck: str
    back: str | None = None


@dataclass(frozen=True, kw_only=True)
class DeckInspected(Event):
    """Somebody sorted and inspected a deck."""

    deck: str
    by: Role


@dataclass(frozen=True, kw_only=True)
class DeckSpread(Event):
    """A deck was spread out on the layout; `cards` in the order in which they lie, `??` where unread."""

    deck: str
    cards: tuple[Card, ...] = ()
    face_up: bool = True


@dataclass(frozen=True, kw_only=True)
class DeckWashed(Event):
    """A deck was mixed face down on the table (wash, chemmy shuffle)."""

    deck: str


@dataclass(frozen=True, kw_only=True)
class DeckShuffled(Event):
    """A shuffle of a deck ended; `complete` is false when it was broken off."""

    deck: str
    by: Role = Role.DEALER
    complete: bool = True


@dataclass(frozen=True, kw_only=True)
class DeckCut(Event):
    """A deck was cut: by whom, how many cards came off the top, whether the cover card went to the rack."""

    deck: str
    by: Role = Role.DEALER
    cards: int | None = None
    cover_card_racked: bool | None = None


@dataclass(frozen=True, kw_only=True)
class DeckLoaded(Event):
    """A deck was put into a device, or taken in hand to deal from."""

    deck: str
    device: Device


@dataclass(frozen=True, kw_only=True)
class DeckRemoved(Event):
    """A deck was taken off the table for good."""

    deck: str


@dataclass(frozen=True, kw_only=True)
class DeckCounted(Event):
    """The whole deck was counted; `count` is what the dealer counted, if it could be seen."""

    deck: str
    count: int | None = None


@dataclass(frozen=True, kw_only=True)
class CardShown(Event):
    """A card of the deck showed its face before the deck entered the shoe (while shuffled or cut)."""

    deck: str
    card: Card


@dataclass(frozen=True, kw_only=True)
class DeviceInstalled(Event):
    """A shoe or shuffler was put on the table."""

    device: Device


@dataclass(frozen=True, kw_only=True)
class DeviceRemoved(Event):
    """A shoe or shuffler was taken off the table."""

    device: Device
