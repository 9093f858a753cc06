"""Tables as they are now."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Response

from pipeline.errors import RecordRefused
from room.api.kinds import Name, Plain
from room.guard import Services, needs
from room.people import Permission, Visitor

router = APIRouter(tags=["tables"])


@router.get("/tables", summary="All tables: pit, phase of the round, cameras, what cannot be seen")
def tables(
    room: Services, visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "list tables"))]
) -> list[Plain]:
    """Return the tiles of the live page."""
    return room.live.tables()


@router.get("/tables/{table}", summary="What Pitwatch believes about one table now")
def table(
    table: Name, room: Services, visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "view table"))]
) -> Plain:
    """Return cards, wagers, expected outcomes and what cannot be seen."""
    belief = room.live.belief(table)
    if belief is None:
        raise RecordRefused(f"table {table}: not in the record")
    previews = [
        {"camera": one.camera, "index": one.index, "at": one.at, "overlay": one.overlay}
        for one in room.live.previews(table)
    ]
    return {"table": table, "belief": belief, "previews": previews}


@router.get(
    "/tables/{table}/cameras/{camera}/preview.jpg",
    summary="The newest picture of a camera",
    response_class=Response,
    responses={200: {"content": {"image/jpeg": {}}}},
)
def preview(
    table: Name,
    camera: Name,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, None))],
) -> Response:
    """Return a JPEG; the page that shows it is in the audit log, not each of its pictures."""
    found = room.live.preview(table, camera)
    if found is None:
        raise RecordRefused(f"camera {camera} of table {table}: not in the record")
    return Response(found.jpeg, media_type="image/jpeg")
