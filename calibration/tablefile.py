"""`table.toml`: everything fixed about one table, typed and checked.

Layout, limits, chip set, cameras and settings come from one file that a person can edit, so a typing error
must be found at load with the file and the field named, and nothing unknown may pass unnoticed. Money is
in cents.

    table = load_table(Path("table.toml"))
    layout, cameras = table.build_layout(), table.build_cameras()
"""

from __future__ import annotations

import tomllib
from dataclasses import asdict
from math import degrees, radians
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from calibration.camera import Camera, Lens
from calibration.errors import TableFileError
from calibration.layout import DEALER_AREAS, Area, Layout, LayoutSpec, standard_layout
from calibration.toml_text import Value, dumps

Colour = Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$")]
Scalar = bool | int | float | str
Setting = Scalar | list[Scalar] | dict[str, Scalar]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AreaOverride(_Model):
    """One area that is not where the regular layout would put it (mm, degrees); seat 0 is the dealer's side."""

    seat: int = Field(ge=0, le=9)
    area: Literal["jackpot", "ante", "bet", "cards", "stash", "dealer", "tray", "rack", "shoe", "deck"]
    centre: tuple[float, float]
    width: float = Field(gt=0)
    depth: float = Field(gt=0)
    direction: float
    round: bool = False

    @model_validator(mode="after")
    def _belongs(self) -> AreaOverride:
        if (self.seat == 0) != (self.area in DEALER_AREAS):
            whose = "the dealer's side (seat 0)" if self.area in DEALER_AREAS else "a seat from 1 on"
            raise ValueError(f"{self.area} belongs to {whose}")
        return self


class LayoutModel(_Model):
    """The numbers of `LayoutSpec`, plus single overrides; see there for their meaning."""

    seats: int = Field(default=7, ge=1, le=9)
    half_width: float = Field(default=930.0, gt=0)
    depth: float = Field(default=900.0, gt=0)
    rail_width: float = Field(default=105.0, ge=0)
    centre_y: float = 60.0
    first_angle: float = 12.0
    jackpot_radius: float = Field(default=402.0, gt=0)
    ante_radius: float = Field(default=468.0, gt=0)
    bet_radius: float = Field(default=564.0, gt=0)
    cards_radius: float = Field(default=676.0, gt=0)
    stash_radius: float = Field(default=775.0, gt=0)
    jackpot_diameter: float = Field(default=42.0, gt=0)
    ante_width: float = Field(default=76.0, gt=0)
    ante_depth: float = Field(default=62.0, gt=0)
    bet_width: float = Field(default=96.0, gt=0)
    bet_depth: float = Field(default=86.0, gt=0)
    cards_width: float = Field(default=170.0, gt=0)
    cards_depth: float = Field(default=112.0, gt=0)
    dealer_width: float = Field(default=420.0, gt=0)
    dealer_depth: float = Field(default=112.0, gt=0)
    dealer_y: float = 205.0
    bet_round: bool = False
    overrides: tuple[AreaOverride, ...] = ()

    @model_validator(mode="after")
    def _overrides_fit(self) -> LayoutModel:
        for one in self.overrides:
            if one.seat > self.seats:
                raise ValueError(f"overrides: there is no seat {one.seat} at a table of {self.seats}")
        return self


class ChipModel(_Model):
    """One denomination as it looks: body and edge-spot colours and what the inlay says."""

    value: int = Field(gt=0)
    label: str
    colour: Colour
    spots: Colour
    inlay: Colour = "#f2efe6"


