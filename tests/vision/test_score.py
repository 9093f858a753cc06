"""Scores of single pictures: what counts as right, wrong, unread, extra."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.detections import BACK, UNKNOWN, Detections, Kind
from vision.samples import TruthCard, stills, yolo_rows
from vision.score import BoxTally, CardTally, measure_stills, pair, score_boxes, score_cards

SQUARE = np.array([[0, 0], [63, 0], [63, 88], [0, 88]], np.float32)


def card(label: str, x: float = 0, **more: object) -> TruthCard:
    quad = SQUARE + np.array([x, 0])
    return TruthCard(label, np.concatenate([quad.min(0), quad.max(0)]), quad, **more)  # type: ignore[arg-type]


def found(*labels: str, at: tuple[float, ...], kind: Kind = Kind.FACE) -> Detections:
    n = len(labels)
    quads = np.stack([SQUARE + np.array([x, 0]) for x in at])
    kinds = np.full(n, kind, np.int8)
    return Detections(kinds, quads, np.full(n, 0.9, np.float32), labels, np.full(n, 0.9, np.float32))


def test_a_read_counts_only_in_its_place_and_under_its_name() -> None:
    truth = [card("As"), card("Kd", 100), card("7c", 200)]
    tally = score_cards(truth, found("As", "Kh", UNKNOWN, "2c", at=(3, 102, 203, 400)))
    assert (tally.there, tally.placed, tally.right, tally.wrong, tally.unread) == (3, 3, 1, 1, 1)
    assert (tally.extra, tally.named) == (1, 3)
    assert tally.precision == pytest.approx(1 / 3)
    assert tally.recall == pytest.approx(1 / 3)
    assert tally.wrong_share == pytest.approx(0.5)


def test_an_unread_card_lowers_recall_and_not_precision() -> None:
    tally = score_cards([card("As"), card("Kd", 100)], found("As", UNKNOWN, at=(0, 100)))
    assert (tally.precision, tally.recall) == (1.0, 0.5)


def test_a_quad_is_held_against_the_quad_and_not_against_the_box_around_it() -> None:
    turned = np.array([[44, -30], [88, 14], [26, 76], [-18, 32]], np.float32)
    truth = [TruthCard("As", np.concatenate([turned.min(0), turned.max(0)]), turned)]
    upright = np.array([[-18, -30], [88, -30], [88, 76], [-18, 76]], np.float32)
    seen = Detections(
        np.zeros(1, np.int8), upright[None], np.ones(1, np.float32), ("As",), np.ones(1, np.float32)
    )
    assert score_cards(truth, seen).placed == 0


def test_finding_a_card_that_was_not_asked_for_is_no_false_alarm() -> None:
    tally = score_cards([card("As", counts=False)], found("As", "As", at=(0, 12)))
    assert tally == CardTally()


def test_face_against_back_is_counted_whether_or_not_it_was_read() -> None:
    truth = [card("As"), card(BACK, 100), card(BACK, 200)]
    tally = score_cards(truth, found(BACK, UNKNOWN, BACK, at=(0, 100, 200)))
    assert tally.flipped == 2


def test_pairs_are_taken_best_first_and_once() -> None:
    overlap = np.array([[0.9, 0.8], [0.85, 0.1]])
    assert pair(overlap) == [(0, 0)]
    assert pair(np.array([[0.6, 0.8], [0.85, 0.7]])) == [(1, 0), (0, 1)]
    assert pair(np.zeros((0, 3))) == []


def test_boxes_are_scored_within_their_kind() -> None:
    seen = found("", "", at=(0, 300), kind=Kind.HAND)
    tally = score_boxes(np.array([[0, 0, 63, 88], [100, 0, 163, 88]]), seen, Kind.HAND)
    assert tally == BoxTally(2, 1, 1)
    assert score_boxes(np.zeros((0, 4)), seen, Kind.STACK) == BoxTally()


def test_label_files_give_boxes_and_polygons_become_the_box_around_them() -> None:
    rows = yolo_rows("12 0.5 0.5 0.2 0.4\n3 0.1 0.1 0.3 0.1 0.3 0.5 0.1 0.5\n\n", 100, 200)
    assert rows == pytest.approx(np.array([[12, 40, 60, 60, 140], [3, 10, 20, 30, 100]]))


def test_stills_are_read_with_their_truth_and_measured_by_kind(tmp_path: Path) -> None:
    for name in ("images", "truth"):
        (tmp_path / name).mkdir()
    cv2.imwrite(str(tmp_path / "images" / "0.jpg"), np.zeros((300, 600, 3), np.uint8))
    quad = (SQUARE - 0.5).tolist()
    aside = (SQUARE + np.array([100, 0]) - 0.5).tolist()
    told = {
        "image": "images/0.jpg",
        "cards": [
            {"label": "As", "quad": quad, "visible": 1.0, "corners": [1, 1]},
            {"label": "Kd", "quad": aside, "visible": 0.4, "corners": [0, 1]},
        ],
        "stacks": [],
        "hands": [{"box": [299.5, -0.5, 362.5, 87.5]}],
        "decks": [],
    }
    (tmp_path / "truth" / "0.json").write_text(json.dumps(told))
    assert len(list(stills(tmp_path))) == 1
    figures = measure_stills(tmp_path, lambda image: found("As", UNKNOWN, at=(0, 100)))
    assert (figures["clear"]["f1"], figures["clear"]["there"]) == (1.0, 1)
    assert (figures["covered"]["unread"], figures["covered"]["wrong"]) == (1, 0)
    assert figures["hand"]["recall"] == 0.0
