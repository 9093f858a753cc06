"""Wagers once bets are closed: past-posting, pinching, handling, oral wagers, late bets, players who leave."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine import events as ev
from engine.checks.deal_common import missed_start
from engine.checks.registry import Finding, Moment, check, reading, unsure
from engine.checks.wager_common import came_late, closed, due_bet, free, outcome, person
from engine.events import DEALER, Area
from engine.money import amount_or_unseen, format_amount
from engine.state.model import Round, Seat, Wager

SEEN: Final = ("seat",)
"""What must have been seen of a wager handled after a call that was heard."""


def _shut(now: Round) -> int:
    """Return the event that closed the bets."""
    return now.called if now.called is not None else now.first_card or now.opened


def _phrase(now: Round) -> str:
    return 'after "no more bets"' if now.called is not None else "after the first card"


@check(
    "wager.late",
    "Wager made or raised too late",
    on=(ev.WagerPlaced, ev.WagerChanged, ev.CouponRedeemed),
    needs=("seat", "signal:no_more_bets"),
)
def late(m: Moment) -> Iterator[Finding]:
    """Past-posting: an ante or jackpot wager made, or any wager raised, after bets were closed.

    A bet may be built up in several goes to its due amount; beyond that it is raised.
    """
    now, event = closed(m.before), m.event
    if now is None or missed_start(m.after):
        return
    if isinstance(event, ev.CouponRedeemed):
        yield _late(m, now, Area.JACKPOT, f"a jackpot coupon redeemed {_phrase(now)}")
        return
    seat = m.before.seats[event.seat]
    old = seat.wager(event.area)
    if isinstance(event, ev.WagerPlaced) and (old is None or not old.lies):
        if event.area is not Area.BET and not _next_round(seat, now) and not _oral_too_late(seat, now):
            what = f"{event.area} of {amount_or_unseen(event.amount)} made"
            yield _late(m, now, event.area, f"{what} {_phrase(now)}")
        return
    if event.by == DEALER or old is None or free(m, seat, event.area, old):
        return
    new = m.seat.wager(event.area)
    amount = None if new is None else new.amount
    if old.amount is None or amount is None:
        yield unsure(
            f"the {event.area} of seat {event.seat} was altered {_phrase(now)}, but its amounts could not be read",
            event.seat,
            event.area,
        )
    elif amount > old.amount and _complete(m, seat, event.area, old, now):
        raised = f"{event.area} raised from {format_amount(old.amount)} to {format_amount(amount)}"
        yield _late(m, now, event.area, f"{raised} {_phrase(now)}")


def _late(m: Moment, now: Round, area: Area, observed: str) -> Finding:
    expected = "no wager made or raised once bets are closed"
    return Finding(
        expected, observed, m.event.seat, area, events=(_shut(now), m.event.seq), since=_shut(now), zones=SEEN
    )


def _next_round(seat: Seat, now: Round) -> bool:
    """Whether the seat is done with this round, so that a new wager can only be for the next."""
    return (
        now.revealed is not None and seat.collected is not None and (seat.ante is None or not seat.ante.lies)
    )


def _oral_too_late(seat: Seat, now: Round) -> bool:
    """Whether the wager was accepted orally after the call, which is reported as that."""
    return seat.oral is not None and seat.oral > _shut(now)


def _complete(m: Moment, seat: Seat, area: Area, old: Wager, now: Round) -> bool:
    """Whether a wager was made in full, so that more is a raise: a bet is still built up before the reveal."""
    if area is not Area.BET or now.revealed is not None or old.amount is None:
        return True
    due = due_bet(m, seat)
    return not due or old.amount >= min(due)


@check(
    "wager.pinched",
    "Wager lowered or taken back too late",
    on=(ev.WagerWithdrawn, ev.WagerChanged),
    needs=("seat", "dealer", "signal:no_more_bets"),
)
def pinched(m: Moment) -> Iterator[Finding]:
    """Pinching: a wager made smaller or taken back after bets were closed and before it was decided."""
    now, event = closed(m.before), m.event
    if now is None or event.by == DEALER or missed_start(m.after):
        return
    seat = m.before.seats[event.seat]
    old = seat.wager(event.area)
    if old is None or not old.lies or free(m, seat, event.area, old):
        return
    if isinstance(event, ev.WagerChanged):
        if old.amount is None or event.amount is None or event.amount >= old.amount:
            return
        if event.area is Area.BET and not old.before_deal and old.amount > max(due_bet(m, seat), default=0):
            return  # too much was bet, and put right
        observed = f"{event.area} lowered from {format_amount(old.amount)} to {format_amount(event.amount)}"
    elif event.area is Area.BET and old.before_deal and "wager.blind_withdrawn" in m.book.rules:
        return
    else:
        observed = f"{event.area} of {amount_or_unseen(old.amount)} taken back"
    if seat.turned_up is not None and outcome(m.before, seat) is None and event.area is not Area.JACKPOT:
        yield unsure("whether the wager was lost could not be read", event.seat, event.area)
        return
    yield Finding(
        "no wager lowered or taken back once bets are closed, until it is settled",
        f"{observed} {_phrase(now)}",
        event.seat,
        event.area,
        events=(_shut(now), event.seq),
        zones=("seat", "dealer"),
        clause=_losing(m, seat, now),
    )


def _losing(m: Moment, seat: Seat, now: Round) -> str | None:
    """Return the clause about losing wagers, where the rulebook has one and the hand is seen to lose."""
    lost = now.revealed is not None and outcome(m.before, seat) == -1
    return (m.rule.params or {}).get("losing") if lost else None


@check(
    "wager.touched",
    "Wager handled after bets were closed",
    on=(ev.WagerTouched, ev.WagerChanged),
    needs=("seat", "signal:no_more_bets"),
)
def touched(m: Moment) -> Iterator[Finding]:
    """A wager was handled and left as it was, after bets were closed and before it was decided."""
    now, event = closed(m.before), m.event
    if now is None or event.by == DEALER or missed_start(m.after):
        return
    seat = m.before.seats[event.seat]
    old = seat.wager(event.area)
    if old is None or not old.lies or free(m, seat, event.area, old):
        return
    if isinstance(event, ev.WagerChanged) and (old.amount is None or event.amount != old.amount):
        return
    if event.by is None:
        yield unsure(
            f"who touched the {event.area} of seat {event.seat} was not seen", event.seat, event.area
        )
        return
    yield Finding(
        "no wager handled once bets are closed, until it is settled",
        f"{person(event.by)} handled the {event.area} of seat {event.seat} {_phrase(now)}",
        event.seat,
        event.area,
        events=(_shut(now), event.seq),
        zones=("seat", "dealer"),
        clause=_losing(m, seat, now),
    )


@check(
    "wager.blind_withdrawn",
    "Blind bet taken back without a fold",
    on=(ev.WagerWithdrawn, ev.CardsTurned, ev.RoundClosed),
    needs=("seat", "dealer", "signal:no_more_bets"),
    applies=lambda settings: settings.blind_bets,
)
def blind_withdrawn(m: Moment) -> Iterator[Finding]:
    """A blind bet may be taken back by a player who folds; the fold may follow, until the reveal."""
    event, now = m.event, m.round
    if isinstance(event, ev.WagerWithdrawn):
        bet, before = m.before.seats[event.seat].bet, closed(m.before)
        if event.area is not Area.BET or bet is None or before is None or before.revealed is None:
            return
        if bet.before_deal and not free(m, m.before.seats[event.seat], Area.BET, bet) and event.by != DEALER:
            yield _taken_back(m, m.seat, event.seq)
        return
    if isinstance(event, ev.CardsTurned) and now.revealed != event.seq:
        return
    for seat in m.after.players:
        bet = seat.bet
        if bet is None or not bet.before_deal or bet.withdrawn is None:
            continue
        early = now.revealed is None or bet.withdrawn < now.revealed
        if early and seat.folded is None and seat.voided is None:
            yield _taken_back(m, seat, bet.withdrawn)


def _taken_back(m: Moment, seat: Seat, withdrawn: int) -> Finding:
    return Finding(
        "a blind bet taken back only by a player who folds",
        f"seat {seat.number} took the blind bet back and did not fold",
        seat.number,
        Area.BET,
        events=(withdrawn, m.event.seq) if withdrawn != m.event.seq else (withdrawn,),
        zones=("seat", "dealer"),
    )


@check(
    "wager.oral",
    "Oral wager accepted without chips or too late",
    on=(ev.OralWagerAccepted,),
    needs=("seat",),
)
def oral(m: Moment) -> Iterator[Finding]:
    """What is called out counts only with chips, and in time before the call."""
    event, now = m.event, closed(m.before)
    if event.with_chips is None:
        yield unsure("whether chips came with the oral wager was not seen", event.seat, event.area)
    elif not event.with_chips:
        yield Finding(
            "oral wagers accepted only with chips",
            f"an oral {event.area} accepted at seat {event.seat} without chips",
            event.seat,
            event.area,
            certain=True,
        )
    elif now is not None and event.area is not Area.BET:
        yield Finding(
            'oral wagers accepted only in time before "no more bets"',
            f"an oral {event.area} accepted at seat {event.seat} {_phrase(now)}",
            event.seat,
            event.area,
            events=(_shut(now), event.seq),
            certain=True,
        )


@check(
    "wager.after_reveal",
    "Bet made after the dealer's cards were shown",
    on=(ev.WagerPlaced,),
    needs=("seat", "dealer"),
)
def after_reveal(m: Moment) -> Iterator[Finding]:
    """A bet came when the hole cards lay open.

    Where the rulebook lets players who had not decided still bet after an early reveal, only those who had decided are
    meant: a hand that was folded or that had its bet.
    """
    event, now = m.event, m.before.round
    if event.area is not Area.BET or now is None or now.revealed is None or now.closed is not None:
        return
    seat = m.before.seats[event.seat]
    if seat.bet is not None and seat.bet.lies:
        return  # a second pile is a raise
    may_still = (m.rule.params or {}).get("undecided_may_bet", False)
    if may_still and not seat.decided and seat.collected is None:
        return
    if seat.ante is not None and seat.ante.placed > now.revealed:
        return  # a blind bet for the next round, made early
    yield Finding(
        "bets made before the dealer's hole cards show",
        f"a bet of {amount_or_unseen(event.amount)} made after the reveal",
        event.seat,
        Area.BET,
        events=(now.revealed, event.seq),
        since=now.revealed,
        zones=SEEN,
    )


@check(
    "wager.left_seat",
    "Player with cards left the seat",
    on=(ev.PlayerLeft,),
    needs=("seat",),
)
def left_seat(m: Moment) -> Iterator[Finding]:
    """A player who has wagered and was dealt cards stays seated until the round is over."""
    seat = m.before.seats[m.event.seat]
    now = m.before.round
    if (
        now is None
        or now.closed is not None
        or seat.ante is None
        or not seat.dealt
        or seat.voided is not None
    ):
        return
    gone = seat.collected is not None and reading(m, "stays_seated", "round") != "round"
    if gone or came_late(seat.ante, Area.ANTE, now):
        return
    yield Finding(
        "players with cards stay seated until the round is over",
        f"the player of seat {seat.number} left during the round",
        seat.number,
        events=(seat.ante.placed, m.event.seq),
        since=m.event.seq,
    )
