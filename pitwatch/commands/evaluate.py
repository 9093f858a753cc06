"""`pitwatch evaluate`: analyses against truth, on film or on noisy observations."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from pitwatch import model_figures
from pitwatch.commands.common import add_parser, write_json_line
from pitwatch.errors import BadInput


def add(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = add_parser(
        subparsers,
        "evaluate",
        "compare analyses with the truth: cards, counts, amounts, events, rounds, alerts",
        "pitwatch evaluate films/* --json\n  pitwatch evaluate --models --photos valid --stills stills-test",
    )
    parser.add_argument(
        "folders",
        nargs="*",
        type=Path,
        metavar="DIR",
        help="what `simulate` left: videos, table.toml, truth.jsonl, …",
    )
    parser.add_argument(
        "--again", action="store_true", help="analyse anew even where DIR/found holds an analysis"
    )
    parser.add_argument(
        "--noise", type=int, metavar="N", help="no film: N scripted rounds seen by eyes with stated errors"
    )
    parser.add_argument(
        "--scenario",
        default="clean",
        help="with --noise: clean, irregular (all that a camera sees), or a name",
    )
    parser.add_argument("--rulebook", choices=("nz", "s10"), help="with --noise: only this one")
    parser.add_argument("--seed", type=int, default=1, help="with --noise: the first seed")
    parser.add_argument("--clear", action="store_true", help="with --noise: eyes without error")
    parser.add_argument(
        "--worst", type=int, default=5, metavar="K", help="how many of the worst scenes to tell"
    )
    parser.add_argument("--json", action="store_true", help="write one JSON object")
    model_figures.add_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Evaluate and tell; returns 1 if anything was false or missed."""
    if args.models:
        return model_figures.run(args)
    from pitwatch.evaluation import Evaluation

    if (args.noise is None) == (not args.folders):
        raise BadInput("give folders to evaluate, or --noise N")
    done = Evaluation()
    for case in _noisy(args) if args.noise is not None else _filmed(args):
        done.cases.append(case)
    _tell(done, args)
    return 1 if any(case.faults for case in done.cases) else 0


def _filmed(args: argparse.Namespace) -> Any:
    from pitwatch.evaluation import evaluate_folder, folders_in

    for folder in folders_in(args.folders):
        print(f"{folder}", file=sys.stderr)
        yield evaluate_folder(folder, args.again)


def _noisy(args: argparse.Namespace) -> Any:
    from pitwatch.proving import noisy_cases
    from simulator.observe import CLEAR, STATED

    return noisy_cases(args.noise, args.scenario, args.rulebook, args.seed, CLEAR if args.clear else STATED)


def _tell(done: Any, args: argparse.Namespace) -> None:
    from pitwatch.evaluation import words_of

    figures = done.figures()
    worst = {f"{case.rulebook}/{case.name}": words_of(case) for case in done.worst(args.worst)}
    if args.json:
        write_json_line(sys.stdout, {"figures": figures, "worst": worst})
        return
    for name, value in figures.items():
        shown = f"{value:.2%}" if isinstance(value, float) else str(value)
        print(f"{name.replace('_', ' '):24} {shown}")
    for name, words in worst.items():
        print(f"\n{name}")
        for word in words:
            print(f"  {word}")
