"""Settlement under both rulebooks: what each clause orders, what breaks it, and the nearest thing that does not."""

from __future__ import annotations

from typing import Any

import pytest

from engine import events as ev
from engine.cards import parse_cards
from engine.events import DEALER, Area
from engine.verdicts import Severity, Verdict
from tests.engine.checks.scripts import (
    Part,
    ante,
    bet,
    call,
    clear,
    close,
    collect,
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
)

HANDS = {2: "2c 3d 7h 8s Jc", 4: "Qs Qd 4c 5h 9s", 6: "Th Td 4d 5s 9c", DEALER: "Ah Kd 3s 6c 8d"}
"""Seat 2 loses to the dealer's ace-king, seats 4 and 6 win with a pair."""
LOW = HANDS | {DEALER: "Ah Qd 3s 6c 8d"}
"""The same hands against a dealer who does not qualify."""
PUSH = HANDS | {6: "Ac Ks 3d 6h 8h"}
"""Seat 6 ties with the dealer."""
SEATS = (2, 4, 6)
ANTE, BET = Area.ANTE, Area.BET


def played(book: str, *rest: Part, hands: dict[int, str] = HANDS, **settings: Any) -> list[Verdict]:
    """Return what is said of a round of three players that is settled so."""
    plays = hands[DEALER] != LOW[DEALER]
    return judge(
        book,
        ready(book),
        opened(),
        [ante(seat) for seat in SEATS],
        call(book),
        deal(book, SEATS, hands=hands),
        [bet(seat) for seat in SEATS],
        reveal(book, hands=hands),
        step(ev.HandAnnounced, qualifies=plays),
        *rest,
        group="settle",
        **settings,
    )


def up(seat: int, hands: dict[int, str] = HANDS) -> Part:
    return turn(seat, hands)


def win(seat: int) -> list[Part]:
    return [pay(seat, ANTE, 1000), pay(seat, BET, 2000)]


def lose(seat: int) -> list[Part]:
    return [take(seat, ANTE, 1000), take(seat, BET, 2000)]


def nz(*middle: Part, first: Part = None, last: Part = None) -> list[Part]:
    """Settle seat by seat: seat 6 first, then what is under test at seat 4, then seat 2."""
    before = first if first is not None else [up(6), win(6), clear("nz", 6)]
    after = last if last is not None else [up(2), lose(2), clear("nz", 2)]
    return [before, *middle, after, clear("nz", DEALER), close()]


def end(book: str, *seats: int) -> list[Part]:
    return [[clear(book, seat) for seat in seats], clear(book, DEALER), close()]


def turned(hands: dict[int, str] = HANDS) -> list[Part]:
    return [up(seat, hands) for seat in (6, 4, 2)]


def s10(*winners: Part) -> list[Part]:
    """Settle in passes: the loser, then what is under test."""
    return [turned(), lose(2), collect(2), *winners]


def test_a_legal_settlement_says_nothing() -> None:
    assert not played("nz", nz([up(4), win(4), clear("nz", 4)]))
    assert not played("s10", s10(win(6), win(4), end("s10", 6, 4)))


def test_a_payment_in_two_goes_is_one_payment() -> None:
    twice = [pay(4, ANTE, 400), pay(4, ANTE, 600), pay(4, BET, 2000)]
    assert not played("nz", nz([up(4), twice, clear("nz", 4)]))
    assert not played("s10", s10(win(6), twice, end("s10", 6, 4)))


def test_nz_5_8_ante_paid_short_is_proved_when_the_dealer_goes_on() -> None:
    short = [up(4), pay(4, ANTE, 900), pay(4, BET, 2000)]
    verdicts = played("nz", nz(short, clear("nz", 4)))
    assert said(verdicts) == [("violation", "settle.ante_amount", "5.8", 4)]
    assert verdicts[0].area is ANTE
    assert "10.00" in verdicts[0].expected
    assert "9.00" in verdicts[0].observed


def test_s10_l_2_ante_paid_double_is_proved_at_once() -> None:
    verdicts = played("s10", s10(win(6), pay(4, ANTE, 2000), pay(4, BET, 2000), end("s10", 6, 4)))
    assert said(verdicts) == [("violation", "settle.ante_amount", "(l)(2)", 4)]


