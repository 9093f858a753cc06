"""What the commands on the record share: where it is, which round, and who asks."""

from __future__ import annotations

import argparse
import getpass
import os
from typing import TYPE_CHECKING

from pitwatch.errors import BadInput

if TYPE_CHECKING:
    from pipeline.record import Record


def add_record(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where the record is and who asks (for the audit log)."""
    parser.add_argument(
        "--record",
        default=os.environ.get("PITWATCH_RECORD", "sqlite:///pitwatch.db"),
        metavar="URL",
        help="the record: sqlite:///FILE or postgresql://… (default: $PITWATCH_RECORD, or pitwatch.db here)",
    )
    parser.add_argument("--who", default=getpass.getuser(), help="name for the audit log (default: the user)")


def add_round(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names a round."""
    parser.add_argument(
        "round", metavar="TABLE/ROUND", help="the round, such as CS-1/R373; or ROUND if unique"
    )


def find_round(record: Record, text: str) -> tuple[str, str]:
    """Return table and round for what the user typed."""
    names = [row.name for row in record.tables()]
    for name in names:
        if text.startswith(f"{name}/"):
            return name, text[len(name) + 1 :]
    found = [row.table_name for row in record.rounds(limit=1_000_000) if row.round == text]
    if len(found) == 1:
        return found[0], text
    if found:
        raise BadInput(f"round {text}: at several tables ({', '.join(sorted(found))}); write TABLE/ROUND")
    raise BadInput(f"round {text}: not in the record (tables: {', '.join(names) or 'none'})")
