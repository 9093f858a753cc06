"""The jackpot in both books and in one of our own, named after the clauses."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadAmount, BadRulebook
from engine.hands import LOWEST, STRONGEST, Category
from engine.jackpot import (
    Claim,
    JackpotRules,
    Prize,
    Winner,
    meter_range,
    meter_too_slow,
    payouts,
    payouts_between_tables,
    pools_after,
    prioritise,
)
from engine.possible import Bounds
from engine.prices import jackpot_from, odds_from
from engine.settlement import Ratio

ROYAL, STRAIGHT_FLUSH = Category.ROYAL_FLUSH, Category.STRAIGHT_FLUSH
QUADS, FULL_HOUSE, FLUSH = Category.FOUR_OF_A_KIND, Category.FULL_HOUSE, Category.FLUSH

NZ_DATA: dict[str, Any] = {
    "prizes": {
        "royal_flush": {"times": 10_000, "share": 1},
        "straight_flush": {"times": 1_000, "share": [1, 10]},
        "four_of_a_kind": {"times": 500},
        "full_house": {"times": 150},
        "flush": {"times": 100},
    },
    "steps": [["four_of_a_kind", "full_house", "flush"], ["straight_flush"], ["royal_flush"]],
    "fixed_from_pool": True,
    "priority_pools": ["main"],
    "variants": {
        "sub_pools": {
            "pool_of": {
                "royal_flush": "major",
                "straight_flush": "major",
                "four_of_a_kind": "minor",
                "full_house": "minor",
                "flush": "minor",
            },
            "priority_pools": ["major"],
        }
    },
}
S10_DATA: dict[str, Any] = {
    "prizes": {
        "royal_flush": {"share": 1},
        "straight_flush": {"share": [1, 10]},
        "four_of_a_kind": {"amount": 50_000},
        "full_house": {"amount": 10_000},
        "flush": {"amount": 5_000},
    },
    "least_rate": [70, 100],
    "variants": {"straight_flush_fixed": {"prizes": {"straight_flush": {"amount": 500_000}}}},
}
NZ = jackpot_from("nz", NZ_DATA)
NZ_SPLIT = jackpot_from("nz", NZ_DATA, ["sub_pools"])
S10 = jackpot_from("s10", S10_DATA)
S10_FIXED = jackpot_from("s10", S10_DATA, ["straight_flush_fixed"])


def amounts(
    rules: JackpotRules, kinds: list[Category], pool: int | None, wager: int = 100
) -> list[int | None]:
    winners = [Winner(seat, kind, wager) for seat, kind in enumerate(kinds, 1)]
    return [award.amount for award in payouts(rules, winners, {"main": pool})]


@pytest.mark.parametrize(
    "kind, pool, due",
    [
        (ROYAL, 20_000_000, 20_000_000),
        (ROYAL, 900_000, 1_000_000),  # 10,000 to 1 is the greater
        (STRAIGHT_FLUSH, 20_000_000, 2_000_000),
        (STRAIGHT_FLUSH, 900_000, 100_000),  # 1,000 to 1 is the greater
        (QUADS, 20_000_000, 50_000),
        (FULL_HOUSE, 20_000_000, 15_000),
        (FLUSH, 20_000_000, 10_000),
    ],
)
def test_nz_11_9_one_winner(kind: Category, pool: int, due: int) -> None:
    assert amounts(NZ, [kind], pool) == [due]


def test_nz_11_9_odds_follow_the_wager() -> None:
    assert amounts(NZ, [FLUSH, QUADS], 20_000_000, wager=250) == [25_000, 125_000]


def test_nz_11_10_fixed_prizes_come_off_before_straight_flushes() -> None:
    # 200,000.00 less 500.00 and 100.00 leaves 199,400.00, whatever the order of the seats
    assert amounts(NZ, [STRAIGHT_FLUSH, QUADS, FLUSH], 20_000_000) == [1_994_000, 50_000, 10_000]


def test_nz_11_10_straight_flushes_are_all_paid_on_the_same_base() -> None:
    assert amounts(NZ, [STRAIGHT_FLUSH, FULL_HOUSE, STRAIGHT_FLUSH], 20_015_000) == [
        2_000_000,
        15_000,
        2_000_000,
    ]


def test_nz_11_10_c_royals_share_what_is_left() -> None:
    kinds = [ROYAL, STRAIGHT_FLUSH, ROYAL, FLUSH]
    # 200,100.00 - 100.00 = 200,000.00; - 20,000.00 = 180,000.00; 90,000.00 each
    assert amounts(NZ, kinds, 20_010_000) == [9_000_000, 2_000_000, 9_000_000, 10_000]


def test_nz_11_10_c_a_royal_gets_10000_to_1_if_its_share_is_less() -> None:
    assert amounts(NZ, [ROYAL, ROYAL], 1_500_000) == [1_000_000, 1_000_000]


def test_nz_11_6c_fixed_prizes_do_not_touch_the_major_pool() -> None:
    winners = [Winner(1, STRAIGHT_FLUSH, 100), Winner(2, QUADS, 100), Winner(3, ROYAL, 100)]
    pools = {"major": 20_000_000, "minor": 100_000}
    awards = payouts(NZ_SPLIT, winners, pools)
    assert [award.amount for award in awards] == [2_000_000, 50_000, 18_000_000]
    assert [award.pool for award in awards] == ["major", "minor", "major"]
    assert pools_after(NZ_SPLIT, pools, awards) == {"major": 0, "minor": 50_000}


def test_s10_l_5_one_winner() -> None:
    assert [amounts(S10, [kind], 10_000_000)[0] for kind in (ROYAL, STRAIGHT_FLUSH, QUADS, FULL_HOUSE, FLUSH)] == [
        10_000_000, 1_000_000, 50_000, 10_000, 5_000,
    ]  # fmt: skip


def test_s10_l_5_a_straight_flush_may_be_designated_5000() -> None:
    assert amounts(S10_FIXED, [STRAIGHT_FLUSH, STRAIGHT_FLUSH], 10_000_000) == [500_000, 500_000]
    assert amounts(S10_FIXED, [STRAIGHT_FLUSH], None) == [500_000]


def test_s10_l_7_straight_flushes_are_paid_on_the_meter_at_each_turn() -> None:
    assert amounts(S10, [STRAIGHT_FLUSH, STRAIGHT_FLUSH], 10_000_000) == [1_000_000, 900_000]


def test_s10_l_7_the_meter_as_signalled_counts_before_what_it_should_show() -> None:
    winners = [Winner(1, STRAIGHT_FLUSH, 100, 10_000_000), Winner(2, STRAIGHT_FLUSH, 100, 9_000_350)]
    assert [award.amount for award in payouts(S10, winners, {})] == [1_000_000, 900_035]


def test_s10_l_7_royals_share_the_meter_as_the_first_of_them_finds_it() -> None:
    winners = [
        Winner(1, STRAIGHT_FLUSH, 100, 10_000_000),
        Winner(2, ROYAL, 100, 9_000_000),
        Winner(5, ROYAL, 100, 4_500_000),
    ]
    assert [award.amount for award in payouts(S10, winners, {})] == [1_000_000, 4_500_000, 4_500_000]


def test_s10_l_7_after_a_fixed_prize_only_a_new_reading_tells_the_meter() -> None:
    """The book does not say whether fixed prizes come out of the meter."""
    assert amounts(S10, [QUADS, STRAIGHT_FLUSH], 10_000_000) == [50_000, None]
    winners = [Winner(1, QUADS, 100), Winner(2, STRAIGHT_FLUSH, 100, 9_950_000)]
    assert [award.amount for award in payouts(S10, winners, {"main": 10_000_000})] == [50_000, 995_000]


def test_a_pool_that_was_not_seen_leaves_fixed_prizes_certain() -> None:
    awards = payouts(NZ, [Winner(1, FLUSH, 100), Winner(2, STRAIGHT_FLUSH, 100)], {})
    assert [(award.amount, award.least) for award in awards] == [(10_000, 10_000), (None, 100_000)]
    assert awards[1].words == "straight flush: at least 1,000.00, the meter was not seen"


def test_shares_are_rounded_down_to_the_cent() -> None:
    assert amounts(NZ, [STRAIGHT_FLUSH], 10_000_019) == [1_000_001]
    assert amounts(S10, [ROYAL, ROYAL, ROYAL], 10_000_000) == [3_333_333] * 3


kinds = st.lists(st.sampled_from([FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL]), min_size=1, max_size=7)


@given(kinds, st.integers(100_000_000, 10**10), st.randoms(use_true_random=False))
def test_nz_11_10_the_order_of_seats_does_not_matter(hands: list[Category], pool: int, rng: Any) -> None:
    winners = [Winner(seat, kind, 100) for seat, kind in enumerate(hands, 1)]
    due = {award.seat: award.amount for award in payouts(NZ, winners, {"main": pool})}
    rng.shuffle(winners)
    assert {award.seat: award.amount for award in payouts(NZ, winners, {"main": pool})} == due


@given(kinds, st.integers(100_000_000, 10**10))
def test_nz_11_10_a_rich_pool_never_pays_more_than_it_holds(hands: list[Category], pool: int) -> None:
    """Under s10 it may: royals share the meter as the first of them found it, whatever was paid in between."""
    winners = [Winner(seat, kind, 100) for seat, kind in enumerate(hands, 1)]
    awards = payouts(NZ, winners, {"main": pool})
    assert sum(award.amount or 0 for award in awards if award.base is not None) <= pool


@given(kinds, st.integers(0, 10**10))
def test_nobody_gets_less_than_the_least_prize(hands: list[Category], pool: int) -> None:
    for rules in (NZ, S10):
        winners = [Winner(seat, kind, 100) for seat, kind in enumerate(hands, 1)]
        awards = payouts(rules, winners, {"main": pool})
        assert all(award.amount is None or award.amount >= award.least for award in awards)


@given(kinds, st.integers(0, 10**10))
def test_s10_l_7_all_royals_get_the_same(hands: list[Category], pool: int) -> None:
    winners = [Winner(seat, kind, 100) for seat, kind in enumerate(hands, 1)]
    royals = {award.amount for award in payouts(S10, winners, {"main": pool}) if award.kind is ROYAL}
    assert len(royals) <= 1


def claim(table: str, kind: Category, at: int | None, packets: bool = False) -> Claim:
    if packets:
        return Claim(table, Winner(1, kind, 100), True, 0, at)
    return Claim(table, Winner(1, kind, 100), False, at, 99_999)


def test_nz_11_11_first_card_for_a_shoe_whole_hand_for_a_shuffler() -> None:
    claims = [
        claim("A", ROYAL, 1200),
        claim("B", ROYAL, 1100, packets=True),
        claim("C", STRAIGHT_FLUSH, 1000),
    ]
    order = prioritise(NZ, claims)
    assert order is not None
    assert [one.table for one in order] == ["C", "B", "A"]


def test_nz_11_11_the_first_table_is_paid_from_the_full_pool() -> None:
    claims = [claim("A", ROYAL, 1200), claim("B", STRAIGHT_FLUSH, 1100)]
    awards = payouts_between_tables(NZ, claims, {"main": 20_000_000})
    assert awards is not None
    assert (awards["B"][0].amount, awards["A"][0].amount) == (2_000_000, 18_000_000)
    swapped = payouts_between_tables(NZ, [claim("A", ROYAL, 1000), claims[1]], {"main": 20_000_000})
    assert swapped is not None
    assert (swapped["B"][0].amount, swapped["A"][0].amount) == (100_000, 20_000_000)


def test_nz_11_6c_only_claims_on_the_major_pool_are_ranked() -> None:
    order = prioritise(NZ_SPLIT, [claim("A", QUADS, 100), claim("B", ROYAL, 300), claim("C", ROYAL, 200)])
    assert order is not None
    assert [one.table for one in order] == ["C", "B"]
    assert prioritise(NZ_SPLIT, [claim("A", QUADS, None), claim("B", ROYAL, 300)]) is not None


@pytest.mark.parametrize("at", [None, 500])
def test_nz_11_11_priority_that_cannot_be_told_is_not_guessed(at: int | None) -> None:
    claims = [claim("A", ROYAL, at), claim("B", ROYAL, 500)]
    assert prioritise(NZ, claims) is None
    assert payouts_between_tables(NZ, claims, {"main": 20_000_000}) is None


def test_s10_l_7_between_tables_the_cards_give_no_priority() -> None:
    assert prioritise(S10, [claim("A", ROYAL, 100), claim("B", ROYAL, 200)]) == ()


def test_s10_l_6_the_meter_takes_at_least_70_percent() -> None:
    assert S10.least_rate == Ratio(70, 100)
    assert meter_range(1_000_000, 700, Ratio(75, 100)) == (1_000_525, 1_000_525)
    assert not meter_too_slow(1_000_000, 1_000_490, 700, S10.least_rate)
    assert meter_too_slow(1_000_000, 1_000_489, 700, S10.least_rate)
    assert not meter_too_slow(1_000_000, 950_490, 700, S10.least_rate, paid=50_000)


@given(
    st.lists(st.integers(1, 700), min_size=1, max_size=30),
    st.integers(1, 1000),
    st.integers(0, 10**6),
    st.integers(0, 999),
)
def test_a_meter_that_hides_parts_of_a_cent_stays_in_its_range(
    wagers: list[int], rate: int, before: int, hidden: int
) -> None:
    """The meter below counts thousandths of a cent and shows whole cents."""
    exact = before * 1000 + hidden + sum(wagers) * rate
    low, high = meter_range(before, sum(wagers), Ratio(rate, 1000))
    assert low <= exact // 1000 <= high <= low + 1
    assert not meter_too_slow(before, exact // 1000, sum(wagers), Ratio(rate, 1000))


def test_nz_11_7_which_hands_win_and_when_it_cannot_be_told() -> None:
    assert NZ.wins(LOWEST[FLUSH]) is True
    assert NZ.wins(LOWEST[FLUSH] - 1) is False
    assert NZ.wins(Bounds(LOWEST[FLUSH], STRONGEST)) is True
    assert NZ.wins(Bounds(0, STRONGEST)) is None
    assert NZ.wins(Bounds(0, LOWEST[Category.STRAIGHT])) is False


def test_a_third_book_fills_in_other_numbers() -> None:
    """Straights win, two steps the other way round, two hands share half a pool."""
    book = JackpotRules(
        "third",
        {
            Category.STRAIGHT: Prize(amount=2_000),
            FLUSH: Prize(times=20, share=Ratio(1, 100)),
            ROYAL: Prize(share=Ratio(1, 2)),
        },
        steps=(frozenset({ROYAL}), frozenset({FLUSH, Category.STRAIGHT})),
    )
    winners = [
        Winner(1, FLUSH, 500),
        Winner(2, ROYAL, 500),
        Winner(3, ROYAL, 500),
        Winner(4, Category.STRAIGHT, 500),
    ]
    due = [award.amount for award in payouts(book, winners, {"main": 4_000_000})]
    assert due == [20_000, 1_000_000, 1_000_000, 2_000]


def test_a_hand_without_a_prize_or_a_wager_is_refused() -> None:
    with pytest.raises(BadAmount, match="seat 4: straight wins no jackpot under nz"):
        payouts(NZ, [Winner(4, Category.STRAIGHT, 100)], {"main": 1})
    with pytest.raises(BadAmount):
        Winner(4, FLUSH, 0)


@pytest.mark.parametrize(
    "data, message",
    [
        ({"price": 1}, "jackpot.price: no such field"),
        ({"prizes": {"flush": {"time": 1}}}, "jackpot.prizes.flush.time: no such field"),
        ({"prizes": {"flush": {"times": 1.5}}}, "jackpot.prizes.flush: times and amount are whole numbers"),
        ({"prizes": {"flush": {"share": "10%"}}}, "jackpot.prizes.flush.share"),
        ({"prizes": {"flush": {}}, "steps": [["flush"], ["flush"]]}, "two steps"),
        ({"prizes": {}, "pool_of": {"flush": "minor"}}, "without a prize"),
    ],
)
def test_bad_data_names_its_field(data: dict[str, Any], message: str) -> None:
    with pytest.raises(BadRulebook, match=message):
        jackpot_from("bad", data)


def test_bad_variants_and_odds_name_their_field() -> None:
    with pytest.raises(BadRulebook, match=r"jackpot\.variants\.no_such: missing"):
        jackpot_from("nz", NZ_DATA, ["no_such"])
    with pytest.raises(BadRulebook, match=r"odds.bet.high_card: missing"):
        odds_from("bad", {"pair": 1})
