"""How well stacks are read: on stills that say their camera and chip set, with the finder or at the stacks' places."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Lens
from calibration.tablefile import CameraModel, ChipSetModel
from vision.detections import Kind
from vision.errors import BadPicture
from vision.photograph import read_picture
from vision.quads import box_iou
from vision.score import Look, pair
from vision.stack_crops import MOST, feet_of, readable
from vision.stack_reader import StackReader

Array = NDArray[Any]

CLEAR: Final = 0.6
"""The least share of a stack that must show for its count to be asked."""
_OFF: Final = 2.0
"""How far (px) a finder's box is off, where none is run."""


@dataclass(frozen=True, slots=True)
class StackTally:
    """Stacks: there, read, right in count, off by more than one, right in value."""

    there: int = 0
    read: int = 0
    count_right: int = 0
    far_off: int = 0
    value_right: int = 0

    def __add__(self, other: "StackTally") -> "StackTally":
        return StackTally(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    def figures(self) -> dict[str, float | int]:
        """Return counts, shares of all stacks there, and shares of those that were read."""
        there, read = max(1, self.there), max(1, self.read)
        return {
            **{f.name: int(getattr(self, f.name)) for f in fields(self)},
            "read_share": round(self.read / there, 5),
            "count_of_read": round(self.count_right / read, 5),
            "count_of_all": round(self.count_right / there, 5),
            "far_of_read": round(self.far_off / read, 5),
            "value_of_read": round(self.value_right / read, 5),
            "value_of_all": round(self.value_right / there, 5),
        }


@dataclass(frozen=True, slots=True)
class StackStill:
    """A picture with the stacks that are asked for: boxes (N, 4) px and chips (values, bottom to top)."""

    image: Array
    camera: Camera
    chips: ChipSetModel
    boxes: Array
    stacks: list[tuple[int, ...]]


def stack_stills(folder: Path, limit: int | None = None) -> Iterator[StackStill]:
    """Yield the stills of a folder that say their camera and chip set."""
    for file in sorted((folder / "truth").glob("*.json"))[:limit]:
        try:
            data = json.loads(file.read_text())
            if "camera" not in data or "chips" not in data:
                continue
            model, chips = (
                CameraModel.model_validate(data["camera"]),
                ChipSetModel.model_validate(data["chips"]),
            )
            camera = Camera(
                model.name, Lens(**model.lens.model_dump()), model.position, model.rotation, model.fps
            )
            asked = [s for s in data["stacks"] if _asked(s, camera)]
            boxes = np.array([s["box"] for s in asked], float).reshape(-1, 4) + 0.5
            yield StackStill(
                read_picture(folder / data["image"]), camera, chips, boxes, [tuple(s["chips"]) for s in asked]
            )
        except (KeyError, ValueError, TypeError) as error:
            raise BadPicture(f"{file}: not the truth of a still: {error}") from None


def _asked(stack: dict[str, Any], camera: Camera) -> bool:
    """Whether a stack stands on the cloth, shows, and is not cut by the picture's edge."""
    x0, y0, x1, y1 = stack["box"]
    inside = x0 > 2 and y0 > 2 and x1 < camera.lens.width - 3 and y1 < camera.lens.height - 3
    fits = len(stack["chips"]) <= MOST and abs(stack["at"][2]) < 1.5 and stack["visible"] >= CLEAR
    return bool(inside and fits and readable(camera, np.array([stack["at"][:2]]))[0])


def measure_stacks(folder: Path, look: Look | None = None, limit: int | None = None) -> StackTally:
    """Score the stack reader on stills; without a finder (`look`) at boxes two pixels off the true ones."""
    rng = np.random.default_rng(1)
    out, readers = StackTally(), dict[str, StackReader]()
    for still in stack_stills(folder, limit):
        name = still.chips.model_dump_json()
        if name not in readers:
            readers[name] = StackReader(still.chips)
        boxes: Array
        if look is None:
            boxes = still.boxes + rng.normal(0, _OFF, still.boxes.shape)
            pairs = [(i, i) for i in range(len(boxes))]
        else:
            boxes = look(still.image).of(Kind.STACK).boxes
            pairs = pair(box_iou(still.boxes, boxes), 0.4) if len(boxes) and len(still.boxes) else []
        reads = readers[name].read(still.image, still.camera, feet_of(still.camera, boxes))
        out = out + tally((still.stacks[i], reads[j].values) for i, j in pairs)
        out = out + StackTally(len(still.stacks) - len(pairs))
    return out


def tally(rows: Iterable[tuple[tuple[int, ...], tuple[int, ...] | None]]) -> StackTally:
    """Add up stacks as (true chips, read chips).

    >>> tally([((500, 100), (500, 100)), ((100,), None), ((100, 100), (100,))]).figures()["count_of_read"]
    0.5
    """
    out = StackTally()
    for true, said in rows:
        if said is None:
            out = out + StackTally(1)
            continue
        off = abs(len(said) - len(true))
        out = out + StackTally(1, 1, int(off == 0), int(off > 1), int(sum(said) == sum(true)))
    return out
