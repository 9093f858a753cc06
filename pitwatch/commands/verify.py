"""`pitwatch verify`: says whether an evidence package is whole, and what is wrong with it if not."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from pitwatch.commands.common import add_parser
from pitwatch.errors import BadInput


def add(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = add_parser(
        subparsers,
        "verify",
        "check an evidence package: any changed byte, missing event or reordering",
        "pitwatch verify case.zip --key house.pem",
    )
    parser.add_argument("file", type=Path, metavar="FILE.zip", help="the package")
    parser.add_argument(
        "--key", type=Path, metavar="PUBLIC.pem", help="the public key that must have signed it"
    )
    parser.add_argument("--json", action="store_true", help="write one JSON document")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Verify; 0 if it holds, 1 if something is wrong."""
    from pipeline.evidence import verify_package

    problems, manifest = verify_package(args.file, _trusted(args.key))
    if args.json:
        listed = [{"part": one.part, "what": one.what} for one in problems]
        print(
            json.dumps({"holds": not problems, "problems": listed, "manifest": manifest}, ensure_ascii=False)
        )
    else:
        for one in problems:
            print(f"{args.file}: {one.part}: {one.what}")
        if not problems:
            trust = "by the trusted key" if args.key else "by a key that was not compared (give --key)"
            print(
                f"{args.file}: holds. Table {manifest['table']}, round {manifest['round']}, "
                f"{len(manifest['files'])} files, signed by {manifest['signer']}, {trust}"
            )
    return 1 if problems else 0


def _trusted(path: Path | None) -> bytes | None:
    if path is None:
        return None
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: {(error.strerror or str(error)).lower()}") from None
