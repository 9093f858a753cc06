"""The shipped card models: their geometry, and figures on shipped stills that may not fall."""

import json
from pathlib import Path

import numpy as np
import pytest

from vision import aligner
from vision.aligner import TEMPLATE, cut, frames, to_picture
from vision.card_reader import CLASSES, CardReader, Reads
from vision.detections import UNKNOWN
from vision.photograph import BareEye
from vision.score import measure_stills
from vision.weights import load

HERE = Path(__file__).resolve().parent
STILLS = HERE.parent.parent / "datasets" / "stills"
KEPT = HERE / "card_figures.json"
SLACK = 0.01
"""Processors round differently; one card of the shipped stills is more than this."""
CARD = np.array([[0, 0], [63, 0], [63, 88], [0, 88]], np.float32)


def test_a_proposal_cut_out_and_mapped_back_is_where_it_was() -> None:
    quads = np.stack([CARD + 40, CARD @ np.array([[0.0, 1.0], [-1.0, 0.0]], np.float32) + 200])
    maps = frames(quads)
    assert to_picture(np.stack([TEMPLATE] * 2), maps) == pytest.approx(quads, abs=1e-3)


def test_a_crop_shows_the_proposed_card_upright_in_its_middle() -> None:
    image = np.zeros((300, 300, 3), np.uint8)
    image[100:188, 80:143] = 255
    crop = cut(image, frames((CARD + np.array([80, 100], np.float32))[None]))[0]
    rows, columns = np.nonzero(crop[:, :, 0] > 127)
    assert (rows.min(), rows.max()) == (13, 50)
    assert (columns.min(), columns.max()) == (19, 44)


def test_a_pip_on_a_card_is_no_card_but_a_card_on_a_card_is() -> None:
    quads = np.stack([CARD * 3, CARD + 60, CARD * 2.6 + 30])
    assert list(aligner._within(quads, np.array([0.9, 0.8, 0.9]))) == [False, True, False]
    assert list(aligner._within(quads, np.array([0.5, 0.9, 0.5]))) == [False, False, False]


def test_a_doubtful_read_is_unknown_with_the_odds_of_the_best_guess() -> None:
    odds = np.full((2, len(CLASSES)), 0.001, np.float32)
    odds[0, 12], odds[1, 51] = 0.947, 0.7
    labels, confs = Reads(odds, np.zeros((2, 4), np.float32)).labels(0.9)
    assert labels == ("Ac", UNKNOWN)
    assert confs == pytest.approx([0.947, 0.7])


def test_no_crops_are_no_reads() -> None:
    reads = CardReader().read_crops(np.zeros((0, 112, 80, 3), np.uint8))
    assert reads.labels(0.5)[0] == ()


def test_every_setting_that_was_fitted_is_in_the_manifest() -> None:
    assert 0.5 < float(load("card_reader").settings["threshold"]) < 1
    assert float(load("card_reader").settings["temperature"]) > 0


def test_figures_on_the_shipped_stills_do_not_fall() -> None:
    figures = measure_stills(STILLS, BareEye().look)
    kept = json.loads(KEPT.read_text())
    found = {
        "clear cards, place and identity": figures["clear"]["f1"],
        "clear cards, place": figures["clear"]["place_f1"],
        "clear cards, names that are right": 1 - figures["clear"]["wrong_share"],
        "covered cards, names that are right": 1 - figures["covered"]["wrong_share"],
        "hands found": figures["hand"]["recall"],
        "stacks found": figures["stack"]["recall"],
    }
    assert found.keys() == kept.keys()
    fallen = {name: (value, kept[name]) for name, value in found.items() if value < kept[name] - SLACK}
    assert not fallen
