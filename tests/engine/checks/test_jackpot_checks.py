"""Jackpots under both rulebooks: who is paid, how much, when, and with which steps before."""

from __future__ import annotations

from typing import Any

import pytest

from engine import events as ev
from engine.events import DEALER, Area, Pool
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
    jackpot,
    judge,
    opened,
    pay,
    ready,
    reveal,
    said,
    step,
    take,
    turn,
)

HANDS = {2: "2c 3d 7h 8s Jc", 4: "Qs Qd 4c 5h 9s", 6: "2h 5h 8h Th Kh", DEALER: "As Kd 3s 6c 8d"}
"""Seat 2 loses, seat 4 wins with a pair, seat 6 wins with a flush."""
TWO = HANDS | {4: "5s 6s 7s 8s 9s"}
"""Seat 4 has a straight flush besides."""
ROYALS = HANDS | {4: "Ts Js Qs Ks As", 6: "Tc Jc Qc Kc Ac", DEALER: "Ah Kd 3s 6c 8d"}
SEATS = (2, 4, 6)
STAKED = (4, 6)
ANTE, BET = Area.ANTE, Area.BET
METER = 5_000_000


def meter(amount: int, pool: Pool = Pool.MAIN) -> Part:
    return step(ev.JackpotMeterRead, amount=amount, pool=pool)


def start(book: str, hands: dict[int, str], mode: str, rate: int) -> list[Part]:
    """Open a round with three players, two of whom play for the jackpot."""
    grown = METER
    stakes: list[Part] = []
    for seat in STAKED:
        grown += rate
        stakes += [jackpot(seat, lit=mode == "electronic"), meter(grown)]
    counted = [step(ev.JackpotChipsCounted, count=len(STAKED))] if book == "s10" else []
    return [
        ready(book),
        opened(),
        meter(METER),
        [ante(seat) for seat in SEATS],
        stakes,
        call(book),
        counted,
        deal(book, SEATS, hands=hands),
        [bet(seat) for seat in SEATS],
        reveal(book, hands=hands),
        step(ev.HandAnnounced, qualifies=True),
    ]


def played(
    book: str,
    *rest: Part,
    hands: dict[int, str] = HANDS,
    mode: str = "electronic",
    rate: int = 75,
    **more: Any,
) -> list[Verdict]:
    return judge(book, start(book, hands, mode, rate), *rest, group="jackpot", jackpot=mode, **more)


def paid(seat: int, amount: int, **more: Any) -> list[Part]:
    return [
        step(ev.JackpotVerified, seat=seat),
        step(ev.SupervisorConfirmed, seat=seat),
        step(ev.JackpotPaid, seat=seat, amount=amount, **more),
    ]


def stakes(seat: int, hands: dict[int, str] = HANDS) -> list[Part]:
    """Take or pay the ante and the bet of a seat."""
    if seat == 2:
        return [take(2, ANTE, 1000), take(2, BET, 2000)]
    odds = {HANDS[4]: 1, HANDS[6]: 5, TWO[4]: 50}.get(hands[seat], 100)
    return [pay(seat, ANTE, 1000), pay(seat, BET, 2000 * odds)]


def settled(book: str, stay: tuple[int, ...], hands: dict[int, str] = HANDS) -> list[Part]:
    """Settle all antes and bets; the hands that stay are left for their jackpots."""
    if book == "nz":
        return [
            [turn(s, hands), stakes(s, hands), *([] if s in stay else [clear("nz", s)])] for s in (6, 4, 2)
        ]
    turned: list[Part] = [turn(s, hands) for s in (6, 4, 2)]
    return [*turned, stakes(2), collect(2), stakes(6, hands), stakes(4, hands)]


def end(book: str, *seats: int) -> list[Part]:
    count = [step(ev.DeckCounted, deck="A", count=52)] if book == "nz" else []
    return [[clear(book, seat) for seat in seats], clear(book, DEALER), count, close()]


LEFT = {"nz": (6,), "s10": (6, 4)}
FLUSH = {"nz": 10_000, "s10": 5_000}


@pytest.mark.parametrize("book", ["nz", "s10"])
def test_a_flush_is_paid_as_the_rulebook_says(book: str) -> None:
    rest = [settled(book, (6,)), paid(6, FLUSH[book]), end(book, *LEFT[book])]
    assert not played(book, rest)


@pytest.mark.parametrize(("book", "clause"), [("nz", "11.9"), ("s10", "(k)(1)")])
def test_a_jackpot_is_never_paid(book: str, clause: str) -> None:
    verdicts = played(book, settled(book, (6,)), end(book, *LEFT[book]))
    assert said(verdicts) == [
        ("violation", "jackpot.cards_taken_early", "10.2" if book == "nz" else "(k)(1)", 6),
        ("violation", "jackpot.not_paid", clause, 6),
    ]
    assert verdicts[1].severity is Severity.CRITICAL


