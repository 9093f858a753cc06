"""The order of settlement, and that nothing is left: seats, passes, cards, counts."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine.events import DEALER
from tests.engine.checks.scripts import clear, close, collect, pay, said, step
from tests.engine.checks.test_settle import (
    ANTE,
    BET,
    LOW,
    PUSH,
    end,
    lose,
    no_hand,
    nz,
    played,
    s10,
    turned,
    up,
    win,
)

FOUR = [up(4), win(4), clear("nz", 4)]
SIX = [up(6), win(6), clear("nz", 6)]


def test_nz_10_3_a_seat_before_its_neighbour_to_the_right() -> None:
    verdicts = played("nz", nz(SIX, first=FOUR))
    assert said(verdicts) == [("violation", "settle.seat_order", "10.3", 4)]
    assert "seat 6 before seat 4" in verdicts[0].expected


def test_s10_j_5_iii_winners_are_paid_from_the_right() -> None:
    verdicts = played("s10", s10(win(4), win(6), end("s10", 6, 4)))
    assert said(verdicts) == [("violation", "settle.seat_order", "(j)(5)(iii)", 4)]


def test_s10_j_6_i_the_order_of_turning_is_free_without_a_dealers_hand() -> None:
    rest = [[up(seat, LOW) for seat in (2, 6, 4)], [pay(seat, ANTE, 1000) for seat in (6, 4, 2)]]
    assert not played("s10", rest, end("s10", 6, 4, 2), hands=LOW)


def test_an_order_that_was_not_seen_cannot_be_told() -> None:
    blocked = step(ev.ViewBlocked, zone="seat:6", why="a hand")
    seen = step(ev.ViewRestored, zone="seat:6")
    verdicts = played("nz", blocked, seen, nz(SIX, first=FOUR))
    assert ("cannot_tell", "settle.seat_order", "10.3", 4) in said(verdicts)
    assert not [one for one in verdicts if one.ruling == "violation"]


def test_s10_j_5_iii_a_winner_is_paid_before_a_loser_is_collected() -> None:
    verdicts = played("s10", turned(), win(6), lose(2), collect(2), win(4), end("s10", 6, 4))
    assert said(verdicts) == [("violation", "settle.pass_order", "(j)(5)(iii)", 6)]


def test_s10_j_5_ii_a_push_is_cleared_before_a_loser() -> None:
    rest = [turned(PUSH), collect(6), lose(2), collect(2), win(4), end("s10", 4)]
    assert said(played("s10", rest, hands=PUSH)) == [("violation", "settle.pass_order", "(j)(5)(ii)", 6)]
    legal = [turned(PUSH), lose(2), collect(2), collect(6), win(4), end("s10", 4)]
    assert not played("s10", legal, hands=PUSH)


def test_a_wager_never_settled_is_no_wrong_order() -> None:
    verdicts = played("s10", turned(), win(6), win(4), end("s10", 6, 4, 2))
    assert {one.check for one in verdicts} == {"settle.cards_before_wager", "settle.unsettled"}
    assert [one.seat for one in verdicts if one.check == "settle.unsettled"] == [2, 2]


def test_nz_10_6_cards_before_the_wager() -> None:
    rest = [up(4), clear("nz", 4), win(4)]
    assert said(played("nz", nz(rest))) == [("violation", "settle.cards_before_wager", "10.6", 4)]


def test_s10_j_6_iv_cards_before_all_antes_are_paid() -> None:
    rest = [turned(LOW), pay(6, ANTE, 1000), collect(6), pay(4, ANTE, 1000), pay(2, ANTE, 1000)]
    verdicts = played("s10", rest, end("s10", 4, 2), hands=LOW)
    assert said(verdicts) == [("violation", "settle.cards_before_wager", "(j)(6)(iv)", 6)]


def test_s10_j_5_iii_winners_cards_stay_until_all_are_paid() -> None:
    verdicts = played("s10", s10(win(6), collect(6), win(4), end("s10", 4)))
    assert said(verdicts) == [("violation", "settle.winner_cards_early", "(j)(5)(iii)", 6)]


@pytest.mark.parametrize(("book", "clause"), [("nz", "10.3"), ("s10", "(j)(5)")])
def test_a_hand_settled_face_down(book: str, clause: str) -> None:
    rest = (
        nz([win(4), clear("nz", 4)])
        if book == "nz"
        else [up(6), up(2), *s10(win(6), win(4), end(book, 6, 4))[1:]]
    )
    verdicts = played(book, rest)
    assert ("violation", "settle.not_turned_up", clause, 4) in said(verdicts)
    assert {one.check for one in verdicts if one.ruling == "violation"} == {"settle.not_turned_up"}


def test_s10_j_6_i_turning_is_the_houses_choice_without_a_dealers_hand() -> None:
    rest = [[pay(seat, ANTE, 1000) for seat in (6, 4, 2)], end("s10", 6, 4, 2)]
    assert not played("s10", rest, hands=LOW, turn_all_hands=False)


def test_nz_10_1_every_hand_is_turned_even_without_a_dealers_hand() -> None:
    legal = no_hand("nz")
    rest = [[part for part in legal[0][0] if part != up(6, LOW)], legal[0][1:], legal[1]]
    verdicts = played("nz", rest, hands=LOW)
    assert said(verdicts) == [("violation", "settle.not_turned_up", "10.1", 6)]


def test_nz_10_6_a_hand_racked_uncounted() -> None:
    verdicts = played("nz", nz([up(4), win(4), collect(4)]))
    assert said(verdicts) == [("violation", "settle.not_counted", "10.6", 4)]
    assert not played("s10", s10(win(6), win(4), end("s10", 6, 4)))


@pytest.mark.parametrize(("book", "clause"), [("nz", "10.6"), ("s10", "(j)(5)(iii)")])
def test_a_winning_bet_is_never_paid(book: str, clause: str) -> None:
    unpaid = [pay(4, ANTE, 1000)]
    rest = nz([up(4), unpaid, clear("nz", 4)]) if book == "nz" else s10(win(6), unpaid, end(book, 6, 4))
    last = played(book, rest)[-1]
    assert (last.check, last.clause, last.seat, last.area) == ("settle.unsettled", clause, 4, BET)
    assert last.seq == max(last.events)


def test_s10_j_7_cards_are_picked_up_in_order() -> None:
    rest = s10(win(6), win(4), collect(6, in_order=False), end("s10", 4))
    assert said(played("s10", rest)) == [("violation", "settle.pickup_order", "(j)(7)", 6)]
    unseen = s10(win(6), win(4), collect(6, in_order=None), end("s10", 4))
    assert said(played("s10", unseen)) == [("cannot_tell", "settle.pickup_order", "(j)(7)", 6)]


def test_a_card_does_not_come_back() -> None:
    short = [step(ev.HandCounted, seat=4, count=4), collect(4, count=4)]
    verdicts = played("nz", nz([up(4), win(4), short]))
    assert said(verdicts) == [("violation", "settle.cards_missing", "10.6", 4)]
    both = [step(ev.HandCounted, seat=4, count=5), collect(4, count=4), collect(4, count=1)]
    assert not played("nz", nz([up(4), win(4), both]))


def test_s10_j_7_the_dealers_hand_is_left_lying() -> None:
    rest = s10(win(6), win(4), collect(6), collect(4), close())
    assert said(played("s10", rest)) == [("violation", "settle.cards_missing", "(j)(7)", DEALER)]
