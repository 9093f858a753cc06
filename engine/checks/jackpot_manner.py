"""Jackpots: verified, confirmed, paid at the right time, with the hand still on the table."""

from __future__ import annotations

from collections.abc import Iterator

from engine import events as ev
from engine.checks import unread
from engine.checks.jackpot_common import electronic, has_jackpot, jackpot_due
from engine.checks.registry import Finding, Moment, check, reading
from engine.checks.settle_common import flag, in_play, open_wagers, outcome_clause, result, text
from engine.events import Area
from engine.settings import JackpotMode
from engine.settlement import Outcome
from engine.state.model import Seat


@check(
    "jackpot.cards_taken_early",
    "Hand taken before its jackpot was paid",
    on=(ev.CardsCollected,),
    needs=("seat",),
    unread=unread.jackpots,
    applies=has_jackpot,
)
def cards_taken_early(m: Moment) -> Iterator[Finding]:
    """A hand that has won the jackpot was collected before the payout, or before the papers where the cage pays."""
    seat = m.after.seats[m.event.seat]
    if jackpot_due(m, seat) is not True:
        return
    if result(m, seat) is Outcome.LOSE and not reading(m, "progressive_before_losers", True):
        return
    if seat.jackpot_paid is None:
        observed, clause = "the hand was collected before its jackpot was paid", None
        zones: tuple[str, ...] = ("seat",)
    elif flag(m, "papers") and seat.jackpot_by_cage and seat.papers is None:
        observed = "the cage pays, and the hand was collected before the papers were completed"
        clause, zones = outcome_clause(m, result(m, seat)), ("seat", "signal:supervisor")
    else:
        return
    yield Finding(
        f"the hand of seat {seat.number} stays on the table until its jackpot is paid",
        observed,
        seat=seat.number,
        events=tuple(seq for seq in (seat.turned_up, m.event.seq) if seq is not None),
        since=m.round.revealed,
        clause=clause,
        zones=zones,
    )


@check(
    "jackpot.out_of_turn",
    "Jackpot paid before all antes and bets were settled",
    on=(ev.JackpotPaid,),
    needs=("seat",),
    applies=has_jackpot,
)
def out_of_turn(m: Moment) -> Iterator[Finding]:
    """A jackpot was paid while an ante or a bet was still to be taken or paid, at this seat or another."""
    if m.seat.folded is not None or not in_play(m.seat):
        return
    for seat in reversed(m.after.players):
        if not _waiting(m, seat):
            continue
        yield Finding(
            "jackpots are paid after all antes and bets have been taken or paid",
            f"the wagers of seat {seat.number} were still unsettled",
            seat=m.event.seat,
            area=Area.JACKPOT,
            since=m.round.revealed,
            zones=("seat", f"seat:{seat.number}", "dealer"),
        )
        return


def _waiting(m: Moment, seat: Seat) -> bool:
    if not in_play(seat):
        return False
    end = result(m, seat)
    if end is Outcome.UNDECIDED:
        wagers = [wager for wager in (seat.ante, seat.bet) if wager is not None]
        return seat.turned_up is None and not any(wager.settled for wager in wagers)
    return any(True for _ in open_wagers(m, seat, end))


@check(
    "jackpot.wager_taken_early",
    "Jackpot wager taken before the payout",
    on=(ev.WagerTaken, ev.CardsTurned),
    needs=("seat",),
    unread=unread.jackpots,
    applies=lambda settings: settings.jackpot is JackpotMode.MANUAL,
)
def wager_taken_early(m: Moment) -> Iterator[Finding]:
    """The chip of a hand that wins the jackpot was taken before the payout."""
    event, seat = m.event, m.after.seats[m.event.seat]
    if isinstance(event, ev.WagerTaken) and event.area is not Area.JACKPOT:
        return
    chip = seat.jackpot
    if chip is None or chip.taken is None or seat.jackpot_paid is not None:
        return
    if jackpot_due(m, seat):
        yield Finding(
            "the jackpot wager of a winning hand is taken after its payout",
            f"the jackpot wager of seat {seat.number} was taken before",
            seat=seat.number,
            area=Area.JACKPOT,
            events=tuple(dict.fromkeys((chip.taken, event.seq))),
            since=m.round.revealed,
        )


@check(
    "jackpot.not_verified",
    "Jackpot paid without verification",
    on=(ev.JackpotPaid,),
    needs=("seat",),
    applies=has_jackpot,
)
def not_verified(m: Moment) -> Iterator[Finding]:
    """A jackpot was paid before the dealer verified the hand and, where the rulebook asks, with the light off."""
    seat = m.seat
    if seat.verified is None:
        yield Finding(
            "the dealer verifies the hand before the payout",
            f"the jackpot of seat {seat.number} was paid without it",
            seat=seat.number,
            area=Area.JACKPOT,
            since=m.round.revealed,
        )
    light = text(m, "light")
    chip = seat.jackpot is not None or seat.coupon
    if light is not None and electronic(m.settings) and chip and not seat.light:
        yield Finding(
            "the light of the seat is on",
            f"the jackpot of seat {seat.number} was paid with the light off",
            seat=seat.number,
            area=Area.JACKPOT,
            key="light",
            clause=light,
            zones=("signal:lights",),
        )


@check(
    "jackpot.no_supervisor",
    "Jackpot paid without a supervisor",
    on=(ev.JackpotPaid,),
    needs=("seat",),
    applies=has_jackpot,
)
def no_supervisor(m: Moment) -> Iterator[Finding]:
    """A jackpot was paid before a supervisor confirmed it."""
    if m.seat.confirmed is None:
        yield Finding(
            "a supervisor confirms the payout first",
            f"the jackpot of seat {m.seat.number} was paid without a supervisor",
            seat=m.seat.number,
            area=Area.JACKPOT,
            zones=("signal:supervisor",),
        )
