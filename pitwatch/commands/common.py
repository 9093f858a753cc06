"""What subcommands share: parsers with an example, files that may be missing, and JSON lines out."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from pitwatch.errors import BadInput


def add_parser(subparsers: Any, name: str, what: str, example: str) -> argparse.ArgumentParser:
    """Add a subcommand whose help ends with an example."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        name,
        help=what,
        description=what[0].upper() + what[1:] + ".",
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return parser


def add_rulebook(parser: argparse.ArgumentParser, required: bool = True) -> None:
    """Add the option that chooses a rulebook."""
    parser.add_argument(
        "--rulebook",
        required=required,
        metavar="nz|s10|FILE.toml",
        help="the rulebook that governs the table",
    )


@contextmanager
def open_text(path: Path, errors: str = "strict") -> Iterator[TextIO]:
    """Open a text file for reading; what goes wrong is one line that names the file.

    With `errors="surrogateescape"` the reader finds out which line is no UTF-8, and can say so.
    """
    try:
        with path.open(encoding="utf-8", errors=errors) as file:
            yield file
    except OSError as error:
        raise BadInput(f"{path}: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: not a text file in UTF-8") from None


def write_json_line(file: TextIO, data: Any) -> None:
    """Write one JSON line, the same bytes in every run."""
    file.write(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n")
