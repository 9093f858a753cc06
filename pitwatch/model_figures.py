"""`pitwatch evaluate --models`: the figures of the models on labelled pictures."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from pitwatch.errors import BadInput

Row = tuple[str, str, float, str, float]
"""What is measured, on what, the figure, the sign of the target, the target."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options that concern the models."""
    parser.add_argument(
        "--models", action="store_true", help="measure the models on labelled pictures instead"
    )
    parser.add_argument(
        "--photos", type=Path, metavar="DIR", help="photographs: images/ and labels/ (whole cards)"
    )
    parser.add_argument("--stills", type=Path, metavar="DIR", help="simulator stills: images/ and truth/")
    parser.add_argument(
        "--metrics", type=Path, default=Path("metrics.json"), metavar="FILE", help="where figures go"
    )


def run(args: argparse.Namespace) -> int:
    """Measure, print, write; returns 1 if a target is missed."""
    if args.photos is None and args.stills is None:
        raise BadInput("--models: give --photos DIR, --stills DIR or both")
    figures = measure(args.photos, args.stills)
    rows = targets(figures)
    table = Table(title="models on single pictures", title_justify="left")
    for heading in ("figure", "on", "measured", "target", ""):
        table.add_column(heading)
    for what, where, value, sign, goal in rows:
        met = value >= goal if sign == "≥" else value <= goal
        table.add_row(what, where, f"{value:.4f}", f"{sign} {goal:g}", "reached" if met else "MISSED")
    Console(highlight=False).print(table)
    try:
        args.metrics.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{args.metrics}: cannot be written: {error.strerror}") from None
    return 0 if all(v >= g if sign == "≥" else v <= g for _, _, v, sign, g in rows) else 1


def measure(photos: Path | None, stills: Path | None) -> dict[str, Any]:
    """Return the figures of everything that was given."""
    from vision.photograph import BareEye
    from vision.score import measure_photographs, measure_stills
    from vision.stack_figures import measure_stacks

    for folder, part in ((photos, "images"), (stills, "truth")):
        if folder is not None and not (folder / part).is_dir():
            raise BadInput(f"{folder}: no folder {part}/ in it")
    eye, out = BareEye(), dict[str, Any]()
    if photos is not None:
        out["photographs"] = measure_photographs(photos, eye.look)
    if stills is not None:
        out["stills"] = measure_stills(stills, eye.look)
        reads = measure_stacks(stills, eye.look)
        if reads.there:
            out["stacks"] = reads.figures()
    return out


def targets(figures: dict[str, Any]) -> list[Row]:
    """The figures that have a target."""
    rows: list[Row] = []
    if "photographs" in figures:
        one = figures["photographs"]["cards"]
        rows.append(("cards: place and identity, F1", "photographs", one["f1"], "≥", 0.97))
        rows.append(("cards: wrong identities, of reads", "photographs", one["wrong_share"], "≤", 0.005))
    if "stills" in figures:
        one = figures["stills"]
        rows.append(("clear cards: place and identity, F1", "stills", one["clear"]["f1"], "≥", 0.99))
        rows.append(
            ("clear cards: face against back wrong", "stills", one["clear"]["flipped_share"], "≤", 0.001)
        )
        rows.append(
            ("covered cards: wrong identities, of reads", "stills", one["covered"]["wrong_share"], "≤", 0.005)
        )
        rows.append(("hands: recall at overlap 0.5", "stills", one["hand"]["recall"], "≥", 0.95))
    if "stacks" in figures:
        one = figures["stacks"]
        rows.append(("stacks: count right, of those read", "stills", one["count_of_read"], "≥", 0.97))
        rows.append(("stacks: off by more than one, of those read", "stills", one["far_of_read"], "≤", 0.005))
        rows.append(("stacks: value right, of those read", "stills", one["value_of_read"], "≥", 0.97))
        rows.append(("stacks: count right, of all there", "stills", one["count_of_all"], "≥", 0.97))
    return rows
