"""Irregularities of wagers once bets are closed: past-posting, pinching, handling, bets that come too late."""

from __future__ import annotations

from typing import Any

from engine import events as ev
from engine.events import DEALER, Area
from engine.hands import evaluate
from engine.settings import JackpotMode
from simulator.director.edit import Edit
from simulator.director.house import Want
from simulator.director.irregularities.base import Hit, irregularity
from simulator.director.irregularities.deal_common import chips_of, empty_seats, settle_as
from simulator.director.irregularities.wager_closing import bettors, chip_seats
from simulator.director.plan import Choice, SeatPlan, Stake

QUALIFIES = Want(dealer="pair")


def losers(edit: Edit) -> list[SeatPlan]:
    """Return the seats that bet and lose."""
    if not edit.plan.qualifies:
        return []
    return [
        seat
        for seat in edit.plan.seats
        if not seat.folds and evaluate(seat.hand) < evaluate(edit.plan.dealer) and not seat.wins_jackpot
    ]


def folds_cleared(edit: Edit, seat: SeatPlan) -> int:
    """Return until where a seat's ante lies: the reveal, or the moment at which a folded one is taken."""
    taken = edit.all(ev.WagerTaken, edit.call(), seat=seat.seat, area=Area.ANTE)
    return min([edit.reveal(), *(found.at for found in taken)])


@irregularity("wager.late", "ante_raised", nz="5.10", s10="(f)(2)")
def ante_raised(edit: Edit) -> Hit:
    """A player adds chips to the ante after "no more bets"."""
    seat = edit.pick(chip_seats(edit))
    amount = seat.ante + edit.rng.choice((1, 2)) * seat.ante
    at = edit.rng.randrange(edit.call() + 1, folds_cleared(edit, seat) + 1)
    fields: dict[str, Any] = {
        "seat": seat.seat,
        "area": Area.ANTE,
        "by": seat.owner,
        **chips_of(edit, amount),
    }
    at = edit.insert(at, ev.WagerChanged, **fields)
    settle_as(edit, seat, Area.ANTE, amount, at)
    return seat.seat, Area.ANTE


@irregularity("wager.late", "ante_made", nz="5.10", s10="(f)(2)", want=Want(seats_at_most=6))
def ante_made(edit: Edit) -> Hit:
    """Somebody makes an ante after "no more bets"; the dealer does not deal to it, and it is taken back."""
    seat = edit.pick(empty_seats(edit))
    fields: dict[str, Any] = {"seat": seat, "area": Area.ANTE, "by": seat}
    amount = edit.settings.ante_min or 500
    cards = [found.at for found in edit.deliveries()]
    back = edit.rng.randrange(cards[-1] + 1, edit.reveal() + 1)
    edit.insert(back, ev.WagerWithdrawn, **fields)
    at = edit.pick(cards[1:])
    edit.insert(at, ev.WagerPlaced, **fields, **chips_of(edit, amount))
    edit.insert(0, ev.PlayerSat, seat=seat, player=f"late-{seat}")
    return seat, Area.ANTE


@irregularity("wager.late", "jackpot_made", nz="5.10", s10="(f)(2)")
def jackpot_made(edit: Edit) -> Hit:
    """A player offers a jackpot chip after "no more bets" and takes it back when it does not count."""
    edit.need(edit.settings.jackpot is not JackpotMode.NONE)
    seat = edit.pick(edit.seats(lambda one: one.stake is Stake.NONE))
    fields: dict[str, Any] = {"seat": seat.seat, "area": Area.JACKPOT, "by": seat.owner}
    at = edit.rng.randrange(edit.deliveries()[0].at + 1, folds_cleared(edit, seat))
    edit.insert(at, ev.WagerWithdrawn, **fields)
    edit.insert(at, ev.WagerPlaced, **fields, **chips_of(edit, edit.settings.jackpot_wager))
    return seat.seat, Area.JACKPOT


