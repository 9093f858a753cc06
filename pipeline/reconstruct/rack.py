"""Hands from the discard rack: cards go into it hand by hand, so its order gives back what each seat held.

Both rulebooks lean on it: s10 (j)(7) orders cards to be picked up so that every hand can be laid out again, and
nz 12.14 lets a hand be taken back out of the rack only while it is the top five. `expected_rack` is the order that the
log promises; `rebuild` compares it with the cards as somebody read them out of the rack, top card first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine import events as ev
from engine.cards import Card
from engine.events import Event


@dataclass(frozen=True, slots=True)
class Packet:
    """Cards that went into the rack together; `seat` is None for cards that belonged to no hand.

    `in_order` false: they were mixed with others, so the rack says what they were but not whose.
    """

    seq: int
    seat: int | None
    count: int | None
    cards: tuple[Card, ...]
    in_order: bool | None


@dataclass(frozen=True, slots=True)
class RebuiltHand:
    """A hand out of the rack: what it holds there, what the log had read of it, and how far both agree.

    `why` says what is wrong or unsure; it is empty when the rack confirms the log.
    """

    seat: int | None
    cards: tuple[Card, ...]
    read: tuple[Card, ...]
    on_top: bool
    why: str = ""


def expected_rack(events: Sequence[Event]) -> list[Packet]:
    """Return what the log says lies in the rack, top first."""
    packets: list[Packet] = []
    for event in events:
        if isinstance(event, ev.CardsCollected):
            packets.append(Packet(event.seq, event.seat, event.count, event.cards, event.in_order))
        elif isinstance(event, ev.CardDiscarded):
            packets.append(Packet(event.seq, None, 1, (event.card,), True))
        elif isinstance(event, ev.HandRebuilt):
            taken = next((one for one in reversed(packets) if one.seat == event.seat), None)
            if taken is not None:
                packets.remove(taken)
    return packets[::-1]


def rebuild(events: Sequence[Event], rack: Sequence[Card]) -> list[RebuiltHand]:
    """Return the hands in a rack that was read top card first, last collected hand first.

    A packet whose size nobody saw ends the reading: from there on, whose cards are whose is a guess, and is not made.
    """
    hands: list[RebuiltHand] = []
    place = 0
    for number, packet in enumerate(expected_rack(events)):
        if packet.count is None:
            hands.append(RebuiltHand(packet.seat, (), packet.cards, number == 0, "its size was not seen"))
            break
        cards = tuple(rack[place : place + packet.count])
        place += packet.count
        hands.append(RebuiltHand(packet.seat, cards, packet.cards, number == 0, _why(packet, cards)))
    return hands


def _why(packet: Packet, cards: Sequence[Card]) -> str:
    if len(cards) < (packet.count or 0):
        return f"only {len(cards)} of {packet.count} cards are in the rack"
    if packet.in_order is False:
        return "it was mixed with other cards"
    read = {card for card in packet.cards if card.known}
    held = {card for card in cards if card.known}
    missing = sorted(card.label for card in read - held)
    if missing and len(held) == len(cards):
        return f"{', '.join(missing)} was read at the table and is not among them"
    return "" if len(held) == len(cards) else "not every card was read"
