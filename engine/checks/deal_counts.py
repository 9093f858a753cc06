"""The deal: five cards to everybody. A wrong number has a remedy in every rulebook, and they differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine import events as ev
from engine.checks.deal_common import (
    JUDGING,
    completes_dealer,
    deal_ended,
    dealing_order,
    hands,
    missed_start,
    shoe_failed,
    tally,
    voids_one_hand,
    walk_round,
)
from engine.checks.registry import Finding, Moment, check, reading, unsure
from engine.events import DEALER
from engine.settings import Method
from engine.state.model import Seat
from engine.verdicts import Ruling

FULL = 5


@check(
    "deal.player_count",
    "Wrong number of cards dealt to a player",
    on=(ev.CardDealt, ev.HandVoided, ev.RoundVoided, *JUDGING),
    needs=("seat",),
)
def player_count(m: Moment) -> Iterator[Finding]:
    """A player has more or fewer than five cards.

    A sixth card proves itself; a missing card is judged when the deal is over. When the automated shoe failed, that is
    the cause and the whole round is void for it, so nothing is said here.
    """
    if missed_start(m.after) or m.round.first_card is None or shoe_failed(m):
        return
    event = m.event
    if isinstance(event, ev.CardDealt):
        if event.seat != DEALER and m.seat.ante is not None and m.seat.dealt > FULL:
            yield from _players(m, (event.seat,))
    elif isinstance(event, ev.RoundVoided):
        yield from _put_right(m, [seat for seat in _astray(m) if seat != DEALER])
    elif isinstance(event, ev.HandVoided):
        astray = _astray(m)
        if event.seat in astray:
            remedy = _player_remedy(m, len([seat for seat in astray if seat != DEALER]))
            if remedy == "void_hand":
                yield from _put_right(m, [event.seat])
            else:  # one hand is void where the whole round has to be
                yield _wrong(m, event.seat, astray[event.seat], remedy)
    elif deal_ended(m):
        yield from _players(m, dealing_order(m.after)[:-1])


def _players(m: Moment, seats: tuple[int, ...]) -> Iterator[Finding]:
    counts = tally(m.round)
    wrong: list[tuple[int, int]] = []
    for number in seats:
        count, seat = counts.get(number, 0), m.after.seats[number]
        if count is None:
            count = _counted_later(seat)
            if count is None and isinstance(m.event, ev.RoundClosed):
                yield unsure(f"how many cards seat {number} was dealt could not be told", number)
        if count and count != FULL and seat.voided is None:
            wrong.append((number, count))
    for number, count in wrong:
        yield _wrong(m, number, count, _player_remedy(m, len(wrong)))


def _wrong(m: Moment, number: int, count: int, remedy: str | None) -> Finding:
    who = "the dealer" if number == DEALER else f"seat {number}"
    brought = tuple(one.seq for one in m.round.deliveries if one.seat == number)
    return Finding(
        f"{who} is dealt five cards",
        f"{who} has {hands(count)}",
        seat=number,
        events=(*brought, m.event.seq) if brought[-1:] != (m.event.seq,) else brought,
        remedy=remedy,
    )


def _player_remedy(m: Moment, affected: int) -> str | None:
    """Return what must be done about so many misdealt players.

    By the reading of nz 12.11 the whole round is void, unless one hand alone is affected and the house has set that
    this voids only that hand.
    """
    one_hand: str | None = None if m.rule.params is None else m.rule.params.get("one_hand_remedy")
    if one_hand is not None and affected == 1 and voids_one_hand(m):
        return one_hand
    return "void_round" if reading(m, "misdealt_player", "hand") == "round" else m.rule.remedy


def _counted_later(seat: Seat) -> int | None:
    """Return how many cards a packet had, from what was seen of the hand later."""
    if seat.turned_up is not None:
        return len(seat.cards)
    for count in (seat.counted_cards, seat.collected_cards, seat.laid_down_cards):
        if count is not None:
            return count
    return None


def _astray(m: Moment) -> dict[int, int]:
    """Return the hands that are ahead or behind at this point of the deal, with their number of cards."""
    counts = tally(m.round)
    order = dealing_order(m.after)
    if m.settings.method is Method.PACKETS:
        return {seat: n for seat, n in counts.items() if n is not None and n != FULL and seat in order}
    found = walk_round(m)
    wrong = {*found.missed, *found.surplus, *(seat for seat in counts if (counts[seat] or 0) > FULL)}
    if m.after.dealer_hand.dealt >= FULL:
        wrong |= {seat for seat in counts if counts[seat] != FULL}
    return {seat: counts.get(seat) or 0 for seat in order if seat in wrong and counts.get(seat)}


def _put_right(m: Moment, seats: list[int]) -> Iterator[Finding]:
    """Yield hands that were declared void before the deal was over, as put right."""
    counts = tally(m.round)
    how = "the hand is declared void" if isinstance(m.event, ev.HandVoided) else "the round is declared void"
    for number in seats:
        finding = _wrong(m, number, counts.get(number) or 0, None)
        yield replace(finding, ruling=Ruling.HANDLED, reason=f"put right: {how}")


@check(
    "deal.dealer_count",
    "Wrong number of cards dealt to the dealer",
    on=(ev.CardDealt, ev.RoundVoided, *JUDGING),
    needs=("dealer",),
)
def dealer_count(m: Moment) -> Iterator[Finding]:
    """The dealer has more or fewer than five cards; where the rulebook lets a hand be completed, that is the remedy."""
    if missed_start(m.after) or m.round.first_card is None or shoe_failed(m):
        return
    event = m.event
    if isinstance(event, ev.RoundVoided):
        yield from _put_right(m, [seat for seat in _astray(m) if seat == DEALER])
        return
    if isinstance(event, ev.CardDealt):
        if completes_dealer(m):
            short = _wrong(m, DEALER, m.before.dealer_hand.dealt, None)
            done = "put right: one more card completes the dealer's hand"
            yield replace(short, ruling=Ruling.HANDLED, reason=done)
        if event.seat != DEALER or m.seat.dealt <= FULL:
            return
    elif not deal_ended(m):
        return
    count = tally(m.round).get(DEALER, 0)
    if count is None:
        count = _counted_later(m.after.dealer_hand)
        if count is None and isinstance(event, ev.RoundClosed):
            yield unsure("how many cards the dealer was dealt could not be told", DEALER)
    if count is not None and count != FULL:
        completes = None if m.rule.params is None else m.rule.params.get("completes_from")
        yield _wrong(m, DEALER, count, "complete_dealer" if count == completes else m.rule.remedy)
