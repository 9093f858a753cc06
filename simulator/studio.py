"""The studio: what stands between motion and pictures. One place that knows renderer, camera effects and truth.

The parts behind it need the extra (OpenGL, card art), so they are imported when a studio is opened and not before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from types import TracebackType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.camera import PRESETS, Camera
from calibration.layout import Layout
from calibration.tablefile import ChipSetModel
from simulator.errors import SimulatorError
from simulator.scene import Look, Scene


class Studio(Protocol):
    """Films scenes with one camera; a context manager, because it holds graphics memory."""

    def __enter__(self) -> Studio: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def picture(self, scene: Scene, number: int, still: bool) -> NDArray[np.uint8]:
        """The frame (height, width, 3) RGB; `still` if nothing has changed since the frame before."""
        ...

    def truth(self, scene: Scene) -> Mapping[str, Any]:
        """What can be seen in the frame filmed last."""
        ...


def look_of(split: str, seed: int, own_only: bool = False) -> Look:
    """The look of a film: art, light and people of a split, by seed."""
    look: Look = import_module("simulator.looks").sample_look(split, seed, own_only)
    return look


def cameras_of(names: Sequence[str], look: Look, size: tuple[int, int], fps: float) -> tuple[Camera, ...]:
    """The cameras of a film, each a little off its nominal mount as the look says."""
    place = import_module("simulator.looks").camera_in_mount
    cameras: list[Camera] = []
    for name in names:
        if name not in PRESETS:
            raise SimulatorError(f"camera {name}: not one of {', '.join(PRESETS)}")
        cameras.append(replace(place(PRESETS[name](*size, fps), look), fps=fps))
    return tuple(cameras)


def chips_of(look: Look, values: Sequence[int]) -> ChipSetModel:
    """The chips of a film as its table file describes them."""
    made: ChipSetModel = import_module("simulator.art.chips").chip_model(look.chips, tuple(values))
    return made


def open_studio(look: Look, camera: Camera, layout: Layout, values: tuple[int, ...]) -> Studio:
    """The studio that films: OpenGL pictures, a camera's faults on them, and the truth of what shows."""
    studio: Studio = import_module("simulator.render.studio").RenderStudio(look, camera, layout, values)
    return studio
