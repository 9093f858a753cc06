"""Jackpots: hands and wagers taken too early, payouts out of turn or unverified, chips and meters."""

from __future__ import annotations

from dataclasses import replace

from engine import events as ev
from engine.events import Area
from engine.settings import JackpotMode
from simulator.director.edit import Edit
from simulator.director.house import Want
from simulator.director.irregularities.base import Hit, irregularity
from simulator.director.irregularities.jackpot_common import payout, winner, winners, won
from simulator.director.irregularities.settle_common import card_steps, outcome, step, wager_steps
from simulator.director.plan import Stake

ONE = won("flush")
WAGERED = Want(hands=("pair", "pair"), all_jackpot=True, jackpot=JackpotMode.ELECTRONIC)


def _nothing_to_pay_after(edit: Edit, at: int) -> bool:
    """Whether no ante or bet is paid from a place on, so that winners' cards may go."""
    return not edit.all(ev.WagerPaid, at)


@irregularity("jackpot.cards_taken_early", "before_payout", nz="10.2", s10="(k)(1)", want=ONE)
def cards_before_payout(edit: Edit) -> Hit:
    """The dealer collects a hand that is due a jackpot, and pays it afterwards."""
    seat = winner(edit)
    verified = step(edit, ev.JackpotVerified, seat.seat)
    edit.need(outcome(edit.plan, seat) in ("lose", "push") or _nothing_to_pay_after(edit, verified))
    edit.move(card_steps(edit, seat.seat), verified)
    return seat.seat, None


@irregularity("jackpot.cards_taken_early", "before_papers", s10="(j)(5)(iii)", want=won("straight_flush"))
def cards_before_papers(edit: Edit) -> Hit:
    """The cage pays a jackpot, and the dealer collects the hand before the papers are done."""
    seat = winner(edit)
    papers = step(edit, ev.PapersCompleted, seat.seat)
    ends = outcome(edit.plan, seat)
    edit.need(ends in ("lose", "push") or _nothing_to_pay_after(edit, papers))
    edit.move(card_steps(edit, seat.seat), papers)
    return seat.seat, None, "(j)(6)(iv)" if ends == "none" else "(j)(5)(iii)"


@irregularity("jackpot.out_of_turn", "before_others_settled", nz="11.12", want=replace(ONE, seats_at_least=3))
def before_others_settled(edit: Edit) -> Hit:
    """A jackpot is paid while the wagers of other seats are still to be settled."""
    edit.need(len(winners(edit)) == 1)
    seat = winner(edit)
    own = wager_steps(edit, seat.seat)[-1]
    later = [one.at for one in edit.all(ev.CardsTurned, own) if one.event.seat != seat.seat]
    target = int(edit.pick(later))
    edit.move(payout(edit, seat.seat), target)
    return seat.seat, Area.JACKPOT


@irregularity(
    "jackpot.wager_taken_early", "before_payout", nz="11.12", want=replace(ONE, jackpot=JackpotMode.MANUAL)
)
def wager_before_payout(edit: Edit) -> Hit:
    """The dealer takes the jackpot wager of a hand that wins before paying it."""
    seat = winner(edit)
    chip = step(edit, ev.WagerTaken, seat.seat, area=Area.JACKPOT)
    places = [step(edit, ev.JackpotVerified, seat.seat), step(edit, ev.JackpotPaid, seat.seat)]
    stakes = wager_steps(edit, seat.seat)
    edit.move([chip], edit.rng.choice([*stakes[:1], *places]))
    return seat.seat, Area.JACKPOT


@irregularity("jackpot.not_verified", "no_look", nz="11.13", s10="(k)(2)(i)", want=ONE)
def not_verified(edit: Edit) -> Hit:
    """A jackpot is paid without the dealer's verification of the hand."""
    seat = winner(edit)
    edit.drop(step(edit, ev.JackpotVerified, seat.seat))
    return seat.seat, Area.JACKPOT


@irregularity(
    "jackpot.no_supervisor", "nobody_called", nz="11.13", s10="(k)(2)(iii)", want=ONE, visible=False
)
def no_supervisor(edit: Edit) -> Hit:
    """A jackpot is paid without a supervisor."""
    seat = winner(edit)
    edit.drop(step(edit, ev.SupervisorConfirmed, seat.seat))
    return seat.seat, Area.JACKPOT


@irregularity("jackpot.chips_uncounted", "left_in_the_device", s10="(g)(2)", want=WAGERED)
def chips_uncounted(edit: Edit) -> Hit:
    """The dealer deals without having counted the jackpot chips against the lights."""
    edit.drop(edit.first(ev.JackpotChipsCounted).at)
    return None, Area.JACKPOT


@irregularity("jackpot.lights_count", "chip_missing", s10="(g)(2)", want=WAGERED)
def chip_missing(edit: Edit) -> Hit:
    """The dealer counts a chip less than lights burn, and deals."""
    counted = edit.first(ev.JackpotChipsCounted)
    edit.need(counted.event.count > 0)
    edit.change(counted.at, count=counted.event.count - 1)
    return None, Area.JACKPOT


@irregularity("jackpot.lights_count", "chip_too_many", s10="(g)(2)", want=WAGERED)
def chip_too_many(edit: Edit) -> Hit:
    """The dealer counts a chip more than lights burn, and deals."""
    counted = edit.first(ev.JackpotChipsCounted)
    edit.change(counted.at, count=counted.event.count + 1)
    return None, Area.JACKPOT


@irregularity("jackpot.meter_rate", "too_slow", nz="11.6", s10="(l)(6)", want=WAGERED, visible=False)
def meter_too_slow(edit: Edit) -> Hit:
    """The meter grows by less of each wager than it must."""
    stakes = edit.seats(lambda one: one.stake is not Stake.NONE)
    edit.need(len(stakes) > 1 and not winners(edit))
    wager = edit.settings.jackpot_wager
    readings = edit.all(ev.JackpotMeterRead)
    pools = {one.event.pool for one in readings}
    edit.need(len(readings) == len(pools) * (1 + len(stakes)))
    for pool in pools:
        first, *later = [one for one in readings if one.event.pool is pool]
        shown = grown = first.event.amount
        for one in later:
            grown += (one.event.amount - shown) * 40 * wager // (wager * edit.settings.meter_rate_percent)
            shown = one.event.amount
            edit.change(one.at, amount=grown)
    return None, Area.JACKPOT
