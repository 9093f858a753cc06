"""A site of a filmed round, watched live for a while by real processes; what it cost, and how quick its alerts were.

Costs are CPU time of the processes, so that other work on the machine does not change them much: of a frame taken in,
and of a look; from both follows how many streams at 25 fps and 12.5 looks a second the machine's cores hold. Latency is
wall time and means something only on a machine that is otherwise idle.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from pipeline.errors import SiteError
from pitwatch.commands.status import read_status
from pitwatch.commands.watch import watch
from pitwatch.data import shipped
from pitwatch.errors import BadInput
from pitwatch.model_bench import _films, _shipped, baseline
from pitwatch.site import SiteHere

WARM_UP = 60.0
"""Seconds that the processes have to get going."""
FPS = 25.0
LOOKS = 12.5
"""Looks a second and stream: the default of a site."""
MARK_STREAMS = 6
MARK_SECONDS = 1.0


def run(args: argparse.Namespace) -> int:
    """Watch, measure, print; returns 1 if a mark is missed."""
    film = args.film or _crooked()
    _, films = _films(film)
    if not films:
        raise BadInput(f"{film}: no video of any camera of its table file")
    with tempfile.TemporaryDirectory(prefix="pw-") as folder:
        here = site_of(Path(folder), film, [name for name, _ in films], args.tables)
        report = measure(here, args.seconds)
    naive = baseline(args.baseline, films[0][1])
    report["naive_ms_a_frame"] = naive
    report["naive_streams"] = (os.cpu_count() or 1) * 1000 / FPS / naive
    if args.json:
        Console(highlight=False).print_json(json.dumps(report))
    else:
        _print(report)
    quick = report["alert_seconds_p99"] is not None and report["alert_seconds_p99"] < MARK_SECONDS
    return 0 if quick and report["streams_at_25_fps"] >= MARK_STREAMS else 1


def site_of(folder: Path, film: Path, cameras: list[str], tables: int) -> SiteHere:
    """Write and load a site of some tables that all show one film, looped."""
    text = (film / "table.toml").read_text(encoding="utf-8")
    parts = ['name = "bench"\nhome = "home"\n[metrics]\nport = 0\n']
    for number in range(1, tables + 1):
        name = f"B-{number}"
        lines = [
            f'name = "{name}"' if line.startswith("name = ") else line
            for line in text.split("\n[", 1)[0].splitlines()
        ]
        (folder / f"{name}.toml").write_text(
            "\n".join(lines) + "\n[" + text.split("\n[", 1)[1], encoding="utf-8"
        )
        parts.append(f'[[table]]\nfile = "{name}.toml"\n')
        for camera in cameras:
            source = json.dumps(str((film / f"{camera}.mp4").resolve()))
            parts.append(f'[[table.camera]]\nname = "{camera}"\nsource = {source}\nloop = true\n')
    (folder / "site.toml").write_text("".join(parts), encoding="utf-8")
    return SiteHere.load(folder / "site.toml")


def measure(here: SiteHere, seconds: float) -> dict[str, Any]:
    """Run the site, and compare two readings of its status that lie so many seconds apart."""
    stop = threading.Event()
    thread = threading.Thread(target=watch, args=(here, stop))
    thread.start()
    path = here.places.run / "status.json"
    try:
        first = _well(path, time.monotonic() + WARM_UP + 20 * len(here.tables))
        time.sleep(seconds)
        last = read_status(path)
    finally:
        stop.set()
        thread.join(60)
    return figures(first, last)


def _well(path: Path, deadline: float) -> dict[str, Any]:
    while time.monotonic() < deadline:
        status = read_status(path)
        if status["processes"] and all(row["gauges"] for row in status["processes"]):
            return status
        time.sleep(0.5)
    raise SiteError("bench: the processes did not get going in time; is the machine busy?")


def figures(first: dict[str, Any], last: dict[str, Any]) -> dict[str, Any]:
    """Return what was measured between two readings of a status."""
    before = {row["process"]: row["gauges"] for row in first["processes"]}
    rows = [row for row in last["processes"] if row["gauges"] and row["process"] in before]

    def grown(row: dict[str, Any], name: str) -> float:
        return float(row["gauges"].get(name, 0.0) - before[row["process"]].get(name, 0.0))

    cameras = [row for row in rows if row["kind"] == "camera"]
    tables = [row for row in rows if row["kind"] == "table"]
    took = max(1.0, (last["wall"] - first["wall"]) / 1000)
    streams = max(1, len(cameras))
    frames, looks = sum(grown(row, "frames") for row in cameras), sum(grown(row, "steps") for row in tables)
    decode = sum(grown(row, "cpu_seconds") for row in cameras) / max(1.0, frames)
    look = sum(grown(row, "cpu_seconds") for row in tables) / max(1.0, looks)
    cores = FPS * decode + LOOKS * look
    slow = [row["gauges"] for row in tables if row["gauges"].get("alerts")]
    return {
        "seconds": took,
        "streams": len(cameras),
        "frames_a_second": frames / took / streams,
        "looks_a_second": looks / took / streams,
        "decode_cpu_ms": 1000 * decode,
        "look_cpu_ms": 1000 * look,
        "cores_a_stream": cores,
        "streams_at_25_fps": (os.cpu_count() or 1) / max(1e-6, cores),
        "memory_mb_a_stream": sum(row["gauges"]["memory_mb"] for row in (*cameras, *tables)) / streams,
        "memory_grown_mb": sum(grown(row, "memory_mb") for row in rows),
        "alerts": sum(row["gauges"].get("alerts", 0.0) for row in tables),
        "alert_seconds_p50": max((one["alert_seconds_p50"] for one in slow), default=None),
        "alert_seconds_p99": max((one["alert_seconds_p99"] for one in slow), default=None),
        "restarts": sum(row["restarts"] for row in rows),
    }


def _crooked() -> Path:
    """The first shipped film that has something to find: without an alert there is no latency."""
    clips = shipped("datasets") / "clips"
    for folder in sorted(one.parent for one in clips.glob("*/table.toml")):
        expected = folder / "expected.jsonl"
        if expected.is_file() and '"violation"' in expected.read_text(encoding="utf-8"):
            return folder
    return _shipped()


def _print(report: dict[str, Any]) -> None:
    p50, p99 = report["alert_seconds_p50"], report["alert_seconds_p99"]
    quick = "no alert came" if p99 is None else f"{p50:.2f} / {p99:.2f}"
    table = Table("figure", "here", "mark", title="One machine, live", title_justify="left")
    rows = [
        ("streams watched", f"{report['streams']}", ""),
        ("frames a second and stream", f"{report['frames_a_second']:.1f}", "25"),
        ("looks a second and stream", f"{report['looks_a_second']:.1f}", f"{LOOKS:g}"),
        (
            "CPU ms: a frame taken in / a look",
            f"{report['decode_cpu_ms']:.1f} / {report['look_cpu_ms']:.1f}",
            "",
        ),
        ("cores a stream at 25 fps", f"{report['cores_a_stream']:.3f}", ""),
        ("streams that this machine holds", f"{report['streams_at_25_fps']:.1f}", f"{MARK_STREAMS}"),
        ("the naive detector alone holds", f"{report['naive_streams']:.1f}", ""),
        ("memory a stream (MB)", f"{report['memory_mb_a_stream']:.0f}", ""),
        ("memory grown meanwhile (MB)", f"{report['memory_grown_mb']:.0f}", "flat"),
        ("alerts", f"{report['alerts']:.0f}", ""),
        ("alert latency p50 / p99 (s)", quick, "< 1"),
        ("restarts", f"{report['restarts']}", "0"),
    ]
    for row in rows:
        table.add_row(*row)
    Console(highlight=False).print(table)
