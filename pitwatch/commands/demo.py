"""`pitwatch demo`: the product on shipped rounds, without any set-up."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from rich.console import Console

from engine.events.codec import read_lines
from engine.monitor import Monitor
from engine.rulebook import load_rulebook
from engine.verdicts import Ruling, Verdict
from pitwatch.commands.common import add_parser, open_text
from pitwatch.config import load_settings
from pitwatch.data import shipped
from pitwatch.wording import print_verdicts


def add(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = add_parser(subparsers, "demo", "show the product at work on shipped rounds", "pitwatch demo")
    parser.add_argument(
        "--check", action="store_true", help="say only whether every round gave the alerts that it should"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Judge each shipped log, print its alerts, and return 1 if any is missing or wrong."""
    console = Console(highlight=False)
    wrong = 0
    for folder in sorted((shipped("datasets") / "logs").iterdir()):
        verdicts, expected = judge_folder(folder)
        found = {(one.check, one.seat) for one in verdicts if one.ruling is Ruling.VIOLATION}
        right = found == expected
        wrong += not right
        console.rule(f"[bold]{folder.name}[/]", align="left")
        if not args.check:
            print_verdicts(verdicts, console)
        told = "as expected" if right else f"NOT as expected: {sorted(expected)}, got {sorted(found)}"
        console.print(f"{len(found)} alert(s), {told}\n")
    return 1 if wrong else 0


def judge_folder(folder: Path) -> tuple[list[Verdict], set[tuple[str, int | None]]]:
    """Judge one shipped log; return its verdicts and the violations that are proper."""
    table, settings = load_settings(folder / "table.toml")
    monitor = Monitor(load_rulebook(table.rulebook), settings)
    with open_text(folder / "truth.jsonl") as file:
        verdicts = monitor.feed_all(read_lines(file, f"{folder.name}/truth.jsonl"))
    with open_text(folder / "expected.jsonl") as file:
        lines = [json.loads(line) for line in file]
    return verdicts, {(one["check"], one["seat"]) for one in lines if one["verdict"] == "violation"}
