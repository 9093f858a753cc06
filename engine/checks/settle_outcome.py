"""Settlement: the dealer's hand read right, and every wager treated as its hand ends."""

from __future__ import annotations

from collections.abc import Iterator

from engine import events as ev
from engine.checks import unread
from engine.checks.registry import Finding, Moment, check, unsure
from engine.checks.settle_common import (
    STAKES,
    WORDS,
    in_play,
    outcome_clause,
    qualified,
    qualified_clause,
    result,
    stray_jackpot,
    treated_as,
)
from engine.events import DEALER, Area
from engine.hands import describe
from engine.money import amount_or_unseen
from engine.settlement import Outcome
from engine.state.model import Seat, TableState


def _hand_words(seat: Seat) -> str:
    return describe(seat.faces) if seat.known else "a hand that was not wholly read"


@check(
    "settle.dealer_misread",
    "Dealer's hand misread",
    on=(ev.HandAnnounced, ev.WagerTaken, ev.WagerPaid),
    needs=("dealer",),
)
def dealer_misread(m: Moment) -> Iterator[Finding]:
    """The dealer's hand is announced or treated as qualified when it is not, or the other way round.

    An announcement that the dealer takes back before settling anything is put right.
    """
    truth, event, now = qualified(m.after), m.event, m.round
    if isinstance(event, ev.HandAnnounced):
        if truth is None:
            yield unsure("the dealer's hand was not wholly read", DEALER)
        elif event.qualifies is not truth:
            yield _misread(m, truth, f"announced as {'qualified' if event.qualifies else 'no hand'}")
    elif (
        truth is False
        and now.announced is None
        and event.area in STAKES
        and treated_as(m.before) is False
        and treated_as(m.after) is True
    ):
        done = "taken" if isinstance(event, ev.WagerTaken) else "paid"
        yield _misread(
            m, truth, f"the {event.area} of seat {event.seat} was {done} as if it qualified", remedy=""
        )


def _misread(m: Moment, truth: bool, observed: str, remedy: str | None = None) -> Finding:
    hand = _hand_words(m.after.dealer_hand)
    seqs = (m.round.revealed, m.event.seq)
    return Finding(
        f"the dealer's hand is treated as {'qualified' if truth else 'not qualified'}: {hand}",
        observed,
        seat=DEALER,
        events=tuple(seq for seq in seqs if seq is not None),
        clause=qualified_clause(m, truth),
        since=m.round.first_card,
        remedy=remedy,
    )


@check(
    "settle.wrong_outcome",
    "Wager settled against the outcome",
    on=(ev.WagerTaken, ev.WagerPaid),
    needs=("seat", "dealer"),
)
def wrong_outcome(m: Moment) -> Iterator[Finding]:
    """A loser was paid, or a winner or a push was taken; a void bet has a check of its own."""
    event, seat = m.event, m.seat
    if event.area not in STAKES or not in_play(seat) or m.round.revealed is None:
        return
    end = result(m, seat)
    taken = isinstance(event, ev.WagerTaken)
    if end is Outcome.UNDECIDED:
        yield unsure(f"how the hand of seat {seat.number} ends could not be told", seat.number, event.area)
        return
    if end is Outcome.NOT_QUALIFIED:
        if event.area is Area.BET or not taken:
            return
    elif (end is Outcome.LOSE) is taken and end is not Outcome.PUSH:
        return
    due = {Outcome.LOSE: "taken", Outcome.PUSH: "left", Outcome.WIN: "paid", Outcome.NOT_QUALIFIED: "paid"}[
        end
    ]
    yield Finding(
        f"seat {seat.number} {WORDS[end]}, so its {event.area} is {due}: {_hand_words(seat)} "
        f"against {_hand_words(m.after.dealer_hand)}",
        f"the {event.area} was {'taken' if taken else 'paid'}"
        + ("" if taken else f" with {amount_or_unseen(event.amount)}"),
        seat=seat.number,
        area=event.area,
        clause=outcome_clause(m, end),
        since=m.round.first_card,
    )


