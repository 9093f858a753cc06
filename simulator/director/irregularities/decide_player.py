"""Decisions: what players do with cards, their own and others', and how a fold is cleared away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine import events as ev
from engine.cards import Card
from engine.events import DEALER, OUTSIDER, Area
from engine.settings import JackpotMode
from simulator.director.edit import Edit
from simulator.director.house import Want
from simulator.director.irregularities.base import Hit, irregularity
from simulator.director.irregularities.decide_common import (
    fold_block,
    held,
    in_hand,
    lies_at,
    play_on,
    with_hands,
)
from simulator.director.money import Desk
from simulator.director.plan import SeatPlan, Stake
from simulator.director.script import Beat

TWO = Want(seats_at_least=2)
FOLDED = Want(folds=1)
ONE_VIEW = Want(several_areas=True, view_one_hand=True, seats_at_most=5)


def _looking(edit: Edit) -> SeatPlan:
    seat: SeatPlan = edit.pick(edit.seats(lambda one: one.looks))
    return seat


def _out_of_sight(edit: Edit, off_table: bool) -> Hit:
    seat = _looking(edit)
    first, last = held(edit, seat.seat)
    edit.insert(
        edit.rng.randint(first, last),
        ev.CardsOutOfSight,
        seat=seat.seat,
        off_table=off_table,
        count=edit.rng.choice((1, 2, 5)),
    )
    return seat.seat, None


@irregularity("decide.cards_off_table", "below_the_edge", nz="9.4")
def off_table(edit: Edit) -> Hit:
    """A player takes cards below the edge of the table."""
    return _out_of_sight(edit, True)


@irregularity("decide.cards_out_of_view", "below_the_edge", s10="(j)(2)")
def out_of_view_below(edit: Edit) -> Hit:
    """A player takes cards below the edge of the table."""
    return _out_of_sight(edit, True)


@irregularity("decide.cards_out_of_view", "hidden_above", s10="(j)(2)")
def out_of_view_above(edit: Edit) -> Hit:
    """A player hides cards behind a hand, above the table."""
    return _out_of_sight(edit, False)


@irregularity("decide.cards_exchanged", "one_for_one", nz="9.5", s10="(j)(2)", want=TWO)
def exchanged(edit: Edit) -> list[Hit]:
    """Two players who hold their cards swap one for another; the hands are settled as they then are."""
    one, other = edit.rng.sample(edit.plan.seats, 2) if len(edit.plan.seats) > 1 else edit.pick([])
    edit.need(one.looks and other.looks)
    spans = [held(edit, seat.seat) for seat in (one, other)]
    first, last = max(span[0] for span in spans), min(span[1] for span in spans)
    edit.need(first <= last)
    seen = {
        card for found in edit.all(ev.CardsTurned) for card in found.event.cards if found.at < edit.reveal()
    }
    given, taken = (edit.pick([card for card in seat.hand if card not in seen]) for seat in (one, other))
    swap = {given: taken, taken: given}
    hands = {seat.seat: tuple(swap.get(card, card) for card in seat.hand) for seat in (one, other)}
    place = edit.rng.randint(first, last)
    for at in range(place, edit.reveal()):
        edit.beats[at] = _swapped(edit.beats[at], swap)
    desk = Desk(edit.continue_from(edit.reveal()), with_hands(edit.plan, hands))
    play_on(edit, desk)
    at = edit.insert(place, ev.CardMoved, faces=(given,), seat=one.seat, to_seat=other.seat, by=one.seat)
    edit.insert(at, ev.CardMoved, faces=(taken,), seat=other.seat, to_seat=one.seat, by=other.seat)
    return [(one.seat, None), (other.seat, None)]


def _swapped(beat: Beat, swap: dict[Card, Card]) -> Beat:
    """Return a beat in which the two cards have changed places, hidden and seen."""
    cards = tuple(swap.get(card, card) for card in beat.cards)
    event = beat.event
    if isinstance(event, ev.CardsTurned | ev.CardsCollected):
        event = replace(event, cards=tuple(swap.get(card, card) for card in event.cards))
    return replace(beat, event=event, cards=cards)


def _touch(edit: Edit, by: Callable[[SeatPlan], int]) -> Hit:
    seat: SeatPlan = edit.pick(edit.seats())
    edit.insert(int(edit.pick(lies_at(edit, seat.seat))), ev.HandTouched, seat=seat.seat, by=by(seat))
    return seat.seat, None


@irregularity("decide.cards_touched", "by_neighbour", s10="(j)(2)", want=TWO)
def touched_by_neighbour(edit: Edit) -> Hit:
    """A player touches the cards of another."""

    def neighbour(seat: SeatPlan) -> int:
        return int(edit.pick([one.seat for one in edit.plan.seats if one is not seat]))

    return _touch(edit, neighbour)


@irregularity("decide.cards_touched", "by_bystander", s10="(j)(2)")
def touched_by_bystander(edit: Edit) -> Hit:
    """Somebody who does not play touches a player's cards."""
    return _touch(edit, lambda seat: OUTSIDER)