@irregularity("wager.late", "bet_raised", nz="5.10", s10="(f)(2)", want=QUALIFIES)
def bet_raised(edit: Edit) -> Hit:
    """A player adds to the bet when the dealer's cards show, and the dealer settles the larger bet."""
    seat = edit.pick([one for one in bettors(edit) if evaluate(one.hand) != evaluate(edit.plan.dealer)])
    amount = 4 * seat.ante
    at = edit.reveal() + 1
    fields: dict[str, Any] = {"seat": seat.seat, "area": Area.BET, "by": seat.owner, **chips_of(edit, amount)}
    at = edit.insert(at, ev.WagerChanged, **fields)
    settle_as(edit, seat, Area.BET, amount, at)
    return seat.seat, Area.BET


@irregularity("wager.pinched", "ante_lowered", nz="5.10", s10="(f)(2)")
def ante_lowered(edit: Edit) -> Hit:
    """A player takes chips off the ante after seeing the cards."""
    seat = edit.pick([one for one in chip_seats(edit) if len(one.ante_chips) > 1])
    chips = seat.ante_chips[:-1]
    at = edit.rng.randrange(edit.call() + 1, folds_cleared(edit, seat) + 1)
    fields: dict[str, Any] = {"seat": seat.seat, "area": Area.ANTE, "by": seat.owner}
    at = edit.insert(at, ev.WagerChanged, stack=chips, amount=sum(chips), chips=chips, **fields)
    settle_as(edit, seat, Area.ANTE, sum(chips), at)
    return seat.seat, Area.ANTE


@irregularity("wager.pinched", "bet_lowered", nz="5.10", s10="(f)(2)", want=QUALIFIES)
def bet_lowered(edit: Edit) -> Hit:
    """A player takes chips off the bet when the dealer's cards show, before the own hand is turned."""
    seat = edit.pick([one for one in losers(edit) if one.choice is Choice.BET and len(one.bet_chips) > 1])
    return _pinch_bet(edit, seat, edit.reveal() + 1)


@irregularity("wager.pinched", "losing_bet_lowered", nz="5.11", s10="(f)(2)", want=QUALIFIES)
def losing_bet_lowered(edit: Edit) -> Hit:
    """A player whose hand is seen to lose takes chips off the bet before the dealer takes it."""
    seat = edit.pick([one for one in losers(edit) if one.choice is Choice.BET and len(one.bet_chips) > 1])
    return _pinch_bet(edit, seat, edit.first(ev.CardsTurned, edit.reveal(), seat=seat.seat, by=DEALER).at + 1)


def _pinch_bet(edit: Edit, seat: SeatPlan, at: int) -> Hit:
    chips = seat.bet_chips[:-1]
    fields: dict[str, Any] = {"seat": seat.seat, "area": Area.BET, "by": seat.owner}
    at = edit.insert(at, ev.WagerChanged, stack=chips, amount=sum(chips), chips=chips, **fields)
    settle_as(edit, seat, Area.BET, sum(chips), at)
    return seat.seat, Area.BET


@irregularity("wager.pinched", "losing_bet_taken_back", nz="5.11", s10="(f)(2)", want=QUALIFIES)
def losing_bet_taken_back(edit: Edit) -> Hit:
    """A player whose hand is seen to lose takes the bet back, and the dealer takes only the ante."""
    seat = edit.pick([one for one in losers(edit) if one.choice is Choice.BET])
    _take_back(edit, seat, edit.first(ev.CardsTurned, edit.reveal(), seat=seat.seat, by=DEALER).at + 1)
    return seat.seat, Area.BET


def _take_back(edit: Edit, seat: SeatPlan, at: int) -> None:
    """Let a player take the bet back after the reveal, so that the dealer finds only the ante."""
    edit.drop_all(ev.WagerTaken, edit.reveal(), seat=seat.seat, area=Area.BET)
    edit.insert(at, ev.WagerWithdrawn, seat=seat.seat, area=Area.BET, by=seat.owner)


