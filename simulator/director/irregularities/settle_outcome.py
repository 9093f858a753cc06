"""Settlement: hands misread, outcomes mistaken, wagers paid or taken in wrong amounts or not at all."""

from __future__ import annotations

from dataclasses import replace

from engine import events as ev
from engine.events import DEALER, Area
from engine.hands import Category
from engine.settings import TableSettings
from simulator.director.amounts import S10_FLOOR, bet_due, bet_floor, posted
from simulator.director.chips import pile
from simulator.director.edit import Edit
from simulator.director.house import Want
from simulator.director.irregularities.base import Hit, irregularity
from simulator.director.irregularities.settle_common import (
    after_reveal,
    clause,
    ending,
    pay_instead,
    pick,
    resettle,
    stays_on_layout,
    step,
    unit,
)
from simulator.director.plan import SeatPlan

SEVERAL = Want(seats_at_least=3, all_bet=True)
NO_HAND = replace(SEVERAL, dealer="no_hand")
PLAYS = replace(SEVERAL, dealer="pair")
WINNERS = replace(SEVERAL, dealer="ace_king", hands=("two_pair", "straight"))
TIE = Want(seats_at_least=3, all_bet=True, tie=True)
RICH = Want(dealer="pair", hands=("straight_flush",), payout_limit=True)


@irregularity("settle.dealer_misread", "taken_for_no_hand", nz="10.3", s10="(j)(5)", want=PLAYS)
def taken_for_no_hand(edit: Edit) -> Hit:
    """The dealer qualifies, announces "no hand" and pays the antes."""
    resettle(edit, read_as=False)
    return DEALER, None


@irregularity("settle.dealer_misread", "taken_for_hand", nz="10.1", s10="(j)(6)(ii)", want=NO_HAND)
def taken_for_hand(edit: Edit) -> Hit:
    """The dealer does not qualify, but compares the hands and settles as if."""
    resettle(edit, read_as=True)
    return DEALER, None


def _mistake(edit: Edit, truly: str, acted: str) -> list[Hit]:
    seat = pick(edit, truly)
    resettle(edit, mistakes={seat.seat: acted})
    rule = clause(edit, truly)
    return [(seat.seat, Area.ANTE, rule), (seat.seat, Area.BET, rule)]


@irregularity("settle.wrong_outcome", "loser_paid", nz="10.5", s10="(j)(5)(i)", want=PLAYS)
def loser_paid(edit: Edit) -> list[Hit]:
    """A losing hand is paid as a winner."""
    return _mistake(edit, "lose", "win")


@irregularity("settle.wrong_outcome", "winner_taken", nz="10.6", s10="(j)(5)(iii)", want=WINNERS)
def winner_taken(edit: Edit) -> list[Hit]:
    """A winning hand loses its wagers."""
    return _mistake(edit, "win", "lose")


@irregularity("settle.wrong_outcome", "push_taken", nz="10.7", s10="(j)(5)(ii)", want=TIE)
def push_taken(edit: Edit) -> list[Hit]:
    """A hand that ties with the dealer's loses its wagers."""
    return _mistake(edit, "push", "lose")


@irregularity("settle.wrong_outcome", "push_paid", nz="10.7", s10="(j)(5)(ii)", want=TIE)
def push_paid(edit: Edit) -> list[Hit]:
    """A hand that ties with the dealer's is paid."""
    return _mistake(edit, "push", "win")


@irregularity("settle.void_bet", "paid", nz="10.1", s10="(j)(6)(iii)", want=NO_HAND)
def void_bet_paid(edit: Edit) -> Hit:
    """The dealer has no hand and pays a bet wager besides the ante."""
    seat = pick(edit, "none")
    at = after_reveal(edit, ev.WagerPaid, seat.seat, area=Area.ANTE)[-1].at
    amount = bet_due(edit.rulebook, edit.settings, seat.kind, 2 * seat.ante)
    chips = pile(amount, edit.settings.chip_values)
    shown = chips if len(chips) <= 20 else None
    edit.insert(at + 1, ev.WagerPaid, stack=chips, seat=seat.seat, area=Area.BET, amount=amount, chips=shown)
    return seat.seat, Area.BET


@irregularity("settle.void_bet", "taken", nz="10.1", s10="(j)(6)(iii)", want=NO_HAND)
def void_bet_taken(edit: Edit) -> Hit:
    """The dealer has no hand, pays the ante and takes the bet wager."""
    seat = pick(edit, "none")
    at = after_reveal(edit, ev.WagerPaid, seat.seat, area=Area.ANTE)[-1].at
    edit.insert(at + 1, ev.WagerTaken, seat=seat.seat, area=Area.BET, amount=2 * seat.ante)
    edit.drop_all(ev.WagerWithdrawn, at, seat=seat.seat, area=Area.BET)
    return seat.seat, Area.BET


