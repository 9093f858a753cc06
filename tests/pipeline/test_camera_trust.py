"""A watch stops trusting a camera that was knocked or covered, says so in the log, and goes on when it is found."""

from __future__ import annotations

from typing import Any

import numpy as np

from calibration.camera import PRESETS, Camera
from calibration.layout import standard_layout
from calibration.recover import displacement
from calibration.refine import changed
from engine import events as ev
from engine.events import Event
from engine.settings import TableSettings
from pipeline.table import Shot, TableWatch
from tests.calibration.drawn import Stage
from vision.observe import View

LAYOUT = standard_layout()
GIVEN = PRESETS["overview"](960, 540)


class Blank:
    """Eyes that see an empty table and remember with which camera they looked."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        self.resets = 0
        self.looked: list[int] = []

    def look(self, frame: Any, index: int, at: int) -> View:
        self.looked.append(at)
        return View(self.camera.name, index, at)

    def reset(self) -> None:
        self.resets += 1


def test_a_knock_is_logged_and_the_eyes_measure_from_where_the_camera_now_is() -> None:
    eyes = Blank(GIVEN)
    watch = TableWatch(TableSettings(table="CS-01"), LAYOUT, {"overview": eyes})
    stage = Stage(GIVEN, LAYOUT)
    knocked = changed(GIVEN, np.array([0.004, -0.006, 0.002, 0, 0, 0, 0, 0, 0.0]))
    events: list[Event] = []
    for i, at in enumerate(range(0, 4000, 200)):
        if at == 1000:
            stage.aim(knocked)
        events += watch.update([Shot("overview", i, at, stage.frame(at))]).events
    events += watch.finish().events
    lost = [one for one in events if isinstance(one, ev.CameraLost)]
    back = [one for one in events if isinstance(one, ev.CameraRestored)]
    assert [one.camera for one in lost] == ["overview"]
    assert 1000 < lost[0].at <= 4000
    assert lost[0].zones == ("table",)
    assert "moved" in lost[0].why
    assert [one.at > lost[0].at for one in back] == [True]
    assert lost[0].at not in eyes.looked
    assert eyes.resets >= 1
    assert displacement(knocked, eyes.camera, LAYOUT)[0] < 1.2
