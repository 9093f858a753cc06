"""Decisions under both rulebooks: logs written by hand in which one clause is broken, and the nearest that breaks none.

All checks listen, not only those of decisions: what is expected is all that may be said.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine import events as ev
from engine.cards import parse_cards
from engine.events import DEALER, Area
from tests.engine.checks.scripts import (
    HANDS,
    SEATS,
    Part,
    ante,
    bet,
    call,
    clear,
    close,
    collect,
    deal,
    found,
    judge,
    opened,
    pay,
    ready,
    reveal,
    sat,
    settle,
    step,
    take,
    turn,
)

UP = parse_cards(HANDS[DEALER])
BETS = [bet(seat) for seat in SEATS]
FOLD, COUNT = step(ev.PlayerFolded, seat=2), step(ev.HandCounted, seat=2, count=5)
ANTE = take(2, Area.ANTE, 1000)


def decided(
    book: str, *decisions: Part, settled: Part = None, before: Part = (), **settings: Any
) -> tuple[list[Any], list[Any]]:
    """Return the violations, and what was put right, of a round in which players decide so."""
    start = [ready(book), opened(), [ante(seat) for seat in SEATS], call(book), deal(book)]
    rest = settle(book) if settled is None else settled
    return found(judge(book, before, start, decisions, reveal(book), rest, close(), **settings))


def win(book: str) -> list[Part]:
    """Settle a round in which seat 5 alone is left, and wins."""
    return [turn(5), pay(5, Area.ANTE, 1000), pay(5, Area.BET, 2000), clear(book, 5), clear(book, DEALER)]


def fold(book: str) -> list[Part]:
    """Let seat 2 fold and the dealer clear it away."""
    return [FOLD, ANTE, COUNT if book == "nz" else [], collect(2)]


@pytest.mark.parametrize("book", ["nz", "s10"])
def test_bets_and_folds_are_silent(book: str) -> None:
    assert decided(book, BETS) == ([], [])
    assert decided(book, fold(book), bet(5), settled=win(book)) == ([], [])


def test_nz_9_3_12_7_after_an_early_reveal_players_may_still_decide() -> None:
    early = [("decide.early_reveal", "9.3", DEALER)]
    assert decided("nz", bet(5), settled=[fold("nz"), win("nz")]) == ([], early)
    settled = [win("nz")[:-1], fold("nz"), clear("nz", DEALER)]
    assert decided("nz", bet(5), settled=settled) == (early, [])


def test_s10_j_4_the_hole_cards_wait_for_every_decision() -> None:
    settled = [fold("s10"), win("s10")]
    assert decided("s10", bet(5), settled=settled) == ([("decide.early_reveal", "(j)(4)", DEALER)], [])


def test_s10_m_1_a_hole_card_shown_before_the_call_voids_all_hands() -> None:
    cards = deal("s10")
    flash = step(ev.CardFlashed, seat=DEALER, card=UP[1], by=DEALER)
    start = [ready("s10"), opened(), [ante(seat) for seat in SEATS]]
    before = ("deal.before_call", "(g)(2)", 2)
    hole = ("decide.hole_before_call", "(m)(1)", DEALER)
    rest = [call("s10"), cards[6:], BETS, reveal("s10"), settle("s10"), close()]
    assert found(judge("s10", start, cards[:6], flash, rest)) == ([before, hole], [])
    back = [step(ev.WagerWithdrawn, seat=seat, area=Area.ANTE, by=seat) for seat in SEATS]
    gone = [collect(2, 2), collect(5, 2), collect(DEALER, 2)]
    void = [step(ev.RoundVoided), back, gone, close()]
    assert found(judge("s10", start, cards[:6], flash, void)) == ([before], [hole])


def test_nz_9_4_cards_stay_on_or_above_the_table() -> None:
    away = step(ev.CardsOutOfSight, seat=5, count=2, off_table=True)
    hidden = step(ev.CardsOutOfSight, seat=5, count=2, off_table=False)
    assert decided("nz", away, BETS) == ([("decide.cards_off_table", "9.4", 5)], [])
    assert decided("nz", hidden, BETS) == ([], [])
    for one in (away, hidden):
        assert decided("s10", one, BETS) == ([("decide.cards_out_of_view", "(j)(2)", 5)], [])


@pytest.mark.parametrize(("book", "clause"), [("nz", "9.5"), ("s10", "(j)(2)")])
def test_nz_9_5_s10_j_2_cards_are_not_exchanged(book: str, clause: str) -> None:
    swap = [step(ev.CardMoved, seat=2, to_seat=5, by=2), step(ev.CardMoved, seat=5, to_seat=2, by=5)]
    wrong = [("decide.cards_exchanged", clause, seat) for seat in SEATS]
    assert decided(book, swap, BETS) == (wrong, [])


@pytest.mark.parametrize(("book", "clause"), [("nz", "9.5"), ("s10", "(j)(3)")])
def test_nz_9_5_s10_j_3_information_is_not_passed(book: str, clause: str) -> None:
    told = step(ev.InformationPassed, seats=SEATS)
    forfeited = [
        [turn(5), turn(2)],
        [
            take(seat, area, amount)
            for seat in (5, 2)
            for area, amount in ((Area.ANTE, 1000), (Area.BET, 2000))
        ],
        [clear(book, seat) for seat in (5, 2, DEALER)],
    ]
    wrong = [("decide.information", clause, seat) for seat in SEATS]
    assert decided(book, told, BETS, settled=forfeited) == (wrong, [])


def test_s10_j_2_nobody_touches_the_cards_of_another() -> None:
    touch = step(ev.HandTouched, seat=5, by=2)
    assert decided("s10", touch, BETS) == ([("decide.cards_touched", "(j)(2)", 5)], [])
    assert decided("nz", touch, BETS) == ([], [])


def test_s10_j_2_cards_that_were_laid_down_are_left_alone() -> None:
    up, down = step(ev.HandPickedUp, seat=5, by=5, count=5), step(ev.HandLaidDown, seat=5, by=5, count=5)
    again = step(ev.HandTouched, seat=5, by=5)
    assert decided("s10", up, down, BETS, again) == ([("decide.cards_touched_again", "(j)(2)", 5)], [])
    assert decided("s10", up, BETS, down) == ([], [])


def test_nz_5_6_2_only_the_hand_of_the_own_place_is_viewed() -> None:
    """The player of seat 2 also has the ante of seat 5."""
    own, other = step(ev.HandViewed, seat=2, by=2), step(ev.HandViewed, seat=5, by=2)

    def viewed(*views: Part, **settings: Any) -> tuple[list[Any], list[Any]]:
        start = [sat(2), ready("nz"), opened(), ante(2), ante(5, by=2), call("nz"), deal("nz")]
        rest = [bet(2), bet(5, by=2), reveal("nz"), settle("nz"), close()]
        return found(judge("nz", start, views, rest, several_areas=True, **settings))

    assert viewed(own, view_one_hand=True) == ([], [])
    assert viewed(own, other, view_one_hand=True) == ([("decide.other_hand_viewed", "5.6.2", 5)], [])
    assert viewed(own, other) == ([], [])


@pytest.mark.parametrize(("book", "clause"), [("nz", "9.2"), ("s10", "(j)(1)")])
def test_nz_9_2_s10_j_1_the_ante_of_a_fold_goes_first_and_whole(book: str, clause: str) -> None:
    counted = [COUNT] if book == "nz" else []
    late = [FOLD, counted, collect(2), ANTE, bet(5)]
    assert decided(book, late, settled=win(book)) == ([("decide.fold_order", clause, 2)], [])
    half = [FOLD, take(2, Area.ANTE, 500), counted, collect(2), bet(5)]
    assert decided(book, half, settled=win(book)) == ([("settle.taken_amount", clause, 2)], [])
    never = [FOLD, counted, collect(2), bet(5)]
    wrong = [("decide.fold_order", clause, 2), ("settle.unsettled", clause, 2)]
    assert decided(book, never, settled=win(book)) == (wrong, [])


def test_nz_9_2_c_a_folded_hand_is_counted_and_has_five_cards() -> None:
    uncounted = [FOLD, ANTE, collect(2), bet(5)]
    assert decided("nz", uncounted, settled=win("nz")) == ([("decide.fold_not_counted", "9.2(c)", 2)], [])
    four = [FOLD, ANTE, step(ev.HandCounted, seat=2, count=4), collect(2, 4), bet(5)]
    assert decided("nz", four, settled=win("nz")) == ([("decide.fold_card_count", "9.2(c)", 2)], [])


def test_s10_j_1_a_folded_hand_is_collected_whole_and_at_once() -> None:
    four = [FOLD, ANTE, collect(2, 4), bet(5)]
    assert decided("s10", four, settled=win("s10")) == ([("decide.fold_card_count", "(j)(1)", 2)], [])
    settled = [collect(2), win("s10")]
    wrong = [("decide.fold_left_lying", "(j)(1)", 2)]
    assert decided("s10", FOLD, ANTE, bet(5), settled=settled) == (wrong, [])
    assert decided("nz", FOLD, ANTE, bet(5), settled=[COUNT, collect(2), win("nz")]) == ([], [])


def test_nz_12_13_cards_taken_before_the_decision_are_rebuilt_or_void() -> None:
    wrong = [("decide.taken_undecided", "12.13", 2)]
    taken = [bet(5), COUNT, collect(2)]
    assert decided("nz", taken, settled=[win("nz")[:-1], ANTE, clear("nz", DEALER)]) == (wrong, [])
    rebuilt = step(ev.HandRebuilt, seat=2, from_top=False)
    assert decided("nz", bet(5), collect(2), rebuilt, bet(2)) == ([], wrong)


def test_nz_12_14_a_hand_laid_down_is_rebuilt_from_the_top_of_the_rack_only() -> None:
    down = step(ev.HandLaidDown, seat=2, by=2, count=5)
    handled = [("decide.taken_undecided", "12.13", 2)]
    for top, wrong in ((True, []), (False, [("decide.hand_rebuilt", "12.14", 2)])):
        rebuilt = step(ev.HandRebuilt, seat=2, from_top=top)
        assert decided("nz", bet(5), down, collect(2), rebuilt, bet(2)) == (wrong, handled)


def test_nz_12_12_a_player_who_is_not_there_has_folded() -> None:
    gone = step(ev.PlayerLeft, seat=2)
    forfeited = [gone, bet(5), ANTE, COUNT, collect(2)]
    assert decided("nz", forfeited, before=sat(), settled=win("nz")) == ([], [])
    left = [win("nz")[:-1], COUNT, collect(2), clear("nz", DEALER)]
    wrong = [("decide.absent_player", "12.12", 2)]
    assert decided("nz", gone, bet(5), before=sat(), settled=left) == (wrong, [])


def test_nz_12_6_a_player_may_show_own_cards() -> None:
    shown = step(ev.CardsTurned, seat=2, cards=parse_cards(HANDS[2])[:2], by=2)
    for book in ("nz", "s10"):
        assert decided(book, shown, BETS) == ([], [])


@pytest.mark.parametrize(("book", "clause", "dealer"), [("nz", "9.3", "10.5"), ("s10", "(j)(4)", "(j)(7)")])
def test_a_round_that_ends_without_the_dealers_hand_is_not_settled(
    book: str, clause: str, dealer: str
) -> None:
    start = [ready(book), opened(), [ante(seat) for seat in SEATS], call(book), deal(book), BETS]
    violations, _ = found(judge(book, start, close()))
    unsettled = [("settle.unsettled", clause, seat) for seat in SEATS]
    assert violations == unsettled + [("settle.cards_missing", dealer, seat) for seat in (DEALER, *SEATS)]
