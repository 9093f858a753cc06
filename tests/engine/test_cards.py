"""Cards: one object each, unchangeable, readable."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import DECK, UNKNOWN, Card, format_cards, parse_cards
from engine.errors import BadCard, PitwatchEngineError


def test_the_deck_has_52_different_cards_by_suit_and_in_sequence() -> None:
    assert len({card.label for card in DECK}) == 52
    assert [card.code for card in DECK] == list(range(52))
    assert list(DECK) == sorted(DECK)
    assert format_cards(DECK[:3]) == "2c 3c 4c"
    assert format_cards(DECK[12:15]) == "Ac 2d 3d"


def test_the_unknown_card_is_a_card_but_not_of_the_deck() -> None:
    assert UNKNOWN not in DECK
    assert not UNKNOWN.known
    assert (UNKNOWN.rank, UNKNOWN.suit, UNKNOWN.label) == (0, "?", "??")
    assert max((*DECK, UNKNOWN)) is UNKNOWN


@given(st.lists(st.sampled_from((*DECK, UNKNOWN))))
def test_cards_are_read_back_as_they_are_written(cards: list[Card]) -> None:
    back = parse_cards(format_cards(cards))
    assert all(one is other for one, other in zip(cards, back, strict=True))


@pytest.mark.parametrize("card", [*DECK, UNKNOWN], ids=repr)
def test_a_copy_of_a_card_is_the_card(card: Card) -> None:
    assert copy.copy(card) is card
    assert copy.deepcopy([card])[0] is card
    rebuild, arguments = card.__reduce__()
    assert rebuild is Card.parse
    assert Card.parse(*arguments) is card
    assert hash(card) == card.code


def test_cards_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        DECK[0].rank = 14
    with pytest.raises(AttributeError):
        del DECK[0].rank
    with pytest.raises(AttributeError):
        DECK[0].colour = "red"  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["", "A", "as", "10s", "Xs", "As ", "?", "Asd", "1h", "A\ns"])
def test_what_is_no_card_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(BadCard) as caught:
        Card.parse(text)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, PitwatchEngineError)


@pytest.mark.parametrize("rank, suit", [(1, "s"), (15, "s"), (14, "x"), (0, "?")])
def test_no_card_can_be_made_up(rank: int, suit: str) -> None:
    with pytest.raises(BadCard):
        Card(rank, suit)
