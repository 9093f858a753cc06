"""Named points of the printed layout, and the file in which somebody says where a picture shows them.

A landmark is a point that a person can hit with a mouse: a corner of a printed box, the middle of a printed
disc, a corner of the tray. Its name says where it is for whoever sits at that area ("left" and "right" as a
player at the seat sees them; "inner" is the side the area's top points to: towards the dealer for players'
areas, towards the players for the dealer's). The room's page and `pitwatch calibrate` share the file:

    version = 1
    camera = "overview"
    width = 1920
    height = 1080
    [points]
    "seat1:ante:inner_left" = [411.5, 388.0]

TOML or JSON, by the file's name; pixel (0, 0) is the middle of the top-left pixel.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from calibration.errors import LandmarkError
from calibration.layout import Area, Layout, Point
from calibration.toml_text import Value, dumps

CORNERS: Final = ("inner_left", "outer_left", "outer_right", "inner_right")
PRINTED_SIGMA: Final = 0.8
"""How far (mm) a printed corner may lie from where the layout says: ink, cloth and its laying."""
STANDING_SIGMA: Final = 4.0
"""The same for things that stand on the cloth and can be pushed."""


@dataclass(frozen=True, slots=True)
class Landmark:
    """A point of the layout on the cloth (mm), how sure its place is (mm), and what it is in words."""

    name: str
    point: Point
    sigma: float
    words: str


class LandmarksModel(BaseModel):
    """A landmarks file: where one picture of one camera shows which landmarks (pixels)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: Literal[1] = 1
    camera: str = Field(min_length=1)
    width: int = Field(gt=0)
    height: int = Field(gt=0)
    picture: str = ""
    points: dict[str, tuple[FiniteFloat, FiniteFloat]] = Field(min_length=1)


def _words(name: str) -> str:
    """What a landmark is, for a person who must click it."""
    parts = name.split(":")
    where = parts[0].replace("seat", "seat ") if parts[0].startswith("seat") else f"the {parts[0]}"
    if parts[0] == "cloth":
        return f"the cloth's end at the dealer's edge, on the dealer's {parts[1]}"
    if parts[-1] == "centre":
        return f"{where}, middle of the {parts[1]} area"
    inner = "towards the dealer" if parts[0].startswith("seat") else "towards the players"
    outer = "towards the player" if parts[0].startswith("seat") else "towards the dealer"
    side, hand = parts[-1].split("_")
    thing = f", {parts[1]} box" if len(parts) == 3 else ""
    return (
        f"{where}{thing}: the corner {inner if side == 'inner' else outer}, on the {hand} of who stands there"
    )


def _corners(prefix: str, area: Area) -> dict[str, Point]:
    return {f"{prefix}:{c}": p for c, p in zip(CORNERS, area.polygon, strict=True)}


def landmarks_of(layout: Layout) -> Mapping[str, Landmark]:
    """Every landmark of a layout by name: what is printed first, then what stands on the cloth."""
    marks = {
        name: Landmark(name, point, PRINTED_SIGMA, _words(name)) for name, point in layout.landmarks.items()
    }
    for prefix, area in (("tray", layout.tray), ("rack", layout.rack)):
        for name, point in _corners(prefix, area).items():
            marks[name] = Landmark(name, point, STANDING_SIGMA, _words(name))
    return marks


def known_points(marks: LandmarksModel, layout: Layout, origin: str) -> tuple[Landmark, ...]:
    """The landmarks that a file names, in its order; a name that the layout lacks is an error."""
    known = landmarks_of(layout)
    found: list[Landmark] = []
    for name in marks.points:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise LandmarkError(f"{origin}: points.{name}: this layout has no such landmark{hint}")
        found.append(known[name])
    return tuple(found)


def parse_landmarks(text: str, origin: str = "landmarks.toml") -> LandmarksModel:
    """Landmarks from TOML or JSON text (JSON if `origin` ends so)."""
    try:
        raw = json.loads(text) if origin.endswith(".json") else tomllib.loads(text)
    except (tomllib.TOMLDecodeError, json.JSONDecodeError) as error:
        kind = "JSON" if origin.endswith(".json") else "TOML"
        raise LandmarkError(f"{origin}: not valid {kind}: {error}") from None
    try:
        marks = LandmarksModel.model_validate(raw)
    except ValidationError as error:
        first = min(error.errors(), key=lambda one: one["type"] != "extra_forbidden")
        where = ".".join(str(part) for part in first["loc"]) or "file"
        what = "no such field" if first["type"] == "extra_forbidden" else first["msg"]
        raise LandmarkError(f"{origin}: {where}: {what}") from None
    for name, (x, y) in marks.points.items():
        if not (-0.5 <= x <= marks.width - 0.5 and -0.5 <= y <= marks.height - 0.5):
            raise LandmarkError(
                f"{origin}: points.{name}: ({x:g}, {y:g}) lies outside the {marks.width} x {marks.height} picture"
            )
    return marks


def load_landmarks(path: Path) -> LandmarksModel:
    """A landmarks file from disk; raises LandmarkError in one line that names the file and the field."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise LandmarkError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError:
        raise LandmarkError(f"{path}: not a text file in UTF-8") from None
    return parse_landmarks(text, str(path))


def dump_landmarks(marks: LandmarksModel, as_json: bool = False) -> str:
    """Text that `parse_landmarks` reads back to equal landmarks."""
    data: dict[str, Value] = marks.model_dump(mode="json")
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n" if as_json else dumps(data)
