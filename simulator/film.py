"""Film a script: one process for each camera, exact truth beside the pictures, all files whole or not at all.

Every file is written under a hidden name and gets its own name only when the whole film is done, so a run that is
killed, or a disk that is full, never leaves half a film that looks like one.
"""

from __future__ import annotations

import gzip
import json
import multiprocessing
import os
import queue
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import av

from calibration.camera import Camera
from calibration.layout import Layout, LayoutSpec, standard_layout
from calibration.tablefile import TableModel, camera_model, layout_model, save_table
from simulator.api import Order, Progress
from simulator.choreography import Performance, choreograph
from simulator.director import Script
from simulator.errors import ScriptError, SimulatorError
from simulator.logs import carried_settings, write_script_logs
from simulator.scene import Look
from simulator.studio import Studio, cameras_of, chips_of, look_of, open_studio
from simulator.video import VideoWriter

OpenStudio = Callable[[Look, Camera, Layout, tuple[int, ...]], Studio]
LONGEST_WAIT: Final = 120_000
"""A script that waits longer (ms) between two events is about waiting, and is not filmed."""
FRAMES: Final = "frames.jsonl.gz"
TELL_EVERY: Final = 10
_ALIVE_EVERY: Final = 0.5


@dataclass(frozen=True, slots=True)
class Shot:
    """What one camera films; plain values, so that another process can do it."""

    script: Script
    seed: int
    spec: LayoutSpec
    look: Look
    camera: Camera
    quality: int
    frames_every: int
    limit: float | None
    video: Path
    frames: Path

    def perform(self) -> Performance:
        """The motion, the same in every process."""
        return choreograph(self.script, standard_layout(self.spec), self.seed, self.camera.fps)


def film_order(
    order: Order,
    script: Script,
    out: Path,
    progress: Progress | None = None,
    studio: OpenStudio = open_studio,
) -> Script:
    """Film what was ordered; returns the script with the times of the film."""
    seed = order.style if order.style is not None else order.seed or 1
    look = look_of(order.split, seed, order.own_art)
    cameras = cameras_of(order.cameras, look, order.size, order.fps)
    return film(
        script, cameras, look, out,
        seed=order.seed or 1, quality=order.quality, frames_every=order.frames_every, limit=order.limit,
        progress=progress, studio=studio,
    )  # fmt: skip


def film(
    script: Script,
    cameras: Sequence[Camera],
    look: Look,
    out: Path,
    *,
    seed: int = 1,
    spec: LayoutSpec | None = None,
    quality: int = 23,
    frames_every: int = 5,
    limit: float | None = None,
    progress: Progress | None = None,
    studio: OpenStudio = open_studio,
    processes: bool = True,
) -> Script:
    """Film a script with every camera into a folder, with its logs, table file and the truth of its frames.

    `frames_every` is how often the truth of a frame is kept (0: never), `limit` films only so many seconds.
    """
    _can_be_filmed(script)
    spec = spec or LayoutSpec(seats=script.settings.seats)
    bare = replace(script, notes={})
    performance = choreograph(bare, standard_layout(spec), seed, cameras[0].fps)
    with _workshop(out) as shop:
        shots = [
            Shot(
                bare, seed, spec, look, camera, quality, frames_every, limit,
                shop / f"{camera.name}.mp4", shop / f"{camera.name}.jsonl.gz",
            )
            for camera in cameras
        ]  # fmt: skip
        tell = progress or (lambda what, done, total: None)
        if processes and len(shots) > 1:
            _shoot_together(shots, tell, studio)
        else:
            for shot in shots:
                shoot(shot, tell, studio)
        write_script_logs(_cut(performance.script, limit), shop)
        save_table(_table(script, spec, look, cameras), shop / "table.toml")
        _join([shot.frames for shot in shots], shop / FRAMES if frames_every else None)
    return performance.script


def _can_be_filmed(script: Script) -> None:
    """Refuse a scene whose point is that hours pass: a film shows only what happens."""
    for before, event in pairwise(script.events):
        if event.at - before.at > LONGEST_WAIT:
            minutes = (event.at - before.at) / 60_000
            raise ScriptError(
                f"scenario {script.name}: {minutes:.0f} minutes pass in it, too long to film; use --events-only"
            )


def _cut(script: Script, limit: float | None) -> Script:
    """The script as far as it was filmed."""
    if limit is None:
        return script
    return replace(script, beats=tuple(beat for beat in script.beats if beat.event.at <= limit * 1000))


