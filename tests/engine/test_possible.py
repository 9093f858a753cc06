"""What a hand may still be when cards were not seen: exact, so never a guess and never a needless doubt."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import DECK, UNKNOWN, Card, parse_cards
from engine.errors import BadHand
from engine.hands import Category, evaluate
from engine.possible import Bounds, _by_search, _by_trial, best_possible, possible, worst_possible


@given(
    st.lists(st.sampled_from(DECK), min_size=3, max_size=45, unique=True),
    st.integers(min_value=3, max_value=4),
)
@settings(max_examples=60)
def test_searching_and_trying_out_agree(cards: list[Card], count: int) -> None:
    known, gone = cards[: min(count, len(cards))], cards[count:]
    free = [card for card in DECK if card not in known and card not in gone]
    assert _by_search(known, free) == _by_trial(known, free, 5 - len(known))


@given(st.lists(st.sampled_from(DECK), min_size=36, max_size=46, unique=True), st.integers(0, 2))
@settings(max_examples=40)
def test_searching_and_trying_out_agree_when_few_cards_are_left(cards: list[Card], count: int) -> None:
    """Few cards are left, so that flushes may be forced and ranks may have run out."""
    known, gone = cards[:count], cards[count:]
    free = [card for card in DECK if card not in known and card not in gone]
    assert _by_search(known, free) == _by_trial(known, free, 5 - len(known))


def test_a_hand_that_can_only_be_a_flush_is_one() -> None:
    free = [card for card in DECK if card.suit == "h"]
    assert _by_search((), free) == _by_trial((), free, 5)
    assert _by_search((), free).worst == evaluate(parse_cards("7h 5h 4h 3h 2h"))


@given(
    st.lists(st.sampled_from(DECK), min_size=10, max_size=10, unique=True),
    st.sets(st.integers(0, 4), max_size=5),
)
def test_the_true_hand_lies_within_the_bounds(cards: list[Card], hidden: set[int]) -> None:
    hand, seen = cards[:5], cards[5:]
    shown = [UNKNOWN if i in hidden else card for i, card in enumerate(hand)]
    bounds = possible(shown, seen)
    assert bounds.worst <= evaluate(hand) <= bounds.best
    assert bounds.certain or hidden
    assert (best_possible(shown, seen), worst_possible(shown, seen)) == (bounds.best, bounds.worst)


@given(st.lists(st.sampled_from(DECK), min_size=12, max_size=12, unique=True), st.integers(1, 5))
def test_more_seen_cards_never_widen_the_bounds(cards: list[Card], hidden: int) -> None:
    shown = cards[: 5 - hidden] + [UNKNOWN] * hidden
    wide, narrow = possible(shown, cards[5:8]), possible(shown, cards[5:])
    assert wide.worst <= narrow.worst <= narrow.best <= wide.best


def test_cards_not_dealt_yet_count_as_unknown() -> None:
    assert possible(parse_cards("As Kd")) == possible(parse_cards("As Kd ?? ?? ??"))


def test_bounds_tell_the_category_and_whether_the_dealer_plays() -> None:
    assert possible(parse_cards("As Ad Ah Ac ??")).category is Category.FOUR_OF_A_KIND
    assert possible(parse_cards("As Kd ?? ?? ??")).category is None
    assert possible(parse_cards("As Kd ?? ?? ??")).qualifies is True
    assert possible(parse_cards("7s 5d 4h 2c ??")).qualifies is None
    no_pair = [Card(rank, suit) for rank in (7, 5, 4, 2) for suit in "cdhs"]
    assert possible(parse_cards("7s 5d 4h 2c ??"), seen=no_pair).qualifies is False


def test_a_hand_of_six_or_with_a_card_twice_is_refused() -> None:
    for text in ("As Kd Qh Jc 9c 2c", "As As ?? ?? ??", "As Kd ?? ?? ?? ??"):
        with pytest.raises(BadHand):
            possible(parse_cards(text))


def test_a_hand_that_no_cards_are_left_for_is_refused() -> None:
    with pytest.raises(BadHand, match="only 0 cards are left"):
        possible((*DECK[:4], UNKNOWN), seen=DECK[4:])


def test_one_unread_card_is_tried_out_exactly() -> None:
    shown = parse_cards("9h Th Jh Qh ??")
    strengths = [evaluate((*shown[:4], card)) for card in DECK if card not in shown]
    assert possible(shown) == Bounds(min(strengths), max(strengths))
    assert len(list(combinations(range(48), 1))) == len(strengths)
