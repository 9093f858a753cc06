"""What `pitwatch calibrate` does: solve or find a camera, write it into a table file, check one, say how good it is."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, replace
from typing import Any, Final

import cv2

from calibration.camera import PRESETS, Camera
from calibration.check import Report, check_landmarks, check_picture, same_shape
from calibration.drawing import Image, overlay
from calibration.errors import CannotSolve
from calibration.landmarks import LandmarksModel, landmarks_of, load_landmarks
from calibration.layout import Layout
from calibration.match import LENS_TOO, Fit, align
from calibration.picture import read_picture
from calibration.search import find
from calibration.solve import Solution, solve
from calibration.tablefile import (
    ChipModel,
    ChipSetModel,
    LayoutModel,
    TableModel,
    camera_model,
    load_table,
    save_table,
)
from engine.settings import TableSettings
from pitwatch.errors import BadInput

POOR_MM: Final = 5.0
"""Expected error at the worst place of the cloth from which a calibration is called poor."""
CHIPS: Final = (
    (100, "1", "#f2efe6", "#2b4fa8"),
    (500, "5", "#b3202c", "#f2efe6"),
    (2500, "25", "#1d7a45", "#f2efe6"),
    (10000, "100", "#1a1a1e", "#f2efe6"),
    (50000, "500", "#5b2a86", "#e3c94a"),
    (100000, "1000", "#d9a514", "#1a1a1e"),
)
"""The chips of a new table: value in cents, label, body, edge spots."""


def run(args: argparse.Namespace) -> int:
    """Do what the options say; 1 if the calibration is off or poor."""
    table = _table(args)
    layout = table.build_layout()
    if args.names:
        return _names(layout, args.json)
    marks = load_landmarks(args.landmarks) if args.landmarks else None
    return _check(args, table, layout, marks) if args.check else _make(args, table, layout, marks)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")


def _table(args: argparse.Namespace) -> TableModel:
    """The table file to start from, or a new one, with what the options say of it."""
    if args.table is not None:
        if args.seats is not None:
            raise BadInput("calibrate: --seats is for a new table; with --table the file says it")
        table = load_table(args.table)
    else:
        if args.seats is not None and not 1 <= args.seats <= 9:
            raise BadInput(f"calibrate: --seats: {args.seats} is not between 1 and 9")
        table = _new_table(args.seats or 7)
    said = {"name": args.name, "rulebook": args.rulebook}
    return table.model_copy(update={key: value for key, value in said.items() if value})


def _new_table(seats: int) -> TableModel:
    settings = {
        key: value
        for key, value in TableSettings(seats=seats).to_mapping().items()
        if key not in ("table", "seats", "chip_values") and value is not None
    }
    chips = tuple(ChipModel(value=v, label=label, colour=c, spots=s) for v, label, c, s in CHIPS)
    return TableModel(
        layout=LayoutModel(seats=seats), chips=ChipSetModel(name="house", chip=chips), settings=settings
    )


def _names(layout: Layout, as_json: bool) -> int:
    marks = landmarks_of(layout)
    if as_json:
        _say(
            json.dumps(
                {m.name: {"mm": m.point, "words": m.words} for m in marks.values()}, ensure_ascii=False
            )
        )
    else:
        for one in marks.values():
            _say(f"{one.name:26} {one.point[0]:8.1f} {one.point[1]:8.1f} mm   {one.words}")
    return 0


def _camera_name(args: argparse.Namespace, table: TableModel, marks: LandmarksModel | None) -> str:
    if args.camera and marks and marks.camera != args.camera:
        raise BadInput(f"{args.landmarks}: camera: {marks.camera!r} is not {args.camera!r} (--camera)")
    name = args.camera or (marks.camera if marks else "")
    if not name and len(table.cameras) == 1:
        name = table.cameras[0].name
    if not name:
        raise BadInput("calibrate: say which camera: --camera NAME")
    return str(name)


def _picture(args: argparse.Namespace) -> Image | None:
    return read_picture(args.picture, round(args.at * 1000)) if args.picture else None


def _check(args: argparse.Namespace, table: TableModel, layout: Layout, marks: LandmarksModel | None) -> int:
    name = _camera_name(args, table, marks)
    cameras = table.build_cameras()
    if name not in cameras:
        known = ", ".join(cameras) or "none"
        raise BadInput(f"{args.table}: cameras: there is no camera {name!r} (it has {known})")
    picture = _picture(args)
    report: Report | None = None
    if picture is not None:
        camera = same_shape(cameras[name], picture.shape[1], picture.shape[0], str(args.picture))
        report = check_picture(camera, layout, picture, args.limit)
        _draw(args, picture, camera, layout)
    if marks is not None:
        camera = same_shape(cameras[name], marks.width, marks.height, str(args.landmarks))
        clicked = check_landmarks(camera, layout, marks, str(args.landmarks), args.limit)
        report = clicked if report is None else _both(report, clicked)
    assert report is not None
    if args.json:
        _say(json.dumps({k: _short(v) for k, v in asdict(report).items()}, ensure_ascii=False))
    else:
        _print_report(report, args.limit)
    return 0 if report.ok else 1


def _both(by_lines: Report, clicked: Report) -> Report:
    return replace(
        by_lines,
        ok=by_lines.ok and clicked.ok,
        why="; ".join(one.why for one in (by_lines, clicked) if one.why),
        landmarks_rms_mm=clicked.landmarks_rms_mm,
        landmarks_worst=clicked.landmarks_worst,
        landmarks_worst_mm=clicked.landmarks_worst_mm,
    )


def _short(value: Any) -> Any:
    return round(value, 3) if isinstance(value, float) else value


def _print_report(report: Report, limit: float) -> None:
    _say(f"camera {report.camera}: {'ok' if report.ok else 'OFF: ' + report.why}")
    if report.found is not None:
        _say(f"  printed lines found   {report.found:7.0%}")
    if report.rms_mm is not None:
        _say(f"  reprojection error    {report.rms_mm:7.2f} mm  {report.rms_px:7.2f} px")
    if report.drift_mm is not None:
        _say(
            f"  drift since the file  {report.drift_mm:7.2f} mm  {report.drift_px:7.2f} px  (limit {limit:g} mm)"
        )
    if report.landmarks_rms_mm is not None:
        _say(f"  landmarks             {report.landmarks_rms_mm:7.2f} mm  worst {report.landmarks_worst}"
              f" {report.landmarks_worst_mm:.2f} mm")  # fmt: skip


def _make(args: argparse.Namespace, table: TableModel, layout: Layout, marks: LandmarksModel | None) -> int:
    name = _camera_name(args, table, marks)
    picture = _picture(args)
    if marks is not None and picture is not None and picture.shape[:2] != (marks.height, marks.width):
        raise BadInput(
            f"{args.landmarks}: width, height: {marks.width} x {marks.height} is not the size of {args.picture}"
            f" ({picture.shape[1]} x {picture.shape[0]})"
        )
    old = table.build_cameras().get(name)
    solution = solve(marks, layout, old, str(args.landmarks)) if marks is not None else None
    fit: Fit | None = None
    if args.auto and picture is not None:
        fit = _by_lines(args, picture, name, old, solution, layout)
    camera = fit.camera if fit is not None else solution.camera if solution is not None else None
    assert camera is not None
    if picture is not None:
        _draw(args, picture, camera, layout)
    if args.out:
        _write(args, table, camera)
    if args.json:
        _say(json.dumps(_result(camera, solution, fit), ensure_ascii=False))
    else:
        _print_result(camera, solution, fit)
    return 1 if fit is None and solution is not None and solution.worst_sigma_mm > POOR_MM else 0


def _by_lines(
    args: argparse.Namespace,
    picture: Image,
    name: str,
    old: Camera | None,
    solution: Solution | None,
    layout: Layout,
) -> Fit:
    """The camera by the printed lines: from the landmarks' solution, the old camera, or the mount's preset."""
    height, width = picture.shape[:2]
    if solution is not None:
        fit = align(picture, solution.camera, layout, LENS_TOO, (12.0, 7.0, 5.0, 4.0, 4.0))
    else:
        if old is None and name not in PRESETS:
            known = ", ".join(PRESETS)
            raise BadInput(
                f"calibrate: --auto knows no mount {name!r} ({known}); give --landmarks as well, or an old table"
            )
        guess = same_shape(old, width, height, str(args.picture)) if old else PRESETS[name](width, height)
        fit = find(picture, guess, layout)
    if not fit.good:
        raise CannotSolve(
            f"{args.picture}: the layout's drawing was not found ({fit.found:.0%} of it); is it this camera and"
            " this layout? --landmarks works on any cloth"
        )
    return replace(fit, camera=replace(fit.camera, name=name))


def _write(args: argparse.Namespace, table: TableModel, camera: Camera) -> None:
    """Write the table with the camera in place of its old self, or added."""
    before = next((one for one in table.cameras if one.name == camera.name), None)
    source = args.source or (before.source if before else "")
    model = camera_model(camera, source)
    cameras = tuple(model if one.name == camera.name else one for one in table.cameras)
    if before is None:
        cameras = (*cameras, model)
    try:
        save_table(table.model_copy(update={"cameras": cameras}), args.out)
    except OSError as error:
        raise BadInput(f"{args.out}: cannot be written: {(error.strerror or str(error)).lower()}") from None


def _draw(args: argparse.Namespace, picture: Image, camera: Camera, layout: Layout) -> None:
    if not args.draw:
        return
    coded, data = cv2.imencode(".png", overlay(picture, camera, layout))
    try:
        args.draw.write_bytes(data.tobytes() if coded else b"")
    except OSError as error:
        raise BadInput(f"{args.draw}: cannot be written: {(error.strerror or str(error)).lower()}") from None


def _result(camera: Camera, solution: Solution | None, fit: Fit | None) -> dict[str, Any]:
    out: dict[str, Any] = {"camera": camera_model(camera).model_dump(mode="json")}
    if solution is not None:
        out["landmarks"] = {
            "rms_px": _short(solution.rms_px),
            "rms_mm": _short(solution.rms_mm),
            "sigma_mm": _short(solution.sigma_mm),
            "worst_sigma_mm": _short(solution.worst_sigma_mm),
            "outliers": list(solution.outliers),
            "residuals": [{k: _short(v) for k, v in asdict(one).items()} for one in solution.residuals],
        }
    if fit is not None:
        out["lines"] = {
            "found": _short(fit.found),
            "rms_px": _short(fit.rms_px),
            "rms_mm": _short(fit.rms_mm),
        }
    return out


def _print_result(camera: Camera, solution: Solution | None, fit: Fit | None) -> None:
    x, y, z = camera.position
    lens = camera.lens
    _say(
        f"camera {camera.name}: at ({x:.0f}, {y:.0f}, {z:.0f}) mm, focal length {lens.fx:.0f} px, k1 {lens.k1:.3f}"
    )
    if solution is not None:
        _say(f"  landmarks             {solution.rms_mm:7.2f} mm  {solution.rms_px:7.2f} px  rms")
        _say(
            f"  expected error        {solution.sigma_mm:7.2f} mm  {solution.worst_sigma_mm:7.2f} mm at worst"
        )
        for one in solution.residuals:
            mark = "" if one.used else "   NOT BELIEVED: clicked in the wrong place, or another corner?"
            _say(f"    {one.name:26} {one.mm:7.2f} mm  {one.px:7.2f} px{mark}")
        if fit is None and solution.worst_sigma_mm > POOR_MM:
            _say(
                "  POOR: give more landmarks, from all over the cloth, or --auto to refine by the printed lines"
            )
    if fit is not None:
        _say(f"  printed lines         {fit.rms_mm:7.2f} mm  {fit.rms_px:7.2f} px  {fit.found:.0%} found")