@contextmanager
def _workshop(out: Path) -> Iterator[Path]:
    """A hidden folder in which files are made; they move to their place only if everything went well."""
    shop = out / f".making-{os.getpid()}"
    try:
        shop.mkdir(parents=True)
    except OSError as error:
        raise SimulatorError(f"{out}: cannot be written: {error.strerror}") from None
    try:
        yield shop
        for made in sorted(shop.iterdir()):
            made.replace(out / made.name)
    except OSError as error:
        raise SimulatorError(f"{out}: cannot be written: {error.strerror or error}") from None
    finally:
        shutil.rmtree(shop, ignore_errors=True)


def shoot(shot: Shot, tell: Progress, studio: OpenStudio = open_studio) -> None:
    """Film with one camera, in this process."""
    performance = shot.perform()
    total = performance.frames
    if shot.limit is not None:
        total = min(total, max(1, int(shot.limit * shot.camera.fps)))
    size = (shot.camera.lens.width, shot.camera.lens.height)
    layout = standard_layout(shot.spec)
    name = shot.camera.name
    try:
        with (
            studio(shot.look, shot.camera, layout, shot.script.settings.chip_values) as stage,
            VideoWriter(shot.video, size, shot.camera.fps, shot.quality) as video,
            gzip.GzipFile(shot.frames, "wb", 6, mtime=0) as frames,
        ):
            for number in range(total):
                t = performance.time_of(number)
                scene = performance.timeline.scene_at(t)
                before = performance.time_of(number - 1)
                still = number > 0 and performance.timeline.is_still(before, t)
                video.write(stage.picture(scene, number, still))
                if shot.frames_every and number % shot.frames_every == 0:
                    line = {"camera": name, "frame": number, "at": round(t), **stage.truth(scene)}
                    frames.write((json.dumps(line, separators=(",", ":")) + "\n").encode())
                if number % TELL_EVERY == 0 or number + 1 == total:
                    tell(name, number + 1, total)
    except (OSError, av.FFmpegError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SimulatorError(f"{shot.video.parent.parent}: cannot be written: {reason}") from None


def _shoot_apart(shot: Shot, studio: OpenStudio, said: Any) -> None:
    """Film with one camera in a process of its own, and say how it goes."""
    try:
        shoot(shot, lambda what, done, total: said.put(("done", what, done, total)), studio)
    except SimulatorError as error:
        said.put(("error", shot.camera.name, str(error), 0))
    else:
        said.put(("end", shot.camera.name, 0, 0))


def _shoot_together(shots: Sequence[Shot], tell: Progress, studio: OpenStudio) -> None:
    """Film with every camera at once; the first that fails stops the others."""
    context = multiprocessing.get_context("spawn")
    said = context.Queue()
    workers = {
        shot.camera.name: context.Process(target=_shoot_apart, args=(shot, studio, said), daemon=True)
        for shot in shots
    }
    try:
        for worker in workers.values():
            worker.start()
        _listen(workers, said, tell)
    finally:
        for worker in workers.values():
            if worker.is_alive():
                worker.terminate()
            worker.join()
        said.close()


def _listen(workers: dict[str, Any], said: Any, tell: Progress) -> None:
    """Pass on what the cameras say until all have ended."""
    left = set(workers)
    while left:
        try:
            kind, name, done, total = said.get(timeout=_ALIVE_EVERY)
        except queue.Empty:
            for name in sorted(left):
                if workers[name].exitcode is not None:
                    raise SimulatorError(
                        f"camera {name}: filming stopped (exit code {workers[name].exitcode})"
                    ) from None
            continue
        if kind == "error":
            raise SimulatorError(done)
        if kind == "end":
            left.discard(name)
        else:
            tell(name, done, total)


def _join(parts: Sequence[Path], goal: Path | None) -> None:
    """Join the cameras' frame truths into one file; compressed parts may simply follow each other."""
    if goal is not None:
        with goal.open("wb") as file:
            for part in parts:
                file.write(part.read_bytes())
    for part in parts:
        part.unlink()


def _table(script: Script, spec: LayoutSpec, look: Look, cameras: Sequence[Camera]) -> TableModel:
    """The table file of a film."""
    return TableModel(
        name=script.settings.table,
        rulebook=script.rulebook,
        layout=layout_model(spec),
        chips=chips_of(look, script.settings.chip_values),
        settings=carried_settings(script.settings),  # type: ignore[arg-type]  # checked by the model
        cameras=tuple(camera_model(camera, f"{camera.name}.mp4") for camera in cameras),
    )
