"""Outcomes, odds and limits, named after the clauses they follow."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import DECK, UNKNOWN, Card, parse_cards
from engine.errors import BadAmount, BadRulebook, BadSettings
from engine.hands import LOWEST, QUALIFYING, STRONGEST, Category, category, evaluate
from engine.possible import Bounds, possible
from engine.settlement import (
    Due,
    Fault,
    Odds,
    Outcome,
    Ratio,
    ante_payout,
    bet_payout,
    bet_payout_range,
    minimum_payout_limit,
    outcome,
    outcome_within,
    payment_fault,
    settle,
)

NZ = Odds.to_one("nz", 1, 1, 2, 3, 4, 5, 7, 20, 50, 250)
S10 = Odds.to_one("s10", 1, 1, 2, 3, 4, 5, 7, 20, 50, 100, lowest_row="one pair or less")

winners = st.integers(QUALIFYING, STRONGEST)
stakes = st.integers(1, 10**9)


def strength(text: str) -> int:
    return evaluate(parse_cards(text))


def test_nz_10_1_a_dealer_without_ace_and_king_does_not_play() -> None:
    dealer = strength("Ah Qd Jc Ts 9h")
    assert outcome(strength("7h 5c 4d 3s 2c"), dealer) is Outcome.NOT_QUALIFIED
    assert outcome(strength("Ah Kh Qh Jh Th"), dealer) is Outcome.NOT_QUALIFIED


@pytest.mark.parametrize(
    "player, expected",
    [
        ("Ac Kh 5d 3c 2s", Outcome.WIN),
        ("Ac Ks 4d 3h 2c", Outcome.PUSH),
        ("Ac Qh Jd Tc 9s", Outcome.LOSE),
    ],
)
def test_nz_10_4_s10_j_5_higher_wins_lower_loses_equal_stands_off(player: str, expected: Outcome) -> None:
    assert outcome(strength(player), strength("Ah Kd 4c 3s 2d")) is expected


def test_nz_5_8_ace_and_king_is_paid_one_to_one() -> None:
    assert bet_payout(2000, strength("Ac Kh 5d 3c 2s"), NZ) == 2000
    assert NZ.row_name(Category.HIGH_CARD) == "ace and king"


def test_s10_l_3_one_pair_or_less_is_paid_one_to_one() -> None:
    assert bet_payout(2000, strength("Ac Kh 5d 3c 2s"), S10) == 2000
    assert bet_payout(2000, strength("2c 2h 5d 4c 3s"), S10) == 2000
    assert S10.row_name(Category.HIGH_CARD) == "one pair or less"


def test_no_hand_below_ace_and_king_has_odds() -> None:
    with pytest.raises(BadAmount, match="ace and king"):
        bet_payout(2000, QUALIFYING - 1, NZ)
    with pytest.raises(BadAmount):
        settle(Outcome.WIN, ante=100, bet=200, strength=QUALIFYING - 1, odds=NZ)


@pytest.mark.parametrize("odds, royal", [(NZ, 250), (S10, 100)], ids=["nz_5_8", "s10_l_3"])
def test_bet_wagers_are_paid_at_the_odds_of_their_hand(odds: Odds, royal: int) -> None:
    paid = [bet_payout(100, LOWEST[kind], odds) // 100 for kind in Category if kind]
    assert paid == [1, 2, 3, 4, 5, 7, 20, 50, royal]


@given(stakes, winners, st.integers(1, 10**9))
def test_nz_5_9_no_bet_is_paid_more_than_the_limit_and_none_less_than_its_odds_below_it(
    bet: int, hand: int, limit: int
) -> None:
    free = bet_payout(bet, hand, NZ)
    assert free == bet * NZ.rows[category(hand)].num
    assert bet_payout(bet, hand, NZ, limit) == min(free, limit)


def test_s10_l_2_ante_wagers_are_paid_one_to_one() -> None:
    assert ante_payout(2500) == 2500


def test_s10_l_4_the_limit_is_5000_or_the_most_won_at_the_minimum_whichever_is_greater() -> None:
    assert minimum_payout_limit(2500, S10) == 500_000  # 2 x 25.00 at 100 to 1: both are 5,000.00
    assert minimum_payout_limit(2501, S10) == 500_200
    assert minimum_payout_limit(500, S10) == 500_000
    assert minimum_payout_limit(2500, S10.posted({"royal_flush": 250})) == 1_250_000


def test_s10_l_3_posted_odds_below_the_floor_are_named() -> None:
    assert S10.posted({"royal_flush": 250}).below(S10) == ()
    assert S10.posted({"flush": 4, "full house": 6}).below(S10) == (Category.FLUSH, Category.FULL_HOUSE)
    assert Odds("fraction", (Ratio(3, 2), *S10.rows[1:])).below(S10) == ()


def test_s10_l_3_a_payment_may_break_the_floor_or_only_the_posting() -> None:
    posted = S10.posted({"flush": 6})
    hand = strength("Kh 9h 7h 3h 2h")
    due, least = bet_payout(1000, hand, posted), bet_payout(1000, hand, S10)
    assert payment_fault(6000, due=due, least=least) is Fault.NONE
    assert payment_fault(5000, due=due, least=least) is Fault.NOT_AS_POSTED
    assert payment_fault(7000, due=due, least=least) is Fault.NOT_AS_POSTED
    assert payment_fault(4999, due=due, least=least) is Fault.BELOW_FLOOR


def test_posted_odds_for_no_hand_are_refused() -> None:
    with pytest.raises(BadSettings, match="posted_odds: 'five of a kind'"):
        S10.posted({"five of a kind": 200})
    with pytest.raises(BadRulebook):
        Odds.to_one("short", 1, 2, 3)
    with pytest.raises(BadRulebook):
        Ratio(1, 0)


@given(stakes, st.integers(0, 300), st.integers(1, 20))
def test_what_is_no_whole_cent_is_rounded_up_for_odds_and_down_for_shares(
    stake: int, num: int, den: int
) -> None:
    exact = Fraction(stake * num, den)
    assert 0 <= Ratio(num, den).of(stake) - exact < 1
    assert 0 <= exact - Ratio(num, den).share_of(stake) < 1


@pytest.mark.parametrize(
    "result, due",
    [
        (Outcome.WIN, Due(ante_paid=1000, bet_paid=10_000)),
        (Outcome.LOSE, Due(ante_taken=1000, bet_taken=2000)),
        (Outcome.PUSH, Due()),  # nz 10.7, s10 (j)(5)(ii): neither collected nor paid
        (Outcome.NOT_QUALIFIED, Due(ante_paid=1000)),  # nz 10.1, s10 (j)(6)(iii): bets void
        (Outcome.FOLD, Due(ante_taken=1000)),  # nz 9.2, s10 (j)(1)
        (Outcome.VOID, Due()),
        (Outcome.UNDECIDED, Due(None, None, None, None)),
    ],
)
def test_each_outcome_pays_and_takes_what_the_rules_say(result: Outcome, due: Due) -> None:
    hand = strength("Kh 9h 7h 3h 2h")
    assert settle(result, ante=1000, bet=2000, strength=hand, odds=NZ) == due


def test_what_was_not_seen_makes_only_what_rests_on_it_unknown() -> None:
    assert settle(Outcome.WIN, ante=1000, bet=None, strength=5000, odds=NZ) == Due(1000, None)
    assert settle(Outcome.WIN, ante=None, bet=2000, strength=5000, odds=NZ) == Due(None, 6000)
    assert settle(Outcome.WIN, ante=1000, bet=2000, strength=None, odds=NZ) == Due(1000, None)
    assert settle(Outcome.LOSE, ante=None, bet=2000, strength=None, odds=NZ) == Due(0, 0, None, 2000)


def test_a_limit_may_make_an_unread_hand_certain_again() -> None:
    hand = Bounds(LOWEST[Category.STRAIGHT_FLUSH], STRONGEST)
    assert bet_payout_range(2000, hand, NZ) == (100_000, 500_000)
    assert settle(Outcome.WIN, ante=1000, bet=2000, strength=hand, odds=NZ).bet_paid is None
    assert settle(Outcome.WIN, ante=1000, bet=2000, strength=hand, odds=NZ, limit=50_000).bet_paid == 50_000


@given(
    st.lists(st.sampled_from(DECK), min_size=10, max_size=10, unique=True),
    st.sets(st.integers(0, 9), max_size=4),
)
def test_an_outcome_from_unread_cards_is_the_true_one_or_undecided(
    cards: list[Card], hidden: set[int]
) -> None:
    shown = [UNKNOWN if i in hidden else card for i, card in enumerate(cards)]
    seen = [card for card in shown if card is not UNKNOWN]
    truth = outcome(evaluate(cards[:5]), evaluate(cards[5:]))
    told = outcome_within(possible(shown[:5], seen), possible(shown[5:], seen))
    assert told in (truth, Outcome.UNDECIDED)
    assert hidden or told is truth


@given(winners, winners, stakes)
def test_the_range_of_a_payout_holds_every_hand_between(one: int, other: int, bet: int) -> None:
    low, high = min(one, other), max(one, other)
    least, most = bet_payout_range(bet, Bounds(low, high), NZ)
    assert least <= bet_payout(bet, one, NZ) <= most
    assert (least, most) == (bet_payout(bet, low, NZ), bet_payout(bet, high, NZ))
