"""`pitwatch enroll`: learn a table's deck from pictures or a clip of its opening spread."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitwatch.commands.common import add_parser
from pitwatch.errors import BadInput

if TYPE_CHECKING:
    from vision.enrol import Deck

CLIPS = (".mp4", ".mkv", ".mov", ".avi", ".ts")
LOOKS = 6
"""Frames of a clip that are tried, evenly spaced."""


def add(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = add_parser(
        subparsers,
        "enroll",
        "learn a deck's art from a spread of its 52 cards in order, without training",
        "pitwatch enroll opening.mp4 --out deck.npz\n  pitwatch enroll clubs.jpg diamonds.jpg hearts.jpg spades.jpg "
        "--out deck.npz",
    )
    parser.add_argument(
        "spread",
        nargs="+",
        type=Path,
        metavar="SPREAD",
        help="a picture or clip of 52 cards, or a picture a suit",
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DECK.npz", help="file for the enrolled deck"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Enrol and write the deck."""
    from vision.enrol import save_deck

    deck = learn(args.spread)
    try:
        save_deck(deck, args.out)
    except OSError as error:
        raise BadInput(f"{args.out}: cannot be written: {error.strerror}") from None
    read = f"{deck.agree:.0%} of them read so before"
    print(f"{args.out}: {int(deck.known.sum())} of 52 cards enrolled by their place in the order, {read}")
    return 0


def learn(paths: list[Path]) -> Deck:
    """Return the deck that pictures or a clip show."""
    from vision.aligner import Aligner
    from vision.card_reader import CardReader
    from vision.enrol import enrol, spread
    from vision.errors import BadEnrolment
    from vision.finder import Finder
    from vision.photograph import read_picture

    finder, aligner, reader = Finder(), Aligner(), CardReader()
    if len(paths) == 1 and paths[0].suffix.lower() in CLIPS:
        best: Deck | None = None
        said = "no frame could be read"
        for image in _frames(paths[0]):
            try:
                deck = enrol([spread(image, finder, aligner, reader)])
            except BadEnrolment as error:
                said = str(error)
                continue
            if best is None or (deck.known.sum(), deck.agree) > (best.known.sum(), best.agree):
                best = deck
        if best is None:
            raise BadInput(f"{paths[0]}: {said}")
        return best
    try:
        return enrol([spread(read_picture(path), finder, aligner, reader) for path in paths])
    except BadEnrolment as error:
        raise BadInput(f"{paths[0]}: {error}") from None


def _frames(path: Path) -> Iterator[Any]:
    """Yield some frames of a clip, evenly spaced."""
    import av

    try:
        with av.open(str(path)) as clip:
            total = clip.streams.video[0].frames
            every = max(1, total // LOOKS)
            for number, frame in enumerate(clip.decode(video=0)):
                if number % every == every // 2 or total == 0:
                    yield frame.to_ndarray(format="bgr24")
    except (OSError, av.FFmpegError, IndexError) as error:
        raise BadInput(f"{path}: cannot be read as video: {error}") from None
