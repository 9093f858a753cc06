"""What the director hands over: beats (an event and what was hidden behind it), and what a monitor must find.

A camera sees the back of a card and the edge of a stack; a film needs the face and the chips. So each event
travels with its hidden part as one `Beat`, and the truth about a round is worked out from the beats. Whoever
alters a round alters beats, and the truth follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from engine.cards import DECK, UNKNOWN, Card
from engine.events import (
    Area,
    CardDealt,
    CardFoundFaceUp,
    CardMisdrawn,
    CardMoved,
    Event,
    PacketDealt,
    RoundOpened,
    WagerChanged,
    WagerPlaced,
)
from engine.settings import TableSettings


@dataclass(frozen=True, slots=True)
class Beat:
    """One event with what it hides: the cards it is about, the chips it moves (bottom to top).

    `cards` of a delivery are the cards delivered; of `RoundOpened` the deck as it will be dealt; of `CardMisdrawn`
    nothing, because the card is the one that the next delivery brings.
    """

    event: Event
    cards: tuple[Card, ...] = ()
    chips: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Expected:
    """What a monitor must say: check, clause (one of the check's), seat and area.

    `seat` is the seat of the event that proves it: 0 for the dealer's own cards, None where no seat is meant.
    """

    check: str
    clause: str
    seat: int | None = None
    area: Area | None = None


@dataclass(frozen=True, slots=True)
class RoundTruth:
    """One round as it lay on the table: the whole deck in its order, hands by position, wagers chip by chip."""

    round: str
    deck: str | None
    back: str | None
    order: tuple[Card, ...]
    hands: Mapping[int, tuple[Card, ...]]
    chips: Mapping[tuple[int, Area], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Truth:
    """The hidden side of a script: each round, and for each event number its cards and chips."""

    rounds: tuple[RoundTruth, ...]
    cards: Mapping[int, tuple[Card, ...]]
    chips: Mapping[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Script:
    """A whole scene: settings, beats in order, and the verdicts that are proper.

    `expected` are violations, `handled` what went wrong and was put right as the rulebook orders. A legal scene
    has neither. `allowed` are checks that cannot but fail with an expected one (a hand that was never paid has also
    been taken before it was paid): a monitor may name them too. `linked` are further tables in the same scene, which
    share the jackpot; their events are told apart by `Event.table`.
    """

    rulebook: str
    settings: TableSettings
    beats: tuple[Beat, ...]
    expected: tuple[Expected, ...] = ()
    handled: tuple[Expected, ...] = ()
    allowed: tuple[str, ...] = ()
    name: str = "clean"
    notes: Mapping[str, object] = field(default_factory=dict)
    linked: tuple[TableSettings, ...] = ()

    @property
    def all_settings(self) -> tuple[TableSettings, ...]:
        """The settings of every table in the scene: its own, then those linked to it by the jackpot."""
        return (self.settings, *self.linked)

    @property
    def events(self) -> tuple[Event, ...]:
        """The events alone, as a monitor gets them."""
        return tuple(beat.event for beat in self.beats)

    @property
    def truth(self) -> Truth:
        """The hidden cards and chips, worked out from the beats."""
        cards = {beat.event.seq: beat.cards for beat in self.beats if beat.cards}
        chips = {beat.event.seq: beat.chips for beat in self.beats if beat.chips}
        return Truth(tuple(_rounds(self.beats)), cards, chips)


def _rounds(beats: Iterable[Beat]) -> Iterable[RoundTruth]:
    """Yield the truth about each round, table by table."""
    tables: dict[str, list[Beat]] = {}
    for beat in beats:
        tables.setdefault(beat.event.table, []).append(beat)
    for at_table in tables.values():
        current: list[Beat] = []
        for beat in at_table:
            if isinstance(beat.event, RoundOpened) and current:
                yield _round(current)
                current = []
            if current or isinstance(beat.event, RoundOpened):
                current.append(beat)
        if current:
            yield _round(current)


def _round(beats: list[Beat]) -> RoundTruth:
    opened = beats[0].event
    assert isinstance(opened, RoundOpened)
    hands: dict[int, tuple[Card, ...]] = {}
    chips: dict[tuple[int, Area], tuple[int, ...]] = {}
    dealt: list[Card] = []
    back: str | None = None
    for beat in beats:
        event = beat.event
        if isinstance(event, CardDealt | PacketDealt):
            hands[event.seat] = hands.get(event.seat, ()) + beat.cards
            dealt.extend(beat.cards)
            back = back or event.back
        elif isinstance(event, CardMoved):
            hands[event.seat] = tuple(card for card in hands.get(event.seat, ()) if card not in beat.cards)
            hands[event.to_seat] = hands.get(event.to_seat, ()) + beat.cards
        elif isinstance(event, CardFoundFaceUp | CardMisdrawn):
            dealt.extend(beat.cards)
        elif isinstance(event, WagerPlaced | WagerChanged):
            chips[event.seat, event.area] = beat.chips
    used = set(dealt)
    rest = [card for card in beats[0].cards or DECK if card not in used]
    return RoundTruth(opened.round, opened.deck, back, (*dealt, *rest), hands, chips)


def renumbered(beats: Iterable[Beat]) -> tuple[Beat, ...]:
    """Give beats running numbers and times that never fall, in the order in which they stand.

    The times are those that the beats bring, sorted: who moves an event to another place swaps its moment too.
    """
    listed = list(beats)
    times = sorted(beat.event.at for beat in listed)
    done: list[Beat] = []
    last = -1
    for number, (beat, at) in enumerate(zip(listed, times, strict=True), start=1):
        last = max(at, last + 1)
        done.append(replace(beat, event=replace(beat.event, seq=number, at=last)))
    return tuple(done)


def hidden(count: int) -> tuple[Card, ...]:
    """Return cards that nobody read."""
    return (UNKNOWN,) * count
