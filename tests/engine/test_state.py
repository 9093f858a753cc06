"""The fold: what the state knows after events, and what it does with rounds that were only half seen."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import events as ev
from engine.cards import UNKNOWN, Card, parse_cards
from engine.errors import BadEvent
from engine.events import Area, Event
from engine.state import Phase, apply, empty_table, fold
from tests.engine.test_events import any_event


def log(*kinds: Event | tuple[type[Event], dict[str, object]]) -> list[Event]:
    """Number events that come as (type, fields)."""
    built = []
    for seq, (kind, fields) in enumerate(kinds, start=1):  # type: ignore[misc]
        built.append(kind(seq=seq, at=seq * 100, table="t", **fields))
    return built


OPEN = (ev.RoundOpened, {"round": "r1"})


def ante(seat: int, amount: int | None = 1000) -> tuple[type[Event], dict[str, object]]:
    return ev.WagerPlaced, {"seat": seat, "area": Area.ANTE, "amount": amount}


def card(seat: int, label: str = "??", up: bool = False) -> tuple[type[Event], dict[str, object]]:
    return ev.CardDealt, {"seat": seat, "card": Card.parse(label), "face_up": up}


def test_phases_follow_the_round() -> None:
    events = log(
        OPEN,
        ante(1),
        (ev.NoMoreBetsCalled, {}),
        card(1),
        card(0, "Kd", up=True),
        (ev.StubPlaced, {}),
        (ev.CardsTurned, {"seat": 0, "cards": parse_cards("As"), "by": 0}),
        (ev.RoundClosed, {}),
    )
    phases = [fold(events[:n]).phase for n in range(len(events) + 1)]
    assert phases == [
        Phase.NONE, Phase.BETTING, Phase.BETTING, Phase.BETTING, Phase.DEALING, Phase.DEALING,
        Phase.DECIDING, Phase.SETTLING, Phase.CLOSED,
    ]  # fmt: skip


def test_a_wager_remembers_what_lay_there_at_the_call() -> None:
    state = fold(
        log(
            OPEN,
            ante(2),
            (ev.NoMoreBetsCalled, {}),
            (ev.WagerChanged, {"seat": 2, "area": Area.ANTE, "amount": 5000}),
        )
    )
    wager = state.seats[2].ante
    assert wager is not None
    assert (wager.at_call, wager.amount) == (1000, 5000)


def test_a_wager_made_after_the_call_had_nothing_there() -> None:
    wager = fold(log(OPEN, (ev.NoMoreBetsCalled, {}), ante(2))).seats[2].ante
    assert wager is not None
    assert wager.at_call == 0


def test_payments_in_two_goes_add_up_and_an_unread_one_makes_the_sum_unknown() -> None:
    paid = [(ev.WagerPaid, {"seat": 1, "area": Area.ANTE, "amount": amount}) for amount in (400, 600)]
    wager = fold(log(OPEN, ante(1), *paid)).seats[1].ante
    assert wager is not None
    assert wager.paid_amount == 1000
    unread = fold(log(OPEN, ante(1), *paid, (ev.WagerPaid, {"seat": 1, "area": Area.ANTE, "amount": None})))
    assert unread.seats[1].ante is not None
    assert unread.seats[1].ante.paid_amount is None


def test_cards_turned_up_are_matched_with_those_dealt_face_down() -> None:
    state = fold(
        log(
            OPEN,
            ante(3),
            *[card(3)] * 5,
            (ev.CardsTurned, {"seat": 3, "cards": parse_cards("As Kd Qh Jc 9s")}),
        )
    )
    assert state.seats[3].faces == parse_cards("As Kd Qh Jc 9s")
    assert state.seats[3].known
    assert state.seats[3].dealt == 5


def test_a_sixth_face_at_a_seat_means_that_six_cards_were_dealt() -> None:
    cards = parse_cards("As Kd Qh Jc 9s 2c")
    state = fold(log(OPEN, ante(3), *[card(3)] * 5, (ev.CardsTurned, {"seat": 3, "cards": cards})))
    assert state.seats[3].dealt == 6


def test_turning_the_up_card_again_adds_no_card() -> None:
    state = fold(
        log(
            OPEN,
            card(0, "Kd", up=True),
            card(0),
            (ev.CardsTurned, {"seat": 0, "cards": parse_cards("Kd 7c"), "by": 0}),
        )
    )
    assert state.seats[0].faces == parse_cards("Kd 7c")
    assert state.round is not None
    assert state.round.revealed == 4


def test_a_card_read_late_fills_the_unread_place() -> None:
    state = fold(
        log(OPEN, card(1, "As"), card(1), (ev.CardIdentified, {"seat": 1, "card": Card.parse("2d")}))
    )
    assert state.seats[1].faces == parse_cards("As 2d")


def test_a_round_whose_start_was_missed_is_opened_with_a_gap() -> None:
    state = fold(log(card(1)))
    assert state.phase is Phase.DEALING
    assert state.gaps["table"].why == "the start of the round was not seen"


def test_the_next_round_starts_clean() -> None:
    state = fold(log(card(1), (ev.RoundOpened, {"round": "r2"})))
    assert state.seats[1].dealt == 0
    assert not state.gaps


def test_a_blocked_zone_stays_a_gap_of_its_round_and_of_the_next_while_it_lasts() -> None:
    blocked = (ev.ViewBlocked, {"zone": "seat:4", "why": "a hand covers it"})
    restored = (ev.ViewRestored, {"zone": "seat:4"})
    again = (ev.RoundOpened, {"round": "r2"})
    assert fold(log(OPEN, blocked, restored)).gaps["seat:4"].end == 3
    assert "seat:4" in fold(log(OPEN, blocked, again)).gaps
    assert not fold(log(OPEN, blocked, restored, again)).gaps


def test_a_lost_camera_blocks_its_zones_until_it_is_back() -> None:
    lost = (ev.CameraLost, {"camera": "overview", "zones": ("rack", "dealer"), "why": "no frames"})
    state = fold(log(OPEN, lost))
    assert "camera overview was lost" in state.gaps["rack"].why
    back = fold(log(OPEN, lost, (ev.CameraRestored, {"camera": "overview"})))
    assert back.gaps["rack"].end == 3


def test_an_event_for_a_seat_that_the_table_does_not_have_is_refused() -> None:
    with pytest.raises(BadEvent, match="seat: 7 is not at this table, which has 5 seats"):
        fold(log(OPEN, ante(7)), seats=5)


@settings(max_examples=150)
@given(st.lists(any_event(), max_size=25))
def test_no_order_of_events_breaks_the_fold_and_it_never_changes_its_input(events: list[Event]) -> None:
    state = empty_table(9)
    for seq, event in enumerate(events):
        before = dataclasses.replace(state)
        after = apply(state, dataclasses.replace(event, seq=seq))
        assert state == before
        state = after
    assert state.phase in Phase


def test_unknown_cards_stay_unknown() -> None:
    assert fold(log(OPEN, card(1))).seats[1].faces == (UNKNOWN,)
