"""Wagers after bets are closed: each clause broken, its nearest lawful neighbour, and what cannot be told."""

from __future__ import annotations

from typing import Any

import pytest

from engine import events as ev
from engine.events import OUTSIDER, Area
from engine.verdicts import Severity, Verdict
from tests.engine.checks.scripts import (
    HANDS,
    SEATS,
    Part,
    ante,
    bet,
    call,
    clear,
    close,
    deal,
    judge,
    opened,
    pay,
    ready,
    reveal,
    said,
    settle,
    step,
    take,
    turn,
    wager,
    whole,
)

BOOKS = ("nz", "s10")
LATE = {"nz": "5.10", "s10": "(f)(2)"}
NO_HAND = HANDS | {0: "Ah Qd 3s 6c 8d"}
TIE = HANDS | {5: "Ac Ks 3d 6h 8c"}


def changed(seat: int, area: Area, amount: int | None, **fields: Any) -> Part:
    chips = None if amount is None else (amount,)
    made = {"seat": seat, "area": area, "amount": amount, "chips": chips, "by": seat}
    return step(ev.WagerChanged, **made | fields)


def withdrawn(seat: int, area: Area, **fields: Any) -> Part:
    return step(ev.WagerWithdrawn, **{"seat": seat, "area": area, "by": seat} | fields)


def touched(seat: int, area: Area, **fields: Any) -> Part:
    return step(ev.WagerTouched, **{"seat": seat, "area": area, "by": seat} | fields)


def played(
    book: str,
    *,
    open_bets: Part = (),
    after_call: Part = (),
    dealt: Part = (),
    bets: Part | None = None,
    shown: Part = (),
    rest: Part | None = None,
    hands: dict[int, str] | None = None,
    **settings: Any,
) -> list[Verdict]:
    """Judge a round of two players with something put in at one of its moments; only the wagers' checks."""
    return judge(
        book,
        ready(book),
        opened(),
        [ante(seat) for seat in SEATS],
        open_bets,
        call(book),
        after_call,
        deal(book, hands=hands),
        dealt,
        [bet(seat) for seat in SEATS] if bets is None else bets,
        reveal(book, hands=hands),
        shown,
        settle(book) if rest is None else rest,
        close(),
        group="wager.",
        **settings,
    )


@pytest.mark.parametrize("book", BOOKS)
def test_a_plain_round_is_silent(book: str) -> None:
    assert played(book) == []


@pytest.mark.parametrize("book", BOOKS)
def test_nz_5_10_s10_f_2_an_ante_after_the_call_is_late(book: str) -> None:
    verdicts = played(book, after_call=ante(6, 2500))
    assert said(verdicts) == [("violation", "wager.late", LATE[book], 6)]
    one = verdicts[0]
    assert (one.area, one.severity) == (Area.ANTE, Severity.HIGH)
    assert one.observed == 'ante of 25.00 made after "no more bets"'


@pytest.mark.parametrize("book", BOOKS)
def test_nz_5_10_s10_f_2_an_ante_raised_after_the_call_is_late_before_it_is_not(book: str) -> None:
    raised = changed(5, Area.ANTE, 3000)
    assert played(book, open_bets=[raised, changed(5, Area.ANTE, 1000)]) == []
    verdicts = played(book, dealt=raised)
    assert said(verdicts) == [("violation", "wager.late", LATE[book], 5)]
    assert verdicts[0].observed == 'ante raised from 10.00 to 30.00 after "no more bets"'


@pytest.mark.parametrize("book", BOOKS)
def test_chips_added_beside_the_ante_after_the_call_are_late(book: str) -> None:
    assert said(played(book, dealt=ante(5, 500))) == [("violation", "wager.late", LATE[book], 5)]


@pytest.mark.parametrize("book", BOOKS)
def test_a_jackpot_wager_after_the_call_is_late_and_nothing_else(book: str) -> None:
    late = wager(5, Area.JACKPOT, 100)
    verdicts = played(book, after_call=late, jackpot="electronic")
    assert [(one.check, one.seat, one.area) for one in verdicts] == [("wager.late", 5, Area.JACKPOT)]


