"""The real eyes as the live processes see them: `TableWatch` without its monitor, for the judge records and judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from calibration.tablefile import TableModel
from engine.events import Event
from engine.settings import TableSettings
from pipeline.bus.topics import Mark
from pipeline.live.watcher import Moment
from pipeline.table import Shot, TableWatch
from vision.detections import Kind
from vision.evaluator import Evaluator
from vision.eyes import Eyes

MOST_MARKS = 400


class SightWatcher:
    """Frames in, events out, with what the eyes see of each camera as marks for the room."""

    def __init__(self, watch: TableWatch, eyes: Mapping[str, Eyes]) -> None:
        self._watch = watch
        self._eyes = eyes

    def update(self, moment: Moment | None, signals: Sequence[Event]) -> list[Event]:
        """Look at the frames of a moment; the pictures are converted here, and only those that are looked at."""
        frames = {} if moment is None else moment.frames
        shots = [
            Shot(name, one.index, one.at, one.bgr()) for name, one in frames.items() if name in self._eyes
        ]
        return list(self._watch.update(shots, signals).events)

    def marks(self, camera: str) -> tuple[Mark, ...]:
        """Return what the eyes found in the last frame of a camera."""
        look = self._eyes[camera].look_now if camera in self._eyes else None
        if look is None:
            return ()
        found = look.found
        marks = []
        for i in range(min(len(found), MOST_MARKS)):
            corners = [(float(x), float(y)) for x, y in found.quads[i]]
            kind = Kind(int(found.kinds[i])).name.lower()
            sure = float(found.confs[i]) if kind == "face" else float(found.scores[i])
            quad = (corners[0], corners[1], corners[2], corners[3])
            marks.append(
                Mark(quad=quad, label=found.labels[i][:40], conf=min(1.0, max(0.0, sure)), kind=kind)
            )
        return tuple(marks)

    def finish(self) -> list[Event]:
        """Return everything that was kept back."""
        return list(self._watch.finish().events)


def make_sight(
    model: TableModel, settings: TableSettings, cameras: Sequence[str], first_seq: int
) -> SightWatcher:
    """Return the eyes and the interpretation of one table: the cameras that the site has of those the table knows."""
    layout, evaluator = model.build_layout(), Evaluator()
    known = model.build_cameras()
    eyes = {name: Eyes(known[name], layout, model.chips, evaluator) for name in cameras if name in known}
    return SightWatcher(TableWatch(settings, layout, eyes, first_seq=first_seq), eyes)