@irregularity("settle.ante_amount", "short", nz="5.8", s10="(l)(2)", want=SEVERAL)
def ante_short(edit: Edit) -> Hit:
    """A winning ante is paid a chip too little."""
    seat = pick(edit, "win", "none")
    pay_instead(edit, seat.seat, Area.ANTE, seat.ante - unit(edit))
    return seat.seat, Area.ANTE


@irregularity("settle.ante_amount", "double", nz="5.8", s10="(l)(2)", want=SEVERAL)
def ante_double(edit: Edit) -> Hit:
    """A winning ante is paid two to one."""
    seat = pick(edit, "win", "none")
    pay_instead(edit, seat.seat, Area.ANTE, 2 * seat.ante)
    return seat.seat, Area.ANTE


def _limited(settings: TableSettings, rulebook: str, seat: SeatPlan) -> bool:
    """Whether the payout limit decides what a winning bet is paid."""
    full = 2 * seat.ante * posted(rulebook, settings, seat.kind)
    return settings.payout_limit is not None and settings.payout_limit < full


def _winner(edit: Edit, limited: bool = False) -> SeatPlan:
    fits = [one for one in ending(edit, "win") if _limited(edit.settings, edit.rulebook, one) is limited]
    seat: SeatPlan = edit.pick(fits)
    return seat


@irregularity("settle.bet_amount", "short", nz="5.8", s10="(l)(3)", want=WINNERS)
def bet_short(edit: Edit) -> Hit:
    """A winning bet is paid a chip less than the least that is allowed."""
    seat = _winner(edit)
    bet = 2 * seat.ante
    due = (
        bet_due("nz", edit.settings, seat.kind, bet) if edit.nz else bet_floor(edit.settings, seat.kind, bet)
    )
    pay_instead(edit, seat.seat, Area.BET, due - unit(edit))
    return seat.seat, Area.BET


@irregularity("settle.bet_amount", "even_money", nz="5.8", s10="(l)(3)", want=WINNERS)
def bet_even_money(edit: Edit) -> Hit:
    """A bet won with two pairs or better is paid one to one."""
    seat = _winner(edit)
    edit.need(seat.kind >= Category.TWO_PAIR)
    pay_instead(edit, seat.seat, Area.BET, 2 * seat.ante)
    return seat.seat, Area.BET


@irregularity("settle.bet_amount", "over", nz="5.8", want=WINNERS)
def bet_over(edit: Edit) -> Hit:
    """A winning bet is paid at the odds of the next better hand."""
    seat = _winner(edit)
    better = posted("nz", edit.settings, Category(seat.kind + 1)) if seat.kind < Category.ROYAL_FLUSH else 500
    edit.need(better != posted("nz", edit.settings, seat.kind))
    edit.need(edit.settings.payout_limit is None)
    pay_instead(edit, seat.seat, Area.BET, 2 * seat.ante * better)
    return seat.seat, Area.BET


def _rich(edit: Edit) -> SeatPlan:
    """Return a winner whose bet is paid the limit; a jackpot of the same hand is of no matter here."""
    winners = [seat for seat in edit.plan.seats if _limited(edit.settings, edit.rulebook, seat)]
    seat: SeatPlan = edit.pick([seat for seat in winners if not seat.folds and edit.plan.qualifies])
    return seat


@irregularity("settle.bet_amount", "below_limit", nz="5.9", s10="(l)(4)", want=RICH)
def bet_below_limit(edit: Edit) -> Hit:
    """A bet that is due the payout limit is paid less."""
    seat = _rich(edit)
    floor = bet_floor(edit.settings, seat.kind, 2 * seat.ante)
    edit.need(edit.nz or floor < 2 * seat.ante * S10_FLOOR[seat.kind])
    pay_instead(edit, seat.seat, Area.BET, floor - 10_000)
    return seat.seat, Area.BET


@irregularity("settle.bet_amount", "above_limit", nz="5.9", want=RICH)
def bet_above_limit(edit: Edit) -> Hit:
    """A bet is paid at the full odds, above the payout limit."""
    seat = _rich(edit)
    pay_instead(edit, seat.seat, Area.BET, 2 * seat.ante * posted("nz", edit.settings, seat.kind))
    return seat.seat, Area.BET


