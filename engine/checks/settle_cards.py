"""Settlement: hands turned up and counted, nothing left lying, every card back in the rack."""

from __future__ import annotations

from collections.abc import Iterator

from engine import events as ev
from engine.checks.deal_common import away, missed_start
from engine.checks.jackpot_common import jackpot_due, staked
from engine.checks.registry import Finding, Moment, check, unsure
from engine.checks.settle_common import (
    SETTLING,
    STAKES,
    WORDS,
    chip_open,
    in_play,
    left_seat,
    name,
    open_wagers,
    outcome_clause,
    qualified_clause,
    result,
    text,
    treated_as,
)
from engine.events import DEALER, Area
from engine.money import amount_or_unseen
from engine.settlement import Outcome
from engine.state.model import Seat


@check(
    "settle.not_turned_up",
    "Hand not turned up",
    on=(ev.WagerTaken, ev.WagerPaid, ev.CardsCollected),
    needs=("seat", "dealer"),
)
def not_turned_up(m: Moment) -> Iterator[Finding]:
    """A hand was settled or collected face down where it has to be turned up.

    Where turning is the house's choice, only the hands of players in the jackpot have to be turned, at any time before
    they are collected.
    """
    event, seat = m.event, m.after.seats[m.event.seat]
    if event.seat == DEALER or m.round.revealed is None or not in_play(seat) or seat.turned_up is not None:
        return
    collected = isinstance(event, ev.CardsCollected)
    if not collected and event.area not in STAKES:
        return
    plays = treated_as(m.after)
    choice = text(m, "no_hand") == "progressive"
    if plays is None and choice:
        if collected:
            yield unsure("the dealer's hand was not wholly read", seat.number)
        return
    if plays is False and choice:
        stake = staked(m, seat)
        if not collected or stake is False:
            return
        if stake is None:
            yield unsure(f"whether seat {seat.number} plays for the jackpot was not signalled", seat.number)
            return
    yield Finding(
        f"the hand of seat {seat.number} is turned face up",
        f"it was {'collected' if collected else 'settled'} face down",
        seat=seat.number,
        since=m.round.revealed,
        clause=qualified_clause(m, plays),
    )


@check(
    "settle.not_counted",
    "Hand racked without being counted",
    on=(ev.CardsCollected,),
    needs=("seat", "dealer"),
)
def not_counted(m: Moment) -> Iterator[Finding]:
    """A settled hand went to the rack without being counted."""
    seat = m.after.seats[m.event.seat]
    if m.event.seat == DEALER or m.round.revealed is None or not in_play(seat) or seat.counted is not None:
        return
    yield Finding(
        "the hand is spread and counted before it goes to the rack",
        f"the hand of seat {seat.number} went to the rack uncounted",
        seat=seat.number,
        since=m.round.revealed,
        clause=outcome_clause(m, result(m, seat)),
        zones=("seat",),
    )


@check("settle.unsettled", "Wager left unsettled", on=(ev.RoundClosed,), needs=("seat", "dealer"))
def unsettled(m: Moment) -> Iterator[Finding]:
    """The round is over, and a wager that was to be taken or paid was not."""
    if missed_start(m.after) or m.round.first_card is None:
        return
    for seat in m.after.players:
        if m.round.revealed is None:
            yield from _never_revealed(m, seat)
        if not _to_settle(m, seat):
            continue
        end = result(m, seat)
        open_ = list(open_wagers(m, seat, end))
        chip = chip_open(m, seat)
        if chip is not None and (end is Outcome.FOLD or seat.jackpot_paid or jackpot_due(m, seat) is False):
            open_.append((Area.JACKPOT, chip))
        if end is Outcome.UNDECIDED and any(_untouched(seat, area) for area in STAKES):
            yield unsure(f"how the hand of seat {seat.number} ends could not be told", seat.number)
        for area, wager in open_:
            paid = end in (Outcome.WIN, Outcome.NOT_QUALIFIED) and area is not Area.JACKPOT
            yield Finding(
                f"seat {seat.number} {WORDS.get(end, 'is settled')}: its {area} is {'paid' if paid else 'taken'}",
                f"the {area} of {amount_or_unseen(wager.amount)} was left as it lay",
                seat=seat.number,
                area=area,
                events=(wager.placed, m.event.seq),
                clause=outcome_clause(m, end),
                zones=("seat",) if end is Outcome.FOLD else ("seat", "dealer"),
            )


