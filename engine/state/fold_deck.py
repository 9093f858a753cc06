"""Handlers for the table, its decks and devices, and for what could not be seen."""

from __future__ import annotations

from collections.abc import Iterable

from engine import events as ev
from engine.events import Role
from engine.state.evolve import evolve
from engine.state.model import TableState
from engine.state.steps import (
    Handler,
    close_gap,
    open_gap,
    remember_gaps,
    with_deck,
    with_entry,
    with_round,
    with_seat,
    without_entry,
)


def _opened(state: TableState, event: ev.TableOpened) -> TableState:
    return evolve(state, opened=event.seq, rounds_since_stub_count=0)


def _closed(state: TableState, event: ev.TableClosed) -> TableState:
    return evolve(state, opened=None)


def _vacated(state: TableState, event: ev.TableVacated) -> TableState:
    return evolve(state, vacant=event.seq, vacant_at=event.at, last_vacant=event.seq)


def _sat(state: TableState, event: ev.PlayerSat) -> TableState:
    return evolve(
        with_seat(state, event.seat, player=event.player, present=True), vacant=None, vacant_at=None
    )


def _left(state: TableState, event: ev.PlayerLeft) -> TableState:
    return with_seat(state, event.seat, player=None, present=False)


def _dealer(state: TableState, event: ev.DealerChanged) -> TableState:
    return evolve(state, dealer=event.dealer)


def _brought(state: TableState, event: ev.DeckBrought) -> TableState:
    return with_deck(
        evolve(state, decks=without_entry(state.decks, event.deck)),
        event.deck,
        back=event.back,
        brought=event.seq,
        brought_at=event.at,
    )


def _inspected(state: TableState, event: ev.DeckInspected) -> TableState:
    deck = state.decks.get(event.deck)
    done = deck.inspected_by if deck is not None else frozenset()
    return with_deck(state, event.deck, inspected_by=done | {event.by})


def _spread(state: TableState, event: ev.DeckSpread) -> TableState:
    return with_deck(
        state, event.deck, spread=event.cards, spread_seq=event.seq, spread_face_up=event.face_up
    )


def _washed(state: TableState, event: ev.DeckWashed) -> TableState:
    return with_deck(state, event.deck, washed=event.seq)


def _shuffled(state: TableState, event: ev.DeckShuffled) -> TableState:
    if not event.complete:
        return with_deck(state, event.deck, jammed=event.seq, shuffled=None)
    return with_deck(
        state,
        event.deck,
        shuffled=event.seq,
        shuffled_by=event.by,
        cut=None,
        cut_by=None,
        cut_cards=None,
        cuts=0,
        cover_racked=None,
        jammed=None,
        shown=None,
    )


def _cut(state: TableState, event: ev.DeckCut) -> TableState:
    deck = state.decks.get(event.deck)
    cuts = 0 if deck is None else deck.cuts
    return with_deck(
        state,
        event.deck,
        cut=event.seq,
        cut_by=event.by,
        cut_cards=event.cards,
        cuts=cuts + (event.by is not Role.PLAYER),
        cover_racked=event.cover_card_racked,
    )


def _loaded(state: TableState, event: ev.DeckLoaded) -> TableState:
    return with_deck(state, event.deck, loaded=event.device, loaded_seq=event.seq)


def _removed(state: TableState, event: ev.DeckRemoved) -> TableState:
    return with_deck(state, event.deck, removed=event.seq)


def _counted(state: TableState, event: ev.DeckCounted) -> TableState:
    return with_round(with_deck(state, event.deck, counted=event.count), deck_counted=event.seq)


def _shown(state: TableState, event: ev.CardShown) -> TableState:
    return with_deck(state, event.deck, shown=event.seq)


def _installed(state: TableState, event: ev.DeviceInstalled) -> TableState:
    return evolve(state, devices=state.devices | {event.device})


def _uninstalled(state: TableState, event: ev.DeviceRemoved) -> TableState:
    return evolve(state, devices=state.devices - {event.device})