def test_an_unread_payment_cannot_be_told() -> None:
    unread = [up(4), step(ev.WagerPaid, seat=4, area=ANTE, amount=None), pay(4, BET, 2000)]
    verdicts = played("nz", nz(unread, clear("nz", 4)))
    assert said(verdicts) == [("cannot_tell", "settle.ante_amount", "5.8", 4)]


@pytest.mark.parametrize("amount", [1900, 4000])
def test_nz_5_8_bet_paid_other_than_the_odds(amount: int) -> None:
    verdicts = played("nz", nz([up(4), pay(4, ANTE, 1000), pay(4, BET, amount)], clear("nz", 4)))
    assert said(verdicts) == [("violation", "settle.bet_amount", "5.8", 4)]


def test_nz_5_9_the_limit_caps_the_odds() -> None:
    capped = [up(4), pay(4, ANTE, 1000), pay(4, BET, 1500)]
    legal = [[up(6), pay(6, ANTE, 1000), pay(6, BET, 1500)], clear("nz", 6)]
    assert not played("nz", nz(capped, clear("nz", 4), first=legal), payout_limit=1500)
    over = [up(4), pay(4, ANTE, 1000), pay(4, BET, 2000)]
    verdicts = played("nz", nz(over, clear("nz", 4), first=legal), payout_limit=1500)
    assert said(verdicts) == [("violation", "settle.bet_amount", "5.9", 4)]


@pytest.mark.parametrize(
    ("amount", "check"), [(1900, "settle.bet_amount"), (2000, "settle.posted_odds"), (4000, None)]
)
def test_s10_l_3_floor_and_posting(amount: int, check: str | None) -> None:
    pays = [pay(6, ANTE, 1000), pay(6, BET, 4000), pay(4, ANTE, 1000), pay(4, BET, amount)]
    verdicts = played("s10", s10(pays, end("s10", 6, 4)), posted_odds={"pair": 2})
    assert said(verdicts) == ([("violation", check, "(l)(3)", 4)] if check else [])


def test_s10_l_3_and_l_4_a_posting_below_what_is_allowed_is_said_once() -> None:
    verdicts = judge(
        "s10",
        [opened("r1"), close(), opened("r2"), close()],
        group="settle",
        posted_odds={"flush": 4},
        payout_limit=400_000,
    )
    assert said(verdicts) == [
        ("violation", "settle.posted_floor", "(l)(3)", None),
        ("violation", "settle.posted_floor", "(l)(4)", None),
    ]


@pytest.mark.parametrize(("book", "clause"), [("nz", "10.5"), ("s10", "(j)(5)(i)")])
def test_a_loser_is_paid(book: str, clause: str) -> None:
    rest: list[Part] = (
        nz([up(4), win(4), clear("nz", 4)], last=[up(2), win(2), clear("nz", 2)])
        if book == "nz"
        else [turned(), win(6), win(4), win(2), end("s10", 6, 4, 2)]
    )
    verdicts = played(book, rest)
    assert {(one.check, one.clause, one.seat) for one in verdicts} == {("settle.wrong_outcome", clause, 2)}
    assert [one.area for one in verdicts] == [ANTE, BET]
    assert verdicts[0].severity is Severity.CRITICAL


@pytest.mark.parametrize(("book", "clause"), [("nz", "10.7"), ("s10", "(j)(5)(ii)")])
def test_a_push_is_taken(book: str, clause: str) -> None:
    rest: list[Part] = (
        nz([up(4), win(4), clear("nz", 4)], first=[up(6, PUSH), lose(6), clear("nz", 6)])
        if book == "nz"
        else [turned(PUSH), lose(6), collect(6), lose(2), collect(2), win(4), end("s10", 4)]
    )
    verdicts = played(book, rest, hands=PUSH)
    assert {(one.check, one.clause, one.seat) for one in verdicts} == {("settle.wrong_outcome", clause, 6)}


def test_a_hand_that_was_not_read_cannot_be_told() -> None:
    blind = step(ev.CardsTurned, seat=2, cards=parse_cards("?? ?? ?? ?? ??"), by=DEALER)
    verdicts = played("nz", nz([up(4), win(4), clear("nz", 4)], last=[blind, lose(2), clear("nz", 2)]))
    assert ("cannot_tell", "settle.wrong_outcome", "10.4", 2) in said(verdicts)
    assert not [one for one in verdicts if one.ruling == "violation"]