def test_s10_f_2_a_jackpot_coupon_after_the_call_is_late() -> None:
    coupon = [step(ev.CouponRedeemed, seat=5), step(ev.AcceptorLightChanged, seat=5, lit=True)]
    verdicts = played("s10", dealt=coupon, jackpot="electronic")
    assert said(verdicts) == [("violation", "wager.late", "(f)(2)", 5)]


@pytest.mark.parametrize("book", BOOKS)
def test_a_late_ante_given_back_is_not_pinched_too(book: str) -> None:
    verdicts = played(book, after_call=[ante(6), withdrawn(6, Area.ANTE)])
    assert [one.check for one in verdicts] == ["wager.late"]


@pytest.mark.parametrize("book", BOOKS)
def test_an_ante_for_the_next_round_is_not_late(book: str) -> None:
    assert played(book, rest=[settle(book), ante(2)]) == []


@pytest.mark.parametrize("book", BOOKS)
def test_a_bet_built_up_in_two_goes_is_lawful_and_raised_beyond_it_is_late(book: str) -> None:
    other = bet(2)
    assert played(book, bets=[other, bet(5, 1000), changed(5, Area.BET, 2000)]) == []
    raised = played(book, bets=[other, bet(5), changed(5, Area.BET, 4000)])
    assert said(raised) == [("violation", "wager.late", LATE[book], 5)]
    assert raised[0].area is Area.BET


@pytest.mark.parametrize("book", BOOKS)
def test_a_bet_raised_after_the_reveal_is_late(book: str) -> None:
    verdicts = played(book, shown=changed(5, Area.BET, 6000), rest=())
    assert said(verdicts) == [("violation", "wager.late", LATE[book], 5)]


@pytest.mark.parametrize("book", BOOKS)
def test_altered_to_an_unread_amount_cannot_be_told(book: str) -> None:
    verdicts = played(book, dealt=changed(5, Area.ANTE, None), rest=())
    assert ("cannot_tell", "wager.late", LATE[book], 5) in said(verdicts)
    assert not any(one.ruling == "violation" for one in verdicts)


@pytest.mark.parametrize("book", BOOKS)
def test_a_wager_seen_late_after_a_blocked_view_cannot_be_told(book: str) -> None:
    blocked = [step(ev.ViewBlocked, zone="seat:6", why="a waiter")]
    back = [step(ev.ViewRestored, zone="seat:6"), ante(6)]
    verdicts = played(book, open_bets=blocked, after_call=back)
    late = [one for one in verdicts if one.check == "wager.late"]
    assert [(str(one.ruling), one.seat) for one in late] == [("cannot_tell", 6)]
    assert "a waiter" in late[0].reason


@pytest.mark.parametrize("book", BOOKS)
def test_without_the_signal_of_the_call_lateness_cannot_be_told(book: str) -> None:
    lost = step(ev.SignalLost, signal="no_more_bets", why="cable")
    parts = [ready(book), lost, opened(), ante(2), ante(5), ante(6), deal(book, (2, 5, 6)), close()]
    rulings = {one.check: str(one.ruling) for one in judge(book, parts, group="wager.")}
    assert rulings["wager.late"] == rulings["wager.pinched"] == "cannot_tell"
    assert "violation" not in rulings.values()


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("area", [Area.ANTE, Area.BET])
def test_nz_5_10_s10_f_2_a_wager_taken_back_before_it_is_settled_is_pinched(book: str, area: Area) -> None:
    verdicts = played(book, shown=withdrawn(5, area), rest=())
    assert said(verdicts) == [("violation", "wager.pinched", LATE[book], 5)]
    assert verdicts[0].area is area


