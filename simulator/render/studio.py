"""The studio that really films: renderer, exposure, the camera's faults, and the truth of what shows."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.layout import Layout
from simulator.looks import Faults, faults_of
from simulator.render.exposure import moments
from simulator.render.faults import Grader
from simulator.render.shooter import AGAIN, TILE, WHOLE, Shooter
from simulator.render.truth import Truth
from simulator.scene import Look, Scene

Image = NDArray[np.uint8]
FIRST: Final = tuple((i + 0.5) / len(WHOLE) - 0.5 for i in range(len(WHOLE)))
LATER: Final = tuple((i + 0.5) / len(AGAIN) - 0.5 for i in range(len(AGAIN)))
"""When in the exposure each sample of a picture is taken, the first one and those drawn over it."""


class RenderStudio:
    """Films scenes with one camera; a context manager, because it holds graphics memory."""

    def __init__(
        self,
        look: Look,
        camera: Camera,
        layout: Layout,
        values: tuple[int, ...],
        faults: Faults | None = None,
    ) -> None:
        self.look, self.camera, self.layout = look, camera, layout
        self.faults = faults or faults_of(look, camera.name)
        self._shooter = Shooter(look, layout, tuple(values))
        self._shooter.aim(camera)
        self._grader = Grader(self.faults, self._size, look.seed, camera.fps)
        self._last: Scene | None = None
        self._known: tuple[Scene, Mapping[str, Any]] | None = None

    @property
    def _size(self) -> tuple[int, int]:
        return self.camera.lens.width, self.camera.lens.height

    def __enter__(self) -> RenderStudio:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._shooter.release()

    def retake(self, camera: Camera, faults: Faults | None = None) -> None:
        """Film with another camera from now on, in the same look."""
        self.camera = camera
        self.faults = faults or faults_of(self.look, camera.name)
        self._shooter.aim(camera)
        self._grader = Grader(self.faults, self._size, self.look.seed, camera.fps)
        self._last = self._known = None

    def picture(self, scene: Scene, number: int, still: bool, before: Scene | None = None) -> Image:
        """The frame (height, width, 3) RGB; `still` if nothing has changed since the frame before.

        What moves is blurred by how far it has come since the frame filmed last, or since `before`.
        """
        last = before or self._last
        if not still or self._last is None:
            shares = FIRST if self._last is None else LATER
            blurred = [] if last is None else moments(last, scene, [s * self.faults.shutter for s in shares])
            dirty = self._shooter.draw(scene, blurred)
            if dirty.any():
                rows, cols = np.flatnonzero(dirty.any(1)), np.flatnonzero(dirty.any(0))
                rect = (cols[0] * TILE, rows[0] * TILE, (cols[-1] + 1) * TILE, (rows[-1] + 1) * TILE)
                x0, y0, x1, y1 = (int(v) for v in rect)
                self._grader.grade(
                    self._shooter.picture, (x0, y0, min(x1, self._size[0]), min(y1, self._size[1]))
                )
        self._last = scene
        return self._grader.frame(number)

    def truth(self, scene: Scene) -> Mapping[str, Any]:
        """What can be seen in the frame filmed last; what has not changed is not measured again."""
        if self._known is None or self._known[0] != scene:
            self._known = (scene, self.seen(scene).as_dict())
        return self._known[1]

    def glance(self, scene: Scene) -> Truth:
        """What would be seen of a scene, without filming it."""
        self._shooter.arrange(scene)
        self._last = None
        return self.seen(scene)

    def seen(self, scene: Scene) -> Truth:
        """What can be seen in the frame filmed last, with the masks of single objects."""
        ids = self._shooter.ids()
        return Truth(scene, self.camera, self.layout, ids, self._shooter.builder.tag_of)