def no_hand(book: str, *more: Part) -> list[Part]:
    """Settle a round without a dealer's hand; `more` comes after the ante of seat 4."""
    if book == "nz":
        return [
            [[up(s, LOW), pay(s, ANTE, 1000), *(more if s == 4 else ()), clear("nz", s)] for s in (6, 4, 2)],
            end("nz"),
        ]
    return [
        turned(LOW),
        [[pay(s, ANTE, 1000), *(more if s == 4 else ())] for s in (6, 4, 2)],
        end("s10", 6, 4, 2),
    ]


@pytest.mark.parametrize(("book", "clause"), [("nz", "10.1"), ("s10", "(j)(6)(iii)")])
def test_bets_are_void_when_the_dealer_has_no_hand(book: str, clause: str) -> None:
    assert not played(book, no_hand(book), hands=LOW)
    for act in (pay(4, BET, 2000), take(4, BET, 2000)):
        verdicts = played(book, no_hand(book, act), hands=LOW)
        assert said(verdicts) == [("violation", "settle.void_bet", clause, 4)]


@pytest.mark.parametrize(("book", "clause"), [("nz", "10.1"), ("s10", "(j)(6)(ii)")])
def test_no_hand_treated_as_a_hand_is_said_once_for_the_dealer(book: str, clause: str) -> None:
    wrong = step(ev.HandAnnounced, qualifies=True)
    legal = nz([up(4), win(4), clear("nz", 4)]) if book == "nz" else s10(win(6), win(4), end("s10", 6, 4))
    verdicts = played(book, wrong, legal, hands=LOW)
    assert said(verdicts) == [("violation", "settle.dealer_misread", clause, DEALER)]


def test_an_announcement_taken_back_in_time_is_put_right() -> None:
    slip = [step(ev.HandAnnounced, qualifies=True), step(ev.HandAnnounced, qualifies=False)]
    verdicts = played("s10", slip, no_hand("s10"), hands=LOW)
    assert said(verdicts) == [("handled", "settle.dealer_misread", "(j)(6)(ii)", DEALER)]


def test_where_nothing_was_announced_the_first_wager_taken_proves_the_misreading() -> None:
    parts = [
        ready("nz"),
        opened(),
        [ante(seat) for seat in (2, 5)],
        call("nz"),
        deal("nz", (2, 5), hands=LOW),
        [bet(seat) for seat in (2, 5)],
        reveal("nz", hands=LOW),
        settle("nz"),
        close(),
    ]
    assert said(judge("nz", parts, group="settle")) == [
        ("violation", "settle.dealer_misread", "10.1", DEALER)
    ]


def test_a_part_of_a_wager_is_left() -> None:
    part = [up(2), take(2, ANTE, 1000), take(2, BET, 1500), clear("nz", 2)]
    verdicts = played("nz", nz([up(4), win(4), clear("nz", 4)], last=part))
    assert said(verdicts) == [("violation", "settle.taken_amount", "10.5", 2)]
    twice = [up(2), take(2, ANTE, 1000), take(2, BET, 1500), take(2, BET, 500), clear("nz", 2)]
    assert not played("nz", nz([up(4), win(4), clear("nz", 4)], last=twice))


def test_nz_12_11_a_void_round_is_not_settled() -> None:
    void = [step(ev.RoundVoided), take(2, ANTE, 1000), close()]
    verdicts = played("nz", void)
    assert said(verdicts) == [("violation", "settle.void_round", "12.11", 2)]
    back = [step(ev.RoundVoided), step(ev.WagerWithdrawn, seat=2, area=ANTE, by=2), close()]
    assert not played("nz", back)


def test_s10_m_4_a_void_hand_is_not_taken_but_may_be_given_back() -> None:
    void = [step(ev.HandVoided, seat=2), lose(2)[:1]]
    verdicts = played("s10", turned(), void, collect(2), win(6), win(4), end("s10", 6, 4))
    assert said(verdicts) == [("violation", "settle.void_round", "(m)(4)", 2)]
    given_back = [take(2, ANTE, 1000), step(ev.RoundVoided), pay(2, ANTE, 1000), close()]
    assert not played("s10", turned(), given_back)
