"""How the product does: cameras, models and their checksums, the record, the disk, delays."""

from __future__ import annotations

import hashlib
import shutil
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy.engine import make_url

from pipeline.record.schema import AlertRow, AuditRow, EventRow, RoundRow
from room.people.store import now_ms
from room.services import Room


def models_of(folder: Path | None) -> list[dict[str, Any]]:
    """Return the models with the checksum that is expected and the one that the file has."""
    manifest = None if folder is None else folder / "manifest.toml"
    if folder is None or manifest is None or not manifest.is_file():
        return []
    listed = []
    for name, entry in tomllib.loads(manifest.read_text(encoding="utf-8")).items():
        path = folder / str(entry.get("file", ""))
        found = _checksum(path, path.stat().st_mtime_ns) if path.is_file() else ""
        listed.append(
            {
                "model": name,
                "file": str(entry.get("file", "")),
                "expected": str(entry.get("sha256", "")),
                "found": found,
                "whole": bool(found) and found == entry.get("sha256"),
                "bytes": path.stat().st_size if path.is_file() else 0,
            }
        )
    return listed


@lru_cache(maxsize=32)
def _checksum(path: Path, changed: int) -> str:
    del changed
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def disk_of(room: Room) -> list[dict[str, Any]]:
    """Return the room on the disks that matter: the record's and the room's own."""
    folders = {"the room's folder": room.config.home}
    url = make_url(room.config.record)
    if url.get_backend_name() == "sqlite" and url.database:
        folders["the record"] = Path(url.database).resolve().parent
    listed = []
    for name, folder in folders.items():
        if folder.is_dir():
            usage = shutil.disk_usage(folder)
            listed.append({"what": name, "total": usage.total, "free": usage.free})
    return listed


def health_of(room: Room) -> dict[str, Any]:
    """Return everything that the health page shows."""
    now = now_ms()
    tables = room.live.tables()
    return {
        "problem": room.live.health.problem,
        "last_look_ms": now - room.live.health.last_look if room.live.health.last_look else None,
        "tables": [
            {
                "table": one["table"],
                "cameras": one["cameras"],
                "unseen": one["unseen"],
                "quiet_ms": now - one["wall"] if one["wall"] else None,
            }
            for one in tables
        ],
        "processes": room.status(),
        "models": models_of(room.config.models),
        "disk": disk_of(room),
        "record": {
            "kind": make_url(room.config.record).get_backend_name(),
            "events": room.record.count(EventRow),
            "rounds": room.record.count(RoundRow),
            "alerts": room.record.count(AlertRow),
            "audit": room.record.count(AuditRow),
        },
    }
