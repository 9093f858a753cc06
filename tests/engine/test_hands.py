"""Five-card ranking, proved over all hands (nz 4, s10 (e))."""

from __future__ import annotations

import hashlib
import sys
from array import array
from collections import Counter
from itertools import combinations, combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import DECK, UNKNOWN, Card, parse_cards
from engine.errors import BadHand
from engine.hands import (
    CLASSES,
    QUALIFYING,
    STRONGEST,
    Category,
    category,
    compare,
    describe,
    describe_both,
    describe_strength,
    evaluate,
    qualifies,
    strength_of_key,
)
from engine.odds_analysis import CATEGORY_COUNTS

ORDER_DIGEST = "13512b584d6acdd69155c59e826980550767a455e761e09b061e798cfe0c8d48"
"""SHA-256 of the strengths of all hands, two bytes each, high byte first, hands in the order of the deck.

`benchmarks/bench_hands.py --all` finds the same order in two other libraries.
"""

hands = st.lists(st.sampled_from(DECK), min_size=5, max_size=5, unique=True)


def plain_rank(cards: list[Card] | tuple[Card, ...]) -> tuple[int, ...]:
    """Rank a hand the slow and obvious way, straight from the wording of the rules."""
    counts = Counter(card.rank for card in cards)
    groups = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    ranks = sorted(counts)
    flush = len({card.suit for card in cards}) == 1
    low_straight = ranks == [2, 3, 4, 5, 14]
    straight = len(ranks) == 5 and (ranks[4] - ranks[0] == 4 or low_straight)
    if low_straight:
        groups = [5, 4, 3, 2, 1]
    if straight and flush:
        kind = 9 if ranks[0] == 10 else 8
    elif shape == [4, 1]:
        kind = 7
    elif shape == [3, 2]:
        kind = 6
    elif flush:
        kind = 5
    elif straight:
        kind = 4
    else:
        kind = {(3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}[tuple(shape)]
    return (kind, *groups)


def one_of_each_kind() -> list[tuple[Card, ...]]:
    """One hand for every multiset of ranks, and one more of one suit where the ranks differ."""
    found = []
    for ranks in combinations_with_replacement(range(2, 15), 5):
        if ranks[0] == ranks[4]:
            continue
        suits = "cdhs"
        mixed = [Card(rank, suits[ranks[:i].count(rank)]) for i, rank in enumerate(ranks)]
        if len(set(ranks)) == 5:
            found.append(tuple(mixed))
            mixed[0] = Card(ranks[0], "d")
        found.append(tuple(mixed))
    return found


@pytest.fixture(scope="module")
def all_strengths() -> array[int]:
    """Strengths of all 2,598,960 hands in the order of the deck, by adding keys up as far as they are shared."""
    keys = [card.key for card in DECK]
    strengths = array("H")
    for a, b, c in combinations(range(52), 3):
        three = keys[a] + keys[b] + keys[c]
        for d in range(c + 1, 51):
            four = three + keys[d]
            strengths.extend([strength_of_key(four + key) for key in keys[d + 1 :]])
    return strengths


def test_all_hands_have_the_known_category_counts(all_strengths: array[int]) -> None:
    counts: Counter[Category] = Counter()
    for strength, count in Counter(all_strengths).items():
        counts[category(strength)] += count
    assert len(all_strengths) == 2_598_960
    assert counts == CATEGORY_COUNTS
    assert [counts[kind] for kind in reversed(Category)] == [
        4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540,
    ]  # fmt: skip


def test_nz_10_1_s10_a_1_viii_the_dealer_qualifies_with_1463700_hands(all_strengths: array[int]) -> None:
    assert (
        sum(count for strength, count in Counter(all_strengths).items() if qualifies(strength)) == 1_463_700
    )


def test_the_order_of_all_hands_has_not_changed(all_strengths: array[int]) -> None:
    order = array("H", all_strengths)
    if sys.byteorder == "little":
        order.byteswap()
    assert hashlib.sha256(order.tobytes()).hexdigest() == ORDER_DIGEST


def test_every_strength_is_reached(all_strengths: array[int]) -> None:
    assert set(all_strengths) == set(range(STRONGEST + 1))


def test_every_kind_of_hand_ranks_as_the_plain_reading_of_the_rules_does() -> None:
    kinds = sorted(one_of_each_kind(), key=plain_rank)
    assert len(kinds) == len({plain_rank(hand) for hand in kinds}) == len(CLASSES) == 7_462
    assert [evaluate(hand) for hand in kinds] == list(range(7_462))
    assert all(category(evaluate(hand)) == plain_rank(hand)[0] for hand in kinds)


@given(hands, hands)
def test_two_hands_compare_as_the_plain_reading_of_the_rules_does(one: list[Card], other: list[Card]) -> None:
    left, right = plain_rank(one), plain_rank(other)
    assert compare(one, other) == (left > right) - (left < right)
    assert compare(one, other) == -compare(other, one)


@given(hands, st.permutations(range(5)), st.permutations("cdhs"))
def test_nz_4_1_neither_the_order_of_cards_nor_the_names_of_suits_matter(
    hand: list[Card], order: list[int], suits: list[str]
) -> None:
    renamed = [Card(hand[i].rank, suits["cdhs".index(hand[i].suit)]) for i in order]
    assert evaluate(renamed) == evaluate(hand)


LADDER = [
    "7h 5c 4d 3s 2c",
    "Ah Qd Jc Ts 9h",  # the best hand with which the dealer does not play
    "Ah Kd 4c 3s 2d",
    "Ah Kd Qc Js 9d",
    "2h 2d 5c 4s 3d",
    "8c 8d As 4h 2c",
    "Ah Ad Kc Qs Jd",
    "3h 3d 2c 2s 4d",
    "Ah Ad Kc Ks Qd",
    "2h 2d 2c 4s 3d",
    "Ah Ad Ac Ks Qd",
    "Ah 2d 3c 4s 5d",  # an ace may be low
    "6h 2d 3c 4s 5d",
    "Ah Kd Qc Js Td",
    "7h 5h 4h 3h 2h",
    "Ah Kh Qh Jh 9h",
    "2h 2d 2c 3s 3d",
    "2h 2d 2c As Ad",  # the hands take their rank from the threesome
    "3h 3d 3c 2s 2d",
    "Ah Ad Ac Ks Kd",
    "2h 2d 2c 2s 3d",
    "Ah Ad Ac As Kd",
    "Ah 2h 3h 4h 5h",
    "Kh Qh Jh Th 9h",
    "Ah Kh Qh Jh Th",
]


def test_nz_4_3_s10_e_2_hands_rank_from_lowest_to_highest() -> None:
    strengths = [evaluate(parse_cards(text)) for text in LADDER]
    assert strengths == sorted(set(strengths))


@pytest.mark.parametrize(
    "high, low",
    [
        ("Ah Qd 6c 4s 2h", "Ac Jd Ts 9h 8d"),  # (a) odd cards, one after the other
        ("8h 8d Ac 4s 2h", "8c 8s Kc Qs Jh"),  # (b) the highest of the remaining cards
        ("8h 8d Ac 4s 3h", "8c 8s Ad 4h 2h"),  # (b) and so on to the last
        ("Kh Kd 3c 3s 2h", "Qh Qd Jc Js Ah"),  # (c) the highest pair
        ("Kh Kd 4c 4s 2h", "Kc Ks 3c 3s Ah"),  # (c) then the second
        ("Kh Kd 4c 4s 3h", "Kc Ks 4d 4h 2h"),  # (c) then the fifth card
        ("Kh Qd Jc Ts 9h", "Jh Td 9c 8s 7h"),  # (d)
        ("Kh Qh Jh Th 9h", "Jd Td 9d 8d 7d"),  # (d)
    ],
)
def test_nz_4_4_hands_of_the_same_value_rank_by_their_cards(high: str, low: str) -> None:
    assert compare(parse_cards(high), parse_cards(low)) == 1


def test_s10_e_2_vi_an_ace_does_not_go_round_the_corner() -> None:
    assert category(evaluate(parse_cards("Qh Kd Ac 2s 3h"))) is Category.HIGH_CARD
    assert category(evaluate(parse_cards("Qh Kh Ah 2h 3h"))) is Category.FLUSH


def test_s10_e_3_pairs_come_before_single_cards() -> None:
    """The highest card "not contained in the other hand" is an ace here, but the pair of kings decides."""
    assert compare(parse_cards("Kh Kd 4c 3s 2h"), parse_cards("Qh Qd Ac Js Th")) == 1


def test_s10_e_3_equal_hands_push() -> None:
    assert compare(parse_cards("Kh Kd 4c 3s 2h"), parse_cards("Kc Ks 4h 3d 2c")) == 0


def test_s10_a_1_viii_ace_king_four_three_two_is_the_lowest_qualifying_hand() -> None:
    assert evaluate(parse_cards("Ah Kd 4c 3s 2h")) == QUALIFYING
    assert qualifies(QUALIFYING)
    assert not qualifies(evaluate(parse_cards("Ah Qd Jc Ts 9h")))


@pytest.mark.parametrize(
    "text", ["", "As", "As Kd Qh Jc", "As Kd Qh Jc 9c 2c", "As Kd Qh Jc ??", "?? ?? ?? ?? ??"]
)
def test_what_is_no_hand_is_refused(text: str) -> None:
    with pytest.raises(BadHand):
        evaluate(parse_cards(text))


def test_five_cards_of_one_rank_are_refused() -> None:
    with pytest.raises(BadHand):
        evaluate(parse_cards("As Ah Ad Ac As"))


@pytest.mark.parametrize(
    "text, words",
    [
        ("Ah Kh Qh Jh Th", "royal flush"),
        ("Ah 2h 3h 4h 5h", "straight flush, five high"),
        ("6h 6d 6c 6s 3d", "four sixes, three kicker"),
        ("2h 2d 2c As Ad", "full house, twos over aces"),
        ("Kh 5h 4h 3h 2h", "flush, king high"),
        ("Ah Kd Qc Js Td", "straight, ace high"),
        ("9h 9d 9c 4s 3d", "three nines, four kicker"),
        ("Kh Kd 4c 4s 3h", "two pairs, kings and fours, three kicker"),
        ("8c 8d As 4h 2c", "pair of eights, ace kicker"),
        ("Ah Kd 4c 3s 2d", "ace and king high"),
        ("Qh Jd 4c 3s 2d", "queen high"),
    ],
)
def test_hands_have_names_that_an_operator_understands(text: str, words: str) -> None:
    assert describe(parse_cards(text)) == words


def test_every_strength_has_its_own_full_name() -> None:
    assert len({describe_strength(strength, full=True) for strength in range(STRONGEST + 1)}) == STRONGEST + 1


@given(hands, hands)
def test_two_different_strengths_never_get_the_same_name_side_by_side(
    one: list[Card], other: list[Card]
) -> None:
    left, right = describe_both(one, other)
    assert (left == right) == (compare(one, other) == 0)


def test_a_hand_that_was_not_all_seen_is_named_by_its_cards() -> None:
    assert describe((DECK[12], UNKNOWN)) == "Ac ??, not all seen"
    assert describe(()) == "no cards, not all seen"
    assert describe(DECK[:6]) == "2c 3c 4c 5c 6c 7c, more than five cards"
