"""The evaluator: looks only where something changed, sheds in the stated order, tells old news from new."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from calibration.camera import bets_camera
from tests.vision.fakes import PaperAligner, PaperFinder, PaperReader, PaperStacks, cloth, put
from vision.detections import Kind
from vision.errors import BadPicture
from vision.evaluator import PACE, Evaluator
from vision.work import Budget, Pace, Task


def evaluator(units: float = 25_000, refresh: int = 125) -> Evaluator:
    out = Evaluator(PaperFinder(), PaperAligner(), PaperReader(), units, refresh)
    out.add("one", bets_camera(960, 540), PaperStacks())
    return out


def test_first_frame_is_looked_at_whole_and_a_still_one_not_at_all() -> None:
    eyes = evaluator()
    frame = put(cloth(), Kind.FACE, 200, 200)
    first = eyes.look("one", frame)
    assert first.whole
    assert first.found.labels == ("As",)
    calls = len(eyes.finder.calls)  # type: ignore[attr-defined]
    second = eyes.look("one", frame)
    assert len(eyes.finder.calls) == calls  # type: ignore[attr-defined]
    assert second.numbers == first.numbers
    assert second.spent == 0


def test_noise_below_the_gate_is_no_change() -> None:
    eyes = evaluator()
    frame = put(cloth(), Kind.FACE, 200, 200)
    first = eyes.look("one", frame)
    rng = np.random.default_rng(1)
    noisy = np.clip(frame + rng.normal(0, 3, frame.shape), 0, 255).astype(np.uint8)
    assert eyes.look("one", noisy).numbers == first.numbers


def test_only_the_changed_part_is_looked_at_and_the_rest_keeps_its_number() -> None:
    eyes = evaluator()
    before = put(cloth(), Kind.FACE, 200, 200)
    first = eyes.look("one", before)
    after = put(before, Kind.BACK, 700, 300)
    eyes.look("one", after)
    look = eyes.look("one", after)
    assert eyes.finder.calls[-1] < (500, 500)  # type: ignore[attr-defined]
    assert set(first.numbers) < set(look.numbers)
    assert sorted(look.found.labels) == ["As", "back"]


def test_a_card_that_is_taken_away_is_gone() -> None:
    eyes = evaluator()
    frame = put(put(cloth(), Kind.FACE, 200, 200), Kind.FACE, 600, 200)
    assert len(eyes.look("one", frame).found) == 2
    less = put(cloth(), Kind.FACE, 600, 200)
    for _ in range(3):
        look = eyes.look("one", less)
    assert len(look.found) == 1
    assert look.found.centres[0][0] > 500


def test_a_creeping_change_is_noticed() -> None:
    eyes = evaluator()
    frame = cloth()
    eyes.look("one", frame)
    seen = 0.0
    for step in range(12):
        frame[300:360, 300:360] = np.array([40, 90, 30]) + 3 * step
        seen = max(seen, eyes.look("one", frame).changed)
    assert seen > 0


def test_something_that_keeps_moving_is_not_looked_at_in_every_frame() -> None:
    eyes = evaluator()
    eyes.look("one", cloth())
    before = len(eyes.finder.calls)  # type: ignore[attr-defined]
    for step in range(12):
        eyes.look("one", put(cloth(), Kind.HAND, 100 + 3 * step, 200, (90, 90)))
    looks = len(eyes.finder.calls) - before  # type: ignore[attr-defined]
    assert 12 // PACE <= looks <= 12 // PACE + 2


def test_a_card_in_flight_is_read_when_it_has_come_to_rest() -> None:
    eyes = evaluator()
    eyes.look("one", cloth())
    for step in range(6):
        look = eyes.look("one", put(cloth(), Kind.FACE, 100 + 20 * step, 200))
    assert "As" not in look.found.labels
    for _ in range(3):
        look = eyes.look("one", put(cloth(), Kind.FACE, 200, 200))
    assert look.found.labels == ("As",)


def test_stacks_are_read_once_and_again_later() -> None:
    eyes = evaluator()
    frame = put(cloth(), Kind.STACK, 420, 200)
    first = eyes.look("one", frame)
    assert first.values == ((500,),)
    assert np.isfinite(first.feet).all()
    numbers = [eyes.look("one", frame).numbers for _ in range(10)]
    assert numbers[0] == first.numbers
    assert numbers[-1] != first.numbers


def test_shedding_begins_with_what_matters_least() -> None:
    """Of everything that is due at once, a smaller allowance drops a later kind of work, never an earlier one."""
    frame = cloth()
    for column in range(10):
        frame = put(frame, Kind.FACE, 30 + 90 * column, 60)
    changed = put(frame, Kind.BACK, 400, 400)
    shed: list[set[str]] = []
    for units in (40_000, 16_000, 6_000, 3_000, 500):
        eyes = evaluator(units=40_000, refresh=123)
        for _ in range(61 + 63):
            eyes.look("one", frame)
        shed.append(set(eyes.look("one", changed, units=units).skipped))
    assert not shed[0]
    for less, more in pairwise(shed):
        assert less <= more
    lowest = [min((task for task in Task if task.name.lower() in one), default=None) for one in shed]
    assert lowest[1] in (None, Task.AGAIN)
    assert lowest[3] == Task.REFRESH
    assert "settled" not in shed[-1]
    assert {"refresh", "again"} <= shed[-1]


def test_shed_work_is_done_when_there_is_room() -> None:
    eyes = evaluator()
    frame = cloth()
    eyes.look("one", frame)
    for column in range(10):
        frame = put(frame, Kind.FACE, 30 + 90 * column, 60 + 40 * (column % 3))
    looks = [eyes.look("one", frame, units=1500) for _ in range(12)]
    assert any(look.skipped for look in looks)
    assert len(looks[-1].found) == 10
    assert set(looks[-1].found.labels) == {"As"}


def test_same_frames_give_the_same_looks() -> None:
    rng = np.random.default_rng(3)
    frames = []
    frame = cloth()
    for _ in range(30):
        if rng.random() < 0.4:
            kind = Kind(int(rng.integers(0, 4)))
            frame = put(frame, kind, int(rng.integers(20, 880)), int(rng.integers(20, 480)))
        frames.append(frame)
    one, two = evaluator(), evaluator()
    for frame in frames:
        a, b = one.look("one", frame, 6000), two.look("one", frame, 6000)
        assert a.numbers == b.numbers
        assert a.found.labels == b.found.labels
        assert (a.found.quads == b.found.quads).all()
        assert (a.skipped, a.spent) == (b.skipped, b.spent)


def test_reset_never_uses_a_number_again() -> None:
    eyes = evaluator()
    frame = put(cloth(), Kind.FACE, 200, 200)
    first = eyes.look("one", frame)
    eyes.reset("one")
    assert not set(first.numbers) & set(eyes.look("one", frame).numbers)


def test_a_frame_that_is_no_picture_is_refused() -> None:
    with pytest.raises(BadPicture, match="shape"):
        evaluator().look("one", np.zeros((4, 4), np.uint8))


def test_budget_counts_what_it_refuses() -> None:
    budget = Budget(100)
    assert budget.take(Task.READ, 80)
    assert not budget.take(Task.AGAIN, 30)
    assert budget.take(Task.SETTLED, 500, must=True)
    assert budget.shed == {Task.AGAIN: 1}


def test_pace_allows_less_on_a_slow_machine_and_never_nothing() -> None:
    pace = Pace(20.0)
    for _ in range(60):
        pace.took(10_000, 400.0)
    assert pace.most / 8 <= pace.units < pace.most / 4
    for _ in range(60):
        pace.took(10_000, 5.0)
    assert pace.units == pace.most
