"""`pitwatch detect`: the bare eye on single pictures."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitwatch.commands.common import add_parser, write_json_line
from pitwatch.errors import BadInput

if TYPE_CHECKING:
    from vision.detections import Detections
    from vision.photograph import BareEye

BAD_FILES = 2
PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp")


def add(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = add_parser(
        subparsers,
        "detect",
        "find and read cards and chips in single pictures",
        "pitwatch detect photo.jpg --json\n  pitwatch detect *.jpg --draw seen/",
    )
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help="pictures of any size")
    parser.add_argument("--json", action="store_true", help="write one JSON line for each picture")
    parser.add_argument(
        "--draw", type=Path, metavar="OUT", help="draw what was seen: a picture file, or a folder for several"
    )
    parser.add_argument(
        "--table", type=Path, metavar="TABLE.toml", help="table file whose chip set names the chips"
    )
    parser.add_argument("--deck", type=Path, metavar="DECK.npz", help="a deck enrolled by `pitwatch enroll`")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Look at each picture; a bad one costs a line on the error stream, and the code at the end."""
    from vision.errors import BadPicture
    from vision.photograph import read_picture

    eye = _eye(args)
    bad = 0
    for path in args.images:
        try:
            image = read_picture(path)
            found = eye.look(image)
        except BadPicture as error:
            said = str(error) if str(error).startswith(str(path)) else f"{path}: {error}"
            print(f"pitwatch: {said}", file=sys.stderr)
            bad += 1
            continue
        if args.json:
            write_json_line(sys.stdout, plain(path, found))
        else:
            print(told(path, found))
        if args.draw:
            _draw(args.draw, path, image, found, len(args.images) > 1)
    return BAD_FILES if bad else 0


def _eye(args: argparse.Namespace) -> BareEye:
    from calibration.tablefile import load_table
    from vision.enrol import EnrolledReader, load_deck
    from vision.photograph import BareEye

    chips = load_table(args.table).chips if args.table else None
    return BareEye(chips, reader=EnrolledReader(load_deck(args.deck)) if args.deck else None)


def plain(path: Path, found: Detections) -> dict[str, Any]:
    """Return what was found as the contract writes it."""
    from vision.detections import Kind

    cards, chips = [], []
    for i in range(len(found)):
        if found.kinds[i] <= Kind.BACK:
            quad = [[round(float(x), 1), round(float(y), 1)] for x, y in found.quads[i]]
            cards.append({"quad": quad, "label": found.labels[i], "conf": round(float(found.confs[i]), 4)})
        elif found.kinds[i] == Kind.STACK:
            stack = found.stacks[i]
            chips.append(
                {
                    "box": [round(float(v), 1) for v in found.boxes[i]],
                    "count": len(stack.chips) if stack else None,
                    "value": stack.value if stack else None,
                    "conf": round(float(stack.conf if stack else found.scores[i]), 4),
                }
            )
    return {"image": str(path), "cards": cards, "chips": chips}


def told(path: Path, found: Detections) -> str:
    """Return what was found as a line for people."""
    data = plain(path, found)
    cards = " ".join(card["label"] for card in data["cards"]) or "none"
    counts = (
        " ".join("?" if chip["count"] is None else str(chip["count"]) for chip in data["chips"]) or "none"
    )
    return f"{path}: cards {cards}; stacks {counts}"


def _draw(out: Path, path: Path, image: Any, found: Detections, several: bool) -> None:
    """Write a picture with everything that was seen."""
    import cv2

    from vision.drawing import draw

    is_file = not several and out.suffix.lower() in PICTURES
    target = out if is_file else out / f"{path.stem}.seen.png"
    target.parent.mkdir(parents=True, exist_ok=True)
    if not cv2.imwrite(str(target), draw(image, found)):
        raise BadInput(f"{target}: cannot be written")
