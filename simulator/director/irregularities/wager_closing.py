"""Irregularities of wagers as they are made: amounts, chips, tender, who makes them, and for which hands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine import events as ev
from engine.events import OUTSIDER, Area, Tender
from simulator.director.chips import pile
from simulator.director.edit import Edit, Found
from simulator.director.house import Want
from simulator.director.irregularities.base import Hit, irregularity
from simulator.director.irregularities.deal_common import chips_of, replay, settle_as
from simulator.director.plan import Choice, SeatPlan, Stake

NOT_BLIND = Want(blind_bets=False)


def ante_of(edit: Edit, seat: int) -> Found:
    """Return the one event that makes the ante of a seat; a round in which it is changed or moved is given up."""
    edit.need(not edit.all(ev.WagerChanged, seat=seat) and not edit.all(ev.OralWagerAccepted, seat=seat))
    return edit.only(ev.WagerPlaced, seat=seat, area=Area.ANTE)


def bet_of(edit: Edit, seat: int) -> Found:
    """Return the one event that makes the bet of a seat, after the deal."""
    return edit.only(ev.WagerPlaced, edit.call(), seat=seat, area=Area.BET)


def bettors(edit: Edit) -> list[SeatPlan]:
    """Return the seats that bet after the deal."""
    return edit.seats(lambda seat: seat.choice is Choice.BET)


def chip_seats(edit: Edit) -> list[SeatPlan]:
    """Return the seats whose ante is made with chips."""
    return edit.seats(lambda seat: seat.tender is Tender.CHIPS)


@irregularity("wager.blind_bet", "before_the_deal", nz="5.1(c)", s10="(a)(1)(ii)", want=NOT_BLIND)
def blind_bet(edit: Edit) -> Hit:
    """A player makes the bet wager before the deal, where that is not allowed."""
    seat = edit.pick(bettors(edit)).seat
    edit.move([bet_of(edit, seat).at], edit.call())
    return seat, Area.BET


@irregularity("wager.bet_amount", "too_small", nz="5.3", s10="(a)(1)(ii)")
def bet_too_small(edit: Edit) -> Hit:
    """A player bets as much as the ante, and the dealer settles the bet as it lies."""
    return _bet_of(edit, 1)


@irregularity("wager.bet_amount", "too_large", nz="5.3", s10="(a)(1)(ii)")
def bet_too_large(edit: Edit) -> Hit:
    """A player bets three times the ante, and the dealer settles the bet as it lies."""
    return _bet_of(edit, 3)


def _bet_of(edit: Edit, times: int) -> Hit:
    seat = edit.pick(bettors(edit))
    bet = bet_of(edit, seat.seat)
    edit.change(bet.at, **chips_of(edit, times * seat.ante))
    settle_as(edit, seat, Area.BET, times * seat.ante, bet.at)
    return seat.seat, Area.BET


@irregularity("wager.stack_order", "ante", nz="5.4")
def ante_upside_down(edit: Edit) -> Hit:
    """The chips of an ante lie with a larger one above a smaller one."""
    seat = edit.pick([one for one in chip_seats(edit) if len(set(one.ante_chips)) > 1])
    _upside_down(edit, ante_of(edit, seat.seat), seat.ante_chips)
    return seat.seat, Area.ANTE


@irregularity("wager.stack_order", "bet", nz="5.4")
def bet_upside_down(edit: Edit) -> Hit:
    """The chips of a bet lie with a larger one above a smaller one."""
    seat = edit.pick([one for one in bettors(edit) if len(set(one.bet_chips)) > 1])
    _upside_down(edit, bet_of(edit, seat.seat), seat.bet_chips)
    return seat.seat, Area.BET


def _upside_down(edit: Edit, made: Found, chips: tuple[int, ...]) -> None:
    turned = tuple(reversed(chips))
    edit.change(made.at, stack=turned, chips=turned)


@irregularity("wager.second_in_area", "two_piles", nz="5.7")
def two_piles(edit: Edit) -> Hit:
    """Two piles lie side by side in one area."""
    seat = edit.pick([one for one in chip_seats(edit) if len(one.ante_chips) > 1])
    made = ante_of(edit, seat.seat)
    _second_pile(edit, made, seat.ante_chips)
    return seat.seat, Area.ANTE


@irregularity("wager.second_in_area", "two_bets", nz="5.7")
def two_bets(edit: Edit) -> Hit:
    """A player makes the bet in two piles."""
    seat = edit.pick([one for one in bettors(edit) if len(one.bet_chips) > 1])
    _second_pile(edit, bet_of(edit, seat.seat), seat.bet_chips)
    return seat.seat, Area.BET


def _second_pile(edit: Edit, made: Found, chips: tuple[int, ...]) -> None:
    """Make a wager in two piles instead of one."""
    cut = edit.rng.randrange(1, len(chips))
    low, high = chips[:cut], chips[cut:]
    event = made.event
    edit.change(made.at, stack=low, amount=sum(low), chips=low)
    fields: dict[str, Any] = {"seat": event.seat, "area": event.area, "by": event.by}
    edit.insert(made.at + 1, ev.WagerPlaced, stack=high, amount=sum(high), chips=high, **fields)


@irregularity("wager.limits", "below", nz="11.2", s10="setting", want=Want(limits=True))
def below_limit(edit: Edit) -> Hit:
    """An ante is smaller than the table's least ante."""
    low = edit.settings.ante_min or 0
    return _ante_of(edit, low // 2 - low // 2 % min(edit.settings.chip_values))


@irregularity("wager.limits", "above", nz="11.2", s10="setting", want=Want(limits=True))
def above_limit(edit: Edit) -> Hit:
    """An ante is larger than the table's greatest ante."""
    return _ante_of(edit, (edit.settings.ante_max or 0) + (edit.settings.ante_min or 0))


def _ante_of(edit: Edit, amount: int) -> Hit:
    """Let one player play the round with another ante."""
    values = edit.settings.chip_values
    edit.need(amount > 0)
    chosen = edit.pick(chip_seats(edit))
    seat = replace(
        chosen,
        ante=amount,
        ante_chips=pile(amount, values),
        bet_chips=pile(2 * amount, values),
        stake=Stake.NONE,
    )
    edit.need(sum(seat.ante_chips) == amount and len(seat.bet_chips) <= 20)
    replay(
        edit,
        replace(edit.plan, seats=tuple(seat if one.seat == seat.seat else one for one in edit.plan.seats)),
    )
    edit.need(len(edit.all(ev.WagerPlaced, seat=seat.seat, area=Area.ANTE)) == 1)
    return seat.seat, Area.ANTE


@irregularity("wager.tender", "cash_ante", nz="5.4", s10="(f)(1)")
def cash_ante(edit: Edit) -> Hit:
    """An ante is made with bank notes."""
    seat = edit.pick(chip_seats(edit)).seat
    edit.change(ante_of(edit, seat).at, stack=(), chips=None, tender=Tender.CASH)
    return seat, Area.ANTE


@irregularity("wager.tender", "cash_bet", nz="5.4", s10="(f)(1)")
def cash_bet(edit: Edit) -> Hit:
    """A bet is made with bank notes."""
    seat = edit.pick(bettors(edit)).seat
    edit.change(bet_of(edit, seat).at, stack=(), chips=None, tender=Tender.CASH)
    return seat, Area.BET


@irregularity("wager.tender", "plaque", nz="5.4")
def plaque(edit: Edit) -> Hit:
    """An ante is made with a plaque, where only chips are accepted."""
    seat = edit.pick(chip_seats(edit))
    edit.change(ante_of(edit, seat.seat).at, stack=(seat.ante,), chips=(seat.ante,), tender=Tender.PLAQUE)
    return seat.seat, Area.ANTE


@irregularity("wager.oral", "without_chips", nz="5.5", s10="(f)(1)", visible=False)
def oral_without_chips(edit: Edit) -> Hit:
    """The dealer accepts an ante that is called out, and the chips come later."""
    seat = edit.pick(chip_seats(edit)).seat
    made = ante_of(edit, seat)
    edit.insert(made.at, ev.OralWagerAccepted, seat=seat, area=Area.ANTE, with_chips=False)
    return seat, Area.ANTE


@irregularity("wager.oral", "after_the_call", nz="5.5", s10="(f)(1)")
def oral_after_call(edit: Edit) -> Hit:
    """The dealer accepts an ante that is called out after "no more bets", and places it."""
    fit = [
        one for one in chip_seats(edit) if one.stake is Stake.NONE and not one.blind and one.owner == one.seat
    ]
    seat = edit.pick(fit).seat
    made = ante_of(edit, seat)
    edit.drop_all(ev.WagerTouched, seat=seat)
    edit.change(made.at, by=ev.DEALER)
    edit.move([made.at], edit.call() + 1)
    at = edit.first(ev.WagerPlaced, seat=seat, area=Area.ANTE).at
    edit.insert(at, ev.OralWagerAccepted, seat=seat, area=Area.ANTE, with_chips=True)
    return seat, Area.ANTE


@irregularity("wager.not_seated", "ante_by_a_bystander", s10="(f)(6)")
def bystander_ante(edit: Edit) -> Hit:
    """Somebody who is not seated makes an ante over a player's shoulder."""
    seat = edit.pick(edit.plan.seats).seat
    edit.change(ante_of(edit, seat).at, by=OUTSIDER)
    edit.drop_all(ev.WagerTouched, seat=seat)
    return seat, Area.ANTE


@irregularity("wager.not_seated", "bet_by_a_bystander", s10="(f)(6)")
def bystander_bet(edit: Edit) -> Hit:
    """Somebody who is not seated makes the bet of a player's hand."""
    seat = edit.pick(bettors(edit)).seat
    edit.change(bet_of(edit, seat).at, by=OUTSIDER)
    return seat, Area.BET


def _second_area(edit: Edit, keep_player: bool) -> int:
    """Let a player wager on another seat's area too, and give that hand up unseen; return the area."""
    seats = edit.plan.seats
    owner, area = edit.rng.sample([one for one in seats if one.owner == one.seat], 2)
    taken = replace(
        area,
        owner=owner.seat,
        player=owner.player,
        looks=False,
        choice=Choice.FOLD,
        stake=Stake.NONE,
        tender=Tender.CHIPS,
        ante_chips=pile(area.ante, edit.settings.chip_values),
    )
    replay(edit, replace(edit.plan, seats=tuple(taken if one.seat == area.seat else one for one in seats)))
    ante_of(edit, area.seat)
    ante_of(edit, owner.seat)
    if keep_player:
        edit.insert(0, ev.PlayerSat, seat=area.seat, player=area.player)
    return area.seat


@irregularity(
    "wager.several_hands",
    "two_areas",
    nz="5.6",
    s10="(f)(5)",
    want=Want(seats_at_least=2, several_areas=False, blind_bets=False),
)
def two_areas(edit: Edit) -> Hit:
    """A player wagers on two areas, where only one is allowed."""
    return _second_area(edit, keep_player=False), Area.ANTE


@irregularity(
    "wager.several_hands",
    "somebody_excluded",
    nz="5.6.1",
    want=Want(seats_at_least=2, several_areas=True, blind_bets=False),
)
def somebody_excluded(edit: Edit) -> Hit:
    """A player wagers on the area of somebody who sits there and is kept from playing."""
    edit.need(all(one.owner == one.seat for one in edit.plan.seats))
    return _second_area(edit, keep_player=True), Area.ANTE
