"""Decisions: how a folded hand is cleared away."""

from __future__ import annotations

from collections.abc import Iterator

from engine import events as ev
from engine.checks.registry import Finding, Moment, check, unsure
from engine.events import Area
from engine.money import amount_or_unseen
from engine.settings import JackpotMode
from engine.state.model import Seat, Wager


def _cleared(m: Moment) -> Seat | None:
    """Return the folded seat that the event clears, as it was before the event; None if it is not a fold."""
    seat: Seat = m.before.seats[m.event.seat]
    if seat.folded is None or seat.voided is not None or seat.ante is None:
        return None
    return seat


@check(
    "decide.fold_order",
    "Folded hand cleared in the wrong order",
    on=(ev.WagerTaken, ev.HandCounted, ev.CardsCollected),
    needs=("seat",),
)
def fold_order(m: Moment) -> Iterator[Finding]:
    """Something of a folded hand was taken before what has to go first (params `before_ante`, `before_cards`)."""
    seat = _cleared(m)
    if seat is None:
        return
    event = m.event
    if isinstance(event, ev.WagerTaken):
        if event.area is not Area.ANTE:
            return
        step, done = "before_ante", "the ante was taken"
    else:
        step = "before_cards"
        done = "the cards were counted" if isinstance(event, ev.HandCounted) else "the cards were taken"
    for name in m.rule.param(step):
        wager = _due(m, seat, name)
        if wager is not None:
            yield Finding(
                "the dealer takes "
                + " and ".join(f"the {one} wager" for one in m.rule.param(step))
                + " first",
                f"{done} while the {name} wager of {amount_or_unseen(wager.amount)} still lay there",
                seat=seat.number,
                events=tuple(seq for seq in (seat.folded, event.seq) if seq is not None),
                since=seat.folded,
            )
            return


def _due(m: Moment, seat: Seat, name: str) -> Wager | None:
    """Return a wager that the dealer should have taken by now."""
    if name == "jackpot" and m.settings.jackpot is not JackpotMode.MANUAL:
        return None
    wager = seat.wager(Area(name))
    return wager if wager is not None and wager.lies else None


@check(
    "decide.fold_not_counted",
    "Folded hand not counted",
    on=(ev.CardsCollected,),
    needs=("seat",),
)
def fold_not_counted(m: Moment) -> Iterator[Finding]:
    """A folded hand went to the rack without being spread and counted."""
    seat = _cleared(m)
    if seat is not None and seat.counted is None:
        yield Finding(
            "a folded hand is spread face down and counted before it goes to the rack",
            f"the hand of seat {seat.number} went to the rack uncounted",
            seat=seat.number,
            events=tuple(seq for seq in (seat.folded, m.event.seq) if seq is not None),
            since=seat.folded,
        )


@check(
    "decide.fold_card_count",
    "Folded hand without five cards",
    on=(ev.HandCounted, ev.CardsCollected),
    needs=("seat",),
)
def fold_card_count(m: Moment) -> Iterator[Finding]:
    """A folded hand has not five cards though five were dealt; a wrong deal is said where it happened."""
    seat = _cleared(m)
    if seat is None or seat.dealt_unsure or seat.dealt != 5:
        return
    count = m.event.count
    if count is None:
        counted = m.rule.params is not None and m.rule.params.get("counted", False)
        if (
            counted
            and isinstance(m.event, ev.CardsCollected)
            and seat.counted is not None
            and seat.counted_cards is None
        ):
            yield unsure(f"how many cards seat {seat.number} folded could not be read", seat.number)
    elif count != 5:
        yield Finding(
            "a folded hand has five cards",
            f"the hand of seat {seat.number} has {count} card{'s' if count != 1 else ''}",
            seat=seat.number,
            events=tuple(seq for seq in (seat.folded, m.event.seq) if seq is not None),
            since=seat.folded,
        )


@check(
    "decide.fold_left_lying",
    "Folded hand not collected at once",
    on=(ev.CardsCollected,),
    needs=("seat",),
)
def fold_left_lying(m: Moment) -> Iterator[Finding]:
    """A folded hand was collected only after the reveal; one that never is has a check of its own."""
    seat, shown = _cleared(m), m.round.revealed
    if seat is None or seat.folded is None or shown is None or not seat.folded < shown < m.event.seq:
        return
    if seat.collected is None and seat.rebuilt is None:
        yield Finding(
            "a folded hand goes to the discard rack at once",
            f"the hand of seat {seat.number} lay there until after the reveal",
            seat=seat.number,
            events=(seat.folded, shown, m.event.seq),
            since=seat.folded,
        )
