"""The fold: state after an event, from the state before it. Pure; the only code that changes a table's state.

One handler per event type, in three modules by subject; events that change nothing have none.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.errors import BadEvent
from engine.events import Event
from engine.state import fold_cards, fold_deck, fold_money
from engine.state.model import TableState, empty_table
from engine.state.steps import Handler

HANDLERS: dict[type[Event], Handler] = {
    **fold_deck.HANDLERS,
    **fold_money.HANDLERS,
    **fold_cards.HANDLERS,
}


def apply(state: TableState, event: Event) -> TableState:
    """Return the state after one event."""
    seat = max(getattr(event, "seat", 0), getattr(event, "to_seat", 0))
    if seat >= len(state.seats):
        raise BadEvent(
            f"seat: {seat} is not at this table, which has {len(state.seats) - 1} seats (event {event.seq})"
        )
    handler = HANDLERS.get(type(event))
    return state if handler is None else handler(state, event)


def fold(events: Iterable[Event], seats: int = 7) -> TableState:
    """Return the state after all events.

    >>> from engine.events import Area, RoundOpened, WagerPlaced
    >>> state = fold([
    ...     RoundOpened(seq=1, at=0, table="t", round="r1"),
    ...     WagerPlaced(seq=2, at=900, table="t", seat=3, area=Area.ANTE, amount=2500),
    ... ])
    >>> state.phase, state.seats[3].ante.amount
    (<Phase.BETTING: 'betting'>, 2500)
    """
    state = empty_table(seats)
    for event in events:
        state = apply(state, event)
    return state
