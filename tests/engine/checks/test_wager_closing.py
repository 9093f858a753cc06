"""Wagers as they stand when they bind: each clause broken, its nearest lawful neighbour, and what cannot be told."""

from __future__ import annotations

from typing import Any

import pytest

from engine import events as ev
from engine.events import OUTSIDER, Area, Tender
from engine.settings import Method
from engine.verdicts import Severity, Verdict
from tests.engine.checks.scripts import (
    SEATS,
    Part,
    ante,
    bet,
    call,
    close,
    deal,
    jackpot,
    judge,
    opened,
    ready,
    reveal,
    said,
    sat,
    settle,
    step,
    wager,
)

BOOKS = ("nz", "s10")


def placed(book: str, *wagers: Part, bets: Part = (), **settings: Any) -> list[Verdict]:
    """Judge a round with these wagers before the call, and bets after the deal; only the wagers' checks."""
    method = settings.get("method", Method.SHOE)
    parts = [ready(book, method=method), opened(), *wagers, call(book), deal(book, method=method), bets]
    return judge(book, *parts, reveal(book, method), close(), group="wager.", **settings)


@pytest.mark.parametrize(("book", "clause"), [("nz", "5.1(c)"), ("s10", "(a)(1)(ii)")])
def test_nz_5_1_c_s10_a_1_ii_a_bet_before_the_deal(book: str, clause: str) -> None:
    blind = [ante(2), ante(5), bet(5)]
    verdicts = placed(book, blind)
    assert said(verdicts) == [("violation", "wager.blind_bet", clause, 5)]
    assert verdicts[0].area is Area.BET
    back = step(ev.WagerWithdrawn, seat=5, area=Area.BET, by=5)
    assert placed(book, blind, back) == []
    assert (placed(book, blind, blind_bets=True) == []) is (book == "nz")


@pytest.mark.parametrize(("book", "clause"), [("nz", "5.3"), ("s10", "(a)(1)(ii)")])
@pytest.mark.parametrize("amount", [1000, 3000])
def test_nz_5_3_s10_a_1_ii_a_bet_that_is_not_twice_the_ante(book: str, clause: str, amount: int) -> None:
    verdicts = placed(book, ante(2), ante(5), bets=[bet(2), bet(5, amount)])
    assert said(verdicts) == [("violation", "wager.bet_amount", clause, 5)]
    one = verdicts[0]
    assert one.severity is Severity.HIGH
    assert one.expected == "a bet of 20.00, twice the ante of 10.00"
    assert one.observed == f"a bet of {amount // 100}.00"


@pytest.mark.parametrize("book", BOOKS)
def test_a_bet_put_right_before_the_reveal_is_silent(book: str) -> None:
    def right(first: int) -> Part:
        return [bet(2), bet(5, first), step(ev.WagerChanged, seat=5, area=Area.BET, amount=2000, by=5)]

    wagers = [ante(2), ante(5)]
    for first in (1000, 3000):
        verdicts = placed(book, wagers, bets=right(first))
        assert not [one for one in verdicts if one.ruling == "violation"]


@pytest.mark.parametrize("book", BOOKS)
def test_a_bet_or_an_ante_that_was_not_read_cannot_be_compared(book: str) -> None:
    verdicts = placed(book, ante(2, None), ante(5), bets=[bet(2), bet(5, None)])
    unsure = [(one.seat, str(one.ruling)) for one in verdicts if one.check == "wager.bet_amount"]
    assert unsure == [(2, "cannot_tell"), (5, "cannot_tell")]


def test_nz_5_3_a_bet_of_the_wrong_amount_after_an_early_reveal_is_judged_too() -> None:
    parts = [
        ready("nz"),
        opened(),
        ante(2),
        ante(5),
        call("nz"),
        deal("nz"),
        bet(2),
        reveal("nz"),
        bet(5, 1000),
    ]
    verdicts = judge("nz", *parts, settle("nz"), close(), group="wager.")
    assert said(verdicts) == [("violation", "wager.bet_amount", "5.3", 5)]


def test_nz_5_4_a_larger_chip_above_a_smaller_one() -> None:
    good, bad = (500, 500, 100), (100, 500)
    assert placed("nz", ante(2, 1100, chips=good), ante(5)) == []
    verdicts = placed("nz", ante(2, 600, chips=bad), ante(5))
    assert said(verdicts) == [("violation", "wager.stack_order", "5.4", 2)]
    assert verdicts[0].observed == "a chip of 5.00 lies on one of 1.00"
    of_bet = placed("nz", ante(2), ante(5), bets=[bet(2), bet(5, chips=(500, 500, 1000))])
    assert [(one.check, one.seat, one.area) for one in of_bet] == [("wager.stack_order", 5, Area.BET)]
    assert placed("s10", ante(2, 600, chips=bad), ante(5)) == []
    unread = placed("nz", ante(2, 1000, chips=None), ante(5))
    assert said(unread) == [("cannot_tell", "wager.stack_order", "5.4", 2)]


