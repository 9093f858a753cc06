"""`pitwatch bench`: how many streams this machine holds, how quick alerts are, beside the naive detector."""

from __future__ import annotations

import argparse
from typing import Any

from pitwatch.commands.common import add_parser


def add(subparsers: Any) -> None:
    """Declare the subcommand."""
    from pitwatch.model_bench import add_options

    parser = add_parser(
        subparsers,
        "bench",
        "measure streams at 25 fps, alert latency and memory, beside a nano detector on every frame",
        "pitwatch bench --tables 3 --seconds 60",
    )
    parser.add_argument("--tables", type=int, default=1, metavar="N", help="tables at once, two cameras each")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="how long to watch")
    parser.add_argument("--json", action="store_true", help="write one JSON document")
    add_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure what was asked for; 1 if a target is missed."""
    if args.models:
        from pitwatch import model_bench

        return model_bench.run(args)
    from pitwatch import live_bench

    return live_bench.run(args)
