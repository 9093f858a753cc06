"""Decisions: what players may do with cards, their own and others', and with what they know."""

from __future__ import annotations

from collections.abc import Iterator

from engine import events as ev
from engine.checks.registry import Finding, Moment, check, unsure
from engine.checks.wager_common import person
from engine.events import DEALER


@check("decide.cards_off_table", "Cards taken off the table", on=(ev.CardsOutOfSight,), needs=("seat",))
def cards_off_table(m: Moment) -> Iterator[Finding]:
    """Cards of a player left the area of the table."""
    if m.event.off_table:
        yield Finding(
            "cards stay on or above the table",
            f"{_cards(m)} of seat {m.event.seat} went off the table",
            seat=m.event.seat,
            since=m.event.seq,
        )


@check(
    "decide.cards_out_of_view", "Cards out of the dealer's view", on=(ev.CardsOutOfSight,), needs=("seat",)
)
def cards_out_of_view(m: Moment) -> Iterator[Finding]:
    """Cards of a player were not in full view of the dealer."""
    where = "went off the table" if m.event.off_table else "were hidden"
    yield Finding(
        "the five cards stay in full view of the dealer",
        f"{_cards(m)} of seat {m.event.seat} {where}",
        seat=m.event.seat,
        since=m.event.seq,
    )


def _cards(m: Moment) -> str:
    return "cards" if m.event.count is None else f"{m.event.count} card{'s' if m.event.count != 1 else ''}"


@check("decide.cards_exchanged", "Cards exchanged between hands", on=(ev.CardMoved,), needs=("seat",))
def cards_exchanged(m: Moment) -> Iterator[Finding]:
    """A card went from one hand to another, and not by the dealer's hand."""
    event = m.event
    if event.by == DEALER:
        return
    target = "the dealer" if event.to_seat == DEALER else f"seat {event.to_seat}"
    yield Finding(
        "every hand keeps the cards that it was dealt",
        f"a card ({event.card}) went from seat {event.seat} to {target}",
        seat=event.seat,
        since=event.seq,
    )


@check(
    "decide.cards_touched",
    "Another player's cards touched",
    on=(ev.HandTouched, ev.HandPickedUp),
    needs=("seat",),
)
def cards_touched(m: Moment) -> Iterator[Finding]:
    """Somebody other than the dealer and the player touched a player's cards."""
    event = m.event
    if event.seat == DEALER or event.by in (DEALER, event.seat):
        return
    if event.by is None:
        yield unsure(f"who touched the cards of seat {event.seat} was not seen", event.seat)
        return
    yield Finding(
        "only the player and the dealer touch a player's cards",
        f"{person(event.by)} touched the cards of seat {event.seat}",
        seat=event.seat,
        since=event.seq,
    )


@check(
    "decide.cards_touched_again",
    "Own cards touched after being laid down",
    on=(ev.HandTouched, ev.HandPickedUp),
    needs=("seat",),
)
def cards_touched_again(m: Moment) -> Iterator[Finding]:
    """A player touched the own cards after having laid all five down; fewer than five is not laid down yet."""
    event, seat = m.event, m.before.seats[m.event.seat]
    if event.by != event.seat or seat.laid_down is None or not seat.playing:
        return
    if seat.rebuilt is not None and seat.rebuilt > seat.laid_down:
        return
    if seat.laid_down_cards is not None and seat.laid_down_cards < 5:
        return
    yield Finding(
        "cards that were laid down are not touched again",
        f"the player of seat {seat.number} touched the cards after laying them down",
        seat=seat.number,
        events=(seat.laid_down, event.seq),
        since=seat.laid_down,
    )


@check("decide.information", "Information about hands passed", on=(ev.InformationPassed,), needs=())
def information(m: Moment) -> Iterator[Finding]:
    """Somebody reported that players told each other about their hands."""
    until_reveal = m.rule.params is not None and m.rule.params.get("until_reveal", False)
    if until_reveal and m.round.revealed is not None:
        return
    for seat in m.event.seats:
        others = " and ".join(str(one) for one in m.event.seats if one != seat)
        yield Finding(
            "players keep what they know of their hands to themselves",
            f"seat {seat} passed information" + (f" with seat {others}" if others else ""),
            seat=seat,
            certain=True,
        )


@check(
    "decide.other_hand_viewed",
    "Another hand viewed",
    on=(ev.HandViewed,),
    needs=("seat",),
    applies=lambda settings: settings.view_one_hand,
)
def other_hand_viewed(m: Moment) -> Iterator[Finding]:
    """Somebody looked at a hand other than the one dealt to the own seat, where each may see only one.

    A hand on a further area of the same player is played blind: not even the dealer may see it before settlement.
    """
    event, seat = m.event, m.after.seats[m.event.seat]
    if event.seat == DEALER or event.by == event.seat or m.round.revealed is not None:
        return
    if event.by is None:
        yield unsure(f"who looked at the hand of seat {seat.number} was not seen", seat.number)
        return
    blind = seat.ante is not None and seat.ante.by not in (None, DEALER, seat.number)
    if event.by == DEALER and not blind:
        return
    yield Finding(
        "a player sees only the hand dealt to the own seat, and further hands are played blind",
        f"{person(event.by)} looked at the hand of seat {seat.number}",
        seat=seat.number,
        since=event.seq,
    )
