"""Rounds through eyes with stated errors (5 % misses, 1 % misreads): figures that may not fall.

`metrics.json` keeps what was reached; a change that makes a figure worse fails here. A larger run is nightly, and
`pitwatch evaluate --noise 1000` the whole proof.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pitwatch.evaluation import Evaluation
from pitwatch.proving import noisy_cases
from simulator.observe import CLEAR, STATED

KEPT: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parent / "metrics.json").read_text(encoding="utf-8")
)


def _hold(name: str, figures: dict[str, Any]) -> None:
    for key, kept in KEPT[name].items():
        if key.startswith("false_alerts"):
            assert figures[key] <= kept, f"{name}: {key} rose from {kept} to {figures[key]}"
        else:
            assert figures[key] >= kept, f"{name}: {key} fell from {kept} to {figures[key]}"


def test_clear_eyes() -> None:
    _hold("clear", Evaluation(list(noisy_cases(3, noise=CLEAR, seed=1))).figures())


def test_stated_noise() -> None:
    _hold("stated", Evaluation(list(noisy_cases(6, noise=STATED, seed=1))).figures())


@pytest.mark.nightly
def test_stated_noise_over_two_dozen_rounds() -> None:
    _hold("stated-24", Evaluation(list(noisy_cases(24, noise=STATED, seed=1))).figures())
