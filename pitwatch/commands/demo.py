"""`pitwatch demo`: the product on shipped rounds, without any set-up."""

from __future__ import annotations

import argparse
import os
import signal
import threading
import webbrowser
from pathlib import Path
from typing import Any

from rich.console import Console

from engine.monitor import Monitor
from engine.rulebook import load_rulebook
from engine.verdicts import Ruling, Verdict
from pitwatch.commands.common import add_parser
from pitwatch.data import shipped
from pitwatch.replaying import load_log
from pitwatch.wording import print_verdicts

CHECK_SPEED = 40.0


def add(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = add_parser(
        subparsers,
        "demo",
        "open the surveillance room on shipped rounds, played as if live",
        "pitwatch demo\n  pitwatch demo --check\n  pitwatch demo --text",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--check",
        action="store_true",
        help="without a browser: wait for the expected alerts, print them; 1 if any is missing or wrong",
    )
    what.add_argument("--text", action="store_true", help="judge the shipped rounds in the terminal instead")
    parser.add_argument("--port", type=int, default=8600, help="port of the room (another if it is taken)")
    parser.add_argument("--speed", type=float, metavar="X", help="times as fast as it happened (default: 1)")
    parser.add_argument("--quick", action="store_true", help="with --check: leave the films out")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument(
        "--seconds", type=float, default=180.0, metavar="N", help="how long --check waits (default: 180)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Show the product at work."""
    console = Console(highlight=False)
    if args.text:
        return in_text(console)
    return checked(console, args) if args.check else opened(console, args)


def opened(console: Console, args: argparse.Namespace) -> int:
    """Open the room and play until interrupted."""
    from pitwatch.demonstration import HOST, demonstration

    done = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: done.set())
    with demonstration(args.port, args.speed or 1.0, again=True) as demo:
        link = demo.link
        console.print(f"The surveillance room is open at [bold]http://{HOST}:{demo.port}/[/]")
        console.print("Two tables play shipped rounds as if live. This link signs you in, once:")
        console.print(f"  [bold]{link}[/]", soft_wrap=True)
        console.print("Ctrl-C ends it; nothing is left behind.")
        if not args.no_browser and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            webbrowser.open(link)
        done.wait()
        console.print("closing")
    return 0


def checked(console: Console, args: argparse.Namespace) -> int:
    """Play quickly, ask the room over its API, and compare."""
    from pitwatch.demonstration import check, demonstration

    wrong = 0
    with demonstration(args.port, args.speed or CHECK_SPEED, again=False, films=not args.quick) as demo:
        for right, text in check(demo, args.seconds):
            wrong += not right
            console.print(("[green]ok[/]    " if right else "[bold red]WRONG[/] ") + text, soft_wrap=True)
    console.print("everything as expected" if not wrong else f"{wrong} not as expected")
    return 1 if wrong else 0


def in_text(console: Console) -> int:
    """Judge each shipped log, print its alerts, and return 1 if any is missing or wrong."""
    wrong = 0
    for folder in sorted((shipped("datasets") / "logs").iterdir()):
        verdicts, expected = judge_folder(folder)
        found = {(one.check, one.seat) for one in verdicts if one.ruling is Ruling.VIOLATION}
        right = found == expected
        wrong += not right
        console.rule(f"[bold]{folder.name}[/]", align="left")
        print_verdicts(verdicts, console)
        told = "as expected" if right else f"NOT as expected: {sorted(expected)}, got {sorted(found)}"
        console.print(f"{len(found)} alert(s), {told}\n")
    return 1 if wrong else 0


def judge_folder(folder: Path) -> tuple[list[Verdict], set[tuple[str, int | None]]]:
    """Judge one shipped log; return its verdicts and the violations that are proper."""
    log = load_log(folder)
    return Monitor(load_rulebook(log.rulebook), log.settings).feed_all(log.events), set(log.expected)
