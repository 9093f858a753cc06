"""What the checks of the deal share: whose turn it was, how many cards everybody got, when a deal can be judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from engine import events as ev
from engine.checks.registry import Moment, reading
from engine.events import DEALER
from engine.exposure import exposure_severity
from engine.settings import Method
from engine.state.model import Delivery, Round, Seat, TableState
from engine.state.steps import MISSED_START
from engine.verdicts import Severity

JUDGING: Final = (
    ev.StubPlaced,
    ev.StubCounted,
    ev.HandPickedUp,
    ev.WagerPlaced,
    ev.PlayerFolded,
    ev.CardsTurned,
    ev.CardsCollected,
    ev.WagerTaken,
    ev.WagerPaid,
    ev.RoundClosed,
)
"""Events at which a finished deal may come to be judged; see `deal_ended`."""


def method_clause(m: Moment) -> str | None:
    """Return the clause for the table's dealing method, where the rulebook has one for each."""
    table = None if m.rule.params is None else m.rule.params.get("clause")
    return None if table is None else table.get(str(m.settings.method))


def shoe_failed(m: Moment) -> bool:
    """Whether the automated shoe failed in this round, and that is read to come before misdealt hands."""
    return m.round.shoe_jammed is not None and bool(reading(m, "shoe_failure_first", True))


def call_known(m: Moment) -> bool:
    """Whether the call would have been heard, had it been made."""
    return "no_more_bets" in m.settings.signals and "no_more_bets" not in m.after.signal_gaps


def missed_start(state: TableState) -> bool:
    """Whether the start of this round was not seen, so that nothing can be said about its order or its antes."""
    gap = state.gaps.get("table") if state.gaps else None
    return gap is not None and gap.why == MISSED_START


def voids_one_hand(m: Moment) -> bool:
    """Whether a misdeal that affects one hand voids that hand only: the house has set it, or the book is read so."""
    return m.settings.misdeal_voids_one_hand or reading(m, "misdeal_voids", "round") == "hand"


def up_kind(m: Moment) -> str | None:
    """Return which of the dealer's cards lies face up by the rulebook: first, last or bottom; None if it is silent."""
    kind: str | None = m.book.game.get("up_card", {}).get(str(m.settings.method))
    return kind


def dealt_in(seat: Seat, now: Round) -> bool:
    """Whether a seat had an ante when the deal began, so that it is owed a hand."""
    return seat.ante is not None and (now.first_card is None or seat.ante.placed < now.first_card)


def late_ante(seat: Seat, now: Round) -> bool:
    """Whether the only ante of a seat came after the deal had begun, but before its first card."""
    if seat.ante is None or dealt_in(seat, now):
        return False
    first = next((one.seq for one in now.deliveries if one.seat == seat.number), None)
    return first is not None and seat.ante.placed < first


def away(seat: Seat) -> bool:
    """Whether the player of a hand has left; a second area is played by somebody who sits at another seat.

    An ante that the dealer put down for somebody (nz 5.5) may be such a second area, so that nobody is taken as gone.
    """
    own = seat.ante is None or seat.ante.by in (None, seat.number)
    return seat.present is False and own


def dealing_order(state: TableState) -> tuple[int, ...]:
    """Return who is dealt to, in order: seats with an ante from the dealer's left, then the dealer."""
    now = state.round
    assert now is not None
    return (*(seat.number for seat in state.seats[1:] if dealt_in(seat, now)), DEALER)


def tally(now: Round) -> dict[int, int | None]:
    """Return how many cards each seat was given; None where a packet's size could not be told."""
    counts: dict[int, int | None] = {}
    for one in now.deliveries:
        so_far = counts.get(one.seat, 0)
        counts[one.seat] = None if so_far is None or one.count is None else so_far + one.count
    return counts


def deal_ended(m: Moment) -> bool:
    """Whether this event shows that the dealer regards the deal as done, so that the counts can be judged.

    A player's bet or fold shows it only when the dealer's own hand is full: the dealer's last card comes last, and
    somebody impatient may act before it.
    """
    now, event = m.after.round, m.event
    if now is None or now.first_card is None or missed_start(m.after):
        return False
    if isinstance(event, ev.StubPlaced | ev.StubCounted | ev.RoundClosed) or now.revealed == event.seq:
        return True
    if m.after.dealer_hand.dealt >= 5:
        return bool(now.deal_over == event.seq)
    return isinstance(event, ev.WagerTaken | ev.WagerPaid)