@pytest.mark.parametrize(("book", "clause"), [("nz", "11.1"), ("s10", "(k)(2)(ii)")])
def test_paid_without_a_jackpot_wager(book: str, clause: str) -> None:
    hands = HANDS | {2: "3c 6d 7h 8s Jc"}
    rest = [settled(book, (6,), hands), paid(6, FLUSH[book]), paid(2, 5000), end(book, *LEFT[book])]
    assert said(played(book, rest, hands=hands)) == [("violation", "jackpot.not_entitled", clause, 2)]


def test_nz_11_7_paid_on_a_pair() -> None:
    rest = [settled("nz", (4, 6)), paid(6, 10_000), paid(4, 10_000), end("nz", 6, 4)]
    assert said(played("nz", rest)) == [("violation", "jackpot.not_entitled", "11.7", 4)]


def test_without_the_lights_a_payout_to_a_seat_without_a_chip_cannot_be_told() -> None:
    lost = step(ev.SignalLost, signal="lights", why="cable")
    hands = HANDS | {2: "2c 4c 7c 8c Jc"}
    rest = [lost, settled("nz", (2, 6), hands), paid(6, 10_000), paid(2, 10_000), end("nz", 6, 2)]
    verdicts = [one for one in played("nz", rest, hands=hands) if one.seat == 2]
    assert said(verdicts) == [
        ("cannot_tell", "jackpot.not_entitled", "11.7", 2),
        ("cannot_tell", "jackpot.amount", "11.9", 2),
    ]


@pytest.mark.parametrize(("book", "clause"), [("nz", "11.9"), ("s10", "(l)(5)")])
@pytest.mark.parametrize("off", [-500, 500])
def test_a_fixed_prize_of_the_wrong_amount(book: str, clause: str, off: int) -> None:
    rest = [settled(book, (6,)), paid(6, FLUSH[book] + off), end(book, *LEFT[book])]
    verdicts = played(book, rest)
    assert said(verdicts) == [("violation", "jackpot.amount", clause, 6)]
    assert "flush" in verdicts[0].expected


def test_nz_11_10_fixed_prizes_leave_the_pool_before_straight_flushes() -> None:
    due = (METER + 150 - 10_000) // 10
    rest = [settled("nz", (4, 6), TWO), paid(6, 10_000), meter(METER + 150 - 10_000), paid(4, due)]
    assert not played("nz", rest, end("nz", 6, 4), hands=TWO)
    wrong = [*rest[:-1], paid(4, due + 1_000)]
    verdicts = played("nz", wrong, end("nz", 6, 4), hands=TWO)
    assert said(verdicts) == [("violation", "jackpot.amount", "11.10", 4)]


def test_nz_11_6c_a_straight_flush_is_paid_from_the_major_pool() -> None:
    pools = [meter(3_000_000, Pool.MAJOR), meter(200_000, Pool.MINOR)]
    rest = [pools, settled("nz", (4, 6), TWO), paid(6, 10_000), paid(4, 300_000), end("nz", 6, 4)]
    right = [one for one in played("nz", rest, hands=TWO, sub_pools=True) if one.check == "jackpot.amount"]
    assert not right
    rest[3] = paid(4, 100_000)
    wrong = [one for one in played("nz", rest, hands=TWO, sub_pools=True) if one.check == "jackpot.amount"]
    assert said(wrong) == [("violation", "jackpot.amount", "11.6C", 4)]


