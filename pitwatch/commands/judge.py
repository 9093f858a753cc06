"""`pitwatch judge`: the monitor alone on an event log."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine.errors import BadEvent, BadSettings
from engine.events import Event
from engine.events.codec import read_numbered
from engine.monitor.house import HouseMonitor
from engine.rulebook import load_rulebook
from engine.settings import TableSettings
from engine.verdicts import Ruling, Verdict
from pitwatch.commands.common import add_parser, add_rulebook, open_text, write_json_line
from pitwatch.config import load_settings
from pitwatch.errors import BadInput
from pitwatch.wording import print_verdicts


def add(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = add_parser(
        subparsers,
        "judge",
        "judge an event log against a rulebook and write its alerts as JSON lines",
        "pitwatch judge events.jsonl --rulebook s10 --table table.toml > alerts.jsonl",
    )
    parser.add_argument(
        "events", type=Path, metavar="EVENTS.jsonl", help="event log; several tables may be mixed"
    )
    add_rulebook(parser)
    parser.add_argument(
        "--table",
        type=Path,
        action="append",
        default=[],
        metavar="TABLE.toml",
        help="table file with the house's settings (once per table)",
    )
    parser.add_argument("--pretty", action="store_true", help="write for people instead of programs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Judge, write, and return 1 if a violation was found."""
    book = load_rulebook(args.rulebook)
    settings: dict[str, TableSettings] = {}
    for path in args.table:
        table, one = load_settings(path)
        if table.name in settings:
            raise BadInput(f"{path}: name: {table.name!r} is also the name of another table file")
        settings[table.name] = one
    monitor = HouseMonitor(book, settings)
    with open_text(args.events, errors="surrogateescape") as file:
        verdicts = judge(monitor, read_numbered(file, str(args.events)), str(args.events), args.pretty)
    return 1 if any(verdict.ruling is Ruling.VIOLATION for verdict in verdicts) else 0


def judge(
    monitor: HouseMonitor, events: Iterable[tuple[int, Event]], name: str, pretty: bool
) -> list[Verdict]:
    """Feed events and write verdicts as they are proved; one that the table cannot show is named by its line."""
    verdicts: list[Verdict] = []
    for number, event in events:
        try:
            said = monitor.feed(event)
        except (BadEvent, BadSettings) as error:
            raise BadInput(f"{name}, line {number}, {error.message}") from None
        verdicts += said
        if not pretty:
            for verdict in said:
                write_json_line(sys.stdout, verdict.to_mapping())
    if pretty:
        print_verdicts(verdicts)
    return verdicts
