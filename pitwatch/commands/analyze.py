"""`pitwatch analyze`: recorded video of one table, from frames to alerts."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pitwatch.commands.common import add_parser, add_rulebook
from pitwatch.errors import BadInput


def add(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = add_parser(
        subparsers,
        "analyze",
        "analyse recorded video of a table: events, alerts, rounds and a report",
        "pitwatch analyze overview.mp4 bets.mp4 --table table.toml --rulebook nz --out found",
    )
    parser.add_argument(
        "videos",
        nargs="+",
        metavar="VIDEO",
        help="one file for each camera, named after it (overview.mp4), or CAMERA=FILE",
    )
    parser.add_argument("--table", type=Path, required=True, metavar="TABLE.toml", help="the table's file")
    add_rulebook(parser)
    parser.add_argument(
        "--signals", type=Path, metavar="F.jsonl", help="what machines and operators reported"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the files go")
    parser.add_argument("--json", action="store_true", help="print what was found as one JSON object")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Analyse, write, and return 1 if a violation was found."""
    from pipeline.analyze import write_analysis
    from pitwatch.analysis import analyze_files

    videos, named = split_videos(args.videos)
    with _bar(args.quiet) as progress:
        done = analyze_files(videos, args.table, args.rulebook, args.signals, named, progress)
    write_analysis(done, args.out)
    _tell(done, args)
    return 1 if done.violations else 0


def split_videos(texts: list[str]) -> tuple[list[Path], dict[str, Path]]:
    """Files, and those that are given as CAMERA=FILE."""
    named: dict[str, Path] = {}
    paths: list[Path] = []
    for text in texts:
        name, sep, file = text.partition("=")
        if sep and not Path(text).exists():
            if name in named:
                raise BadInput(f"{text}: camera {name} was given twice")
            named[name] = Path(file)
            paths.append(Path(file))
        else:
            paths.append(Path(text))
    return paths, named


def _tell(done: Any, args: argparse.Namespace) -> None:
    rounds = sum(type(event).__name__ == "RoundOpened" for event in done.events)
    if args.json:
        from pitwatch.commands.common import write_json_line

        found = {
            "out": str(args.out),
            "rounds": rounds,
            "events": len(done.events),
            "alerts": len(done.violations),
            "unseen": done.unseen,
        }
        write_json_line(sys.stdout, found)
        return
    print(
        f"{rounds} rounds, {len(done.events)} events, {len(done.violations)} alerts: see {args.out / 'report.html'}"
    )
    for note in done.unseen:
        print(f"not seen: {note}")


@contextmanager
def _bar(quiet: bool) -> Iterator[Any]:
    """A progress bar on the error stream, so that the output stays clean."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    if quiet:
        yield None
        return
    columns = (
        TextColumn("analysing"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeRemainingColumn(),
    )
    progress = Progress(*columns, console=Console(stderr=True))

    def tell(done: int, total: int) -> None:
        # Shown only once there is something to show, so that bad input is one clear line and nothing else.
        if not progress.tasks:
            progress.add_task("film", total=None)
            progress.start()
        progress.update(progress.task_ids[0], completed=done, total=total)

    try:
        yield tell
    finally:
        if progress.tasks:
            progress.stop()