def test_nz_5_7_one_wager_in_one_area() -> None:
    verdicts = placed("nz", ante(2), ante(5), ante(5, 500))
    assert said(verdicts) == [("violation", "wager.second_in_area", "5.7", 5)]
    merged = step(ev.WagerChanged, seat=5, area=Area.ANTE, amount=1500, chips=(1000, 500), by=5)
    assert placed("nz", ante(2), ante(5), ante(5, 500), merged) == []
    assert placed("s10", ante(2), ante(5), ante(5, 500)) == []


@pytest.mark.parametrize(("book", "clause"), [("nz", "11.2"), ("s10", "setting")])
def test_limits_are_those_of_the_settings(book: str, clause: str) -> None:
    low = placed(book, ante(2), ante(5, 500), ante_min=1000, ante_max=5000)
    assert said(low) == [("violation", "wager.limits", clause, 5)]
    assert low[0].expected == "at least 10.00, as posted (setting ante_min)"
    assert [one.seat for one in placed(book, ante(2, 5100), ante(5), ante_min=1000, ante_max=5000)] == [2]
    assert placed(book, ante(2, 5000), ante(5), ante_min=1000, ante_max=5000) == []
    assert placed(book, ante(2, 1), ante(5)) == []
    raised = step(ev.WagerChanged, seat=5, area=Area.ANTE, amount=1000, chips=(1000,), by=5)
    assert placed(book, ante(2), ante(5, 500), raised, ante_min=1000) == []
    unread = [
        one for one in placed(book, ante(2), ante(5, None), ante_min=1000) if one.check == "wager.limits"
    ]
    assert [(str(one.ruling), one.seat) for one in unread] == [("cannot_tell", 5)]


@pytest.mark.parametrize(
    ("book", "clause", "refused"),
    [("nz", "5.4", {"plaque", "coupon", "cash"}), ("s10", "(f)(1)", {"cash"})],
)
def test_nz_5_4_s10_f_1_what_wagers_are_made_with(book: str, clause: str, refused: set[str]) -> None:
    for tender in Tender:
        verdicts = placed(book, ante(2), ante(5, tender=tender))
        expected = [("violation", "wager.tender", clause, 5)] if tender in refused else []
        assert said(verdicts) == expected
    late = placed(book, ante(2), ante(5), bets=[bet(2), bet(5, tender=Tender.CASH)])
    assert [(one.check, one.area) for one in late] == [("wager.tender", Area.BET)]


def test_s10_f_6_only_seated_players_wager() -> None:
    verdicts = placed("s10", sat(), ante(2), ante(5, by=OUTSIDER))
    assert said(verdicts) == [("violation", "wager.not_seated", "(f)(6)", 5)]
    left = step(ev.PlayerLeft, seat=5)
    assert [one.check for one in placed("s10", sat(), ante(2), left, ante(5))] == ["wager.not_seated"]
    assert placed("s10", sat(2), ante(2), ante(5), sat(5)) == []
    assert said(placed("s10", ante(2), ante(5, by=None))) == [
        ("cannot_tell", "wager.not_seated", "(f)(6)", 5),
        ("cannot_tell", "wager.several_hands", "(f)(5)", None),
    ]
    assert placed("nz", ante(2), ante(5, by=OUTSIDER)) == []
    back = step(ev.WagerWithdrawn, seat=6, area=Area.ANTE, by=OUTSIDER)
    assert placed("s10", sat(), ante(2), ante(5), ante(6, by=OUTSIDER), back) == []


@pytest.mark.parametrize(("book", "clause"), [("nz", "5.6"), ("s10", "(f)(5)")])
def test_nz_5_6_s10_f_5_one_player_one_hand(book: str, clause: str) -> None:
    verdicts = placed(book, sat(2), ante(2), ante(5, by=2))
    assert said(verdicts) == [("violation", "wager.several_hands", clause, 5)]
    assert placed(book, sat(2), ante(2, by=0), ante(5, by=5)) == []


def test_nz_5_6_1_several_areas_where_the_house_allows_it_and_nobody_is_excluded() -> None:
    two = [ante(2), ante(5, by=2)]
    assert placed("nz", sat(2), two, several_areas=True) == []
    verdicts = placed("nz", sat(2, 5), two, several_areas=True)
    assert said(verdicts) == [("violation", "wager.several_hands", "5.6.1", 5)]
    assert placed("s10", sat(2), two, several_areas=True) != []


@pytest.mark.parametrize(("book", "clause"), [("nz", "11.1"), ("s10", "(f)(3)")])
def test_nz_11_1_s10_f_3_no_jackpot_wager_without_an_ante(book: str, clause: str) -> None:
    both = [ante(seat) for seat in SEATS]
    verdicts = placed(book, both, jackpot(6), jackpot="electronic")
    assert said(verdicts) == [("violation", "wager.jackpot_without_ante", clause, 6)]
    assert verdicts[0].area is Area.JACKPOT
    first = placed(book, jackpot(5), both, jackpot="electronic")
    assert first == []


