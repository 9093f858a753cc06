"""`pitwatch status`: how a site's processes are, from the file that its supervisor leaves every second."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from pitwatch.commands.common import add_parser
from pitwatch.errors import BadInput

STALE_SECONDS = 10


def add(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = add_parser(
        subparsers,
        "status",
        "say how a running site is: every process, its state, what is wrong, how quick it is",
        "pitwatch status --site site.toml --json",
    )
    parser.add_argument("--site", type=Path, required=True, metavar="SITE.toml", help="the site file")
    parser.add_argument("--json", action="store_true", help="write one JSON document")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the status; 0 if everything is well, 1 if something is degraded or down."""
    from pipeline.live.layout import Places
    from pipeline.live.site import load_site

    status = read_status(Places(load_site(args.site).home).run / "status.json")
    if args.json:
        print(json.dumps(status, ensure_ascii=False))
    else:
        _print(status)
    return 0 if status["state"] == "ok" else 1


def read_status(path: Path) -> dict[str, Any]:
    """Return the status in a file; one that nobody has written lately is `down`."""
    try:
        status = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {"state": "down", "why": "the site is not running", "processes": []}
    except (OSError, ValueError):
        raise BadInput(f"{path}: cannot be read") from None
    age = time.time() - status["wall"] / 1000
    if age > STALE_SECONDS:
        status |= {"state": "down", "why": f"the supervisor has written nothing for {age:.0f} s"}
    return dict(status)


def _print(status: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    console.print(f"site: {status['state']}{': ' + status['why'] if status.get('why') else ''}")
    table = Table("process", "state", "restarts", "memory", "figures", "why", box=None)
    for row in status["processes"]:
        figures = row["gauges"]
        shown = [
            f"{name} {figures[name]:g}"
            for name in ("frames", "skipped", "alerts", "spool")
            if name in figures
        ]
        if figures.get("alert_seconds_p99"):
            shown.append(f"alert p99 {figures['alert_seconds_p99']:.2f} s")
        memory = f"{figures['memory_mb']:.0f} MB" if "memory_mb" in figures else ""
        table.add_row(
            row["process"], row["state"], str(row["restarts"]), memory, ", ".join(shown), row["why"]
        )
    console.print(table)