def _reported(state: TableState, event: ev.ShufflerReported) -> TableState:
    return with_deck(state, event.deck, reported=event.count)


def _jammed(state: TableState, event: ev.ShufflerJammed) -> TableState:
    return state if event.deck is None else with_deck(state, event.deck, jammed=event.seq)


def _shoe_jammed(state: TableState, event: ev.ShoeJammed) -> TableState:
    return with_round(state, shoe_jammed=event.seq)


def _forget(state: TableState, zones: Iterable[str]) -> TableState:
    """Return the state without what may change unseen for longer than a round: who sits at a blocked seat."""
    seats = tuple(
        evolve(seat, player=None, present=None) if {"table", f"seat:{seat.number}"} & set(zones) else seat
        for seat in state.seats
    )
    return evolve(state, seats=seats)


def _blocked(state: TableState, event: ev.ViewBlocked) -> TableState:
    state = _forget(state, (event.zone,))
    return remember_gaps(evolve(state, gaps=open_gap(state.gaps, event.zone, event.seq, event.why)))


def _restored(state: TableState, event: ev.ViewRestored) -> TableState:
    return remember_gaps(evolve(state, gaps=close_gap(state.gaps, event.zone, event.seq)))


def _camera_lost(state: TableState, event: ev.CameraLost) -> TableState:
    gaps = state.gaps
    for zone in event.zones:
        gaps = open_gap(gaps, zone, event.seq, f"camera {event.camera} was lost: {event.why}")
    lost = with_entry(state.lost_cameras, event.camera, event.zones)
    return remember_gaps(evolve(_forget(state, event.zones), gaps=gaps, lost_cameras=lost))


def _camera_restored(state: TableState, event: ev.CameraRestored) -> TableState:
    gaps = state.gaps
    for zone in state.lost_cameras.get(event.camera, ()):
        gaps = close_gap(gaps, zone, event.seq)
    lost = without_entry(state.lost_cameras, event.camera)
    return remember_gaps(evolve(state, gaps=gaps, lost_cameras=lost))


def _signal_lost(state: TableState, event: ev.SignalLost) -> TableState:
    gaps = open_gap(state.signal_gaps, event.signal, event.seq, event.why)
    if event.signal == "lights":
        state = evolve(state, seats=tuple(evolve(seat, light=None) for seat in state.seats))
    return remember_gaps(evolve(state, signal_gaps=gaps))


def _signal_restored(state: TableState, event: ev.SignalRestored) -> TableState:
    gaps = close_gap(state.signal_gaps, event.signal, event.seq)
    return remember_gaps(evolve(state, signal_gaps=gaps))


HANDLERS: dict[type[ev.Event], Handler] = {
    ev.TableOpened: _opened,
    ev.TableClosed: _closed,
    ev.TableVacated: _vacated,
    ev.PlayerSat: _sat,
    ev.PlayerLeft: _left,
    ev.DealerChanged: _dealer,
    ev.DeckBrought: _brought,
    ev.DeckInspected: _inspected,
    ev.DeckSpread: _spread,
    ev.DeckWashed: _washed,
    ev.DeckShuffled: _shuffled,
    ev.DeckCut: _cut,
    ev.DeckLoaded: _loaded,
    ev.DeckRemoved: _removed,
    ev.DeckCounted: _counted,
    ev.CardShown: _shown,
    ev.DeviceInstalled: _installed,
    ev.DeviceRemoved: _uninstalled,
    ev.ShufflerReported: _reported,
    ev.ShufflerJammed: _jammed,
    ev.ShoeJammed: _shoe_jammed,
    ev.ViewBlocked: _blocked,
    ev.ViewRestored: _restored,
    ev.CameraLost: _camera_lost,
    ev.CameraRestored: _camera_restored,
    ev.SignalLost: _signal_lost,
    ev.SignalRestored: _signal_restored,
}