@pytest.mark.parametrize("book", BOOKS)
def test_a_wager_lowered_after_the_call_is_pinched(book: str) -> None:
    verdicts = played(book, dealt=changed(5, Area.ANTE, 500))
    assert said(verdicts) == [("violation", "wager.pinched", LATE[book], 5)]
    assert verdicts[0].observed == 'ante lowered from 10.00 to 5.00 after "no more bets"'


@pytest.mark.parametrize(("book", "clause"), [("nz", "5.11"), ("s10", "(f)(2)")])
def test_nz_5_11_a_losing_wager_taken_back(book: str, clause: str) -> None:
    verdicts = played(book, shown=[turn(2), withdrawn(2, Area.BET)], rest=())
    assert said(verdicts) == [("violation", "wager.pinched", clause, 2)]


@pytest.mark.parametrize("book", BOOKS)
def test_wagers_taken_back_before_the_call_after_payment_or_a_tie_are_free(book: str) -> None:
    assert played(book, open_bets=[withdrawn(5, Area.ANTE), ante(5)]) == []
    leaves: list[Part] = [withdrawn(5, Area.ANTE), withdrawn(5, Area.BET)]
    assert played(book, rest=[turn(5), pay(5, Area.ANTE, 1000), pay(5, Area.BET, 2000), leaves]) == []
    assert played(book, hands=TIE, rest=[turn(5, TIE), leaves]) == []


@pytest.mark.parametrize("book", BOOKS)
def test_a_bet_is_free_when_the_dealer_does_not_qualify(book: str) -> None:
    rest: list[Part] = [pay(5, Area.ANTE, 1000), withdrawn(5, Area.BET), withdrawn(5, Area.ANTE)]
    assert played(book, hands=NO_HAND, rest=rest) == []


@pytest.mark.parametrize("book", BOOKS)
def test_wagers_of_void_hands_and_void_rounds_go_back(book: str) -> None:
    void_hand = [step(ev.HandVoided, seat=5), withdrawn(5, Area.ANTE)]
    assert played(book, dealt=void_hand, bets=bet(2), rest=()) == []
    void_round = [step(ev.RoundVoided), withdrawn(5, Area.ANTE), changed(2, Area.ANTE, 500), ante(6)]
    assert played(book, dealt=void_round, bets=(), rest=()) == []


@pytest.mark.parametrize("book", BOOKS)
def test_a_withdrawal_where_the_payment_may_have_gone_unseen_cannot_be_told(book: str) -> None:
    hidden = [step(ev.ViewBlocked, zone="seat:5", why="an arm"), step(ev.ViewRestored, zone="seat:5")]
    verdicts = played(book, rest=[turn(5), hidden, withdrawn(5, Area.ANTE)])
    mine = [one for one in verdicts if one.check == "wager.pinched"]
    assert [(str(one.ruling), one.seat) for one in mine] == [("cannot_tell", 5)]


@pytest.mark.parametrize("book", BOOKS)
def test_a_withdrawal_of_an_unread_hand_cannot_be_told(book: str) -> None:
    unread = HANDS | {5: "?? ?? ?? ?? ??"}
    verdicts = played(book, rest=[turn(5, unread), withdrawn(5, Area.ANTE)])
    assert [one[:2] for one in said(verdicts)] == [("cannot_tell", "wager.pinched")]


def test_nz_5_10_a_wager_handled_after_the_call() -> None:
    verdicts = played("nz", dealt=touched(5, Area.ANTE))
    assert said(verdicts) == [("violation", "wager.touched", "5.10", 5)]
    assert verdicts[0].severity is Severity.LOW


def test_nz_5_11_a_losing_wager_handled() -> None:
    verdicts = played("nz", shown=[turn(2), touched(2, Area.ANTE)])
    assert said(verdicts) == [("violation", "wager.touched", "5.11", 2)]


def test_nz_5_10_handling_before_the_call_by_the_dealer_or_after_payment_is_free() -> None:
    assert played("nz", open_bets=touched(5, Area.ANTE)) == []
    assert played("nz", dealt=touched(5, Area.ANTE, by=0)) == []
    assert played("nz", rest=[turn(5), pay(5, Area.ANTE, 1000), touched(5, Area.ANTE)]) == []
    assert played("s10", dealt=touched(5, Area.ANTE)) == []


