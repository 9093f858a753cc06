"""Settlement: seats and passes in the wrong order, hands taken too early, not turned, not counted, not returned."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine import events as ev
from engine.events import DEALER
from simulator.director.edit import Edit
from simulator.director.house import Want
from simulator.director.irregularities.base import Hit, irregularity
from simulator.director.irregularities.settle_common import (
    after_reveal,
    card_steps,
    clause,
    ending,
    outcome,
    pick,
    resettle,
    step,
    wager_steps,
)
from simulator.director.money import Desk
from simulator.director.plan import SeatPlan, Stake

SEVERAL = Want(seats_at_least=3, all_bet=True)
NO_HAND = replace(SEVERAL, dealer="no_hand")
WINNERS = replace(SEVERAL, dealer="ace_king", hands=("pair", "two_pair"))
MIXED = Want(seats_at_least=4, all_bet=True, dealer="pair", hands=("two_pair", "low"))
TIE = Want(seats_at_least=4, all_bet=True, tie=True, hands=("low", "straight"))


@dataclass(slots=True)
class HastyDesk(Desk):
    """A dealer who settles one seat before the neighbour to its right."""

    early: int = 0

    @property
    def staying(self) -> list[SeatPlan]:
        """The seats still in the round, one of them a place too early."""
        seats = Desk.staying.fget(self)  # type: ignore[attr-defined]
        at = next(n for n, seat in enumerate(seats) if seat.seat == self.early)
        return [*seats[: at - 1], seats[at], seats[at - 1], *seats[at + 1 :]]


def _pair(edit: Edit, *ends: str) -> tuple[SeatPlan, SeatPlan]:
    """Return two neighbours among the seats that end so, the right one first."""
    seats = ending(edit, *ends)
    first = int(edit.pick(range(len(seats) - 1)))
    return seats[first], seats[first + 1]


@irregularity("settle.seat_order", "seat_too_early", nz="10.3", want=SEVERAL)
def seat_too_early(edit: Edit) -> Hit:
    """The dealer turns up and settles a seat before its neighbour to the right."""
    staying = [seat for seat in reversed(edit.plan.seats) if not seat.folds]
    early: SeatPlan = edit.pick(staying[1:])
    resettle(edit, HastyDesk, early=early.seat)
    return early.seat, None, "10.3" if edit.plan.qualifies else "10.1"


def _pay_first(edit: Edit, right: SeatPlan, left: SeatPlan) -> None:
    """Let the left one of two seats be paid first."""
    target = wager_steps(edit, right.seat)[0]
    turned = [one.at for one in after_reveal(edit, ev.CardsTurned, left.seat) if one.at > target]
    edit.move([*turned, *wager_steps(edit, left.seat)], target)


@irregularity("settle.seat_order", "winner_too_early", s10="(j)(5)(iii)", want=WINNERS)
def winner_too_early(edit: Edit) -> Hit:
    """A winner is paid before another one to the right."""
    right, left = _pair(edit, "win")
    _pay_first(edit, right, left)
    return left.seat, None


@irregularity("settle.seat_order", "ante_too_early", s10="(j)(6)(ii)", want=NO_HAND)
def ante_too_early(edit: Edit) -> Hit:
    """The dealer has no hand and pays an ante before that of the neighbour to the right."""
    right, left = _pair(edit, "none")
    _pay_first(edit, right, left)
    return left.seat, None


@irregularity("settle.pass_order", "winner_before_loser", s10="(j)(5)(iii)", want=MIXED)
def winner_before_loser(edit: Edit) -> Hit:
    """The first winner is paid while a losing wager still lies there."""
    winner = edit.pick(ending(edit, "win")[:1])
    edit.need(outcome_first(edit, winner))
    turned = step(edit, ev.CardsTurned, winner.seat)
    late = [wager_steps(edit, one.seat)[0] for one in ending(edit, "lose")]
    target = int(edit.pick([at for at in late if at > turned]))
    edit.move(wager_steps(edit, winner.seat), target)
    return winner.seat, None


def outcome_first(edit: Edit, winner: SeatPlan) -> bool:
    """Whether a seat is the first winner to be paid, those with jackpots included."""
    winners = [
        seat for seat in reversed(edit.plan.seats) if not seat.folds and outcome(edit.plan, seat) == "win"
    ]
    return winners[0] is winner


@irregularity("settle.pass_order", "push_before_loser", s10="(j)(5)(ii)", want=TIE)
def push_before_loser(edit: Edit) -> Hit:
    """The cards of a push are collected while a losing wager still lies there."""
    push = pick(edit, "push")
    turned = step(edit, ev.CardsTurned, push.seat)
    late = [wager_steps(edit, one.seat)[0] for one in ending(edit, "lose")]
    target = int(edit.pick([at for at in late if at > turned]))
    edit.move(card_steps(edit, push.seat), target)
    return push.seat, None


@irregularity("settle.pass_order", "winner_before_push", s10="(j)(5)(iii)", want=TIE)
def winner_before_push(edit: Edit) -> Hit:
    """The first winner is paid while the cards of a push still lie there."""
    winner = edit.pick(ending(edit, "win")[:1])
    edit.need(outcome_first(edit, winner))
    push = pick(edit, "push")
    edit.move(wager_steps(edit, winner.seat), card_steps(edit, push.seat)[0])
    return winner.seat, None


def _cards_first(edit: Edit, seat: SeatPlan) -> Hit:
    edit.move(card_steps(edit, seat.seat), wager_steps(edit, seat.seat)[0])
    return seat.seat, None


@irregularity("settle.cards_before_wager", "loser", nz="10.5", s10="(j)(5)(i)", want=MIXED)
def loser_cards_first(edit: Edit) -> Hit:
    """A loser's cards go to the rack before the wagers are taken."""
    return _cards_first(edit, pick(edit, "lose"))


