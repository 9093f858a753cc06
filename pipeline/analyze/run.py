"""Run the watch over films and keep what the report needs: events, verdicts, pictures, what was not seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine import events as ev
from engine.events import Event
from engine.settings import TableSettings
from engine.verdicts import Ruling, Verdict
from pipeline.analyze.films import Film, moments
from pipeline.analyze.sync import WATCHED, find_shift
from pipeline.table import Shot, TableWatch

Progress = Callable[[int, int], None]
"""Told how much of the film (ms) is done, and how long it is."""
KEEP_EVERY, KEEP_FOR = 200, 8000
PICTURE_WIDTH: Final = 960
JPEG: Final = (cv2.IMWRITE_JPEG_QUALITY, 72)


@dataclass(slots=True)
class Analysis:
    """What an analysis found. `pictures` maps a verdict's number to JPEGs by camera; `unseen` is in words."""

    settings: TableSettings
    rulebook: str
    events: list[Event] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    pictures: dict[int, dict[str, bytes]] = field(default_factory=dict)
    unseen: list[str] = field(default_factory=list)
    length: int = 0

    @property
    def violations(self) -> list[Verdict]:
        """The verdicts that are alerts."""
        return [one for one in self.verdicts if one.ruling is Ruling.VIOLATION]


class _Album:
    """The small pictures of the last seconds, so that an alert can show the frame that proves it."""

    def __init__(self) -> None:
        self._kept: dict[str, list[tuple[int, NDArray[np.uint8]]]] = {}

    def add(self, shot: Shot) -> None:
        kept = self._kept.setdefault(shot.camera, [])
        if kept and shot.at - kept[-1][0] < KEEP_EVERY:
            return
        height, width = shot.picture.shape[:2]
        scale = min(1.0, PICTURE_WIDTH / width)
        size = (max(2, round(width * scale)), max(2, round(height * scale)))
        kept.append((shot.at, cv2.resize(shot.picture, size, interpolation=cv2.INTER_AREA).astype(np.uint8)))
        while kept[0][0] < shot.at - KEEP_FOR:
            kept.pop(0)

    def at(self, moment: int) -> dict[str, bytes]:
        """The pictures nearest to a moment, as JPEG."""
        found: dict[str, bytes] = {}
        for camera, kept in sorted(self._kept.items()):
            _, picture = min(kept, key=lambda one: abs(one[0] - moment))
            _, data = cv2.imencode(".jpg", picture, JPEG)
            found[camera] = data.tobytes()
        return found


def analyze(
    films: Sequence[Film],
    watch: TableWatch,
    rulebook: str,
    signals: Sequence[Event] = (),
    progress: Progress | None = None,
) -> Analysis:
    """Watch films of one table; the same files give the same analysis, byte for byte."""
    done = Analysis(watch.settings, rulebook)
    align(films, done.unseen)
    total = max((film.duration + film.offset for film in films), default=0)
    album, told = _Album(), 0
    heard = sorted(signals, key=lambda one: (one.at, one.seq))
    for shots in moments(films):
        now = max(shot.at for shot in shots)
        due = told
        while due < len(heard) and heard[due].at <= now:
            due += 1
        for shot in shots:
            album.add(shot)
        step = watch.update(shots, heard[told:due])
        told = due
        _keep(done, step.events, step.verdicts, album)
        done.length = now
        if progress is not None:
            progress(now, max(now, total))
    step = watch.finish(heard[told:])
    _keep(done, step.events, step.verdicts, album)
    _unseen(done, films)
    return done


def _keep(done: Analysis, events: Sequence[Event], verdicts: Sequence[Verdict], album: _Album) -> None:
    done.events += events
    for verdict in verdicts:
        if verdict.ruling is Ruling.VIOLATION:
            done.pictures[len(done.verdicts)] = album.at(verdict.at)
        done.verdicts.append(verdict)


def align(films: Sequence[Film], notes: list[str]) -> None:
    """Bring films that are out of step together, or say that it could not be told whether they are."""
    if len(films) < 2:
        return
    first, *others = films
    curve = first.motion(WATCHED)
    for film in others:
        shift = find_shift(curve, film.motion(WATCHED))
        pair = f"{film.camera} against {first.camera}"
        if not shift.sure:
            notes.append(f"{pair}: whether they are in step could not be told from what moves")
        elif shift.offset:
            film.offset = shift.offset
            notes.append(
                f"{pair}: {abs(shift.offset)} ms {'late' if shift.offset < 0 else 'early'}, put right"
            )


def _unseen(done: Analysis, films: Sequence[Film]) -> None:
    """Say in words what no camera showed."""
    for film in films:
        done.unseen += [f"{film.camera}: {note}" for note in film.notes]
    lost: dict[str, ev.CameraLost] = {}
    for event in done.events:
        if isinstance(event, ev.CameraLost):
            lost[event.camera] = event
        elif isinstance(event, ev.CameraRestored) and event.camera in lost:
            gone = lost.pop(event.camera)
            done.unseen.append(_stretch(gone, event.at))
    done.unseen += [_stretch(gone, done.length) for gone in lost.values()]
    if not any(isinstance(event, ev.RoundOpened) for event in done.events):
        done.unseen.append("no round was seen")


def _stretch(lost: ev.CameraLost, until: int) -> str:
    return f"{lost.camera}: not usable from {lost.at / 1000:.2f} s to {until / 1000:.2f} s ({lost.why})"
