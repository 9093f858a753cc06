"""Evidence: a signed package of a round, and the check of one."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from pipeline.errors import NotEvidence, RecordRefused
from pipeline.evidence import Attachment, SigningKey, export_round, fingerprint, verify_package
from pipeline.reconstruct import report_html
from pipeline.record.schema import RoundRow
from room.api.kinds import Name, Plain
from room.guard import Services, needs
from room.people import Permission, Visitor
from room.read.rounds import story_of
from room.services import Room

router = APIRouter(tags=["evidence"])
MOST_UPLOAD = 512 * 1024 * 1024
BEFORE, AFTER = 2_000, 3_000
"""How much video before and after a round goes into its package, in milliseconds."""


def key_path(room: Room) -> Path:
    """Return where the house's signing key lies."""
    return room.config.home / "signing.pem"


@router.post(
    "/rounds/{table}/{round}/export",
    summary="A signed evidence package of a round",
    response_class=Response,
    responses={200: {"content": {"application/zip": {}}}},
)
def export(
    table: Name,
    round: Name,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.EXPORT, None))],
) -> Response:
    """Return the package: events, chain, alerts, actions, report, clips, manifest, signature."""
    row = room.record.round(table, round)
    report = report_html([story_of(room.record, row)], f"Table {table}, round {round}")
    name = "".join(c if c.isalnum() or c in "-_" else "-" for c in f"{table}-{round}")
    with tempfile.TemporaryDirectory(prefix="pitwatch-export-") as folder:
        path = export_round(
            room.record, table, round, Path(folder) / f"{name}.zip", SigningKey.load_or_make(key_path(room)),
            visitor.name, report, _clips(room, row),
        )  # fmt: skip
        data = path.read_bytes()
    return Response(
        data,
        media_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{name}.zip"'},
    )


def _clips(room: Room, row: RoundRow) -> list[Attachment]:
    end = row.closed_at if row.closed_at is not None else row.opened_at + 60_000
    found = []
    for camera in room.footage.cameras(row.table_name):
        clip = room.footage.clip(row.table_name, camera, max(0, row.opened_at - BEFORE), end + AFTER)
        if clip is not None:
            found.append(Attachment(f"clips/{camera}.mp4", clip.path.read_bytes()))
    return found


@router.post("/evidence/verify", summary="Check an evidence package: any changed byte is found")
async def verify(
    request: Request,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "verify package"))],
) -> Plain:
    """Take a package as the body (application/zip) and say whether it holds, and whether this house signed it."""
    with tempfile.NamedTemporaryFile(prefix="pitwatch-verify-", suffix=".zip") as file:
        size = 0
        async for chunk in request.stream():
            size += len(chunk)
            if size > MOST_UPLOAD:
                raise RecordRefused("package: too large")
            file.write(chunk)
        file.flush()
        try:
            problems, manifest = await run_in_threadpool(verify_package, Path(file.name))
        except NotEvidence as error:
            why = str(error).removeprefix(f"{file.name}: ")
            return {
                "holds": False,
                "ours": False,
                "problems": [{"part": "file", "what": why}],
                "manifest": {},
            }
    ours = fingerprint(SigningKey.load_or_make(key_path(room)).public_pem)
    return {
        "holds": not problems,
        "ours": manifest.get("signer") == ours,
        "problems": [{"part": one.part, "what": one.what} for one in problems],
        "manifest": manifest,
    }


@router.get("/evidence/key", summary="The house's public key, to be handed out", response_class=Response)
def public_key(
    room: Services, visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "take public key"))]
) -> Response:
    """Return the public key in PEM."""
    return Response(
        SigningKey.load_or_make(key_path(room)).public_pem,
        media_type="application/x-pem-file",
        headers={"Content-Disposition": 'attachment; filename="pitwatch-public.pem"'},
    )
