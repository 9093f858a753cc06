"""Rounds: found, rebuilt, and their pictures and clips."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query
from fastapi.responses import FileResponse, Response

from engine.cards import Card
from engine.errors import BadAmount, BadCard
from engine.money import parse_amount
from pipeline.errors import RecordRefused
from pipeline.record.queries_search import RoundFilter, search_rounds
from pipeline.record.schema import RoundRow
from room.api.kinds import Limit, Moment, Name, Offset, Plain, Text, Time
from room.guard import Services, needs
from room.people import Permission, Visitor
from room.read.alerts import brief
from room.read.rounds import alerts_of, replay

router = APIRouter(tags=["rounds"])
LONGEST_CLIP = 15 * 60_000
Outcome = Literal["", "clean", "violation", "handled", "cannot_tell", "open", "closed", "void", "interrupted"]


def search_of(
    table: Text = None,
    round: Text = None,
    since: Time = None,
    until: Time = None,
    seat: Annotated[int | None, Query(ge=0, le=9)] = None,
    check: Text = None,
    clause: Text = None,
    amount: Annotated[str | None, Query(max_length=20, description="such as 25 or 1,250.00")] = None,
    card: Annotated[str | None, Query(max_length=3, description="such as As or Td")] = None,
    outcome: Outcome = "",
    dealer: Text = None,
) -> RoundFilter:
    """Read a search; a card or an amount that is none is refused with the reason."""
    try:
        cents = parse_amount(amount) if amount else None
        wanted = Card.parse(card[0].upper() + card[1:].lower()) if card else None
    except (BadAmount, BadCard) as error:
        raise RecordRefused(f"search: {error}") from None
    return RoundFilter(
        table=table or None, round=round or None, since=since, until=until, seat=seat, check=check or None,
        clause=clause or None, amount=cents, card=wanted, outcome=outcome or None, dealer=dealer or None,
    )  # fmt: skip


Search = Annotated[RoundFilter, Depends(search_of)]


def plain_round(row: RoundRow) -> Plain:
    """Return a round as a line of a list."""
    return {
        "table": row.table_name,
        "round": row.round,
        "state": row.state,
        "wall": row.wall,
        "opened_at": row.opened_at,
        "closed_at": row.closed_at,
        "violations": row.violations,
        "unsure": row.unsure,
    }


@router.get(
    "/rounds", summary="Find rounds by table, time, seat, check, clause, amount, card, outcome, dealer"
)
def rounds(
    room: Services,
    search: Search,
    visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "search rounds"))],
    limit: Limit = 50,
    offset: Offset = 0,
) -> list[Plain]:
    """Return rounds, newest first."""
    return [plain_round(row) for row in search_rounds(room.record, search, limit, offset)]


@router.get("/rounds/{table}/{round}", summary="One round, rebuilt event by event")
def round(
    table: Name,
    round: Name,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "view round"))],
) -> Plain:
    """Return beliefs, hands, money, checks and alerts of a round."""
    row = room.record.round(table, round)
    found = replay(room.record, room.house, row)
    found["alerts"] = [brief(one) for one in alerts_of(room.record, row)]
    found["cameras"] = room.footage.cameras(table)
    return found


@router.get(
    "/tables/{table}/cameras/{camera}/still.jpg",
    summary="The picture of a camera at a moment",
    response_class=Response,
    responses={200: {"content": {"image/jpeg": {}}}},
)
def still(
    table: Name,
    camera: Name,
    at: Moment,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "view still"))],
) -> Response:
    """Return a JPEG."""
    data = room.footage.still(table, camera, at)
    if data is None:
        raise RecordRefused(f"camera {camera} of table {table} at {at}: not in the record")
    return Response(data, media_type="image/jpeg")


@router.get(
    "/tables/{table}/cameras/{camera}/clip.mp4",
    summary="A stretch of recorded video",
    response_class=FileResponse,
    responses={200: {"content": {"video/mp4": {}}}},
)
def clip(
    table: Name,
    camera: Name,
    start: Moment,
    end: Moment,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "view clip"))],
) -> FileResponse:
    """Return a file that begins at or shortly before `start`; the header X-Start says when."""
    if not start < end <= start + LONGEST_CLIP:
        raise RecordRefused("clip: its end lies after its start, by a quarter of an hour at most")
    found = room.footage.clip(table, camera, start, end)
    if found is None:
        raise RecordRefused(f"camera {camera} of table {table} at {start}: not in the record")
    headers = {"X-Start": str(found.start), "X-Fps": str(found.fps)}
    return FileResponse(found.path, media_type="video/mp4", headers=headers)
