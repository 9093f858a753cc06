"""`pitwatch bench --models`: what looking costs on one core, beside a nano detector on every frame.

Times are CPU time of this process on one thread, so that a busy machine does not change them much; decoding and the
conversion to BGR are counted apart, because every reader of the video pays them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from pitwatch.errors import BadInput

if TYPE_CHECKING:
    from calibration.tablefile import TableModel

WHOLE_LOOKS = 12
BASELINE_RUNS = 10
SIDE = 640


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options that concern the models."""
    parser.add_argument("--models", action="store_true", help="measure the eyes on a filmed round instead")
    parser.add_argument(
        "--film", type=Path, metavar="DIR", help="a filmed round: table.toml and a video a camera"
    )
    parser.add_argument(
        "--frames", type=int, default=1500, metavar="N", help="at most so many frames a camera"
    )
    parser.add_argument("--baseline", type=Path, metavar="FILE.onnx", help="a yolo26n at 640 of your own")


@dataclass(frozen=True, slots=True)
class CameraTimes:
    """CPU milliseconds for one camera: a frame's decoding, looking on average and at worst, a whole-frame look."""

    camera: str
    frames: int
    decode: float
    look: float
    worst: float
    whole: float
    whole_cards: int
    skipped: int


def run(args: argparse.Namespace) -> int:
    """Measure and print; returns 1 if a target is missed."""
    import cv2

    cv2.setNumThreads(1)
    folder = args.film or _shipped()
    table, films = _films(folder)
    times = [measure(table, name, film, args.frames) for name, film in films]
    naive = baseline(args.baseline, films[0][1])
    average = sum(t.look * t.frames for t in times) / max(1, sum(t.frames for t in times))
    report = {
        "cameras": [asdict(t) for t in times],
        "average_ms": average,
        "baseline_ms": naive,
        "faster": naive / average,
    }
    if getattr(args, "json", False):
        Console(highlight=False).print_json(json.dumps(report))
    else:
        _print(times, average, naive, args.baseline)
    met = average <= 6.0 and max(t.whole for t in times) <= 25.0 and naive / average >= 10.0
    return 0 if met else 1


def _print(times: list[CameraTimes], average: float, naive: float, given: Path | None) -> None:
    table = Table(title="CPU milliseconds on one core", title_justify="left")
    for heading in (
        "camera",
        "frames",
        "decode",
        "look, average",
        "look, worst",
        "whole-frame look",
        "work put off",
    ):
        table.add_column(heading, justify="right")
    for t in times:
        whole = f"{t.whole:.1f} ({t.whole_cards} cards)"
        cells = (f"{t.frames}", f"{t.decode:.2f}", f"{t.look:.2f}", f"{t.worst:.1f}", whole, f"{t.skipped}")
        table.add_row(t.camera, *cells)
    console = Console(highlight=False)
    console.print(table)
    what = str(given) if given else "a stand-in of the cost of yolo26n at 640 (models/baseline)"
    console.print(f"average {average:.2f} ms a frame beyond decoding (target 6)")
    console.print(f"{what} on every frame: {naive:.1f} ms, {naive / average:.1f} times as much (target 10)")


def _shipped() -> Path:
    """The first filmed round that is shipped."""
    from pitwatch.data import shipped

    clips = shipped("datasets") / "clips"
    found = sorted(one.parent for one in clips.glob("*/table.toml")) if clips.is_dir() else []
    if not found:
        raise BadInput("--film: no filmed round is shipped: give a folder that `pitwatch simulate` wrote")
    return found[0]


def _films(folder: Path) -> tuple[TableModel, list[tuple[str, Path]]]:
    from calibration.tablefile import load_table

    table = load_table(folder / "table.toml")
    films = [
        (c.name, folder / f"{c.name}.mp4") for c in table.cameras if (folder / f"{c.name}.mp4").is_file()
    ]
    if not films:
        raise BadInput(f"{folder}: no video of any camera of its table.toml")
    return table, films


def _decoded(path: Path, limit: int) -> Iterator[tuple[Any, float]]:
    """Yield frames (BGR) and the CPU time that each took to decode."""
    import av

    try:
        with av.open(str(path)) as clip:
            clip.streams.video[0].thread_count = 1
            start = process_time()
            for frame in islice(clip.decode(video=0), limit):
                image = frame.to_ndarray(format="bgr24")
                yield image, 1000 * (process_time() - start)
                start = process_time()
    except (OSError, av.FFmpegError, IndexError) as error:
        raise BadInput(f"{path}: cannot be read as video: {error}") from None


def measure(table: TableModel, name: str, film: Path, limit: int) -> CameraTimes:
    """Look at a film frame by frame, then at some of its frames whole."""
    from vision.evaluator import Evaluator
    from vision.eyes import Eyes

    evaluator = Evaluator()
    eyes = Eyes(table.build_cameras()[name], table.build_layout(), table.chips, evaluator)
    decode, looks, kept, skipped = [], [], [], 0
    fps = eyes.camera.fps
    for number, (image, spent) in enumerate(_decoded(film, limit)):
        start = process_time()
        eyes.look(image, number, round(1000 * number / fps))
        looks.append(1000 * (process_time() - start))
        decode.append(spent)
        skipped += sum(eyes.report.skipped.values())
        if number % max(1, limit // WHOLE_LOOKS) == 0:
            kept.append(image)
    if not looks:
        raise BadInput(f"{film}: holds no frame")
    whole, cards = _whole(evaluator, name, kept)
    return CameraTimes(
        name,
        len(looks),
        sum(decode) / len(decode),
        sum(looks) / len(looks),
        max(looks),
        whole,
        cards,
        skipped,
    )


def _whole(evaluator: Any, name: str, frames: list[Any]) -> tuple[float, int]:
    """CPU time of looking at a whole frame that is all news: the one with the most cards."""
    best = (0.0, -1)
    for image in frames:
        evaluator.reset(name)
        start = process_time()
        look = evaluator.look(name, image)
        spent = 1000 * (process_time() - start)
        cards = int(look.found.is_card.sum())
        if cards > best[1]:
            best = (spent, cards)
    return best


def baseline(given: Path | None, film: Path) -> float:
    """CPU time of the nano detector on a frame, with shrinking the frame to its input."""
    import cv2
    import numpy as np
    import onnxruntime

    from vision.weights import load

    path = given or load("baseline").path
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except (onnxruntime.capi.onnxruntime_pybind11_state.Fail, OSError) as error:
        raise BadInput(f"{path}: cannot be run: {error}") from None
    name, spent = session.get_inputs()[0].name, []
    for image, _ in _decoded(film, BASELINE_RUNS):
        start = process_time()
        small = cv2.resize(image, (SIDE, SIDE * image.shape[0] // image.shape[1]))
        square = np.full((SIDE, SIDE, 3), 114, np.uint8)
        square[: small.shape[0]] = small
        session.run(None, {name: np.ascontiguousarray(square.transpose(2, 0, 1)[None], np.float32) / 255})
        spent.append(1000 * (process_time() - start))
    return float(np.median(spent))
