"""The pictures of a round for its evidence: each camera's own packets as a clip, and a still of every finding."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from engine.verdicts import Verdict
from pipeline.errors import VideoError
from pipeline.evidence.package import Attachment
from pipeline.record.schema import RoundRow
from pipeline.video import clip, segments, still

ROLL_MS = 5_000
"""Before the round's first event and after its last (ms): what led to it and what followed."""


@dataclass(slots=True)
class Footage:
    """What goes along with a round; `missing` says what could not be had, so that no gap looks like an oversight."""

    attachments: list[Attachment] = field(default_factory=list)
    pictures: dict[tuple[str, int], bytes] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)


def footage_of(root: Path, row: RoundRow, verdicts: Iterable[Verdict], end_at: int, name: str) -> Footage:
    """Return clips of every camera and stills of every finding; `name` is the round's name in the pictures' keys."""
    found = Footage()
    for camera in cameras_of(root, row.table_name):
        _clips(found, root, row, camera, end_at)
        for verdict in verdicts:
            try:
                picture = still(root, row.table_name, camera, verdict.at)
            except VideoError as error:
                found.missing.append(f"still of event {verdict.seq}: {error}")
                continue
            file = f"stills/{camera}-{verdict.seq}-{picture.at}.jpg"
            if all(one.name != file for one in found.attachments):
                found.attachments.append(Attachment(file, picture.jpeg))
            found.pictures.setdefault((name, verdict.seq), picture.jpeg)
    if not found.attachments and not found.missing:
        found.missing.append(f"no video of table {row.table_name} is kept")
    return found


def cameras_of(root: Path, table: str) -> list[str]:
    """Return the cameras of which something is kept, the overview first: its stills show the whole table."""
    folder = root / table
    names = sorted(one.name for one in folder.iterdir() if one.is_dir()) if folder.is_dir() else []
    kept = [name for name in names if segments(root, table, name)]
    return sorted(kept, key=lambda name: (name != "overview", name))


def _clips(found: Footage, root: Path, row: RoundRow, camera: str, end_at: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            clips = clip(
                root,
                row.table_name,
                camera,
                row.opened_at - ROLL_MS,
                end_at + ROLL_MS,
                Path(folder) / f"{camera}.mp4",
            )
        except VideoError as error:
            found.missing.append(f"clip of camera {camera}: {error}")
            return
        for one in clips:
            found.attachments.append(Attachment(f"clips/{one.path.name}", one.path.read_bytes()))
            found.missing += [f"camera {camera}: no video between {a} and {b} ms" for a, b in one.gaps]