@dataclass(slots=True)
class Walk:
    """How a deal went against its order.

    `late`: (delivery that came late, delivery that jumped ahead of it). `missed` and `surplus`: seats that are one
    card behind or ahead, with the delivery that made them so.
    """

    late: list[tuple[Delivery, int]] = field(default_factory=list)
    missed: dict[int, int] = field(default_factory=dict)
    surplus: dict[int, int] = field(default_factory=dict)


def walk(order: Sequence[int], deliveries: Sequence[Delivery]) -> Walk:
    """Follow a deal card by card (or packet by packet) along its order.

    Passing over a seat is not yet a wrong order: left alone it becomes a wrong number of cards, which has a remedy of
    its own. It is a wrong order once the seat gets its card late, or a seat that had one too many is left out.

    >>> def cards(*seats): return [Delivery(n, seat, 1, False, 1) for n, seat in enumerate(seats)]
    >>> [one.seat for one, _ in walk((1, 2, 0), cards(2, 1, 0, 1, 2, 0)).late]
    [1]
    >>> walk((1, 2, 0), cards(1, 0, 1, 2, 0)).missed
    {2: 1}
    """
    result, place, last, size = Walk(), 0, None, len(order)
    rank = {seat: index for index, seat in enumerate(order)}
    for one in deliveries:
        mine = rank.get(one.seat)
        if mine is None:
            continue
        if mine == place:
            place = (place + 1) % size
        elif one.seat in result.missed:
            result.late.append((one, result.missed.pop(one.seat)))
        elif one.seat == last:
            result.surplus[one.seat] = one.seq
        elif mine > place or (mine == 0 and place == size - 1):
            skipped = order[place:mine] if mine > place else order[place:]
            for seat in skipped:
                if seat in result.surplus:
                    result.late.append((one, result.surplus.pop(seat)))
                else:
                    result.missed[seat] = one.seq
            place = (mine + 1) % size
        else:
            result.surplus[one.seat] = one.seq
        last = one.seat
    return result


def walk_round(m: Moment) -> Walk:
    """Follow the deal of the round in play, in packets or card by card as the table is set."""
    packets = m.settings.method is Method.PACKETS
    deliveries = [one for one in m.round.deliveries if (one.count != 1) is packets]
    return walk(dealing_order(m.after), deliveries)


def completes_dealer(m: Moment) -> bool:
    """Whether this card completes a dealer's hand that was one short when the deal was done, as the rulebook orders."""
    now = m.round
    if m.event.seat != DEALER or len(now.deliveries) < 2 or now.deliveries[-2].seat != DEALER:
        return False
    rule = m.book.rules.get("deal.dealer_count")
    short = None if rule is None or rule.params is None else rule.params.get("completes_from")
    if short is None or m.before.dealer_hand.dealt != short:
        return False
    counts = tally(now)
    return all(counts.get(seat) == short + 1 for seat in dealing_order(m.after)[:-1])


def known_dealer_cards(m: Moment) -> int:
    """Return how many of the dealer's cards players may know after the event, from 0 to 5."""
    known = sum(held.face_up or held.card.known for held in m.after.dealer_hand.cards)
    if isinstance(m.event, ev.CardFlashed) and not m.event.card.known:
        known += 1
    return min(known, 5)


def exposure_grade(known: int, least: Severity) -> Severity:
    """Return how severe it is that so many of the dealer's cards are known, from the shift of the edge.

    >>> [exposure_grade(known, Severity.LOW).word for known in range(1, 6)]
    ['low', 'medium', 'high', 'critical', 'critical']
    """
    shift = exposure_severity(known)
    if shift == 0:
        return least
    grade = Severity.MEDIUM if shift < 1000 else Severity.HIGH if shift < 3000 else Severity.CRITICAL
    return max(grade, least)


def hands(count: int) -> str:
    """Return a number of cards in words."""
    return f"{count} card" if count == 1 else f"{count} cards"