def test_nz_5_10_handled_by_somebody_unseen_cannot_be_told() -> None:
    assert said(played("nz", dealt=touched(5, Area.ANTE, by=None))) == [
        ("cannot_tell", "wager.touched", "5.10", 5)
    ]


def test_nz_5_10_a_blind_bet_taken_back_needs_a_fold_which_may_follow() -> None:
    def blind(*dealt: Part) -> list[tuple[str, str, str, int | None]]:
        return said(played("nz", open_bets=bet(5), dealt=list(dealt), bets=bet(2), rest=(), blind_bets=True))

    back, fold = withdrawn(5, Area.BET), step(ev.PlayerFolded, seat=5)
    assert blind() == []
    assert blind(fold, back) == []
    assert blind(back, fold) == []
    assert blind(back) == [("violation", "wager.blind_withdrawn", "5.10", 5)]


def test_nz_5_10_a_blind_bet_taken_back_after_the_reveal() -> None:
    verdicts = played(
        "nz", open_bets=bet(5), bets=bet(2), shown=withdrawn(5, Area.BET), rest=(), blind_bets=True
    )
    assert said(verdicts) == [("violation", "wager.blind_withdrawn", "5.10", 5)]


@pytest.mark.parametrize(("book", "clause"), [("nz", "5.5"), ("s10", "(f)(1)")])
def test_nz_5_5_s10_f_1_oral_wagers(book: str, clause: str) -> None:
    def oral(chips: bool | None) -> Part:
        return step(ev.OralWagerAccepted, seat=6, area=Area.ANTE, with_chips=chips)

    assert said(played(book, open_bets=oral(False))) == [("violation", "wager.oral", clause, 6)]
    assert said(played(book, open_bets=oral(None))) == [("cannot_tell", "wager.oral", clause, 6)]
    assert played(book, open_bets=oral(True)) == []
    late = played(book, after_call=[oral(True), ante(6, by=0)])
    assert said(late) == [("violation", "wager.oral", clause, 6)]


def test_s10_j_1_a_bet_after_the_reveal() -> None:
    verdicts = played("s10", bets=bet(2), shown=bet(5))
    assert said(verdicts) == [("violation", "wager.after_reveal", "(j)(1)", 5)]
    assert verdicts[0].severity is Severity.CRITICAL


def test_nz_12_7_who_had_not_decided_may_still_bet_after_an_early_reveal() -> None:
    assert played("nz", bets=bet(2), shown=bet(5)) == []


@pytest.mark.parametrize(("book", "clause"), [("nz", "5.3"), ("s10", "(j)(1)")])
def test_nz_5_3_a_folded_hand_that_bets_after_the_reveal(book: str, clause: str) -> None:
    gone = [step(ev.PlayerFolded, seat=5), take(5, Area.ANTE, 1000), clear(book, 5)]
    verdicts = played(book, bets=[bet(2), gone], shown=bet(5), rest=())
    assert said(verdicts) == [("violation", "wager.after_reveal", clause, 5)]


def test_s10_f_6_a_player_with_cards_stays_seated() -> None:
    leaves = step(ev.PlayerLeft, seat=5)
    assert said(played("s10", bets=[bet(2), bet(5), leaves])) == [
        ("violation", "wager.left_seat", "(f)(6)", 5)
    ]
    assert played("s10", dealt=step(ev.PlayerLeft, seat=6)) == []
    assert played("nz", dealt=leaves) == []
    assert judge("s10", whole("s10"), leaves, group="wager.") == []


def test_s10_f_6_a_bet_by_somebody_who_is_not_seated() -> None:
    verdicts = played("s10", bets=[bet(2), bet(5, by=OUTSIDER)])
    assert said(verdicts) == [("violation", "wager.not_seated", "(f)(6)", 5)]