@irregularity("settle.cards_before_wager", "winner", nz="10.6", want=WINNERS)
def winner_cards_first(edit: Edit) -> Hit:
    """A winner's cards go to the rack before the wagers are paid."""
    return _cards_first(edit, pick(edit, "win"))


@irregularity("settle.cards_before_wager", "no_hand", nz="10.1", s10="(j)(6)(iv)", want=NO_HAND)
def no_hand_cards_first(edit: Edit) -> Hit:
    """The dealer has no hand, and a player's cards go to the rack before the ante is paid."""
    return _cards_first(edit, pick(edit, "none"))


@irregularity("settle.cards_before_wager", "before_all_antes", s10="(j)(6)(iv)", want=NO_HAND)
def before_all_antes(edit: Edit) -> Hit:
    """The dealer has no hand and collects a hand whose ante is paid while others are not."""
    right, left = _pair(edit, "none")
    edit.move(card_steps(edit, right.seat), wager_steps(edit, left.seat)[0])
    return right.seat, None


@irregularity("settle.winner_cards_early", "others_unpaid", s10="(j)(5)(iii)", want=WINNERS)
def winner_cards_early(edit: Edit) -> Hit:
    """A winner's cards go to the rack while another winner is not paid."""
    right, left = _pair(edit, "win")
    edit.move(card_steps(edit, right.seat), wager_steps(edit, left.seat)[0])
    return right.seat, None


@irregularity("settle.winner_cards_early", "before_own_payment", s10="(j)(5)(iii)", want=WINNERS)
def winner_cards_before_payment(edit: Edit) -> Hit:
    """A winner's cards go to the rack before the wagers are paid."""
    return _cards_first(edit, pick(edit, "win"))


def _never_turned(edit: Edit, seat: SeatPlan) -> None:
    edit.drop(step(edit, ev.CardsTurned, seat.seat))
    edit.change(step(edit, ev.CardsCollected, seat.seat), cards=())


@irregularity("settle.not_turned_up", "settled_face_down", nz="10.3", s10="(j)(5)", want=MIXED)
def settled_face_down(edit: Edit) -> Hit:
    """The dealer takes or pays the wagers of a hand without turning it up."""
    seat = pick(edit, "win", "lose")
    _never_turned(edit, seat)
    return seat.seat, None


@irregularity("settle.not_turned_up", "no_hand", nz="10.1", want=NO_HAND)
def not_turned_no_hand(edit: Edit) -> Hit:
    """The dealer has no hand and pays an ante without turning the player's cards."""
    seat = pick(edit, "none")
    _never_turned(edit, seat)
    return seat.seat, None


@irregularity(
    "settle.not_turned_up",
    "progressive_player",
    s10="(j)(6)(i)",
    want=replace(NO_HAND, turn_all=False),
)
def progressive_not_turned(edit: Edit) -> Hit:
    """The dealer has no hand and does not turn the cards of a player with a progressive wager."""
    seat = edit.pick([one for one in ending(edit, "none") if one.stake is not Stake.NONE])
    _never_turned(edit, seat)
    return seat.seat, None


@irregularity("settle.not_counted", "straight_to_the_rack", nz="10.5", want=SEVERAL)
def not_counted(edit: Edit) -> Hit:
    """A settled hand goes to the rack without being counted."""
    seat = pick(edit)
    edit.drop(step(edit, ev.HandCounted, seat.seat))
    return seat.seat, None, clause(edit, outcome(edit.plan, seat))


@irregularity("settle.pickup_order", "mixed", s10="(j)(7)", want=SEVERAL)
def pickup_mixed(edit: Edit) -> Hit:
    """The dealer mixes a hand with others on the way to the rack."""
    seat = pick(edit)
    edit.change(step(edit, ev.CardsCollected, seat.seat), in_order=False)
    return seat.seat, None


def _returned(edit: Edit, seat: SeatPlan) -> str:
    """Return the clause by which the cards of a seat go to the rack."""
    ends = outcome(edit.plan, seat)
    return "(j)(6)(iv)" if ends == "none" and not edit.nz else clause(edit, ends)


@irregularity("settle.cards_missing", "card_kept_back", nz="10.5", s10="(j)(7)", want=SEVERAL)
def card_kept_back(edit: Edit) -> Hit:
    """A hand comes back with four cards; the dealer does not mind."""
    edit.need(not edit.all(ev.DeckCounted))
    seat = pick(edit)
    kept = edit.rng.choice(seat.hand)
    left = tuple(card for card in seat.hand if card != kept)
    for one in after_reveal(edit, ev.HandCounted, seat.seat):
        edit.change(one.at, count=4)
    collected = edit.first(ev.CardsCollected, edit.reveal(), seat=seat.seat)
    edit.change(collected.at, faces=left, count=4, cards=left if collected.event.cards else ())
    return seat.seat, None, _returned(edit, seat)


@irregularity("settle.cards_missing", "hand_left", nz="10.5", s10="(j)(7)", want=SEVERAL)
def hand_left(edit: Edit) -> Hit:
    """A player's hand still lies on the layout when the round ends."""
    edit.need(not edit.all(ev.DeckCounted))
    seat = pick(edit)
    edit.drop(*card_steps(edit, seat.seat))
    return seat.seat, None, _returned(edit, seat)


@irregularity("settle.cards_missing", "dealer_hand_left", s10="(j)(7)", want=SEVERAL)
def dealer_hand_left(edit: Edit) -> Hit:
    """The dealer's own hand still lies there when the round ends."""
    edit.need(not edit.all(ev.DeckCounted))
    edit.drop(step(edit, ev.CardsCollected, DEALER))
    return DEALER, None