@irregularity("decide.cards_touched", "picked_up_by_neighbour", s10="(j)(2)", want=TWO)
def picked_up_by_neighbour(edit: Edit) -> Hit:
    """A player takes up another's hand and puts it back."""
    seat: SeatPlan = edit.pick(edit.seats(lambda one: not one.looks or not one.folds))
    by = int(edit.pick([one.seat for one in edit.plan.seats if one is not seat]))
    at = int(edit.pick(lies_at(edit, seat.seat)))
    at = edit.insert(at, ev.HandPickedUp, seat=seat.seat, by=by, count=5)
    edit.insert(at, ev.HandLaidDown, seat=seat.seat, by=by, count=5)
    later = [*edit.all(ev.HandPickedUp, at, by=seat.seat), *edit.all(ev.HandTouched, at, by=seat.seat)]
    edit.need(not [one for one in later if one.event.seat == seat.seat])
    return seat.seat, None


@irregularity("decide.cards_touched_again", "touched", s10="(j)(2)")
def touched_again(edit: Edit) -> Hit:
    """A player touches the own cards after having laid them down."""
    seat: SeatPlan = edit.pick(edit.seats(lambda one: one.looks and not one.folds))
    down = edit.first(ev.HandLaidDown, seat=seat.seat).at
    edit.insert(edit.rng.randint(down + 1, edit.reveal()), ev.HandTouched, seat=seat.seat, by=seat.seat)
    return seat.seat, None


@irregularity("decide.cards_touched_again", "picked_up", s10="(j)(2)")
def picked_up_again(edit: Edit) -> Hit:
    """A player takes up the own cards once more after having laid them down."""
    seat: SeatPlan = edit.pick(edit.seats(lambda one: one.looks and not one.folds))
    down = edit.first(ev.HandLaidDown, seat=seat.seat).at
    at = edit.rng.randint(down + 1, edit.reveal())
    at = edit.insert(at, ev.HandPickedUp, seat=seat.seat, by=seat.seat, count=5)
    edit.insert(at, ev.HandLaidDown, seat=seat.seat, by=seat.seat, count=5)
    return seat.seat, None


@irregularity("decide.information", "reported", nz="9.5", s10="(j)(3)", want=TWO, visible=False)
def information(edit: Edit) -> list[Hit]:
    """Somebody reports that two players told each other about their hands."""
    owners = sorted({seat.owner for seat in edit.plan.seats})
    edit.need(len(owners) > 1)
    pair = tuple(sorted(edit.rng.sample(owners, 2)))
    start, end = edit.decisions()
    edit.insert(edit.rng.randint(start, end), ev.InformationPassed, seats=pair)
    return [(pair[0], None), (pair[1], None)]


def _viewed(edit: Edit, seat: SeatPlan, by: int) -> Hit:
    at = int(edit.pick(lies_at(edit, seat.seat)))
    at = edit.insert(at, ev.HandPickedUp, seat=seat.seat, by=by, count=5)
    at = edit.insert(at, ev.HandViewed, faces=seat.hand, seat=seat.seat, by=by)
    edit.insert(at, ev.HandLaidDown, seat=seat.seat, by=by, count=5)
    return seat.seat, None


