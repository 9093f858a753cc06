"""`pitwatch export`: one signed evidence package of one round."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pitwatch.commands.common import add_parser
from pitwatch.commands.reconstruct import add_video, footage_for, story_of
from pitwatch.commands.record_options import add_record, add_round, find_round
from pitwatch.errors import BadInput


def add(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = add_parser(
        subparsers,
        "export",
        "make an evidence package of one round: events, alerts, report, clips, manifest, signature",
        "pitwatch export CS-1/R373 --record sqlite:///pitwatch.db --video home/video --key signing.pem --out case.zip",
    )
    add_round(parser)
    add_record(parser)
    add_video(parser)
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.zip", help="the package")
    parser.add_argument(
        "--key",
        type=Path,
        required=True,
        metavar="KEY.pem",
        help="the house's signing key; made if it is missing",
    )
    parser.add_argument(
        "--attach", type=Path, action="append", default=[], metavar="FILE", help="a clip or still to go along"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Export, and print what was signed with which key, and what could not go along."""
    from pipeline.evidence import Attachment, SigningKey, export_round, fingerprint
    from pipeline.reconstruct import report_html, report_pdf
    from pipeline.record import Record

    key = SigningKey.load_or_make(args.key)
    record = Record.open(args.record)
    try:
        table, round_id = find_round(record, args.round)
        story, title = story_of(record, table, round_id), f"Table {table}, round {round_id}"
        footage = footage_for(record, args.video, story, table, round_id)
        page = report_html([story], title, footage.pictures)
        attachments = [
            Attachment("report.pdf", report_pdf([story], title, footage.pictures)),
            *footage.attachments,
        ]
        attachments += [Attachment(*_attachment(path)) for path in args.attach]
        if footage.missing:
            text = "".join(line + "\n" for line in footage.missing)
            attachments.append(Attachment("missing.txt", text.encode()))
        export_round(record, table, round_id, args.out, key, args.who, page, attachments)
    finally:
        record.close()
    print(f"{args.out}: round {round_id} of table {table}, signed by {fingerprint(key.public_pem)}")
    for line in footage.missing if args.video is not None else ():
        print(f"{args.out}: not in it: {line}")
    return 0


def _attachment(path: Path) -> tuple[str, bytes]:
    """Return the name inside the package and the bytes of a file."""
    folder = "stills" if path.suffix.lower() in (".jpg", ".jpeg", ".png") else "clips"
    try:
        return f"{folder}/{path.name}", path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: {(error.strerror or str(error)).lower()}") from None
