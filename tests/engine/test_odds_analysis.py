"""The golden facts: exact edges over all deals, and the break-even meter."""

from __future__ import annotations

import pytest

from engine.errors import BadEvent, BadRulebook
from engine.exposure import PLAYER_EDGE, exposure_severity, exposure_words
from engine.hands import LOWEST, QUALIFYING, Category
from engine.jackpot import JackpotRules, Prize
from engine.odds_analysis import CATEGORY_COUNTS, DEALS, HANDS, Strategy, break_even_meter, net_antes
from engine.settlement import Odds, Ratio

S10 = Odds.to_one("s10", 1, 1, 2, 3, 4, 5, 7, 20, 50, 100)


def test_the_number_of_deals() -> None:
    assert DEALS == 19_933_230_517_200
    assert sum(CATEGORY_COUNTS.values()) == HANDS


@pytest.mark.parametrize(
    "strategy, antes",
    [
        (Strategy("always raise"), -3_310_360_338_060),
        (Strategy("any pair or better", LOWEST[Category.PAIR]), -1_090_272_101_460),
        (Strategy("any ace-king or better", QUALIFYING), -1_132_600_203_540),
    ],
    ids=lambda value: value.name if isinstance(value, Strategy) else "",
)
def test_plain_strategies_lose_exactly_the_known_antes(strategy: Strategy, antes: int) -> None:
    assert net_antes(strategy, S10) == antes


def test_all_five_dealer_cards_known_give_the_edge_that_severity_rests_on() -> None:
    edge = net_antes(Strategy("sees all", clairvoyant=True), S10) * 100_000 / DEALS
    assert abs(edge - PLAYER_EDGE[5]) < 50


def test_odds_that_are_no_whole_antes_are_refused() -> None:
    with pytest.raises(BadRulebook):
        net_antes(Strategy("always raise"), Odds("half", (Ratio(3, 2),) * 10))


def test_break_even_meter_of_a_one_unit_wager() -> None:
    book = JackpotRules(
        "s10",
        {
            Category.ROYAL_FLUSH: Prize(share=Ratio(1)),
            Category.STRAIGHT_FLUSH: Prize(share=Ratio(1, 10)),
            Category.FOUR_OF_A_KIND: Prize(amount=50_000),
            Category.FULL_HOUSE: Prize(amount=10_000),
            Category.FLUSH: Prize(amount=5_000),
        },
    )
    assert break_even_meter(book, 100) // 100 == 218_047


def test_exposed_dealer_cards_shift_the_edge() -> None:
    assert [exposure_severity(known) for known in range(6)] == [0, 0, 461, 1719, 4042, 6952]
    assert "4 of the dealer's cards known: edge 35.200 % for the player" in exposure_words(4)
    assert "edge 0.616 % for the house" in exposure_words(2)
    assert "unchanged" in exposure_words(1)
    with pytest.raises(BadEvent):
        exposure_severity(6)
