"""`pitwatch calibrate`: from landmarks, or the printed lines of a picture, to a table file; and is it still right?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pitwatch.commands.common import add_parser
from pitwatch.errors import BadInput


def add(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = add_parser(
        subparsers,
        "calibrate",
        "make or check the cameras of a table file from landmarks or from the printed lines of a picture",
        "pitwatch calibrate --names --table table.toml\n"
        "  pitwatch calibrate --picture still.png --camera overview --landmarks marks.toml --table table.toml"
        " --out table.toml\n"
        "  pitwatch calibrate --picture still.png --camera overview --auto --table table.toml --out table.toml\n"
        "  pitwatch calibrate --check --picture still.png --camera overview --table table.toml",
    )
    parser.add_argument(
        "--table", type=Path, metavar="TABLE.toml", help="table file to start from or to check"
    )
    parser.add_argument(
        "--camera", metavar="NAME", help="which camera (default: the landmarks file's, or the only one)"
    )
    parser.add_argument("--picture", type=Path, metavar="FILE", help="a still or a film of that camera")
    parser.add_argument(
        "--at", type=float, default=0.0, metavar="SECONDS", help="which moment of a film (default 0)"
    )
    parser.add_argument(
        "--landmarks", type=Path, metavar="FILE", help="landmarks with their pixels, TOML or JSON"
    )
    parser.add_argument("--auto", action="store_true", help="find the camera by the layout's printed lines")
    parser.add_argument(
        "--check", action="store_true", help="judge the table file: reprojection error and drift"
    )
    parser.add_argument(
        "--limit",
        type=float,
        default=3.0,
        metavar="MM",
        help="error that --check lets pass (default 3)",
    )
    parser.add_argument("--names", action="store_true", help="list the landmarks of the layout and stop")
    parser.add_argument("--seats", type=int, metavar="N", help="seats of a new table (without --table)")
    parser.add_argument("--name", metavar="NAME", help="name of the table in the file that is written")
    parser.add_argument("--rulebook", metavar="nz|s10", help="rulebook in the file that is written")
    parser.add_argument(
        "--source", metavar="URL", help="where the camera's video comes from, in the file that is written"
    )
    parser.add_argument(
        "--out", type=Path, metavar="TABLE.toml", help="write the table file with the new camera"
    )
    parser.add_argument("--draw", type=Path, metavar="OUT.png", help="draw the layout over the picture")
    parser.add_argument("--json", action="store_true", help="write one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Calibrate or check; 1 if the calibration is off or poor."""
    if not (args.landmarks or args.auto or args.check or args.names):
        raise BadInput("calibrate: say how: --landmarks FILE, --auto, --check or --names")
    if args.auto and not args.picture:
        raise BadInput("calibrate: --auto needs --picture")
    if args.check and args.auto:
        raise BadInput("calibrate: --check and --auto exclude each other")
    if args.check and not (args.picture or args.landmarks):
        raise BadInput("calibrate: --check needs --picture or --landmarks")
    if args.check and args.table is None:
        raise BadInput("calibrate: --check needs --table")
    from pitwatch import calibrating

    return calibrating.run(args)
