"""The `pitwatch` command: finds the subcommand, runs it, and turns what went wrong into one line and a code.

Exit codes: 0 done, 1 done and found something, 2 bad input (one line that names the file and the field).
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from calibration.errors import CalibrationError
from engine.errors import PitwatchEngineError
from pipeline.errors import PipelineError
from pitwatch import __version__
from pitwatch.errors import PitwatchError
from simulator.errors import SimulatorError
from vision.errors import VisionError

COMMANDS = (
    "demo",
    "room",
    "judge",
    "rules",
    "reconstruct",
    "export",
    "verify",
    "calibrate",
    "simulate",
    "analyze",
    "evaluate",
    "watch",
    "status",
    "bench",
    "detect",
    "enroll",
)
"""Subcommands in the order of the help; each is a module in `pitwatch.commands` with `add` and `run`."""

OURS = (PitwatchError, PitwatchEngineError, CalibrationError, PipelineError, SimulatorError, VisionError)
"""Errors whose message is one clear line for the user."""
BAD_INPUT = 2
INTERRUPTED = 130


def build_parser() -> argparse.ArgumentParser:
    """Return the parser with all subcommands; heavy imports wait until a command runs."""
    parser = argparse.ArgumentParser(
        prog="pitwatch",
        description="Watches a Caribbean stud table and says when the table and the rulebook disagree.",
    )
    parser.add_argument("--version", action="version", version=f"pitwatch {__version__}")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in COMMANDS:
        import_module(f"pitwatch.commands.{name}").add(subparsers)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    args = build_parser().parse_args(argv)
    try:
        code: int = args.run(args)
        sys.stdout.flush()
    except OURS as error:
        print(f"pitwatch: {error}", file=sys.stderr)  # noqa: T201
        return BAD_INPUT
    except BrokenPipeError:  # the reader of a pipe went away, which is its right
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


if __name__ == "__main__":
    sys.exit(main())
