"""Make the contact sheet of docs/simulator.md from real output: frames of films above, labelled stills below.

pitwatch simulate --stills 48 --split train --seed 21 --own-art --out STILLS
python scripts/make_sheet.py STILLS docs/images/simulator.jpg datasets/clips/nz-clean datasets/clips/s10-clean …
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np

CELL = (480, 270)
COLUMNS = 4


def frames(film: Path) -> Iterator[np.ndarray]:
    """Two moments of a film, each with both cameras."""
    for share in (0.45, 0.8):
        for camera in ("overview", "bets"):
            with av.open(str(film / f"{camera}.mp4")) as video:
                stream = video.streams.video[0]
                wanted = int(stream.frames * share)
                for number, frame in enumerate(video.decode(stream)):
                    if number == wanted:
                        yield frame.to_ndarray(format="bgr24")
                        break


def labelled(stills: Path) -> Iterator[np.ndarray]:
    """Stills that show much, with their truth drawn in."""
    told = [json.loads(path.read_text()) for path in sorted((stills / "truth").glob("*.json"))]
    told.sort(key=lambda one: -sum(card["visible"] > 0.3 for card in one["cards"]) - len(one["stacks"]) / 2)
    for record in told[:8]:
        picture = cv2.imread(str(stills / record["image"]))
        if picture is not None:
            yield _drawn(picture, record)


def _drawn(picture: np.ndarray, record: dict[str, Any]) -> np.ndarray:
    for card in record["cards"]:
        if card["visible"] > 0.2:
            colour = (60, 60, 240) if card["label"] != "back" else (230, 140, 40)
            quad = np.round(np.asarray(card["quad"]) * 16).astype(np.int32)
            cv2.polylines(picture, [quad], True, colour, 2, cv2.LINE_AA, 4)
    for stack in record["stacks"]:
        x0, y0, x1, y1 = (round(v) for v in stack["box"])
        cv2.rectangle(picture, (x0, y0), (x1, y1), (60, 220, 60), 2)
    for hand in record["hands"]:
        cv2.polylines(picture, [np.asarray(hand["mask"], np.int32)], True, (220, 60, 220), 2, cv2.LINE_AA)
    return picture


def main(stills: Path, out: Path, films: list[Path]) -> None:
    """Write the sheet."""
    pictures = [one for film in films for one in frames(film)] + list(labelled(stills))
    cells = [cv2.resize(one, CELL, interpolation=cv2.INTER_AREA) for one in pictures]
    cells += [np.zeros_like(cells[0])] * (-len(cells) % COLUMNS)
    rows = [np.hstack(cells[i : i + COLUMNS]) for i in range(0, len(cells), COLUMNS)]
    out.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(out), np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, 82])


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), [Path(one) for one in sys.argv[3:]])
