"""Small steps that the handlers of the fold share: replace a seat, a deck, the round; open a missed round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from engine.events import Event
from engine.state.evolve import evolve
from engine.state.model import Deck, Gap, Round, Seat, TableState

Handler = Callable[[TableState, Any], TableState]

MISSED_START: Final = "the start of the round was not seen"


def with_seat(state: TableState, number: int, **changes: Any) -> TableState:
    """Return the state with one seat changed."""
    seats = list(state.seats)
    seats[number] = evolve(seats[number], **changes)
    return evolve(state, seats=tuple(seats))


def with_round(state: TableState, **changes: Any) -> TableState:
    """Return the state with the round in play changed."""
    return state if state.round is None else evolve(state, round=evolve(state.round, **changes))


def with_deck(state: TableState, deck: str, **changes: Any) -> TableState:
    """Return the state with one deck changed; a deck never heard of before is added."""
    decks = dict(state.decks)
    decks[deck] = evolve(decks.get(deck) or Deck(deck), **changes)
    return evolve(state, decks=MappingProxyType(decks))


def with_entry(mapping: Mapping[Any, Any], key: Any, value: Any) -> Mapping[Any, Any]:
    """Return a mapping with one entry set.

    The proxy's own copy takes the dictionary's hashes along; `dict(proxy)` would hash every key again.
    """
    changed = mapping.copy() if isinstance(mapping, MappingProxyType) else dict(mapping)
    changed[key] = value
    return MappingProxyType(changed)


def without_entry(mapping: Mapping[Any, Any], key: Any) -> Mapping[Any, Any]:
    """Return a mapping with one entry left out."""
    return MappingProxyType({name: value for name, value in mapping.items() if name != key})


def open_gap(gaps: Mapping[str, Gap], name: str, seq: int, why: str) -> Mapping[str, Gap]:
    """Return the gaps with one that begins now; an earlier one of the same name is kept as its start."""
    old = gaps.get(name)
    return with_entry(gaps, name, Gap(seq if old is None else old.start, None, why))


def close_gap(gaps: Mapping[str, Gap], name: str, seq: int) -> Mapping[str, Gap]:
    """Return the gaps with one that ends now."""
    old = gaps.get(name)
    return gaps if old is None or old.end is not None else with_entry(gaps, name, evolve(old, end=seq))


def remember_gaps(state: TableState) -> TableState:
    """Return the state with its gaps noted for good: a shuffle between rounds is judged in the next round."""
    past = {**state.past_gaps, **state.gaps}
    past.update({f"signal:{name}": gap for name, gap in state.signal_gaps.items()})
    return evolve(state, past_gaps=MappingProxyType(past))


def lasting(gaps: Mapping[str, Gap]) -> Mapping[str, Gap]:
    """Return the gaps that have not ended."""
    return MappingProxyType({name: gap for name, gap in gaps.items() if gap.end is None}) if gaps else gaps


def open_round(state: TableState, event: Event, round_id: str, deck: str | None, redeal: bool) -> TableState:
    """Start a round: seats keep their players and lights, gaps keep only what is still blocked."""
    seats = tuple(
        Seat(old.number, player=old.player, present=old.present, light=old.light) for old in state.seats
    )
    return evolve(
        state,
        seats=seats,
        round=Round(round_id, state.rounds + 1, event.seq, deck=deck, redeal=redeal, meter_base=state.meters),
        previous=state.round if state.round is not None else state.previous,
        rounds=state.rounds + 1,
        rounds_since_stub_count=state.rounds_since_stub_count + 1,
        rack_backs=frozenset(),
        gaps=lasting(state.gaps),
        signal_gaps=lasting(state.signal_gaps),
    )


def in_round(state: TableState, event: Event) -> TableState:
    """Return a state that has a round in play; one whose start was missed is opened with a gap."""
    if state.round is not None and state.round.closed is None:
        return state
    opened = open_round(state, event, f"unseen-{event.seq}", None, False)
    gap = Gap(event.seq, event.seq, MISSED_START)
    return remember_gaps(evolve(opened, gaps=with_entry(opened.gaps, "table", gap)))
