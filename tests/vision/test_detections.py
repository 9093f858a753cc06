"""The one currency of vision keeps its promises whatever it is built from."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.detections import UNKNOWN, Detections, Kind, join
from vision.errors import BadDetections


@st.composite
def some(draw: st.DrawFn) -> Detections:
    n = draw(st.integers(0, 7))
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    return Detections(
        rng.integers(0, 5, n).astype(np.int8),
        rng.uniform(-50, 2000, (n, 4, 2)).astype(np.float32),
        rng.uniform(0, 1, n).astype(np.float32),
    )


@given(some())
@settings(max_examples=40, deadline=None)
def test_every_row_has_everything_and_nothing_can_be_written(one: Detections) -> None:
    n = len(one)
    assert one.kinds.shape == one.scores.shape == one.confs.shape == (n,)
    assert one.quads.shape == (n, 4, 2)
    assert len(one.labels) == len(one.stacks) == n
    assert all((label == UNKNOWN) == bool(card) for label, card in zip(one.labels, one.is_card, strict=True))
    for array in (one.kinds, one.quads, one.scores, one.confs):
        assert not array.flags.writeable


@given(some(), some())
@settings(max_examples=40, deadline=None)
def test_joining_keeps_order_and_picking_undoes_it(a: Detections, b: Detections) -> None:
    both = join(a, b)
    assert len(both) == len(a) + len(b)
    first, last = both[np.arange(len(a))], both[np.arange(len(a), len(both))]
    assert (first.quads == a.quads).all()
    assert (last.quads == b.quads).all()
    assert first.labels == a.labels


@given(some())
@settings(max_examples=40, deadline=None)
def test_boxes_hold_their_quads_and_kinds_part_the_whole(one: Detections) -> None:
    boxes = one.boxes
    assert (boxes[:, None, :2] <= one.quads).all()
    assert (boxes[:, None, 2:] >= one.quads).all()
    assert sum(len(one.of(kind)) for kind in Kind) == len(one)
    assert np.allclose(one.moved(3, -2).quads, one.quads + np.array([3, -2]))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"quads": np.zeros((1, 3, 2))}, "quads has shape"),
        ({"scores": np.array([1.5])}, "scores must lie"),
        ({"quads": np.full((1, 4, 2), np.nan)}, "no number"),
        ({"kinds": np.array([9])}, "out of range"),
        ({"labels": ("As", "Ah")}, "2 labels"),
    ],
)
def test_arrays_that_do_not_belong_together_are_refused(change: dict[str, object], said: str) -> None:
    right: dict[str, object] = {
        "kinds": np.array([0]),
        "quads": np.zeros((1, 4, 2)),
        "scores": np.array([0.5]),
    }
    with pytest.raises(BadDetections, match=said):
        Detections(**{**right, **change})  # type: ignore[arg-type]
