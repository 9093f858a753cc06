"""Calibration as the page does it: landmarks clicked on a still, the layout projected back over the picture.

The page sends pixels and gets pixels; everything in between is calibration's. Nothing is saved that was not solved
from the very landmarks that are saved with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import degrees
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.camera import Camera
from calibration.drawing import flat
from calibration.landmarks import LandmarksModel, dump_landmarks, landmarks_of, load_landmarks
from calibration.layout import Area, Layout
from calibration.match import judge
from calibration.solve import Solution, solve
from calibration.tablefile import AreaOverride, TableModel, camera_model, dump_table, load_table

Pixels = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Draft:
    """What somebody has clicked and dragged so far: landmarks, and middles of areas that lie elsewhere (pixels)."""

    camera: str
    width: int
    height: int
    points: Mapping[str, Pixels]
    moved: Mapping[str, Pixels]


def landmarks_file(table: Path, camera: str) -> Path:
    """Return where the landmarks of a camera are kept: beside the table file."""
    return table.with_name(f"{table.stem}.{camera}.landmarks.toml")


def described(path: Path, camera: str) -> dict[str, Any]:
    """Return what the page needs to begin: landmarks in words, those already set, and the layout as it is now."""
    table = load_table(path)
    layout = table.build_layout()
    marks = landmarks_file(path, camera)
    known = table.build_cameras().get(camera)
    return {
        "table": table.name,
        "camera": camera,
        "cameras": [one.name for one in table.cameras],
        "landmarks": [
            {"name": one.name, "words": one.words, "point": list(one.point)}
            for one in landmarks_of(layout).values()
        ],
        "points": {name: list(p) for name, p in load_landmarks(marks).points.items()}
        if marks.is_file()
        else {},
        "size": None if known is None else [known.lens.width, known.lens.height],
        "projected": [] if known is None else projected(known, layout),
        "guides": {} if known is None else _guides(known, layout),
    }


def _guides(camera: Camera, layout: Layout) -> dict[str, list[float]]:
    """Return where the present calibration expects each landmark: a hint where to click."""
    marks = list(landmarks_of(layout).values())
    pixels = camera.project(flat(np.array([one.point for one in marks])))
    return {
        mark.name: [round(float(x), 1), round(float(y), 1)]
        for mark, (x, y) in zip(marks, pixels, strict=True)
        if np.isfinite([x, y]).all() and 0 <= x < camera.lens.width and 0 <= y < camera.lens.height
    }


def projected(camera: Camera, layout: Layout) -> list[dict[str, Any]]:
    """Return the layout's areas as a camera shows them, in pixels."""
    shapes = []
    for area in layout.areas():
        line = _line(camera, area.polygon)
        middle = _line(camera, (area.centre,))
        if line and middle:
            name = f"{area.seat}:{area.name}" if area.seat else area.name
            shapes.append(
                {"name": name, "seat": area.seat, "area": area.name, "line": line, "centre": middle[0]}
            )
    outline = _line(camera, layout.outline)
    if outline:
        shapes.append({"name": "cloth", "seat": 0, "area": "cloth", "line": outline, "centre": outline[0]})
    return shapes


def _line(camera: Camera, points: tuple[tuple[float, float], ...]) -> list[list[float]]:
    pixels = camera.project(flat(np.array(points)))
    if not np.isfinite(pixels).all() or np.abs(pixels).max() > 1e5:
        return []
    return [[round(float(x), 1), round(float(y), 1)] for x, y in pixels]


def solved(path: Path, draft: Draft) -> tuple[TableModel, Solution]:
    """Solve a draft; returns the table as it would be saved, and how good the solution is."""
    table = load_table(path)
    guess = table.build_cameras().get(draft.camera)
    if guess is not None:
        guess = guess.resized(draft.width, draft.height)
    solution = solve(_marks(draft), table.build_layout(), guess, "landmarks")
    kept = [one for one in table.cameras if one.name != draft.camera]
    source = next((one.source for one in table.cameras if one.name == draft.camera), "")
    cameras = (*kept, camera_model(solution.camera, source))
    layout = table.layout.model_copy(update={"overrides": _overrides(table, solution.camera, draft.moved)})
    return table.model_copy(update={"cameras": cameras, "layout": layout}), solution


def _marks(draft: Draft) -> LandmarksModel:
    return LandmarksModel(
        camera=draft.camera, width=draft.width, height=draft.height, points=dict(draft.points)
    )


def _overrides(table: TableModel, camera: Camera, moved: Mapping[str, Pixels]) -> tuple[AreaOverride, ...]:
    """Return the areas that lie elsewhere: those of before, and those that were dragged."""
    areas: dict[str, Area] = {
        f"{one.seat}:{one.name}": one for one in table.build_layout().areas() if one.seat
    }
    kept = {f"{one.seat}:{one.area}": one for one in table.layout.overrides}
    for name, pixel in moved.items():
        area = areas.get(name)
        if area is None:
            continue
        x, y = camera.unproject([pixel])[0]
        if not np.isfinite([x, y]).all():
            continue
        kept[name] = AreaOverride.model_validate(
            {
                "seat": area.seat,
                "area": area.name,
                "centre": (round(float(x), 1), round(float(y), 1)),
                "width": area.width,
                "depth": area.depth,
                "direction": round(degrees(area.direction), 3),
                "round": area.round,
            }
        )
    return tuple(kept.values())


def told(table: TableModel, solution: Solution) -> dict[str, Any]:
    """Return a solution as the page shows it."""
    return {
        "rms_px": round(solution.rms_px, 2),
        "rms_mm": round(solution.rms_mm, 2),
        "sigma_mm": round(solution.sigma_mm, 2),
        "worst_sigma_mm": round(solution.worst_sigma_mm, 2),
        "residuals": [
            {"name": one.name, "px": round(one.px, 2), "mm": round(one.mm, 2), "used": one.used}
            for one in solution.residuals
        ],
        "projected": projected(solution.camera, table.build_layout()),
    }


def save(path: Path, table: TableModel, draft: Draft) -> None:
    """Write the table file and the landmarks; the old file stays beside it as `.before`."""
    before = path.with_name(path.name + ".before")
    before.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    _replace(landmarks_file(path, draft.camera), dump_landmarks(_marks(draft)))
    _replace(path, dump_table(table))


def _replace(path: Path, text: str) -> None:
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def drift(path: Path, camera: str, jpeg: bytes) -> dict[str, Any] | None:
    """Return how well the saved calibration fits a picture of now; None if it has no such camera or picture."""
    table = load_table(path)
    known = table.build_cameras().get(camera)
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if known is None or picture is None:
        return None
    height, width = picture.shape[:2]
    fit = judge(picture.astype(np.uint8), known.resized(width, height), table.build_layout())
    return {
        "good": fit.good,
        "found": round(fit.found, 3),
        "rms_px": _number(fit.rms_px),
        "rms_mm": _number(fit.rms_mm),
    }


def _number(value: float) -> float | None:
    return round(float(value), 2) if np.isfinite(value) else None
