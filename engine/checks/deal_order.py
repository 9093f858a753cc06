"""The deal: begun after the call, in order, to everybody who has an ante and to nobody else."""

from __future__ import annotations

from collections.abc import Iterator

from engine import events as ev
from engine.checks.deal_common import (
    JUDGING,
    completes_dealer,
    deal_ended,
    dealing_order,
    hands,
    late_ante,
    method_clause,
    missed_start,
    shoe_failed,
    tally,
    walk_round,
)
from engine.checks.registry import Finding, Moment, check
from engine.events import DEALER
from engine.verdicts import Ruling


@check(
    "deal.before_call",
    'Cards dealt before "no more bets"',
    on=(ev.CardDealt, ev.PacketDealt),
    needs=("signal:no_more_bets", "table"),
)
def before_call(m: Moment) -> Iterator[Finding]:
    """The first card of a round came before the call."""
    if m.round.first_card != m.event.seq or m.round.called is not None or missed_start(m.after):
        return
    yield Finding(
        '"no more bets" is called before the first card',
        f"a card went to {_place(m.event.seat)} and bets were still open",
        seat=m.event.seat,
        clause=method_clause(m),
    )


@check(
    "deal.order",
    "Cards dealt in the wrong order",
    on=(ev.CardDealt, ev.PacketDealt, *JUDGING),
    needs=("seats", "dealer"),
)
def order(m: Moment) -> Iterator[Finding]:
    """A seat got its card out of turn, or was left out altogether.

    A seat that was merely passed over once ends with a wrong number of cards, and is left to `deal.player_count`: one
    cause, one alert, and the remedy that the rulebook orders for it.
    """
    if isinstance(m.event, ev.CardDealt | ev.PacketDealt):
        yield from _out_of_turn(m)
    elif deal_ended(m):
        yield from _left_out(m)


def _out_of_turn(m: Moment) -> Iterator[Finding]:
    now = m.round
    if now.deal_over is not None or missed_start(m.after):
        return
    turns, done = dealing_order(m.after), len(now.deliveries)
    in_turn = all(now.deliveries[n].seat == turns[n % len(turns)] for n in range(max(0, done - 2), done))
    if in_turn or completes_dealer(m):
        return
    found = walk_round(m)
    if not found.late:
        return
    card, jumped = found.late[0]  # the first one only: the rest of a wrong deal follows from it
    ahead = next(one.seat for one in now.deliveries if one.seq == jumped)
    yield Finding(
        "cards go round clockwise from the dealer's left, the dealer last",
        f"{_place(card.seat)} was dealt to out of turn, after {_place(ahead)}",
        seat=card.seat,
        events=(jumped, card.seq),
        clause=method_clause(m),
    )


def _left_out(m: Moment) -> Iterator[Finding]:
    counts = tally(m.round)
    if not any(counts.get(seat) for seat in counts if seat != DEALER):
        return
    for number in dealing_order(m.after)[:-1]:
        seat = m.after.seats[number]
        if number in counts or seat.voided is not None or shoe_failed(m):
            continue
        assert seat.ante is not None
        yield Finding(
            "every area with an ante is dealt a hand",
            f"seat {number} has an ante and was dealt no cards",
            seat=number,
            events=(seat.ante.placed, m.event.seq),
            clause=method_clause(m),
            zones=("seat",),
            remedy=None if m.rule.params is None else m.rule.params.get("left_out_remedy"),
        )


@check(
    "deal.no_ante",
    "Cards dealt to an area with no ante",
    on=(ev.CardDealt, ev.PacketDealt, ev.RoundVoided, *JUDGING),
    needs=("seat",),
)
def no_ante(m: Moment) -> Iterator[Finding]:
    """A card went where no ante lies.

    Where the rulebook tells an unfinished hand from a finished one (params `incomplete` and `complete`), the
    finding waits until it is known which it is: the hand is full, or the deal ends, stops or is declared void.
    """
    if missed_start(m.after):
        return
    event, params = m.event, m.rule.params or {}
    if isinstance(event, ev.CardDealt | ev.PacketDealt):
        if event.seat == DEALER or not _no_ante(m, event.seat):
            return
        if "complete" not in params:
            yield _stray(m, event.seat, method_clause(m), None)
        elif m.seat.dealt >= 5:
            yield _stray(m, event.seat, params["complete"]["clause"], params["complete"]["remedy"])
        return
    if "incomplete" not in params or m.round.first_card is None:
        return
    void = isinstance(event, ev.RoundVoided)
    taken = event.seat if isinstance(event, ev.CardsCollected) else None
    if not void and taken is None and not deal_ended(m):
        return
    for number, count in tally(m.round).items():
        if number == DEALER or count is None or count >= 5 or not _no_ante(m, number):
            continue
        if taken is not None and taken != number and not deal_ended(m):
            continue
        finding = _stray(m, number, params["incomplete"]["clause"], params["incomplete"]["remedy"])
        yield _put_right(finding, "the round is declared void") if void else finding


def _no_ante(m: Moment, number: int) -> bool:
    seat = m.after.seats[number]
    if seat.ante is None:
        return True
    first = next((one.seq for one in m.round.deliveries if one.seat == number), None)
    return first is not None and seat.ante.placed > first and not late_ante(seat, m.round)


def _stray(m: Moment, number: int, clause: str | None, remedy: str | None) -> Finding:
    brought = tuple(one.seq for one in m.round.deliveries if one.seat == number)
    return Finding(
        "cards go only to areas with an ante",
        f"seat {number} has no ante and was dealt {hands(m.after.seats[number].dealt)}",
        seat=number,
        events=brought or (m.event.seq,),
        clause=clause,
        remedy=remedy,
    )


def _put_right(finding: Finding, how: str) -> Finding:
    """Return a finding as one that was put right in the same moment in which it showed."""
    return Finding(
        finding.expected,
        finding.observed,
        seat=finding.seat,
        events=finding.events,
        clause=finding.clause,
        ruling=Ruling.HANDLED,
        reason=f"put right: {how}",
    )


def _place(seat: int) -> str:
    return "the dealer" if seat == DEALER else f"seat {seat}"
