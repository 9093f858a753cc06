"""One small studio for all tests that look at pixels: opening one costs seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from calibration.camera import PRESETS, Camera
from calibration.layout import standard_layout
from simulator.choreography import Performance, choreograph
from simulator.director import Want, legal
from simulator.looks import camera_in_mount, sample_look
from simulator.render.studio import RenderStudio

SIZE = (960, 540)


@pytest.fixture(scope="session")
def play() -> Performance:
    """A legal round of two seats, acted."""
    return choreograph(legal("nz", 3, Want(seats_at_most=2)), standard_layout(), 3)


@pytest.fixture(scope="session")
def open_studio(play: Performance) -> Iterator[Callable[[str], RenderStudio]]:
    """A studio that films the round of `play` with the camera that is named."""
    look = sample_look("test", 2, own_only=True)

    def mounted(name: str) -> Camera:
        return camera_in_mount(PRESETS[name](*SIZE, 25.0), look)

    values = play.script.settings.chip_values
    with RenderStudio(look, mounted("overview"), standard_layout(), values) as studio:

        def aimed(name: str) -> RenderStudio:
            studio.retake(mounted(name))
            return studio

        yield aimed
