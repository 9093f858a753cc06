"""The bare eye: cards and chips in a single picture of any size, from any camera, without knowing the table.

A photograph gives no scale, so it is searched at several; and no camera, so stacks are counted only where a card that
lies beside them tells how the camera looks at the table. Without that, a stack is a box and its count unknown.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Lens
from calibration.layout import CARD_HEIGHT, CARD_WIDTH
from calibration.tablefile import ChipModel, ChipSetModel
from vision.aligner import Aligner
from vision.card_reader import CardReader
from vision.detections import BACK, UNKNOWN, Detections, Kind, Stack
from vision.errors import BadPicture, WeightsRefused
from vision.evaluator import Aligns, Reads, ReadsStacks
from vision.finder import Finder
from vision.stack_crops import feet_of
from vision.stack_reader import StackReader

Array = NDArray[Any]

ROUNDS: Final = 3
"""Looks of the aligner at each card: a photograph is looked at once, so it may take longer than a frame."""
_LENS: Final = 1.05
"""Focal length of an unknown camera as a share of its longer side: between a telephone's and a wide lens."""
_STEEPEST: Final = 0.94
"""Sine of the steepest view from which chips are counted."""
_ANY_CHIPS: Final = ChipSetModel(
    name="unknown",
    chip=tuple(
        ChipModel(value=n + 1, label=str(n), colour=colour, spots="#f0f0f0")
        for n, colour in enumerate(("#e9e6dc", "#b3202c", "#2f5fae", "#1f7a45", "#1d1d21"))
    ),
)


def read_picture(path: Path) -> Array:
    """Return a picture file as (H, W, 3) BGR, turned as its camera says; raises BadPicture in one line."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadPicture(f"{path}: {(error.strerror or str(error)).lower()}") from None
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if image is None:
        raise BadPicture(f"{path}: not a picture that can be read")
    return np.asarray(image)


class BareEye:
    """Finds and reads in photographs; with a chip set it also names chips."""

    def __init__(
        self,
        chips: ChipSetModel | None = None,
        finder: Finder | None = None,
        aligner: Aligns | None = None,
        reader: Reads | None = None,
        stacks: ReadsStacks | None = None,
    ) -> None:
        self.finder = finder or Finder()
        self.aligner: Aligns = aligner or Aligner()
        self.reader: Reads = reader or CardReader()
        self.known = chips is not None
        self.stacks: ReadsStacks | None = stacks or _stack_reader(chips)

    def look(self, image: Array) -> Detections:
        """Return everything that a picture (H, W, 3) BGR shows, read where it can be."""
        found = self.aligner.align(image, self.finder.search(image), ROUNDS)
        read = self.reader.read(image, found)
        labels = tuple(
            BACK if kind == Kind.BACK and label == UNKNOWN else label
            for kind, label in zip(read.kinds, read.labels, strict=True)
        )
        unread = np.array([label == UNKNOWN for label in labels], bool) | (read.confs == 0)
        read = read.read_as(labels, np.where(unread, read.scores, read.confs).astype(np.float32))
        return self._count(image, read)

    def _count(self, image: Array, found: Detections) -> Detections:
        """Count the chips of stacks, if a card tells how the camera stands."""
        which = np.flatnonzero(found.kinds == Kind.STACK)
        camera = camera_of(image, found) if len(which) and self.stacks is not None else None
        if camera is None or self.stacks is None:
            return found
        feet = feet_of(camera, found.boxes[which])
        stacks = list(found.stacks)
        for i, read in zip(which, self.stacks.read(image, camera, feet), strict=True):
            if read.stack is not None:
                stacks[i] = read.stack if self.known else Stack(read.stack.chips, None, read.conf)
        return replace(found, stacks=tuple(stacks))


def _stack_reader(chips: ChipSetModel | None) -> ReadsStacks | None:
    """The stack reader, or nothing in a build that ships none: stacks are then found and not counted."""
    try:
        return StackReader(chips or _ANY_CHIPS)
    except WeightsRefused:
        return None


def camera_of(image: Array, found: Detections) -> Camera | None:
    """Return a camera over the plane of the largest card, that card's middle being the origin; None without a card.

    A card is 63 x 88 mm and flat: its quad and a guess of the lens give the pose, good enough for the direction.
    """
    cards = found.of(Kind.FACE, Kind.BACK)
    if not len(cards):
        return None
    areas = [float(cv2.contourArea(quad)) for quad in cards.quads]
    quad = cards.quads[int(np.argmax(areas))].astype(np.float64)
    height, width = image.shape[:2]
    f = _LENS * max(width, height)
    matrix = np.array([[f, 0, (width - 1) / 2], [0, f, (height - 1) / 2], [0, 0, 1]])
    w, h = CARD_WIDTH / 2, CARD_HEIGHT / 2
    corners = np.array([[-w, h, 0], [w, h, 0], [w, -h, 0], [-w, -h, 0]])
    done, turn, shift = cv2.solvePnP(corners, quad - 0.5, matrix, None, flags=cv2.SOLVEPNP_IPPE)
    if not done:
        return None
    rotation = np.asarray(cv2.Rodrigues(turn)[0], np.float64)
    position = -rotation.T @ np.asarray(shift, np.float64).reshape(3)
    if position[2] <= 0 or position[2] / float(np.linalg.norm(position)) > _STEEPEST:
        return None
    lens = Lens(width, height, f, f, (width - 1) / 2, (height - 1) / 2)
    place = (float(position[0]), float(position[1]), float(position[2]))
    return Camera("photograph", lens, place, tuple(float(v) for v in rotation.ravel()))