@irregularity("wager.touched", "after_the_call", nz="5.10")
def touched(edit: Edit) -> Hit:
    """A player handles the ante after "no more bets" and leaves it as it was."""
    seat = edit.pick(edit.plan.seats)
    at = edit.rng.randrange(edit.call() + 1, folds_cleared(edit, seat) + 1)
    edit.insert(at, ev.WagerTouched, seat=seat.seat, area=Area.ANTE, by=seat.owner)
    return seat.seat, Area.ANTE


@irregularity("wager.touched", "losing", nz="5.11", want=QUALIFIES)
def losing_touched(edit: Edit) -> Hit:
    """A player handles a wager of a hand that is seen to lose."""
    seat = edit.pick(losers(edit))
    at = edit.first(ev.CardsTurned, edit.reveal(), seat=seat.seat, by=DEALER).at + 1
    area = edit.rng.choice((Area.ANTE, Area.BET))
    edit.insert(at, ev.WagerTouched, seat=seat.seat, area=area, by=seat.owner)
    return seat.seat, area


@irregularity(
    "wager.blind_withdrawn", "after_the_reveal", nz="5.10", want=Want(blind_bets=True, dealer="pair")
)
def blind_after_reveal(edit: Edit) -> Hit:
    """A player takes a blind bet back when the dealer's cards show, without having folded."""
    seat = edit.pick([one for one in losers(edit) if one.blind])
    _take_back(edit, seat, edit.reveal() + 1)
    return seat.seat, Area.BET


@irregularity(
    "wager.blind_withdrawn",
    "before_the_reveal",
    nz="5.10",
    want=Want(blind_bets=True, dealer="pair"),
    allowed=("decide.early_reveal",),
)
def blind_before_reveal(edit: Edit) -> Hit:
    """A player takes a blind bet back after looking at the cards and keeps the hand, which is played for the ante."""
    seat = edit.pick([one for one in losers(edit) if one.blind and one.looks])
    down = edit.first(ev.HandLaidDown, seat=seat.seat).at
    _take_back(edit, seat, down + 1)
    return seat.seat, Area.BET


@irregularity("wager.after_reveal", "folded_player", nz="5.3", s10="(j)(1)", want=Want(folds=1))
def bet_after_fold(edit: Edit) -> Hit:
    """A player who has folded makes a bet when the dealer's cards show; the dealer pushes it back."""
    seat = edit.pick(edit.seats(lambda one: one.choice is Choice.FOLD))
    fields: dict[str, Any] = {"seat": seat.seat, "area": Area.BET}
    at = edit.insert(
        edit.reveal() + 1, ev.WagerPlaced, by=seat.owner, **fields, **chips_of(edit, 2 * seat.ante)
    )
    edit.insert(at + 1, ev.WagerWithdrawn, by=DEALER, **fields)
    return seat.seat, Area.BET


@irregularity("wager.left_seat", "folded_player", s10="(f)(6)", want=Want(folds=1))
def folded_player_leaves(edit: Edit) -> Hit:
    """A player who has folded leaves before the round is over."""
    seat = edit.pick(edit.seats(lambda one: one.folds))
    folded = edit.first(ev.CardsCollected, edit.call(), seat=seat.seat).at
    end = edit.first(ev.RoundClosed).at
    edit.insert(edit.rng.randrange(folded + 1, end + 1), ev.PlayerLeft, seat=seat.seat)
    return seat.seat, None


@irregularity("wager.left_seat", "losing_player", s10="(f)(6)", want=QUALIFIES)
def losing_player_leaves(edit: Edit) -> Hit:
    """A player gives the hand up for lost and leaves when the dealer's cards show."""
    seat = edit.pick(losers(edit))
    edit.insert(edit.reveal() + 1, ev.PlayerLeft, seat=seat.seat)
    return seat.seat, None
