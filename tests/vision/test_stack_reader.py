"""The stack reader: what it makes of the network's answers, when it abstains, and what shipped weights read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from calibration.camera import bets_camera, overview_camera
from calibration.tablefile import ChipModel, ChipSetModel
from vision.stack_crops import MOST, shifted
from vision.stack_reader import StackReader, describe, softmax
from vision.weights import Weights, load

CHIPS = ChipSetModel(
    name="test",
    chip=(
        ChipModel(value=100, label="1", colour="#ffffff", spots="#0000ff"),
        ChipModel(value=500, label="5", colour="#ff0000", spots="#ffffff"),
        ChipModel(value=2500, label="25", colour="#00ff00", spots="#000000"),
    ),
)


@dataclass(frozen=True)
class FakeWeights(Weights):
    """Weights whose session says the same of every strip."""

    name: str = "fake"
    path: Path = Path("fake")
    sha256: str = ""
    settings: Mapping[str, Any] = field(default_factory=lambda: {"threshold": 0.8})
    count: int = 3
    sure: float = 9.0
    shift: tuple[float, float] = (0.0, 0.0)

    def session(self, threads: int = 1) -> Any:
        return self

    def run(self, names: object, given: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        n, k = len(given["strips"]), len(given["chips"])
        counts, colours = np.zeros((n, MOST + 1)), np.zeros((n, MOST, k))
        counts[:, self.count] = self.sure
        colours[:, 0, 2], colours[:, 1:, 1] = self.sure, self.sure
        return counts, colours, np.tile(self.shift, (n, 1))


FRAME = np.full((1080, 1920, 3), 90, np.uint8)
FOOT = np.array([[100.0, 480.0]])


def test_layers_are_named_from_the_bottom() -> None:
    (read,) = StackReader(CHIPS, FakeWeights()).read(FRAME, bets_camera(), FOOT)
    assert read.values == (2500, 500, 500)
    assert read.stack is not None
    assert (read.stack.chips, read.stack.value) == (("25", "5", "5"), 3500)
    assert read.conf > 0.9


def test_an_unsure_or_unreadable_stack_is_not_read() -> None:
    camera = bets_camera()
    (doubt,) = StackReader(CHIPS, FakeWeights(sure=2.0)).read(FRAME, camera, FOOT)
    assert (doubt.values, doubt.stack) == (None, None)
    (covered,) = StackReader(CHIPS, FakeWeights(count=0)).read(FRAME, camera, FOOT)
    assert covered.values is None


def test_a_camera_from_above_cannot_read_and_a_foot_nowhere_is_no_error() -> None:
    reader = StackReader(CHIPS, FakeWeights())
    assert reader.read(FRAME, overview_camera(), FOOT)[0].values is None
    assert reader.read(FRAME, bets_camera(), np.array([[np.nan, np.nan]]))[0].values is None
    assert reader.read(FRAME, bets_camera(), np.zeros((0, 2))) == []


def test_the_foot_follows_what_the_strips_show() -> None:
    camera = bets_camera()
    (read,) = StackReader(CHIPS, FakeWeights(shift=(0.1, 0.5))).read(FRAME, camera, FOOT)
    once = shifted(camera, FOOT, np.array([[0.1, 0.5]]))
    twice = shifted(camera, once, np.array([[0.1, 0.5]]))
    assert np.allclose(read.foot, twice[0])


def test_chips_are_described_by_their_colours() -> None:
    told = describe(CHIPS.chip)
    assert told.shape == (3, 9)
    assert told[1].tolist()[:6] == [1, 0, 0, 1, 1, 1]
    assert np.allclose(softmax(np.array([[1.0, 1.0]])), 0.5)


def test_shipped_weights_take_any_chip_set_and_never_claim_more_than_certainty() -> None:
    rng = np.random.default_rng(1)
    noise = rng.integers(0, 255, (1080, 1920, 3)).astype(np.uint8)
    reads = StackReader(CHIPS, load("stack_reader")).read(
        noise, bets_camera(), np.array([[0, 480], [300, 400]])
    )
    assert all(0.0 <= read.conf <= 1.0 for read in reads)
    assert all(read.values is None for read in reads)
