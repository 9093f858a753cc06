"""`pitwatch simulate`: films a scripted round, or writes its logs alone, with exact truth."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from pitwatch.commands.common import add_parser
from pitwatch.errors import BadInput

Told = Callable[[str, int, int], None]


def add(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = add_parser(
        subparsers,
        "simulate",
        "film a scripted round with exact truth (needs the extra `sim`)",
        "pitwatch simulate --scenario clean --rulebook nz --seed 7 --cameras overview,bets --out film",
    )
    parser.add_argument("--scenario", default="clean", metavar="clean|NAME|FILE.toml", help="what is played")
    parser.add_argument("--rulebook", choices=("nz", "s10"), help="the rulebook that is dealt by")
    parser.add_argument(
        "--seed", type=int, help="the same seed gives the same truth, byte for byte (default 1)"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder for the films and logs")
    parser.add_argument("--cameras", default="overview,bets", metavar="NAME,…", help="cameras that film")
    parser.add_argument("--size", default="1920x1080", metavar="WxH", help="picture size, such as 3840x2160")
    parser.add_argument("--fps", type=float, default=25.0, help="frames a second")
    parser.add_argument("--seats", type=int, metavar="N", help="how many seats play")
    parser.add_argument(
        "--split", default="train", choices=("train", "valid", "test"), help="whose art is used"
    )
    parser.add_argument("--style", type=int, metavar="N", help="seed of the look (default: the seed)")
    parser.add_argument(
        "--quality", type=int, default=23, metavar="CRF", help="of the H.264 video; lower is better"
    )
    parser.add_argument("--limit", type=float, metavar="S", help="film only the first so many seconds")
    parser.add_argument(
        "--frames-every", type=int, default=10, metavar="N", help="truth of every Nth frame; 0: none"
    )
    parser.add_argument(
        "--own-art", action="store_true", help="use only decks that this project draws itself"
    )
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="that share the work of stills")
    parser.add_argument("--crops", action="store_true", help="with --stills: also cut out cards and stacks")
    parser.add_argument(
        "--skip", type=int, default=0, metavar="N", help="with --stills: leave out the first N (in 16s)"
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--events-only", action="store_true", help="write the logs without filming")
    what.add_argument("--stills", type=int, metavar="N", help="write N labelled training pictures instead")
    what.add_argument("--list", action="store_true", help="list the scenarios")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do what is asked; nothing is written but into the folder."""
    if args.list:
        return _list(args.rulebook)
    if args.out is None:
        raise BadInput("--out: the folder to write to is missing")
    if args.stills is not None:
        return _stills(args)
    from simulator.api import Order, simulate

    if args.rulebook is None and not args.scenario.endswith(".toml"):
        raise BadInput("--rulebook: nz or s10 is needed")
    order = Order(
        scenario=args.scenario,
        rulebook=args.rulebook,
        seed=args.seed,
        cameras=_names(args.cameras),
        size=_size(args.size),
        fps=_between("--fps", args.fps, 1.0, 120.0),
        seats=args.seats,
        split=args.split,
        style=args.style,
        quality=int(_between("--quality", args.quality, 0, 51)),
        frames_every=int(_between("--frames-every", args.frames_every, 0, 10**6)),
        own_art=args.own_art,
        limit=None if args.limit is None else _between("--limit", args.limit, 0.1, 86_400.0),
    )
    with _bar() as told:
        script = simulate(order, args.out, args.events_only, told)
    seconds = script.events[-1].at / 1000
    said = f"{len(script.events)} events in {seconds:.0f} s, {len(script.expected)} violation(s) to be found"
    Console(highlight=False).print(f"{args.out}: {script.name}, {script.rulebook}: {said}", soft_wrap=True)
    return 0


def _list(rulebook: str | None) -> int:
    from simulator.scenarios import CLEAN, catalogue, scenario_names

    console = Console(highlight=False)
    known = catalogue()
    for name in scenario_names(rulebook):
        text = "a legal round" if name == CLEAN else known[name].describe
        console.print(f"[bold]{name}[/]  {text}", soft_wrap=True)
    return 0


def _stills(args: argparse.Namespace) -> int:
    try:
        from simulator.stills import write_stills
    except ModuleNotFoundError as error:
        from simulator.api import missing_extra

        raise missing_extra(error) from None
    count = int(_between("--stills", args.stills, 1, 10**7))
    with _bar() as told:
        write_stills(
            count, args.out, split=args.split, seed=1 if args.seed is None else args.seed,
            size=_size(args.size), processes=int(_between("--processes", args.processes, 1, 256)),
            own_art=args.own_art, crops=args.crops, first=int(_between("--skip", args.skip, 0, 10**9)) // 16,
            progress=lambda done, total: told("stills", done, total),
        )  # fmt: skip
    Console(highlight=False).print(f"{args.out}: {count} stills", soft_wrap=True)
    return 0


def _names(text: str) -> tuple[str, ...]:
    """Read the list of cameras."""
    from simulator.api import CAMERAS

    names = tuple(name.strip() for name in text.split(",") if name.strip())
    for name in names:
        if name not in CAMERAS:
            raise BadInput(f"--cameras: {name!r} is not one of {', '.join(CAMERAS)}")
    if not names or len(set(names)) != len(names):
        raise BadInput("--cameras: name each camera once, such as overview,bets")
    return names


def _size(text: str) -> tuple[int, int]:
    """Read a picture size; H.264 needs even numbers."""
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(part.isdecimal() for part in parts):
        raise BadInput(f"--size: {text!r} is not a size such as 1920x1080")
    width, height = int(parts[0]), int(parts[1])
    if width % 2 or height % 2 or not (64 <= width <= 7680 and 64 <= height <= 4320):
        raise BadInput(f"--size: {text!r} is not two even numbers up to 7680x4320")
    return width, height


def _between(name: str, value: float, low: float, high: float) -> float:
    if not low <= value <= high:
        raise BadInput(f"{name}: {value:g} is not between {low:g} and {high:g}")
    return value


@contextmanager
def _bar() -> Iterator[Told]:
    """Show a bar for each thing that is being done, on the error stream, so that output can be piped."""
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}/{task.total}"))
    tasks: dict[str, TaskID] = {}
    with Progress(
        *columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True)
    ) as progress:

        def told(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = progress.add_task(what, total=total)
            progress.update(tasks[what], completed=done, total=total)

        yield told