@irregularity("settle.posted_odds", "more_than_posted", s10="(l)(3)", want=WINNERS)
def more_than_posted(edit: Edit) -> Hit:
    """A winning bet is paid one more to one than the house has posted."""
    seat = _winner(edit)
    due = bet_due("s10", edit.settings, seat.kind, 2 * seat.ante) + 2 * seat.ante
    edit.need(edit.settings.payout_limit is None or due <= edit.settings.payout_limit)
    pay_instead(edit, seat.seat, Area.BET, due)
    return seat.seat, Area.BET


@irregularity(
    "settle.posted_odds", "floor_though_posted_more", s10="(l)(3)", want=replace(WINNERS, posted=True)
)
def floor_though_posted_more(edit: Edit) -> Hit:
    """The house has posted better odds than it must; the dealer pays the least."""
    seat = _winner(edit)
    least = bet_floor(edit.settings, seat.kind, 2 * seat.ante)
    edit.need(least < bet_due("s10", edit.settings, seat.kind, 2 * seat.ante))
    pay_instead(edit, seat.seat, Area.BET, least)
    return seat.seat, Area.BET


@irregularity("settle.posted_floor", "odds", s10="(l)(3)", visible=False)
def posted_below_floor(edit: Edit) -> Hit:
    """The house has posted lower odds than it may, for a hand that nobody holds in this round."""
    held = {seat.kind for seat in edit.plan.seats}
    kind = edit.pick([one for one in list(S10_FLOOR)[2:] if one not in held])
    odds = {**edit.settings.posted_odds, kind.name.lower(): S10_FLOOR[kind] - 1}
    edit.settings = replace(edit.settings, posted_odds=odds)
    return None, Area.BET


@irregularity("settle.posted_floor", "limit", s10="(l)(4)", visible=False)
def limit_below_floor(edit: Edit) -> Hit:
    """The house has posted a payout limit below the least that is allowed; no bet of this round reaches it."""
    limit = 400_000
    for seat in edit.plan.seats:
        edit.need(2 * seat.ante * posted("s10", edit.settings, seat.kind) <= limit)
    edit.settings = replace(edit.settings, payout_limit=limit)
    return None, Area.BET


@irregularity("settle.taken_amount", "part_left", nz="10.5", s10="(j)(5)(i)", want=PLAYS)
def part_left(edit: Edit) -> Hit:
    """The dealer takes only some of the chips of a losing wager."""
    piles = [
        (seat, area, chips)
        for seat in ending(edit, "lose")
        for area, chips in ((Area.ANTE, seat.ante_chips), (Area.BET, seat.bet_chips))
        if len(chips) > 1
    ]
    seat, area, chips = edit.pick(piles)
    taken = chips[edit.rng.randrange(1, len(chips)) :]
    edit.change(step(edit, ev.WagerTaken, seat.seat, area=area), stack=taken, amount=sum(taken))
    return seat.seat, area


def _unsettled(edit: Edit, ends: str, kind: type[ev.Event], areas: tuple[Area, ...]) -> Hit:
    edit.need(not any(seat.wins_jackpot for seat in edit.plan.seats))
    seat, area = pick(edit, ends), edit.rng.choice(areas)
    edit.drop_all(kind, edit.reveal(), seat=seat.seat, area=area)
    stays_on_layout(edit, seat.seat)
    return seat.seat, area, clause(edit, ends)


BOTH = (Area.ANTE, Area.BET)
FORGOTTEN = ("settle.cards_before_wager", "settle.winner_cards_early")


@irregularity(
    "settle.unsettled", "loser_not_taken", nz="10.5", s10="(j)(5)(i)", want=PLAYS, allowed=FORGOTTEN
)
def loser_not_taken(edit: Edit) -> Hit:
    """A losing wager is left lying to the end of the round."""
    return _unsettled(edit, "lose", ev.WagerTaken, BOTH)


@irregularity(
    "settle.unsettled", "winner_not_paid", nz="10.6", s10="(j)(5)(iii)", want=WINNERS, allowed=FORGOTTEN
)
def winner_not_paid(edit: Edit) -> Hit:
    """A winning wager is not paid by the end of the round."""
    return _unsettled(edit, "win", ev.WagerPaid, BOTH)


@irregularity(
    "settle.unsettled", "ante_not_paid", nz="10.1", s10="(j)(6)(ii)", want=NO_HAND, allowed=FORGOTTEN
)
def ante_not_paid(edit: Edit) -> Hit:
    """The dealer has no hand, and an ante is not paid by the end of the round."""
    return _unsettled(edit, "none", ev.WagerPaid, (Area.ANTE,))