@pytest.mark.parametrize(("book", "clause"), [("nz", "11.2"), ("s10", "(f)(3)")])
def test_nz_11_2_s10_f_3_the_amount_of_the_jackpot_wager(book: str, clause: str) -> None:
    both = [ante(seat) for seat in SEATS]
    verdicts = placed(book, both, jackpot(5, 500), jackpot="electronic")
    assert said(verdicts) == [("violation", "wager.jackpot_amount", clause, 5)]
    assert verdicts[0].expected == "one chip of 1.00"
    assert placed(book, both, jackpot(5), jackpot="electronic") == []
    unread = placed(book, both, jackpot(5, None), jackpot="electronic")
    assert said(unread) == [("cannot_tell", "wager.jackpot_amount", clause, 5)]


def test_nz_11_3_the_jackpot_wager_is_one_chip_of_the_posted_amount() -> None:
    both = [ante(seat) for seat in SEATS]
    assert placed("nz", both, jackpot(5, 200), jackpot="manual", jackpot_wager=200) == []
    two = placed(
        "nz", both, jackpot(5, 200, chips=(100, 100), lit=False), jackpot="manual", jackpot_wager=200
    )
    assert said(two) == [("violation", "wager.jackpot_amount", "11.3", 5)]


@pytest.mark.parametrize(("book", "clause"), [("nz", "11.4"), ("s10", "(f)(3)")])
def test_nz_11_4_s10_f_3_the_light_matches_the_wager(book: str, clause: str) -> None:
    both = [ante(seat) for seat in SEATS]
    dark = placed(book, both, jackpot(5, lit=False), jackpot="electronic")
    assert said(dark) == [("violation", "wager.jackpot_light", clause, 5)]
    lit = placed(book, both, step(ev.AcceptorLightChanged, seat=2, lit=True), jackpot="electronic")
    assert said(lit) == [("violation", "wager.jackpot_light", clause, 2)]
    lost = step(ev.SignalLost, signal="lights", why="cable")
    unsure = placed(book, lost, both, jackpot(5, lit=False), jackpot="electronic")
    assert said(unsure) == [("cannot_tell", "wager.jackpot_light", clause, 5)]
    assert placed(book, both, wager(5, Area.JACKPOT, 100), jackpot="manual") == []


def test_a_light_that_stays_on_is_seen_in_the_next_round() -> None:
    both = [ante(seat) for seat in SEATS]
    round_one = [ready("s10"), opened(), both, jackpot(5), call("s10"), deal("s10"), reveal("s10"), close()]
    round_two = [ready("s10"), opened("r2"), both, call("s10"), deal("s10"), reveal("s10"), close()]
    off = step(ev.AcceptorLightChanged, seat=5, lit=False)
    assert judge("s10", round_one, off, round_two, group="wager.", jackpot="electronic") == []
    verdicts = judge("s10", round_one, round_two, group="wager.", jackpot="electronic")
    assert [(one.check, one.round, one.seat) for one in verdicts] == [("wager.jackpot_light", "r2", 5)]


def test_s10_f_3_a_coupon_stands_for_the_chip() -> None:
    coupon = [step(ev.CouponRedeemed, seat=5), step(ev.AcceptorLightChanged, seat=5, lit=True)]
    assert placed("s10", ante(2), ante(5), coupon, jackpot="electronic") == []


@pytest.mark.parametrize(
    ("method", "clause"),
    [(Method.SHOE, "(g)(2)"), (Method.HAND, "(h)(2)(iii)"), (Method.PACKETS, "(i)(2)(ii)")],
)
def test_s10_g_2_the_lock_out_between_the_call_and_the_first_card(method: Method, clause: str) -> None:
    def round_with(*calls: Part, **settings: Any) -> list[tuple[str, str, str, int | None]]:
        antes = [ante(seat) for seat in SEATS]
        parts = [ready("s10", method=method), opened(), antes, *calls, deal("s10", method=method), close()]
        found = judge("s10", *parts, group="wager.", method=method, **settings)
        return [one for one in said(found) if one[1] == "wager.lock_out"]

    called, pressed = step(ev.NoMoreBetsCalled), step(ev.LockOutPressed)
    assert round_with(called, pressed) == []
    assert round_with(called) == [("violation", "wager.lock_out", clause, None)]
    assert round_with(pressed, called) == [("violation", "wager.lock_out", clause, None)]
    assert round_with(pressed) == []  # there the call is missing, which is `deal.before_call`
    lost = round_with(called, step(ev.SignalLost, signal="lock_out", why="cable"))
    assert [one[0] for one in lost] == ["cannot_tell"]
    assert [one[0] for one in round_with(called, signals=frozenset({"no_more_bets"}))] == ["cannot_tell"]
