"""Jackpots: paid to whom they are due, and as much as is due."""

from __future__ import annotations

from collections.abc import Iterator

from engine import events as ev
from engine.checks.jackpot_common import (
    alternative_base,
    award_for,
    has_jackpot,
    jackpot_due,
    jackpot_rules,
    kind_of,
    staked,
    winners,
)
from engine.checks.registry import Finding, Moment, check, reading, unsure
from engine.checks.settle_common import SETTLING, in_play, left_seat, stray_jackpot, strength, text
from engine.events import Area
from engine.hands import describe
from engine.jackpot import Award
from engine.money import amount_or_unseen, format_amount
from engine.state.model import Seat


@check(
    "jackpot.not_paid",
    "Jackpot not paid",
    on=(ev.RoundClosed,),
    needs=("seat",),
    applies=has_jackpot,
)
def not_paid(m: Moment) -> Iterator[Finding]:
    """A hand that wins the jackpot, with a jackpot wager, was not paid by the end of the round."""
    for seat in m.after.players:
        if seat.jackpot_paid is not None:
            continue
        due = jackpot_due(m, seat)
        if due is None and seat.turned_up is not None:
            yield unsure(f"whether seat {seat.number} has won the jackpot could not be told", seat.number)
        elif due:
            award = award_for(m, seat)
            yield Finding(
                f"seat {seat.number} is paid the jackpot: {award.words}",
                "the round ended without the payout",
                seat=seat.number,
                area=Area.JACKPOT,
                events=tuple(seq for seq in (seat.turned_up, m.event.seq) if seq is not None),
            )


@check(
    "jackpot.not_entitled",
    "Jackpot paid without a right to it",
    on=(ev.JackpotPaid,),
    needs=("seat",),
    applies=has_jackpot,
)
def not_entitled(m: Moment) -> Iterator[Finding]:
    """A jackpot was paid to a seat without a jackpot wager, without a qualifying hand, or that had folded."""
    seat = m.seat
    if seat.voided is not None or stray_jackpot(m, seat) is not None:
        return  # settle.void_round says so
    stake = staked(m, seat)
    folded = seat.folded is not None and reading(m, "folded_jackpot", "lost") == "lost"
    wins = jackpot_rules(m).wins(strength(seat)) if m.book.jackpots else False
    if stake is False:
        why, observed = "no_wager", f"seat {seat.number} has no jackpot wager"
    elif folded:
        why, observed = "folded", f"seat {seat.number} has folded"
    elif wins is False:
        hand = describe(seat.faces) if seat.known else "a hand that cannot win it"
        why, observed = "no_hand", f"seat {seat.number} has {hand}"
    else:
        if stake is None:
            yield unsure(
                f"whether seat {seat.number} had a jackpot wager was not signalled", seat.number, Area.JACKPOT
            )
        elif wins is None:
            yield unsure(f"the hand of seat {seat.number} was not wholly read", seat.number, Area.JACKPOT)
        return
    table = None if m.rule.params is None else m.rule.params.get("clause")
    yield Finding(
        "a jackpot is paid to a jackpot wager on a qualifying hand only",
        f"{observed}, and was paid {amount_or_unseen(m.event.amount)}",
        seat=seat.number,
        area=Area.JACKPOT,
        clause=None if table is None else table.get(why),
    )


@check(
    "jackpot.amount",
    "Jackpot of the wrong amount",
    on=(*SETTLING, ev.PapersCompleted),
    needs=("seat",),
    applies=has_jackpot,
)
def amount(m: Moment) -> Iterator[Finding]:
    """A jackpot was paid too much, or too little and the dealer went on."""
    if isinstance(m.event, ev.JackpotPaid):
        yield from _judge(m, m.seat, concluded=False)
    acts = () if m.before.round is None else m.before.round.acts
    last = acts[-1] if acts else None
    left = left_seat(m, "jackpot_paid")
    if left is None and last is not None and last.what == "jackpot_paid" and m.event.seat == last.seat:
        left = last if isinstance(m.event, ev.PapersCompleted | ev.WagerTaken) else None
    if left is not None:
        yield from _judge(m, m.after.seats[left.seat], concluded=True)
    if isinstance(m.event, ev.RoundClosed):
        for seat in m.after.players:
            if seat.jackpot_paid is not None:
                yield from _judge(m, seat, concluded=True)


def _judge(m: Moment, seat: Seat, concluded: bool) -> Iterator[Finding]:
    due = jackpot_due(m, seat)
    if due is None and isinstance(m.event, ev.RoundClosed):
        yield unsure(
            f"whether seat {seat.number} has won the jackpot could not be told", seat.number, Area.JACKPOT
        )
    if due is not True:
        return  # jackpot.not_entitled says so
    paid, kind = seat.jackpot_amount, kind_of(seat)
    prize = jackpot_rules(m).prizes[kind]
    if strength(seat).category is None or (prize.share is not None and _others_unknown(m, seat)):
        if isinstance(m.event, ev.RoundClosed):
            yield unsure("who else has won the jackpot could not be told", seat.number, Area.JACKPOT)
        return
    award = award_for(m, seat)
    if paid is None or (award.amount is None and paid >= award.least):
        if concluded:
            what = "the meter was not read" if paid is not None else "the payment was not read"
            yield unsure(f"{what}: seat {seat.number}, {award.words}", seat.number, Area.JACKPOT)
        return
    amounts = [one for one in (award.amount, _with_growth(m, seat)) if one is not None]
    most, least = max(amounts, default=award.least), min(amounts, default=award.least)
    if (paid > most and reading(m, "progressive_amounts", "exact") == "exact") or (
        concluded and paid < least
    ):
        yield _wrong(m, seat, award, paid)


def _with_growth(m: Moment, seat: Seat) -> int | None:
    base = alternative_base(m, seat) if jackpot_rules(m).steps else None
    return None if base is None else award_for(m, seat, base).amount


def _others_unknown(m: Moment, seat: Seat) -> bool:
    """Whether somebody else may have won, so that a share cannot be told."""
    return any(
        in_play(other) and other.number != seat.number and jackpot_due(m, other) is None
        for other in m.after.players
    )


def _wrong(m: Moment, seat: Seat, award: Award, paid: int) -> Finding:
    several = len(winners(m)) > 1 and jackpot_rules(m).prizes[award.kind].share is not None
    clause = text(m, "several") if several else None
    if m.settings.sub_pools and jackpot_rules(m).prizes[award.kind].share is not None:
        clause = text(m, "sub_pools") or clause
    return Finding(
        award.words,
        f"seat {seat.number} was paid {format_amount(paid)}",
        seat=seat.number,
        area=Area.JACKPOT,
        events=tuple(
            act.seq for act in m.round.acts if act.what == "jackpot_paid" and act.seat == seat.number
        ),
        clause=clause,
        zones=("seat",) if award.base is None else ("seats", "signal:meter"),
    )
