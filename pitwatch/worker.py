"""One process of a site: `python -m pitwatch.worker --site SITE.toml NAME`. Started and watched by `pitwatch watch`.

It ends when it is told to (SIGTERM), when whoever started it is gone, or with one line that says why.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import cv2

from pipeline.bus import Bus
from pipeline.capture import Mode, SourceSpec
from pipeline.errors import PipelineError
from pipeline.live.camera import CameraJob, run_camera
from pitwatch.cli import OURS
from pitwatch.site import SiteHere, TableHere

DIE_WITH_PARENT = 1  # prctl's PR_SET_PDEATHSIG


def main() -> int:
    """Run one process until it is told to stop."""
    parser = argparse.ArgumentParser(prog="pitwatch.worker")
    parser.add_argument("--site", required=True)
    parser.add_argument("--parent", type=int, required=True)
    parser.add_argument("name")
    args = parser.parse_args()
    stop = threading.Event()
    _die_with(args.parent)
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cv2.setNumThreads(1)  # processes share the cores, not threads
    here = SiteHere.load(Path(args.site))
    kind, _, rest = args.name.partition(":")
    try:
        WORKERS[kind](here, rest, Bus.at(here.places.run), stop)
    except OURS as error:
        words = here.places.run / f"{args.name.replace(':', '-').replace('/', '-')}.why"
        words.write_text(f"{error}\n", encoding="utf-8")
        print(f"pitwatch: {args.name}: {error}", file=sys.stderr)  # noqa: T201
        return 2
    return 0


def _die_with(parent: int) -> None:
    """End when the supervisor does: an orphan would hold cameras and the table's log."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit(0)


def _camera(here: SiteHere, rest: str, bus: Bus, stop: threading.Event) -> None:
    table_name, _, camera_name = rest.partition("/")
    table = _table_of(here, table_name)
    found = [one for one in table.site.camera if one.name == camera_name]
    if not found:
        raise PipelineError(f"{rest}: no such camera")
    [camera] = found
    film = table.site.clock == "film"
    spec = SourceSpec(
        camera.source,
        camera.loop,
        not (film and table.site.mode is Mode.COMPLETE),
        camera.open_seconds,
        camera.read_seconds,
    )
    job = CameraJob(
        table_name, camera_name, spec, table.site.mode, film, here.places.ring(table_name, camera_name),
        here.places.video, round(here.site.video.segment_seconds * 1000),
    )  # fmt: skip
    run_camera(job, bus, stop)


def _table(here: SiteHere, rest: str, bus: Bus, stop: threading.Event) -> None:
    from pitwatch.table_worker import run_table

    run_table(here, _table_of(here, rest), bus, stop)


def _table_of(here: SiteHere, name: str) -> TableHere:
    if name not in here.tables:
        raise PipelineError(f"{name}: no such table")
    return here.tables[name]


def _post(here: SiteHere, rest: str, bus: Bus, stop: threading.Event) -> None:
    from pitwatch.house_workers import run_post

    run_post(here, bus, stop)


def _keeper(here: SiteHere, rest: str, bus: Bus, stop: threading.Event) -> None:
    from pitwatch.house_workers import run_keeper

    run_keeper(here, bus, stop)


def _door(here: SiteHere, rest: str, bus: Bus, stop: threading.Event) -> None:
    from pitwatch.house_workers import run_door

    run_door(here, bus, stop)


def _room(here: SiteHere, rest: str, bus: Bus, stop: threading.Event) -> None:
    from pitwatch.house_workers import run_room

    run_room(here, bus, stop)


Worker = Callable[[SiteHere, str, Bus, threading.Event], None]
WORKERS: dict[str, Worker] = {
    "camera": _camera,
    "table": _table,
    "post": _post,
    "keeper": _keeper,
    "door": _door,
    "room": _room,
}

if __name__ == "__main__":
    sys.exit(main())