@irregularity("decide.other_hand_viewed", "own_second_hand", nz="5.6.2", want=ONE_VIEW)
def second_hand_viewed(edit: Edit) -> Hit:
    """A player with two areas looks at the hand that must be played blind."""
    seat: SeatPlan = edit.pick(edit.seats(lambda one: one.owner != one.seat))
    return _viewed(edit, seat, seat.owner)


@irregularity("decide.other_hand_viewed", "by_dealer", nz="5.6.2", want=ONE_VIEW)
def blind_hand_viewed_by_dealer(edit: Edit) -> Hit:
    """The dealer looks at a hand that must be played blind."""
    seat: SeatPlan = edit.pick(edit.seats(lambda one: one.owner != one.seat))
    edit.need(edit.all(ev.WagerPlaced, seat=seat.seat, area=Area.ANTE)[-1].event.by == seat.owner)
    return _viewed(edit, seat, DEALER)


def _folder(edit: Edit, holds: Callable[[SeatPlan], bool] = lambda one: True) -> SeatPlan:
    seat: SeatPlan = edit.pick(edit.seats(lambda one: one.folds and holds(one)))
    return seat


def _of_fold(edit: Edit, seat: int, kind: type[ev.Event], **match: Any) -> int:
    """Return the place of one step of the clearing of a fold."""
    block = set(fold_block(edit, seat))
    return next(one.at for one in edit.all(kind, seat=seat, **match) if one.at in block)


@irregularity("decide.fold_order", "cards_before_ante", nz="9.2", s10="(j)(1)", want=FOLDED)
def cards_before_ante(edit: Edit) -> Hit:
    """The dealer racks a folded hand, and only then takes its ante."""
    seat = _folder(edit)
    ante = _of_fold(edit, seat.seat, ev.WagerTaken, area=Area.ANTE)
    edit.move([ante], _of_fold(edit, seat.seat, ev.CardsCollected) + 1)
    return seat.seat, None


@irregularity(
    "decide.fold_order", "ante_before_jackpot", nz="9.2", want=Want(folds=1, jackpot=JackpotMode.MANUAL)
)
def ante_before_jackpot(edit: Edit) -> Hit:
    """The dealer takes the ante of a folded hand before its jackpot wager."""
    seat = _folder(edit, lambda one: one.stake is Stake.CHIP)
    ante = _of_fold(edit, seat.seat, ev.WagerTaken, area=Area.ANTE)
    edit.move([ante], _of_fold(edit, seat.seat, ev.WagerTaken, area=Area.JACKPOT))
    return seat.seat, None


@irregularity("decide.fold_left_lying", "until_after_the_reveal", s10="(j)(1)", want=FOLDED)
def fold_left_lying(edit: Edit) -> Hit:
    """The dealer leaves a folded hand lying and collects it only after the own cards are shown."""
    seat = _folder(edit)
    edit.need(bool(edit.all(ev.CardsTurned, edit.reveal() + 1, face_up=True)))
    edit.move([_of_fold(edit, seat.seat, ev.CardsCollected)], edit.reveal() + 1)
    return seat.seat, None


@irregularity("decide.fold_not_counted", "straight_to_the_rack", nz="9.2(c)", want=FOLDED)
def fold_not_counted(edit: Edit) -> Hit:
    """A folded hand goes to the rack without being spread and counted."""
    seat = _folder(edit)
    edit.drop(_of_fold(edit, seat.seat, ev.HandCounted))
    return seat.seat, None


@irregularity("decide.fold_card_count", "card_kept_back", nz="9.2(c)", s10="(j)(1)", want=FOLDED)
def fold_card_count(edit: Edit) -> Hit:
    """A player folds four cards and keeps the fifth; the dealer does not mind."""
    seat = _folder(edit)
    edit.need(not edit.all(ev.DeckCounted))
    kept = edit.rng.choice(seat.hand)
    left = tuple(card for card in seat.hand if card != kept)
    for at in in_hand(edit, seat.seat):
        if isinstance(edit.beats[at].event, ev.HandLaidDown):
            edit.change(at, count=4)
    for at in fold_block(edit, seat.seat):
        if isinstance(edit.beats[at].event, ev.HandCounted):
            edit.change(at, count=4)
        elif isinstance(edit.beats[at].event, ev.CardsCollected):
            edit.change(at, faces=left, count=4)
    return seat.seat, None
