"""Enrolment: the order of a spread labels its cards, and what was learnt mends the reads of that deck."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.card_reader import CLASSES, LABELS, Reads
from vision.enrol import Spread, blend, enrol, load_deck, match, reading_order, save_deck
from vision.errors import BadEnrolment

RANKS = "A23456789TJQK"
ORDER = [LABELS.index(rank + suit) for suit in "hscd" for rank in RANKS]
RNG = np.random.default_rng(5)
LOOKS = RNG.normal(0, 1, (52, 24))


def spread_of(order: list[int], wrong: float = 0.0, seed: int = 1) -> Spread:
    """A spread whose cards are sometimes read as another."""
    rng = np.random.default_rng(seed)
    logs = np.full((len(order), 52), np.log(0.005))
    for i, label in enumerate(order):
        said = int(rng.integers(52)) if rng.random() < wrong else label
        logs[i, said] = np.log(0.7)
    one = LOOKS[order] + rng.normal(0, 0.1, (len(order), 24))
    return Spread(logs, np.stack([one, one + 0.05], 1).astype(np.float32))


def test_the_order_labels_cards_that_were_read_wrongly() -> None:
    spread = spread_of(ORDER, wrong=0.3)
    _, pairs = match(spread.logs, ORDER)
    assert pairs == list(enumerate(ORDER))
    deck = enrol([spread])
    assert deck.known.all()
    assert 0.55 < deck.agree < 0.9


def test_missed_cards_and_false_finds_move_nothing() -> None:
    order = [*ORDER[:7], *ORDER[9:30], ORDER[3], *ORDER[30:]]
    deck = enrol([spread_of(order)])
    assert deck.known.sum() == 50
    assert not deck.known[ORDER[7]]


def test_a_suit_a_picture_in_any_order_of_suits_will_do() -> None:
    parts = [spread_of(ORDER[i : i + 13], wrong=0.2, seed=i) for i in (0, 13, 26, 39)]
    assert enrol(parts).known.all()


@pytest.mark.parametrize("order", [ORDER[:30], [int(v) for v in np.random.default_rng(2).permutation(52)]])
def test_what_is_no_spread_in_order_is_refused(order: list[int]) -> None:
    with pytest.raises(BadEnrolment):
        enrol([spread_of(order, wrong=0.2)])


def test_an_enrolled_deck_mends_reads_and_leaves_backs_alone() -> None:
    deck = enrol([spread_of(ORDER)])
    odds = np.full((3, len(CLASSES)), 1e-4, np.float32)
    odds[0, ORDER[4]], odds[0, ORDER[5]] = 0.44, 0.55  # unsure, the wrong one ahead
    odds[1, ORDER[9]] = 0.99
    odds[2, CLASSES.index("back")] = 0.99
    looks = np.stack([LOOKS[ORDER[4]], LOOKS[ORDER[9]], RNG.normal(0, 1, 24)])
    read = blend(Reads(odds, looks.astype(np.float32)), deck)
    assert read.odds[0].argmax() == ORDER[4]
    assert read.odds[1].argmax() == ORDER[9]
    assert read.labels(0.9)[0][2] == "back"
    assert np.allclose(read.odds.sum(1), odds.sum(1), atol=1e-3)


def test_rows_are_read_from_the_top_and_from_the_left_even_askew() -> None:
    turn = np.radians(12)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    card = np.array([[-10, -14], [10, -14], [10, 14], [-10, 14]], float)
    places = [(column * 15.0, row * 40.0) for row in range(4) for column in range(13)]
    quads = np.array([(card + place) @ spin for place in places])
    mixed = np.random.default_rng(1).permutation(52)
    assert list(mixed[reading_order(quads[mixed])]) == list(range(52))


def test_a_deck_is_kept_in_a_file_and_other_files_are_refused(tmp_path: Path) -> None:
    deck = enrol([spread_of(ORDER)])
    save_deck(deck, tmp_path / "deck.npz")
    again = load_deck(tmp_path / "deck.npz")
    assert np.array_equal(again.prototypes, deck.prototypes)
    (tmp_path / "no.npz").write_bytes(b"nothing")
    with pytest.raises(BadEnrolment, match=r"no\.npz"):
        load_deck(tmp_path / "no.npz")