def test_s10_l_7_each_is_paid_from_the_meter_at_the_turn() -> None:
    shown = METER + 150
    rest = [settled("s10", (4, 6), TWO), paid(6, 5_000), meter(shown - 5_000), paid(4, (shown - 5_000) // 10)]
    assert not played("s10", rest, end("s10", 6, 4), hands=TWO)
    wrong = [*rest[:-1], paid(4, shown // 10)]
    verdicts = played("s10", wrong, end("s10", 6, 4), hands=TWO)
    assert said(verdicts) == [("violation", "jackpot.amount", "(l)(7)", 4)]


def test_s10_l_7_royal_flushes_share_the_meter_of_the_first() -> None:
    half = (METER + 150) // 2
    cage = [paid(6, half, by_cage=True), step(ev.PapersCompleted, seat=6), meter(half)]
    second = [paid(4, half, by_cage=True), step(ev.PapersCompleted, seat=4)]
    rest = [settled("s10", (4, 6), ROYALS), cage, second, end("s10", 6, 4)]
    assert not played("s10", rest, hands=ROYALS)
    all_of_it = [paid(4, half // 2, by_cage=True), step(ev.PapersCompleted, seat=4)]
    verdicts = played("s10", settled("s10", (4, 6), ROYALS), cage, all_of_it, end("s10", 6, 4), hands=ROYALS)
    assert said(verdicts) == [("violation", "jackpot.amount", "(l)(7)", 4)]


def test_a_share_of_a_meter_that_was_not_signalled_cannot_be_told() -> None:
    rest = [settled("s10", (4, 6), TWO), paid(6, 5_000), paid(4, 400_000), end("s10", 6, 4)]
    verdicts = played("s10", step(ev.SignalLost, signal="meter", why="cable"), rest, hands=TWO)
    assert ("cannot_tell", "jackpot.amount", "(l)(5)", 4) in said(verdicts)
    assert not [one for one in verdicts if one.ruling == "violation"]


def test_s10_j_5_iii_the_hand_waits_for_the_papers_of_the_cage() -> None:
    rest = [settled("s10", (6,)), paid(6, 5_000, by_cage=True)]
    papers = step(ev.PapersCompleted, seat=6)
    assert not played("s10", rest, papers, end("s10", 6, 4))
    verdicts = played("s10", rest, clear("s10", 6), papers, end("s10", 4))
    assert said(verdicts) == [("violation", "jackpot.cards_taken_early", "(j)(5)(iii)", 6)]


def test_nz_11_12_jackpots_come_after_antes_and_bets() -> None:
    first = [turn(6, HANDS), stakes(6), paid(6, 10_000), clear("nz", 6)]
    others = [[turn(s, HANDS), stakes(s), clear("nz", s)] for s in (4, 2)]
    verdicts = played("nz", first, others, end("nz"))
    assert said(verdicts) == [("violation", "jackpot.out_of_turn", "11.12", 6)]


def test_nz_11_12_a_chip_on_the_layout_is_taken_after_the_payout() -> None:
    chip = take(6, Area.JACKPOT, 100)
    lose = take(4, Area.JACKPOT, 100)
    legal = [settled("nz", (4, 6)), lose, clear("nz", 4), paid(6, 10_000), chip, end("nz", 6)]
    assert not played("nz", legal, mode="manual")
    early = [settled("nz", (4, 6)), lose, clear("nz", 4), chip, paid(6, 10_000), end("nz", 6)]
    verdicts = played("nz", early, mode="manual")
    assert said(verdicts) == [("violation", "jackpot.wager_taken_early", "11.12", 6)]


@pytest.mark.parametrize(
    ("book", "left_out", "check", "clause"),
    [
        ("nz", 0, "jackpot.not_verified", "11.13"),
        ("nz", 1, "jackpot.no_supervisor", "11.13"),
        ("s10", 0, "jackpot.not_verified", "(k)(2)(i)"),
        ("s10", 1, "jackpot.no_supervisor", "(k)(2)(iii)"),
    ],
)
def test_a_step_before_the_payout_is_left_out(book: str, left_out: int, check: str, clause: str) -> None:
    steps = paid(6, FLUSH[book])
    del steps[left_out]
    rest = [settled(book, (6,)), steps, end(book, *LEFT[book])]
    assert said(played(book, rest)) == [("violation", check, clause, 6)]
    if left_out == 1:
        wired = frozenset({"no_more_bets", "lock_out", "lights", "meter", "shuffler"})
        assert said(played(book, rest, signals=wired)) == [("cannot_tell", check, clause, 6)]


def test_s10_k_2_ii_paid_with_the_light_off() -> None:
    off = step(ev.AcceptorLightChanged, seat=6, lit=False)
    rest = [off, settled("s10", (6,)), paid(6, 5_000), end("s10", 6, 4)]
    assert said(played("s10", rest)) == [("violation", "jackpot.not_verified", "(k)(2)(ii)", 6)]


@pytest.mark.parametrize(("book", "clause", "rate"), [("nz", "11.6", 74), ("s10", "(l)(6)", 69)])
def test_the_meter_grows_too_slowly(book: str, clause: str, rate: int) -> None:
    rest = [settled(book, (6,)), paid(6, FLUSH[book]), end(book, *LEFT[book])]
    verdicts = played(book, rest, rate=rate)
    assert said(verdicts) == [("violation", "jackpot.meter_rate", clause, None)]
    assert not played(book, rest, rate=rate + 1)


def counting(*parts: Part) -> list[Verdict]:
    staked: list[Part] = [[ante(seat) for seat in SEATS], jackpot(4), jackpot(6)]
    return judge(
        "s10",
        opened(),
        staked,
        call("s10"),
        *parts,
        deal("s10", SEATS)[:3],
        group="jackpot",
        jackpot="electronic",
    )


def test_s10_g_2_chips_are_counted_against_the_lights() -> None:
    assert not counting(step(ev.JackpotChipsCounted, count=2))
    assert said(counting()) == [("violation", "jackpot.chips_uncounted", "(g)(2)", None)]
    assert said(counting(step(ev.JackpotChipsCounted, count=1))) == [
        ("violation", "jackpot.lights_count", "(g)(2)", None)
    ]
    coupon = [step(ev.CouponRedeemed, seat=2), step(ev.AcceptorLightChanged, seat=2, lit=True)]
    assert not counting(coupon, step(ev.JackpotChipsCounted, count=2))
    unread = counting(step(ev.JackpotChipsCounted, count=None))
    assert said(unread) == [("cannot_tell", "jackpot.lights_count", "(g)(2)", None)]