@check(
    "settle.void_bet",
    "Void bet taken or paid",
    on=(ev.WagerTaken, ev.WagerPaid),
    needs=("seat", "dealer"),
    unread=unread.ends,
)
def void_bet(m: Moment) -> Iterator[Finding]:
    """The dealer does not qualify and does not claim to, and yet a bet was taken or paid."""
    event = m.event
    if event.area is not Area.BET or not in_play(m.seat) or m.round.revealed is None:
        return
    if result(m, m.seat) is not Outcome.NOT_QUALIFIED:
        return
    taken = isinstance(event, ev.WagerTaken)
    yield Finding(
        "the dealer does not qualify: bets are void, neither taken nor paid",
        f"the bet of seat {event.seat} was {'taken' if taken else 'paid'}: {amount_or_unseen(event.amount)}",
        seat=event.seat,
        area=Area.BET,
        since=m.round.first_card,
    )


@check(
    "settle.void_round",
    "Wager taken or paid though the hand is void",
    on=(ev.WagerTaken, ev.WagerPaid, ev.JackpotPaid),
    needs=("seat",),
    in_void_rounds=True,
)
def void_round(m: Moment) -> Iterator[Finding]:
    """A round or a hand was declared void, and a wager of it was taken or paid all the same.

    Giving back a wager that was taken before is no payment.
    """
    seat, event = m.before.seats[m.event.seat], m.event
    whole = m.before.round is not None and m.before.round.voided is not None
    voided = m.round.voided if whole else seat.voided
    area = Area.JACKPOT if isinstance(event, ev.JackpotPaid) else event.area
    if voided is None and area is Area.JACKPOT and stray_jackpot(m, seat) is not None:
        yield _stray(m, seat)
    if voided is None or event.seat == DEALER:
        return
    wager = m.seat.wager(area)
    if isinstance(event, ev.WagerPaid) and wager is not None and wager.taken is not None:
        if wager.taken_amount is None or wager.paid_amount is None:
            yield unsure(f"whether seat {seat.number} was paid or given back a wager", seat.number, area)
            return
        if wager.paid_amount <= wager.taken_amount:
            return
    done = "taken" if isinstance(event, ev.WagerTaken) else "paid"
    yield Finding(
        f"{'the round' if whole else f'the hand of seat {seat.number}'} is void: wagers go back to the players",
        f"the {area} of seat {seat.number} was {done}: {amount_or_unseen(event.amount)}",
        seat=seat.number,
        area=area,
        events=(voided, event.seq),
        clause=_void_clause(m, whole),
        certain=True,
    )


def _stray(m: Moment, seat: Seat) -> Finding:
    """Return the finding that the jackpot wager of a hand without an ante was taken or paid."""
    done = "taken" if isinstance(m.event, ev.WagerTaken) else "paid"
    return Finding(
        f"seat {seat.number} has a hand without an ante: its jackpot wager is void and goes back",
        f"the jackpot wager of seat {seat.number} was {done}: {amount_or_unseen(m.event.amount)}",
        seat=seat.number,
        area=Area.JACKPOT,
        clause=stray_jackpot(m, seat),
    )


def _void_clause(m: Moment, whole: bool) -> str | None:
    """Return the clause by which the hands are void, from what went wrong in the round."""
    table = None if m.rule.params is None else m.rule.params.get("clause")
    if table is None:
        return None
    now = m.round
    cause = "hand"
    if whole and now.shoe_jammed is not None:
        cause = "shoe_failed"
    elif whole and len(now.found_face_up) > 1:
        cause = "found_face_up"
    elif whole and _shown_before_call(m.after):
        cause = "before_call"
    found: str | None = table.get(cause)
    return found


def _shown_before_call(state: TableState) -> bool:
    """Whether a hole card showed before bets were closed."""
    now = state.round
    if now is None or now.voided is None:
        return False
    early = now.called is None or (now.first_card is not None and now.called > now.first_card)
    return early and any(seat == DEALER for _, seat in now.exposed)
