"""Calibration: landmarks in, a camera out, seats adjusted, drift checked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import Response
from pydantic import Field, FiniteFloat

from pipeline.errors import RecordRefused
from pipeline.record.queries import last_event
from room.api.kinds import Body, Name, Plain
from room.guard import Services, needs
from room.people import Permission, Visitor
from room.read.calibrating import Draft, described, drift, save, solved, told
from room.services import Room

router = APIRouter(tags=["calibration"])
Pixel = tuple[FiniteFloat, FiniteFloat]


class DraftBody(Body):
    """Landmarks by name (pixels), and areas dragged to another place, as "3:ante" (pixels of their middle)."""

    width: int = Field(ge=16, le=16_384)
    height: int = Field(ge=16, le=16_384)
    points: dict[str, Pixel] = Field(min_length=1, max_length=400)
    moved: dict[str, Pixel] = Field(default_factory=dict, max_length=100)


def table_file(room: Room, table: str) -> Path:
    """Return the file of a table that can be calibrated."""
    path = room.house.files.get(table)
    if path is None:
        raise RecordRefused(f"table file of {table}: not in the record")
    return path


def picture_of(room: Room, table: str, camera: str) -> bytes:
    """Return the newest picture of a camera: recorded at full size if there is one, else the live preview."""
    last = last_event(room.record, table)
    found = None if last is None else room.footage.still(table, camera, last.at)
    if found is not None:
        return found
    preview = room.live.preview(table, camera)
    if preview is None:
        raise RecordRefused(f"picture of camera {camera} of table {table}: not in the record")
    return preview.jpeg


@router.get(
    "/calibration/{table}/{camera}", summary="Landmarks, those already set, and the layout as projected now"
)
def state(
    table: Name,
    camera: Name,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "view calibration"))],
) -> Plain:
    """Return what the page begins with."""
    return described(table_file(room, table), camera)


@router.get("/calibration/{table}/{camera}/still.jpg", summary="The newest picture", response_class=Response)
def picture(
    table: Name,
    camera: Name,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "view still"))],
) -> Response:
    """Return a JPEG."""
    return Response(picture_of(room, table, camera), media_type="image/jpeg")


@router.post("/calibration/{table}/{camera}/solve", summary="Solve a camera from landmarks, without saving")
def try_out(
    table: Name,
    camera: Name,
    draft: DraftBody,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.CALIBRATE, None))],
) -> Plain:
    """Return the errors and the layout as it would be projected."""
    return told(*solved(table_file(room, table), _draft(camera, draft)))


@router.post("/calibration/{table}/{camera}/save", summary="Solve and save to the table file")
def keep(
    table: Name,
    camera: Name,
    draft: DraftBody,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.CALIBRATE, "save calibration"))],
) -> Plain:
    """Save; whoever watches the table takes the file up when it starts anew."""
    path, made = table_file(room, table), _draft(camera, draft)
    model, solution = solved(path, made)
    save(path, model, made)
    return told(model, solution)


@router.post(
    "/calibration/{table}/{camera}/drift", summary="Does the saved calibration still fit the picture?"
)
def check_drift(
    table: Name,
    camera: Name,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "check drift"))],
) -> Plain:
    """Return how much of the printed layout was found where it should be, and how far it lies off."""
    result = drift(table_file(room, table), camera, picture_of(room, table, camera))
    if result is None:
        raise RecordRefused(f"camera {camera} of table {table}: not in the record")
    return result


def _draft(camera: str, body: DraftBody) -> Draft:
    return Draft(camera, body.width, body.height, body.points, body.moved)
