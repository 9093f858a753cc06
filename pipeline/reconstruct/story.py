"""A round rebuilt from its events: what lay at each seat, what was done, what was due, what nobody saw.

Everything here is derived: the same events give the same story, whether they come from the record, from a file or
from a test.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine import events as ev
from engine.cards import Card
from engine.events import DEALER, Area, Event
from engine.hands import describe
from engine.money import format_amount
from engine.state import TableState, apply, empty_table
from engine.state.model import Seat, Wager
from engine.verdicts import Verdict
from pipeline.reconstruct.words import sentence


@dataclass(frozen=True, slots=True)
class Moment:
    """One line of the timeline."""

    seq: int
    at: int
    kind: str
    text: str
    witness: str
    confidence: float
    frames: tuple[ev.FrameRef, ...]


@dataclass(frozen=True, slots=True)
class WagerStory:
    """One wager from beginning to end, in words and amounts."""

    area: Area
    staked: int | None
    paid: int | None
    end: str


@dataclass(frozen=True, slots=True)
class SeatStory:
    """One seat: its hand as far as it was read, its wagers and its decision."""

    seat: int
    cards: tuple[Card, ...]
    hand: str
    decision: str
    wagers: tuple[WagerStory, ...]
    jackpot: int | None


@dataclass(frozen=True, slots=True)
class Unseen:
    """Something that could not be seen, and why."""

    zone: str
    why: str


@dataclass(frozen=True, slots=True)
class Story:
    """The whole round."""

    table: str
    round: str
    start: int
    end: int
    void: bool
    complete: bool
    seats: tuple[SeatStory, ...]
    timeline: tuple[Moment, ...]
    unseen: tuple[Unseen, ...]
    verdicts: tuple[Verdict, ...]


def tell(events: Sequence[Event], verdicts: Iterable[Verdict] = (), seats: int = 7) -> Story:
    """Rebuild a round from its events (those of one round, first to last) and what was said about it."""
    state = empty_table(seats)
    last = state
    for event in events:
        state = apply(state, event)
        if state.round is not None:
            last = state
    number = last.round.id if last.round is not None else "?"
    return Story(
        table=events[0].table if events else "",
        round=number,
        start=events[0].at if events else 0,
        end=events[-1].at if events else 0,
        void=any(isinstance(event, ev.RoundVoided) for event in events),
        complete=any(isinstance(event, ev.RoundClosed) for event in events),
        seats=tuple(_seats(last)),
        timeline=tuple(_moment(event) for event in events),
        unseen=tuple(_unseen(last)),
        verdicts=tuple(verdicts),
    )


def _moment(event: Event) -> Moment:
    return Moment(
        event.seq,
        event.at,
        type(event).__name__,
        sentence(event),
        event.witness,
        event.confidence,
        event.frames,
    )


def _seats(state: TableState) -> Iterable[SeatStory]:
    for seat in state.seats:
        if seat.number == DEALER or seat.cards or any(seat.wager(area) for area in Area):
            yield _seat(seat)


def _seat(seat: Seat) -> SeatStory:
    wagers = tuple(_wager(area, wager) for area in Area if (wager := seat.wager(area)) is not None)
    return SeatStory(
        seat.number, seat.faces, hand_words(seat.faces), _decision(seat), wagers, seat.jackpot_amount
    )


def hand_words(cards: tuple[Card, ...]) -> str:
    """Return what a hand is called, or how much of it was read."""
    known = [card for card in cards if card.known]
    if len(cards) == 5 and len(set(known)) == 5:
        return describe(known)
    return f"{len(known)} of {len(cards)} cards read" if cards else "no cards"


def _decision(seat: Seat) -> str:
    if seat.number == DEALER:
        return ""
    if seat.voided is not None:
        return "void"
    if seat.folded is not None:
        return "fold"
    return "bet" if seat.bet is not None else "no decision seen"


def _wager(area: Area, wager: Wager) -> WagerStory:
    if wager.taken is not None:
        end = "taken"
    elif wager.paid is not None:
        paid = wager.paid_amount
        end = "paid" if paid is None else f"paid {format_amount(paid)}"
    elif wager.withdrawn is not None:
        end = "taken back"
    else:
        end = "left on the table"
    return WagerStory(area, wager.amount, wager.paid_amount if wager.paid is not None else 0, end)


def _unseen(state: TableState) -> Iterable[Unseen]:
    for zone, gap in state.gaps.items():
        yield Unseen(zone, gap.why)
    for name, gap in state.signal_gaps.items():
        yield Unseen(f"signal {name}", gap.why)