def _never_revealed(m: Moment, seat: Seat) -> Iterator[Finding]:
    """Yield the ante of a hand that was still in play when the round ended without the dealer's hand turned up."""
    if seat.playing and not away(seat) and _untouched(seat, Area.ANTE):
        assert seat.ante is not None
        yield Finding(
            f"the dealer's hand is turned up and seat {seat.number} settled, or the round declared void",
            f"the round ended with the ante of {amount_or_unseen(seat.ante.amount)} as it lay",
            seat=seat.number,
            area=Area.ANTE,
            events=(seat.ante.placed, m.event.seq),
            clause=outcome_clause(m, Outcome.UNDECIDED),
        )


def _to_settle(m: Moment, seat: Seat) -> bool:
    folded = seat.folded is not None and seat.ante is not None and seat.voided is None
    return folded or (in_play(seat) and m.round.revealed is not None)


def _untouched(seat: Seat, area: Area) -> bool:
    wager = seat.wager(area)
    return wager is not None and not wager.settled and wager.withdrawn is None


@check("settle.pickup_order", "Cards picked up out of order", on=(ev.CardsCollected,), needs=("seat",))
def pickup_order(m: Moment) -> Iterator[Finding]:
    """The cards of a hand were mixed with others when they were picked up, so that it cannot be laid out again."""
    event = m.event
    if event.in_order is None:
        yield unsure(f"how the cards of {name(event.seat)} were picked up was not seen", event.seat)
    elif not event.in_order:
        yield Finding(
            "cards are picked up in order, so that each hand can be laid out again",
            f"the cards of {name(event.seat)} were mixed",
            seat=event.seat,
            since=event.seq,
        )


@check("settle.cards_missing", "Cards missing from the rack", on=SETTLING, needs=("seat",))
def cards_missing(m: Moment) -> Iterator[Finding]:
    """Fewer cards of a hand went to the rack than were dealt; a short fold is reported where it is counted."""
    if missed_start(m.after) or m.round.first_card is None:
        return
    left = left_seat(m, "collected")
    if left is not None and m.after.seats[left.seat].folded is None:
        yield from _short(m, m.after.seats[left.seat])
    if isinstance(m.event, ev.RoundClosed):
        for seat in m.after.seats:
            if seat.dealt > 0 and seat.collected is None and seat.rebuilt is None:
                yield _missing(m, seat, seat.dealt, 0)


def _short(m: Moment, seat: Seat) -> Iterator[Finding]:
    counts = [act.amount for act in m.round.acts if act.what == "collected" and act.seat == seat.number]
    held = len(seat.cards) if seat.turned_up is not None or not seat.dealt_unsure else None
    known = [count for count in counts if count is not None]
    if held is None or len(known) < len(counts):
        yield unsure(f"how many cards of {name(seat.number)} went to the rack was not seen", seat.number)
    elif sum(known) < held:
        yield _missing(m, seat, held, sum(known))


def _missing(m: Moment, seat: Seat, held: int, racked: int) -> Finding:
    gone = f"only {racked} of {held} cards" if racked else "none of the cards"
    return Finding(
        f"all {held} cards of {name(seat.number)} go to the discard rack",
        f"{gone} went there",
        seat=seat.number,
        events=tuple(seq for seq in (seat.collected, m.event.seq) if seq is not None),
        clause=None if seat.number == DEALER else outcome_clause(m, result(m, seat)),
    )
