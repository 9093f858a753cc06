"""Whether a camera can be trusted right now: moved, covered, defocused, frozen, black; and what to do about it.

    health = CameraHealth(camera, layout)
    now = health.update(frame, at_ms)      # every frame, BGR or luma (H, W), any size; most calls cost nothing
    if not now.usable: ...                 # say now.why; trust nothing of this frame
    if now.camera is not None: ...         # measure with this camera instead of the calibrated one

A look is taken five times a second of the frames' own time, so film and live behave alike. Trust ends two looks
after the printed layout is no longer where it was (a knock, a cover), one second after it loses its edge
(defocus) and two and a half after the picture stops changing at all (frozen). A knocked camera is found again by the
printed lines, measured, and used from where it now is; a cover that goes away or a lens that comes back is noticed by
itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.drawing import Image
from calibration.layout import Layout
from calibration.match import Fit, align, judge
from calibration.patches import Compared, Patches, grey
from calibration.recover import displacement, recover

LOOK_EVERY: Final = 200
MATCHED: Final = 0.4
"""Share of remembered corners that must still show; hands hide some, a knock loses nearly all."""
SHIFT: Final = 1.5
"""Pixels (of 1080 lines) that the layout may creep before the camera counts as moved."""
BLURRED: Final = 0.62
BLIND: Final = 0.4
"""With less than this share of its detail a picture is not worth a search."""
LOST_AFTER: Final = 2
BLURRED_AFTER: Final = 5
BLACK_AFTER: Final = 2
FROZEN_MS: Final = 2400
DARK: Final = 9.0
EVEN: Final = 2.5
RENEW_AFTER: Final = 100
"""Looks (20 s) after which a covered corner is learned as it now is."""
TEND_EVERY: Final = 2000
"""How often (ms) the memory of a good picture is refreshed."""
POLISHES: Final = 3
RETRY: Final = (600, 2000, 6000, 20000)
"""Pauses (ms) between attempts to find the layout again; the last repeats."""
CALIBRATED: Final = 2.0
"""Millimetres that the layout may lie off the table file at the start before the camera counts as moved."""


class Condition(StrEnum):
    """What is the matter with a camera."""

    OK = "ok"
    STARTING = "starting"
    MOVED = "moved"
    COVERED = "covered"
    DEFOCUSED = "defocused"
    FROZEN = "frozen"
    BLACK = "black"


@dataclass(frozen=True, slots=True)
class Health:
    """The verdict on a camera: `camera` is the corrected one, None while the calibrated one holds."""

    state: Condition
    usable: bool
    why: str = ""
    camera: Camera | None = None


class CameraHealth:
    """Watches one camera. Owns its memory; deterministic: the same frames and times give the same verdicts."""

    def __init__(self, camera: Camera, layout: Layout) -> None:
        self._given = camera
        self._layout = layout
        self.reset()

    def reset(self) -> None:
        """Forget everything seen; the calibrated camera holds again."""
        self._camera: Camera | None = None
        self._patches: Patches | None = None
        self._found = 0.0
        self._polishes = 0
        self._note = ""
        self._size = (0, 0)
        self._health = Health(Condition.STARTING, True)
        self._next: int | None = None
        self._sample: NDArray[np.uint8] | None = None
        self._changed_at = 0
        self._dark = self._lost = self._soft = 0
        self._small: NDArray[np.float32] | None = None
        self._tries = self._try_at = self._tend_at = 0

    def update(self, frame: Image, at_ms: int) -> Health:
        """Look at a frame (H, W) or (H, W, 3) taken at `at_ms`; returns the verdict that holds now."""
        if self._next is not None and self._next - LOOK_EVERY <= at_ms < self._next:
            return self._health
        if frame.shape[:2] != self._size:
            self._new_size(frame)
        self._next = at_ms + LOOK_EVERY
        self._health = self._look(frame, at_ms)
        return self._health

    def _new_size(self, frame: Image) -> None:
        height, width = frame.shape[:2]
        camera, note = self._camera, self._note
        self.reset()
        self._size = (height, width)
        self._camera, self._note = camera, note

    @property
    def _now(self) -> Camera:
        """The camera that holds, at the frames' size."""
        return (self._camera or self._given).resized(self._size[1], self._size[0])

    def _verdict(self, state: Condition, why: str) -> Health:
        return Health(state, False, why, self._camera)

    def _fine(self) -> Health:
        self._lost = self._soft = self._tries = 0
        return Health(Condition.OK, True, self._note, self._camera)

    def _look(self, frame: Image, at: int) -> Health:
        dead = self._no_picture(frame, at)
        if dead is not None:
            return dead
        if self._patches is None:
            return self._start(frame, at)
        seen = self._patches.compare(frame)
        if seen.matched < MATCHED or self._crept(seen):
            return self._astray(frame, at, seen)
        self._lost = 0
        if seen.sharpness < BLURRED:
            self._soft += 1
            if self._soft >= BLURRED_AFTER:
                return self._verdict(
                    Condition.DEFOCUSED, f"defocused: {seen.sharpness:.0%} of its sharpness is left"
                )
            return self._health
        self._soft = max(0, min(self._soft, 2) - 1)
        if self._soft and self._health.state is Condition.DEFOCUSED:
            return self._health
        if at >= self._tend_at:
            self._tend_at = at + TEND_EVERY
            self._patches.renew(RENEW_AFTER)
            self._small = self._shrunk(frame)
            self._polish(frame)
        return self._fine()

    def _crept(self, seen: Compared) -> bool:
        """Whether the corners that still show have moved together."""
        return seen.shift > SHIFT * self._size[0] / 1080

    def _no_picture(self, frame: Image, at: int) -> Health | None:
        """Black, even or frozen: what can be told without knowing the table."""
        step = max(1, frame.shape[0] // 60)
        sample = np.ascontiguousarray(frame[step // 2 :: step, step // 2 :: step])
        same = self._sample is not None and np.array_equal(sample, self._sample)
        if not same:
            self._changed_at = at
        self._sample = sample
        dark, even = float(sample.mean()) < DARK, float(sample.std()) < EVEN
        if dark or even:
            self._dark += 1
            if self._dark >= BLACK_AFTER:
                return self._verdict(
                    Condition.BLACK, "the picture is black" if dark else "the picture is one even colour"
                )
            return self._health if self._patches is not None else None
        self._dark = 0
        if at - self._changed_at >= FROZEN_MS:
            seconds = (at - self._changed_at) / 1000
            return self._verdict(Condition.FROZEN, f"frozen: not one pixel changed for {seconds:.1f} s")
        return None

    def _start(self, frame: Image, at: int) -> Health:
        """Find the printed layout where the table file says, or nearby; else trust nothing."""
        if self._tries and at < self._try_at:
            return self._health
        fit = judge(frame, self._now, self._layout)
        if not fit.good:
            fit = align(frame, self._now, self._layout)
        if not fit.good and self._tries:
            fit = recover(frame, self._now, self._layout, None)
        if not fit.good:
            self._fail(at)
            return self._verdict(
                Condition.COVERED,
                "the printed layout is not found: covered, another table, or the wrong table file",
            )
        return self._accept(frame, fit)

    def _astray(self, frame: Image, at: int, seen: Compared) -> Health:
        """The layout is not where it was: a knock, a cover, or only many things on it."""
        self._lost += 1
        if self._lost < LOST_AFTER:
            return self._health
        if self._lost == LOST_AFTER:
            fit = judge(frame, self._now, self._layout)
            if fit.found >= 0.75 * self._found and fit.rms_mm < CALIBRATED / 2 and not self._crept(seen):
                return self._learn(frame, fit)
            self._tries, self._try_at = 0, at
        blind = self._detail_left(frame)[0] < BLIND
        if at >= self._try_at and not blind:
            fit = recover(frame, self._now, self._layout, self._small)
            if fit.good and fit.found >= 0.6 * self._found:
                return self._say_moved(self._accept(frame, fit))
            self._fail(at)
        return self._guess_why(frame)

    def _guess_why(self, frame: Image) -> Health:
        """Name what is wrong when the layout cannot be found, from how much detail is left."""
        detail, light = self._detail_left(frame)
        if detail < 0.55 and light > 0.55:
            return self._verdict(Condition.DEFOCUSED, f"defocused: {detail:.0%} of its detail is left")
        if detail > 0.8 and light > 0.8:
            return self._verdict(
                Condition.MOVED, "moved: the printed layout is not where it was and cannot be found"
            )
        return self._verdict(Condition.COVERED, "covered: the printed layout no longer shows")

    def _detail_left(self, frame: Image) -> tuple[float, float]:
        """How much detail and how much contrast the picture has, as shares of when all was well."""
        small, usual = self._shrunk(frame), self._small
        if usual is None:
            return 1.0, 1.0
        detail, before = (float(np.abs(cv2.Laplacian(one, cv2.CV_32F)).mean()) for one in (small, usual))
        return detail / max(before, 1e-6), float(small.std()) / max(float(usual.std()), 1e-6)

    def _fail(self, at: int) -> None:
        self._try_at = at + RETRY[min(self._tries, len(RETRY) - 1)]
        self._tries += 1

    def _accept(self, frame: Image, fit: Fit) -> Health:
        """Measure with a camera that fits; say so if it is not where the table file has it."""
        given = self._given.resized(self._size[1], self._size[0])
        off_px, off_mm = displacement(given, fit.camera, self._layout)
        if off_mm < CALIBRATED:
            self._camera, self._note = None, ""
            return self._learn(frame, judge(frame, given, self._layout))
        self._camera, self._polishes = (
            fit.camera.resized(self._given.lens.width, self._given.lens.height),
            POLISHES,
        )
        self._note = f"moved by {off_px:.0f} px ({off_mm:.0f} mm on the cloth); solved to {fit.rms_mm:.1f} mm"
        return self._learn(frame, fit)

    def _say_moved(self, health: Health) -> Health:
        """A knock that was solved at once is still said: for this look the camera is not trusted."""
        if health.camera is not None or self._health.camera is not None:
            return Health(Condition.MOVED, False, health.why or "moved back to where it was", health.camera)
        return health

    def _polish(self, frame: Image) -> None:
        """A knock was solved with whatever hands were in the way; look again when more of the lines show."""
        if self._camera is None or not self._polishes:
            return
        self._polishes -= 1
        fit = align(frame, self._now, self._layout, reaches=(7.0, 5.0, 4.0))
        if fit.good and fit.found > self._found:
            self._found = fit.found
            self._camera = fit.camera.resized(self._given.lens.width, self._given.lens.height)

    def _learn(self, frame: Image, fit: Fit) -> Health:
        self._patches = Patches(self._now, self._layout)
        self._patches.learn(frame)
        self._found = fit.found
        self._small = self._shrunk(frame)
        return self._fine()

    def _shrunk(self, frame: Image) -> NDArray[np.float32]:
        size = (240, max(1, round(240 * self._size[0] / self._size[1])))
        step = max(1, self._size[1] // 480)
        small = cv2.resize(grey(frame[::step, ::step]), size, interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.float32)
