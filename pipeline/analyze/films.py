"""Video files as frames with times; whatever is wrong with a file ends in a note or in one clear error.

A frame's time is what the file says, not its number: frame rates change, and frames are missing. A file that cannot be
opened or holds no picture is an error; one that breaks off or has damaged stretches is read as far as it can be, and
what is missing is noted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import av
import cv2
import numpy as np
from av.error import FFmpegError
from numpy.typing import NDArray

from pipeline.errors import AnalysisError
from pipeline.table import Shot

SMALL: Final = (96, 54)
LONG_GAP: Final = 1000
"""A gap between two frames of a film that is longer (ms) is noted."""


@dataclass(slots=True)
class Film:
    """One camera's video file. `offset` (ms) is added to its own times; `notes` say what could not be read."""

    camera: str
    path: Path
    offset: int = 0
    notes: list[str] = field(default_factory=list)
    duration: int = 0
    size: tuple[int, int] = (0, 0)
    frames: int = 0
    _last: int | None = None
    _gap: int = 0

    def __post_init__(self) -> None:
        with self._open() as container:
            stream = container.streams.video[0]
            self.size = (int(stream.width), int(stream.height))
            if stream.duration is not None and stream.time_base is not None:
                self.duration = round(float(stream.duration * stream.time_base) * 1000)
            self.frames = int(stream.frames or 0)

    def _open(self) -> av.container.InputContainer:
        try:
            container = av.open(str(self.path))
        except (FFmpegError, OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise AnalysisError(f"{self.path}: cannot be opened as video: {reason}") from None
        if not container.streams.video or not container.streams.video[0].width:
            container.close()
            raise AnalysisError(f"{self.path}: holds no video")
        return container

    def shots(self) -> Iterator[Shot]:
        """The frames, as far as they can be read."""
        for index, at, frame in self._frames():
            yield Shot(self.camera, index, at + self.offset, frame.to_ndarray(format="bgr24"))

    def motion(self, seconds: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """When (ms) how much moved in the first seconds: times (N,) and mean change of a small copy (N,)."""
        times, moved = [], []
        before: NDArray[np.int16] | None = None
        for _, at, frame in self._frames():
            if at > seconds * 1000:
                break
            luma = frame.to_ndarray(format="gray8")
            small = cv2.resize(luma, SMALL, interpolation=cv2.INTER_LINEAR).astype(np.int16)
            if before is not None:
                times.append(float(at))
                moved.append(float(np.abs(small - before).mean()))
            before = small
        self.notes.clear()
        return np.array(times), np.array(moved)

    def _frames(self) -> Iterator[tuple[int, int, av.VideoFrame]]:
        """Number, time (ms) and picture of every frame; damaged packets are passed over and counted."""
        self._last, damaged, index = None, 0, -1
        with self._open() as container:
            stream = container.streams.video[0]
            stream.thread_type = "AUTO"
            packets = container.demux(stream)
            while True:
                try:
                    packet = next(packets)
                    decoded = packet.decode()
                except StopIteration:
                    break
                except FFmpegError:
                    damaged += 1
                    if damaged > 500:
                        break
                    continue
                for frame in decoded:
                    if frame.pts is None or frame.time is None:
                        continue
                    at = round(frame.time * 1000)
                    if self._last is not None and at <= self._last:
                        continue
                    index = self._numbered(at, index)
                    yield index, at, frame
        self._note_end(damaged, index)

    def _numbered(self, at: int, index: int) -> int:
        if self._last is not None and at - self._last > LONG_GAP:
            self.notes.append(f"no frames from {self._last / 1000:.2f} s to {at / 1000:.2f} s")
        self._last = at
        return index + 1

    def _note_end(self, damaged: int, index: int) -> None:
        if index < 0:
            raise AnalysisError(f"{self.path}: not a single frame can be read")
        if damaged:
            self.notes.append(f"{damaged} damaged packets were passed over")
        if self.duration and self._last is not None and self.duration - self._last > LONG_GAP:
            end, said = self._last / 1000, self.duration / 1000
            self.notes.append(f"breaks off at {end:.2f} s of the {said:.2f} s that it says it has")


def match_films(
    videos: Sequence[Path], cameras: Sequence[str], named: Mapping[str, Path] | None = None
) -> list[Film]:
    """Match files to cameras: by `named`, else by the file's name; one file for the only camera always fits."""
    given = dict(named or {})
    for name in given:
        if name not in cameras:
            raise AnalysisError(f"camera {name!r}: not in the table file (there: {_list(cameras)})")
    left = [path for path in videos if path not in given.values()]
    for path in left:
        if path.stem in cameras and path.stem not in given:
            given[path.stem] = path
        elif len(left) == 1 and len(cameras) == 1 and not given:
            given[cameras[0]] = path
        elif path.stem in given:
            raise AnalysisError(f"{path}: another file was already given for camera {path.stem}")
        else:
            raise AnalysisError(
                f"{path}: no camera of the table file has this name (there: {_list(cameras)}); "
                "name the file after its camera, or give NAME=FILE"
            )
    if not given:
        raise AnalysisError("no video was given")
    return [Film(name, given[name]) for name in cameras if name in given]


def _list(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def moments(films: Sequence[Film], together: int = 19) -> Iterator[list[Shot]]:
    """The shots of all films moment by moment: those that are no further apart (ms) belong together."""
    flows = {film.camera: film.shots() for film in films}
    heads = {name: shot for name, flow in flows.items() if (shot := next(flow, None)) is not None}
    while heads:
        now = min(shot.at for shot in heads.values())
        due = [name for name in flows if name in heads and heads[name].at - now <= together]
        yield [heads[name] for name in due]
        for name in due:
            shot = next(flows[name], None)
            if shot is None:
                del heads[name]
            else:
                heads[name] = shot
