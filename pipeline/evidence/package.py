"""Make an evidence package: a plain zip that any computer opens, with a manifest over every byte and a signature.

events.jsonl     the round's lines of the log, as recorded
chain.json       the links before the first and after each line, so that the lines prove their own order
alerts.jsonl     what was alerted, with what people did about it in actions.jsonl
report.html      the round for people
attachments      clips (remuxed, never re-encoded) and stills, under clips/ and stills/
manifest.json    SHA-256 and size of all of the above; manifest.sig signs it, public.pem is the signer
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.errors import EvidenceError
from pipeline.evidence.keys import SigningKey, fingerprint
from pipeline.record import Record
from pipeline.record.schema import AlertRow, EventRow, RoundRow

FORMAT = "pitwatch evidence 1"
STAMP = (1980, 1, 1, 0, 0, 0)
"""Every member bears this time: two exports of one round differ only in when they were made, and say so inside."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes along, under a name such as `clips/overview.mp4`."""

    name: str
    data: bytes


def export_round(
    record: Record, table: str, round_id: str, out: Path, key: SigningKey, who: str,
    report: str = "", attachments: Sequence[Attachment] = (),
) -> Path:  # fmt: skip
    """Write the package of one round and note the export in the audit log; returns the file."""
    row = record.round(table, round_id)
    files = _files(record, row, report, attachments)
    manifest = _manifest(row, files, key, who)
    files |= {
        "manifest.json": manifest,
        "manifest.sig": key.sign(manifest),
        "public.pem": key.public_pem,
    }
    _write_zip(out, files)
    digest = hashlib.sha256(manifest).hexdigest()
    record.audit(who, "export", table=table, round=round_id, file=out.name, manifest=digest)
    return out


def _files(record: Record, row: RoundRow, report: str, attachments: Sequence[Attachment]) -> dict[str, bytes]:
    """Return the members of the package by name."""
    last = row.closed_seq
    lines = [
        one
        for one in record.lines(row.table_name, after=row.opened_seq - 1, until=last)
        if one.round == row.round
    ]
    alerts = record.alerts(table_name=row.table_name, round=row.round)
    files = {
        "events.jsonl": _lines([one.body for one in lines]),
        "chain.json": _plain(
            {
                "table": row.table_name,
                "before": record.link_before(row.table_name, row.opened_seq),
                "links": _links(lines),
            }
        ),
        "alerts.jsonl": _lines([one.body for one in alerts]),
        "actions.jsonl": _lines([_action(record, one) for one in alerts if one.id is not None]),
    }
    if report:
        files["report.html"] = report.encode()
    for one in attachments:
        if one.name in files or one.name.startswith(("/", "manifest", "public")) or ".." in one.name:
            raise EvidenceError(f"attachment {one.name!r}: not a name that can go into the package")
        files[one.name] = one.data
    return files


def _links(lines: Sequence[EventRow]) -> list[list[Any]]:
    return [[one.seq, one.link] for one in lines]


def _action(record: Record, alert: AlertRow) -> str:
    done = [
        {"wall": one.wall, "who": one.who, "what": one.what, "why": one.why}
        for one in record.actions(alert.id or 0)
    ]
    body = {"check": alert.check_id, "seat": alert.seat, "state": alert.state, "actions": done}
    return json.dumps(body, ensure_ascii=False)


def _manifest(row: RoundRow, files: dict[str, bytes], key: SigningKey, who: str) -> bytes:
    return _plain(
        {
            "format": FORMAT,
            "table": row.table_name,
            "round": row.round,
            "state": row.state,
            "recorded": row.wall,
            "exported_by": who,
            "signer": fingerprint(key.public_pem),
            "files": {
                name: {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
                for name, data in sorted(files.items())
            },
        }
    )


def _plain(data: Any) -> bytes:
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()


def _lines(lines: Sequence[str]) -> bytes:
    return "".join(line + "\n" for line in lines).encode()


def _write_zip(out: Path, files: dict[str, bytes]) -> None:
    """Write beside the final name and move at the end: a half-written package never bears the name."""
    part = out.with_name(out.name + ".part")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
                for name, data in sorted(files.items()):
                    member = zipfile.ZipInfo(name, STAMP)
                    stored = name.endswith((".mp4", ".jpg", ".png"))
                    member.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
                    package.writestr(member, data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(out)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise EvidenceError(f"{out}: {error.strerror}") from None
