"""Settlement: how much was paid and taken.

Too much is wrong at once; too little only when the dealer has left the seat, because a payment may come in two goes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine import events as ev
from engine.checks import unread
from engine.checks.registry import Finding, Moment, check, reading, unsure
from engine.checks.settle_common import (
    SETTLING,
    STAKES,
    WORDS,
    in_play,
    left_seat,
    posted,
    result,
    strength,
    text,
)
from engine.events import Area
from engine.hands import category
from engine.money import amount_or_unseen, format_amount
from engine.settlement import Outcome, bet_payout_range, minimum_payout_limit
from engine.state.model import Seat, Wager

Payment = tuple[Seat, Wager, bool]


def _payments(m: Moment, area: Area) -> Sequence[Payment]:
    """Return the payments that this event makes or concludes, and whether each is concluded."""
    paying = isinstance(m.event, ev.WagerPaid) and m.event.area is area
    left = left_seat(m, "paid")
    if not paying and left is None:
        return ()
    found: list[Payment] = []
    for seat, concluded in (
        (m.seat if paying else None, False),
        (None if left is None else m.after.seats[left.seat], True),
    ):
        wager = None if seat is None else seat.wager(area)
        if seat is not None and wager is not None and wager.paid is not None and in_play(seat):
            found.append((seat, wager, concluded))
    return found


def _paid_events(m: Moment, seat: Seat, area: Area) -> tuple[int, ...]:
    acts = [act.seq for act in m.round.acts if act.what == "paid" and act.seat == seat.number]
    mine = [act.seq for act in m.round.acts if act.seq in acts and act.area is area]
    return tuple(dict.fromkeys((*mine, m.event.seq)))


@check(
    "settle.ante_amount",
    "Ante paid the wrong amount",
    on=SETTLING,
    needs=("seat", "dealer"),
    unread=unread.ends,
)
def ante_amount(m: Moment) -> Iterator[Finding]:
    """A winning ante is paid as much again, no less and no more."""
    for seat, ante, over in _payments(m, Area.ANTE):
        if result(m, seat) not in (Outcome.WIN, Outcome.NOT_QUALIFIED):
            continue
        paid = ante.paid_amount
        if ante.amount is None or paid is None:
            if over:
                yield unsure(
                    f"the ante of seat {seat.number} or its payment was not read", seat.number, Area.ANTE
                )
        elif paid > ante.amount or (over and paid < ante.amount):
            yield Finding(
                f"the ante of {format_amount(ante.amount)} is paid 1 to 1: {format_amount(ante.amount)}",
                f"seat {seat.number} was paid {format_amount(paid)}",
                seat=seat.number,
                area=Area.ANTE,
                events=_paid_events(m, seat, Area.ANTE),
                zones=("seat",),
            )


def _limits(m: Moment) -> tuple[int | None, int | None]:
    """Return the payout limit as posted, and the limit that the least odds may be cut to."""
    limit = m.settings.payout_limit
    floor = m.book.rules.get("settle.posted_floor")
    if limit is None or floor is None:
        return limit, limit
    least = _least_limit(m, floor.param("least_limit"))
    return limit, max(limit, least)


def _least_limit(m: Moment, least: int) -> int:
    if m.settings.ante_min is None:
        return least
    times = m.book.game.get("bet_times_ante", 2)
    limit = minimum_payout_limit(m.settings.ante_min, posted(m), least, times)
    if reading(m, "least_payout_limit", "bet wager") == "bet wager":
        return limit
    most = minimum_payout_limit(m.settings.ante_min, posted(m), 0, times) + m.settings.ante_min
    return max(limit, most)  # what one patron wins in a round: the bet, and the ante once more


def _bets(m: Moment) -> Sequence[Payment]:
    payments = _payments(m, Area.BET)
    return payments and [one for one in payments if result(m, one[0]) is Outcome.WIN]


@check(
    "settle.bet_amount",
    "Bet paid the wrong amount",
    on=SETTLING,
    needs=("seat", "dealer"),
    unread=unread.ends,
)
def bet_amount(m: Moment) -> Iterator[Finding]:
    """A winning bet is paid at the rulebook's odds after the limit: exactly, or no less where they are a floor."""
    fixed = m.book.odds.get("kind") == "fixed"
    odds = m.book.bet_odds
    assert odds is not None, "a rulebook with checks of payments has odds"
    for seat, bet, over in _bets(m):
        paid = bet.paid_amount
        if bet.amount is None or paid is None:
            if over:
                yield unsure(
                    f"the bet of seat {seat.number} or its payment was not read", seat.number, Area.BET
                )
            continue
        limit = _limits(m)[1]
        least, most = bet_payout_range(bet.amount, strength(seat), odds, limit)
        if (fixed and paid > most) or (over and paid < least):
            uncapped = bet_payout_range(bet.amount, strength(seat), odds)[1]
            capped = limit is not None and uncapped > limit
            yield Finding(
                _bet_due(seat, bet.amount, least, most, fixed, capped),
                f"seat {seat.number} was paid {format_amount(paid)}",
                seat=seat.number,
                area=Area.BET,
                events=_paid_events(m, seat, Area.BET),
                clause=text(m, "capped") if capped else None,
            )
        elif over and least != most and not (fixed is False and paid >= most):
            yield unsure(f"the hand of seat {seat.number} was not wholly read", seat.number, Area.BET)


