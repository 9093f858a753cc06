"""Irregularities of the deal: begun too soon, out of order, a seat left out, cards where no ante lies."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from engine import events as ev
from engine.events import DEALER
from engine.settings import Method
from simulator.director.edit import Edit, Found
from simulator.director.house import Want
from simulator.director.irregularities.base import Hit, dealing_clause, irregularity
from simulator.director.irregularities.deal_common import (
    deliveries_to,
    empty_seats,
    packets,
    plain,
    resize_stub,
    shrink_stub,
    spare,
)


def order_clause(edit: Edit) -> str:
    """Return the clause about the order of the deal."""
    if edit.nz:
        return "8.4" if packets(edit) else "8.3"
    return dealing_clause(edit, "(g)(4)", "(h)(3)", "(i)(3)")


@irregularity("deal.before_call", "late_call", nz="8.1", s10="(g)(2)")
def late_call(edit: Edit) -> Hit:
    """The dealer begins to deal and calls "no more bets" only then."""
    cards = edit.deliveries()
    own = next(number for number, card in enumerate(cards) if card.event.seat == DEALER)
    after = edit.pick(cards[1 : own + 1])
    edit.move([edit.call()], after.at)
    clause = "8.1" if edit.nz else dealing_clause(edit, "(g)(2)", "(h)(2)(iii)", "(i)(2)(ii)")
    return cards[0].event.seat, None, clause


@irregularity("deal.order", "swapped", nz="8.3", s10="(g)(4)", want=Want(seats_at_least=2))
def swapped(edit: Edit) -> Hit:
    """Two neighbours are dealt to in the wrong order, once."""
    cards = edit.deliveries()
    pairs = [
        (one, two) for one, two in pairwise(cards) if one.event.seat != DEALER
    ]  # the dealer is last in each turn, so a pair that begins with a player is of one turn
    first, second = edit.pick(pairs)
    edit.need(second.at == first.at + 1)
    edit.move([second.at], first.at)
    return first.event.seat, None, order_clause(edit)


def _turns(edit: Edit) -> list[list[Found]]:
    """Return the deliveries to players, turn by turn."""
    size = len(edit.plan.seats) + 1
    cards = edit.deliveries()
    edit.need(all(two.at == one.at + 1 for one, two in pairwise(cards)))
    return [cards[start : start + size - 1] for start in range(0, len(cards), size)]


@irregularity("deal.order", "anticlockwise", nz="8.3", s10="(g)(4)", want=Want(seats_at_least=2))
def anticlockwise(edit: Edit) -> Hit:
    """The dealer begins at the right and goes round the wrong way."""
    for turn in _turns(edit):
        beats = [edit.beats[card.at] for card in turn]
        for card, beat in zip(turn, reversed(beats), strict=True):
            edit.beats[card.at] = beat
    return edit.plan.seats[-2].seat, None, order_clause(edit)


@irregularity("deal.order", "second_seat_first", nz="8.3", s10="(g)(4)", want=Want(seats_at_least=3))
def second_seat_first(edit: Edit) -> Hit:
    """The dealer begins with the second player, and the one farthest left comes last."""
    for turn in _turns(edit):
        beats = [edit.beats[card.at] for card in turn]
        for card, beat in zip(turn, [*beats[1:], beats[0]], strict=True):
            edit.beats[card.at] = beat
    return edit.plan.seats[0].seat, None, order_clause(edit)


@irregularity("deal.order", "left_out", nz="8.3", s10="(g)(4)", want=Want(seats_at_least=2))
def left_out(edit: Edit) -> Hit:
    """A player with an ante gets no cards at all, and the round is played without the player."""
    owners = [one.owner for one in edit.plan.seats]
    seat = edit.pick([one for one in plain(edit) if owners.count(one.seat) == 1])
    start = edit.deliveries()[0].at
    edit.drop(
        *[
            n
            for n, beat in enumerate(edit.beats)
            if n >= start and getattr(beat.event, "seat", None) == seat.seat
        ]
    )
    resize_stub(edit, (*edit.plan.stub, *seat.hand))
    return seat.seat, None, order_clause(edit)


def stray_place(edit: Edit, turn: int, seat: int) -> int:
    """Return where in a turn of the deal a card to this seat would come."""
    size = len(edit.plan.seats) + 1
    cards = edit.deliveries()[turn * size : (turn + 1) * size]
    return next(card.at for card in cards if card.event.seat == DEALER or card.event.seat > seat)


def deal_stray(edit: Edit, seat: int, turns: list[int]) -> int:
    """Deal cards to a seat at which nobody plays; return how many."""
    back = edit.plan.back
    if packets(edit):
        cards = spare(edit, 5)
        edit.insert(stray_place(edit, 0, seat), ev.PacketDealt, cards, seat=seat, count=5, back=back)
        shrink_stub(edit, cards)
        return 5
    cards = spare(edit, len(turns))
    hand = edit.deliveries()[0].event.hand
    places = [(stray_place(edit, turn, seat), card) for turn, card in zip(turns, cards, strict=True)]
    for at, card in sorted(places, key=lambda place: -place[0]):
        edit.insert(at, ev.CardDealt, (card,), seat=seat, back=back, hand=hand)
    shrink_stub(edit, cards)
    return len(cards)


def rack_stray(edit: Edit, seat: int, count: int, at: int | None = None) -> None:
    """Let the dealer put stray cards into the rack: with the own hand at the end, or at an index."""
    where = edit.all(ev.CardsCollected, seat=DEALER)[-1].at if at is None else at
    cards = tuple(card for found in deliveries_to(edit, seat) for card in edit.beats[found.at].cards)
    fields: dict[str, Any] = {"seat": seat, "count": count, "in_order": True, "back": edit.plan.back}
    edit.insert(where, ev.CardsCollected, cards, **fields)


def stray_clause(edit: Edit) -> str:
    """Return the s10 clause about whom cards go to."""
    return dealing_clause(edit, "(g)(4)(i)", "(h)(3)(i)", "(i)(3)")


@irregularity("deal.no_ante", "full_hand_kept", nz="12.9", s10="(g)(4)(i)", want=Want(seats_at_most=6))
def full_hand_kept(edit: Edit) -> Hit:
    """A whole hand goes to an area with no ante and lies there until the end of the round."""
    seat = edit.pick(empty_seats(edit))
    count = deal_stray(edit, seat, [0, 1, 2, 3, 4])
    rack_stray(edit, seat, count)
    return seat, None, "12.9" if edit.nz else stray_clause(edit)


@irregularity("deal.no_ante", "full_hand_uncounted", nz="12.9", want=Want(seats_at_most=6))
def full_hand_uncounted(edit: Edit) -> Hit:
    """A whole hand dealt to an area with no ante goes to the rack without being counted."""
    seat = edit.pick(empty_seats(edit))
    count = deal_stray(edit, seat, [0, 1, 2, 3, 4])
    rack_stray(edit, seat, count, edit.decisions()[0])
    return seat, None


@irregularity("deal.no_ante", "part_of_a_hand", nz="12.8", want=Want(seats_at_most=6, method=Method.SHOE))
def part_of_a_hand(edit: Edit) -> Hit:
    """Some cards go to an area with no ante before it is noticed, and the round goes on."""
    seat = edit.pick(empty_seats(edit))
    count = deal_stray(edit, seat, sorted(edit.rng.sample(range(5), edit.rng.randint(1, 4))))
    rack_stray(edit, seat, count)
    return seat, None


@irregularity("deal.no_ante", "one_card", s10="(g)(4)(i)", want=Want(seats_at_most=6))
def one_card(edit: Edit) -> Hit:
    """A card goes to an area with no ante and is not used as the next card."""
    edit.need(not packets(edit))
    seat = edit.pick(empty_seats(edit))
    count = deal_stray(edit, seat, [edit.rng.randrange(5)])
    rack_stray(edit, seat, count)
    return seat, None, stray_clause(edit)
