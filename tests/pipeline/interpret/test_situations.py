"""Single situations at a table, acted by the choreography, seen by clear eyes, told as events.

Each test says what happens and what the interpreter must say of it: kind, seat, and what matters about it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest

from engine import events as ev
from engine.events import DEALER, Area, Event
from engine.settings import Method
from pitwatch.proving import Trial, play
from simulator.director import Want, legal
from simulator.observe import CLEAR, STATED

SCENES: dict[str, tuple[str, int, Want]] = {
    "nz-shoe": ("nz", 6, Want(method=Method.SHOE, seats_at_least=2, seats_at_most=2, folds=1)),
    "nz-packets": ("nz", 1, Want(method=Method.PACKETS, seats_at_least=2, seats_at_most=2)),
    "s10-shoe": ("s10", 1, Want(method=Method.SHOE, seats_at_least=1, seats_at_most=1)),
    "s10-hand": ("s10", 5, Want(method=Method.HAND, seats_at_least=2, seats_at_most=2)),
}


@lru_cache(maxsize=8)
def trial(name: str) -> Trial:
    book, seed, want = SCENES[name]
    return play(legal(book, seed, want), CLEAR, seed)


def told(name: str, kind: type[Event], **fields: Any) -> list[Any]:
    found = [one for one in trial(name).found if isinstance(one, kind)]
    return [one for one in found if all(getattr(one, key) == value for key, value in fields.items())]


def true(name: str, kind: type[Event], **fields: Any) -> list[Any]:
    pairs, missed = trial(name).events.pairs, trial(name).events.missed
    real = sorted([*(pair.true for pair in pairs), *missed], key=lambda one: one.seq)
    found = [one for one in real if isinstance(one, kind)]
    return [one for one in found if all(getattr(one, key) == value for key, value in fields.items())]


@pytest.mark.parametrize("name", SCENES)
def test_a_clear_round_is_rebuilt_without_error_and_alerts_nothing(name: str) -> None:
    assert trial(name).round.errors == []
    assert [(one.check, one.seat, one.observed) for one in trial(name).alerts.false] == []


@pytest.mark.parametrize("name", SCENES)
def test_every_event_carries_frames_and_confidence(name: str) -> None:
    for event in trial(name).found:
        if event.witness.startswith("camera:"):
            assert event.frames, event
            assert 0.0 < event.confidence <= 1.0


@pytest.mark.parametrize("name", SCENES)
def test_the_same_views_give_the_same_log(name: str) -> None:
    book, seed, want = SCENES[name]
    if name == "s10-shoe":
        assert play(legal(book, seed, want), CLEAR, seed).found == trial(name).found


@pytest.mark.parametrize("name", SCENES)
def test_wagers_are_placed_by_the_player_with_their_amount(name: str) -> None:
    for real in true(name, ev.WagerPlaced, area=Area.ANTE):
        (one,) = told(name, ev.WagerPlaced, seat=real.seat, area=Area.ANTE)
        assert (one.amount, one.by) == (real.amount, real.by)


@pytest.mark.parametrize("name", ["nz-shoe", "s10-shoe", "s10-hand"])
def test_every_delivery_is_counted(name: str) -> None:
    for seat in {one.seat for one in true(name, ev.CardDealt)}:
        assert len(told(name, ev.CardDealt, seat=seat)) == len(true(name, ev.CardDealt, seat=seat))


def test_packets_are_told_once_for_each_seat() -> None:
    seats = [one.seat for one in told("nz-packets", ev.PacketDealt)]
    assert seats == [one.seat for one in true("nz-packets", ev.PacketDealt)]


@pytest.mark.parametrize("name", ["nz-shoe", "s10-shoe", "nz-packets"])
def test_hands_are_picked_up_and_laid_down_by_their_player(name: str) -> None:
    for kind in (ev.HandPickedUp, ev.HandLaidDown):
        real, found = true(name, kind), told(name, kind)
        assert [one.seat for one in found] == [one.seat for one in real]
        assert all(one.by in (None, other.by) for one, other in zip(found, real, strict=True))


def test_a_fold_is_told_counted_and_collected() -> None:
    (folded,) = told("nz-shoe", ev.PlayerFolded)
    (counted,) = told("nz-shoe", ev.HandCounted, seat=folded.seat)
    (collected,) = told("nz-shoe", ev.CardsCollected, seat=folded.seat)
    assert counted.count == 5
    assert folded.seq < counted.seq < collected.seq


@pytest.mark.parametrize("name", SCENES)
def test_the_reveal_names_the_dealers_cards(name: str) -> None:
    real = {str(card) for one in true(name, ev.CardsTurned, seat=DEALER) for card in one.cards}
    read = {str(card) for one in told(name, ev.CardsTurned, seat=DEALER) for card in one.cards}
    read |= {str(one.card) for one in told(name, ev.CardIdentified, seat=DEALER)}
    assert real <= read


@pytest.mark.parametrize("name", SCENES)
def test_takes_and_payments_have_their_amounts(name: str) -> None:
    for kind in (ev.WagerTaken, ev.WagerPaid):
        real = sorted((one.seat, str(one.area), one.amount) for one in true(name, kind))
        assert sorted((one.seat, str(one.area), one.amount) for one in told(name, kind)) == real


def test_the_stub_goes_to_the_rack() -> None:
    assert len(told("s10-shoe", ev.StubPlaced, in_rack=True)) == 1


def test_the_deck_is_held_in_a_hand() -> None:
    sides = [one.hand for one in told("s10-hand", ev.DeckHeld)]
    assert sides == [one.hand for one in true("s10-hand", ev.DeckHeld)]


def test_what_was_not_read_is_left_open_and_named_later() -> None:
    """A face that noise hides at first is told as `??` and named by a new event: the old one stays as it was."""
    book, seed, want = SCENES["s10-shoe"]
    noisy = play(legal(book, seed, want), STATED, seed)
    named = {str(one.card) for one in noisy.found if isinstance(one, ev.CardIdentified)}
    shown = {str(card) for one in noisy.found if isinstance(one, ev.CardsTurned) for card in one.cards}
    assert not named & shown