def _bet_due(seat: Seat, bet: int, least: int, most: int, fixed: bool, capped: bool) -> str:
    hand = strength(seat)
    what = category(hand.worst).words if hand.category is not None else "the hand"
    amount = format_amount(least) if least == most else f"{format_amount(least)} to {format_amount(most)}"
    rest = ", the payout limit" if capped else ""
    return f"{what} pays {'' if fixed else 'at least '}{amount} on a bet of {format_amount(bet)}{rest}"


@check(
    "settle.posted_odds",
    "Bet paid other than posted",
    on=SETTLING,
    needs=("seat", "dealer"),
    unread=unread.ends,
)
def posted_odds(m: Moment) -> Iterator[Finding]:
    """A bet was paid no less than the rulebook allows, but not what the house has posted."""
    floor = m.book.bet_odds
    assert floor is not None, "a rulebook with checks of payments has odds"
    for seat, bet, over in _bets(m):
        paid = bet.paid_amount
        if bet.amount is None or paid is None:
            continue  # settle.bet_amount says so
        limit, cut = _limits(m)
        hand = strength(seat)
        least, most = bet_payout_range(bet.amount, hand, posted(m), limit)
        allowed = bet_payout_range(bet.amount, hand, floor, cut)[0]
        if paid > most or (over and allowed <= paid < least):
            kind = hand.category
            yield Finding(
                f"{'the hand' if kind is None else kind.words} pays {format_amount(most)} by the posted odds",
                f"seat {seat.number} was paid {format_amount(paid)} on a bet of {format_amount(bet.amount)}",
                seat=seat.number,
                area=Area.BET,
                events=_paid_events(m, seat, Area.BET),
            )
        elif over and least != most and paid >= allowed:
            yield unsure(f"the hand of seat {seat.number} was not wholly read", seat.number, Area.BET)


@check(
    "settle.posted_floor",
    "Posted odds or limit below what is allowed",
    on=(ev.RoundOpened, ev.RoundClosed),
    needs=(),
    applies=lambda settings: bool(settings.posted_odds) or settings.payout_limit is not None,
)
def posted_floor(m: Moment) -> Iterator[Finding]:
    """The house has posted odds or a payout limit that the rulebook does not allow; said once, in the first round."""
    if m.after.rounds != 1:
        return
    floor = m.book.bet_odds
    assert floor is not None, "a rulebook with checks of payments has odds"
    house = posted(m)
    below = house.below(floor)
    if below:
        listed = ", ".join(f"{floor.row_name(kind)} {house.row(kind)}" for kind in below)
        wanted = ", ".join(f"{floor.row_name(kind)} {floor.row(kind)}" for kind in below)
        yield Finding(f"at least {wanted}", f"posted: {listed}", area=Area.BET, key="odds", certain=True)
    limit = m.settings.payout_limit
    if limit is not None:
        least = _least_limit(m, m.rule.param("least_limit"))
        if limit < least:
            yield Finding(
                f"a payout limit of at least {format_amount(least)}",
                f"the posted limit is {format_amount(limit)}",
                area=Area.BET,
                key="limit",
                certain=True,
                clause=text(m, "limit"),
            )


@check(
    "settle.taken_amount",
    "Wager only partly taken",
    on=SETTLING,
    needs=("seat", "dealer"),
    unread=unread.ends,
)
def taken_amount(m: Moment) -> Iterator[Finding]:
    """A losing wager was taken in part and the dealer went on."""
    left = left_seat(m, "taken")
    if left is None:
        return
    seat = m.after.seats[left.seat]
    end = result(m, seat)
    if end not in (Outcome.LOSE, Outcome.FOLD):
        return
    for area in STAKES:
        wager = seat.wager(area)
        if wager is None or wager.taken is None:
            continue
        if wager.amount is None or wager.taken_amount is None:
            yield unsure(
                f"the {area} of seat {seat.number} or what was taken was not read", seat.number, area
            )
        elif wager.taken_amount < wager.amount:
            yield Finding(
                f"seat {seat.number} {WORDS[end]}: the whole {area} of {format_amount(wager.amount)} is taken",
                f"only {amount_or_unseen(wager.taken_amount)} was taken",
                seat=seat.number,
                area=area,
                events=(wager.taken, m.event.seq),
                zones=("seat",),
                clause=text(m, "fold") if end is Outcome.FOLD else None,
            )