class ChipSetModel(_Model):
    """The chips that this table knows, by value."""

    name: str
    chip: tuple[ChipModel, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _values_differ(self) -> ChipSetModel:
        values = [c.value for c in self.chip]
        if len(set(values)) != len(values):
            raise ValueError("two chips have the same value")
        return self


class LensModel(_Model):
    """Intrinsics in pixels; distortion as OpenCV's k1 k2 p1 p2 k3."""

    width: int = Field(gt=0)
    height: int = Field(gt=0)
    fx: float = Field(gt=0)
    fy: float = Field(gt=0)
    cx: float
    cy: float
    k1: float = 0.0
    k2: float = 0.0
    p1: float = 0.0
    p2: float = 0.0
    k3: float = 0.0


class CameraModel(_Model):
    """A camera with its lens and its pose (position in mm, rotation table -> camera, row-major)."""

    name: str = Field(min_length=1)
    fps: float = Field(default=25.0, gt=0)
    source: str = ""
    position: tuple[float, float, float]
    rotation: tuple[float, float, float, float, float, float, float, float, float]
    lens: LensModel


class TableModel(_Model):
    """The whole table file.

    `settings` are the house's settings for the game (dealing method, limits, jackpot, wired signals). They belong to
    the engine, which checks them when the parts are wired together; here they are only carried.
    """

    version: Literal[1] = 1
    name: str = "CS-01"
    rulebook: str = "nz"
    currency: str = "$"
    layout: LayoutModel = LayoutModel()
    chips: ChipSetModel
    settings: dict[str, Setting] = Field(default_factory=dict)
    cameras: tuple[CameraModel, ...] = ()

    @model_validator(mode="after")
    def _cameras_differ(self) -> TableModel:
        names = [c.name for c in self.cameras]
        if len(set(names)) != len(names):
            raise ValueError("two cameras have the same name")
        return self

    def build_layout(self) -> Layout:
        """The geometry that the layout section describes."""
        fields = self.layout.model_dump()
        raw = fields.pop("overrides")
        areas = tuple(
            Area(
                o["area"], o["seat"], o["centre"], o["width"], o["depth"], radians(o["direction"]), o["round"]
            )
            for o in raw
        )
        return standard_layout(LayoutSpec(**fields), areas)

    def build_cameras(self) -> dict[str, Camera]:
        """The cameras by name."""
        return {
            c.name: Camera(c.name, Lens(**c.lens.model_dump()), c.position, c.rotation, c.fps)
            for c in self.cameras
        }


def layout_model(spec: LayoutSpec, overrides: tuple[Area, ...] = ()) -> LayoutModel:
    """A layout section for a spec and its overrides."""
    rows = tuple(
        AreaOverride.model_validate(
            {
                "seat": a.seat,
                "area": a.name,
                "centre": a.centre,
                "width": a.width,
                "depth": a.depth,
                "direction": degrees(a.direction),
                "round": a.round,
            }
        )
        for a in overrides
    )
    return LayoutModel(**asdict(spec), overrides=rows)


def camera_model(camera: Camera, source: str = "") -> CameraModel:
    """A camera section for a camera."""
    return CameraModel.model_validate(
        {
            "name": camera.name,
            "fps": camera.fps,
            "source": source,
            "position": camera.position,
            "rotation": camera.rotation,
            "lens": asdict(camera.lens),
        }
    )


def parse_table(text: str, origin: str = "table.toml") -> TableModel:
    """A table from TOML text; raises TableFileError with `origin` and the first wrong field."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TableFileError(f"{origin}: not valid TOML: {error}") from error
    try:
        return TableModel.model_validate(raw)
    except ValidationError as error:
        # A misspelt field shows as one unknown and one missing: the unknown one tells more.
        first = min(error.errors(), key=lambda one: one["type"] != "extra_forbidden")
        where = ".".join(str(part) for part in first["loc"]) or "file"
        what = "no such field" if first["type"] == "extra_forbidden" else first["msg"]
        raise TableFileError(f"{origin}: {where}: {what}") from error


def load_table(path: Path) -> TableModel:
    """A table file from disk; raises TableFileError in one line that names the file and the field."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise TableFileError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise TableFileError(f"{path}: not a text file in UTF-8") from error
    return parse_table(text, str(path))


def dump_table(table: TableModel) -> str:
    """Deterministic TOML text that `parse_table` reads back to an equal table."""
    data: dict[str, Value] = table.model_dump(mode="json", exclude_none=True)
    return dumps(data)


def save_table(table: TableModel, path: Path) -> None:
    """Write a table file."""
    path.write_text(dump_table(table), encoding="utf-8")
