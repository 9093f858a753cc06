"""A site at work: real processes, real rings, a script in the eyes' place; killed, hung and started again."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import av
import numpy as np
import pytest

from engine import events as ev
from pipeline.bus import EVENTS, Bus, FrameRing, RingFrame, Subscriber
from pipeline.bus.hub import Hub
from pipeline.capture import Mode
from pipeline.live.gather import Gatherer
from pipeline.live.metrics import serve_metrics
from pipeline.live.supervisor import Job, Supervisor
from pipeline.live.watcher import Moment, ScriptWatcher
from pipeline.record import Record
from pipeline.record.schema import RoundState
from pitwatch.commands.status import read_status
from pitwatch.commands.watch import watch
from pitwatch.data import shipped
from pitwatch.site import SiteHere
from tests.pipeline.film import make_film


def picture(number: int) -> av.VideoFrame:
    return av.VideoFrame.from_ndarray(np.full((72, 64), number % 256, np.uint8), format="yuv420p")


def wait_until(true: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


def test_real_time_takes_the_newest_and_says_what_it_skipped(tmp_path: Path) -> None:
    ring = FrameRing.create(tmp_path / "a", 64, 48)
    gatherer = Gatherer([("a", tmp_path / "a")], Mode.REAL_TIME)
    seen = []
    for number in range(12):
        ring.put(picture(number), number * 40, number)
        if number % 4 == 3:
            moment = gatherer.next(1)
            assert moment is not None
            seen.append(moment.frames["a"].index)
    assert seen == [3, 7, 11]
    assert gatherer.skips() == [("a", 4, 6), ("a", 8, 10)]
    assert gatherer.skips() == []
    assert gatherer.next(0.01) is None


def test_complete_takes_every_frame_and_pairs_two_cameras(tmp_path: Path) -> None:
    rings = {name: FrameRing.create(tmp_path / name, 64, 48, slots=3) for name in ("a", "b")}
    gatherer = Gatherer([(name, tmp_path / name) for name in rings], Mode.COMPLETE)

    def film(name: str, late: int) -> None:
        for number in range(20):
            while not rings[name].wait_for_room(0.5):
                pass
            rings[name].put(picture(number), number * 40 + late, 0)

    threads = [threading.Thread(target=film, args=one) for one in (("a", 0), ("b", 7))]
    for thread in threads:
        thread.start()
    pairs = []
    while len(pairs) < 20 and (moment := gatherer.next(5)) is not None:
        pairs.append(tuple(moment.frames[name].index for name in ("a", "b")))
    for thread in threads:
        thread.join(5)
    assert pairs == [(number, number) for number in range(20)]
    assert gatherer.skips() == []


def test_a_script_is_played_at_the_frames_times_and_again() -> None:
    script = [ev.PlayerFolded(seq=n, at=5_000 + n * 100, table="x", seat=n) for n in (1, 2, 3)]
    watcher = ScriptWatcher("CS-1", script, first_seq=50)
    events = []
    for at in range(90_000, 95_000, 40):
        frame = RingFrame(0, at, at, np.zeros((3, 2), np.uint8))
        events += watcher.update(Moment(at, {"overview": frame}), [])
    assert [event.seq for event in events] == list(range(50, 50 + len(events)))
    assert [(event.at, event.seat) for event in events[:4]] == [
        (90_000, 1),
        (90_100, 2),
        (90_200, 3),
        (92_200, 1),
    ]  # type: ignore[attr-defined]


HANG = "import time; time.sleep(600)"
DIE = "import sys; sys.exit(3)"


def test_what_dies_or_hangs_is_started_again_with_growing_pauses(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path_factory.mktemp("r")
    monkeypatch.setattr("pipeline.live.supervisor.STARTING", 0.3)
    bus = Bus.at(run)
    jobs = [
        Job(name, "test", (sys.executable, "-c", code)) for name, code in (("hangs", HANG), ("dies", DIE))
    ]
    supervisor = Supervisor(jobs, run, bus, Hub(bus), silent=0.3)
    port, end = serve_metrics(supervisor.status, "127.0.0.1", 0)
    try:
        deadline = time.monotonic() + 60
        while (
            min(child.restarts for child in supervisor.children.values()) < 2 and time.monotonic() < deadline
        ):
            supervisor.tend()
        rows = {row["process"]: row for row in supervisor.status()["processes"]}
        assert rows["dies"]["restarts"] >= 2
        assert "ended with code 3" in rows["dies"]["why"]
        assert "said nothing" in rows["hangs"]["why"]
        supervisor.write_status()
        assert read_status(run / "status.json")["state"] in ("down", "degraded")
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
            text = answer.read().decode()
        assert 'pitwatch_process_restarts{kind="test",process="dies"}' in text
    finally:
        end()
        supervisor.end()
    assert all(child.process is None for child in supervisor.children.values())
    assert read_status(tmp_path_factory.getbasetemp() / "none.json")["why"] == "the site is not running"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[SiteHere]:
    """A site of one table whose film loops and whose script is a round with a late wager, played quickly."""
    make_film(tmp_path / "film.mp4", frames=100)
    log = shipped("datasets") / "logs" / "nz-wager-late"
    (tmp_path / "table.toml").write_text((log / "table.toml").read_text())
    with (log / "truth.jsonl").open() as file, (tmp_path / "script.jsonl").open("w") as out:
        for line in file:
            event = json.loads(line)
            out.write(json.dumps(event | {"at": event["at"] // 20}) + "\n")
    (tmp_path / "site.toml").write_text(
        'home = "home"\n[metrics]\nport = 0\n[video]\nsegment_seconds = 1\n'
        '[[table]]\nfile = "table.toml"\nscript = "script.jsonl"\nlook_fps = 0\n'
        '[[table.camera]]\nname = "overview"\nsource = "film.mp4"\nloop = true\n'
    )
    here = SiteHere.load(tmp_path / "site.toml")
    yield here
    for path in sorted(here.places.rings.glob("*")):
        path.unlink()


def test_a_site_runs_and_survives_the_death_of_its_processes(site: SiteHere) -> None:
    stop, states = threading.Event(), []
    thread = threading.Thread(target=lambda: states.append(watch(site, stop)))
    thread.start()
    status = site.places.run / "status.json"

    def row(name: str) -> dict[str, object]:
        rows = read_status(status)["processes"]
        return next((one for one in rows if one["process"] == name), {"state": "down", "pid": None})

    def recorded() -> int:
        return sum(1 for _ in record.lines("CS-1"))

    try:
        wait_until(lambda: status.exists() and row("table:CS-1")["state"] == "ok", 300)
        record = Record.open(site.site.record)
        ears = Subscriber(Bus.at(site.places.run), [EVENTS])
        wait_until(lambda: recorded() > 10, 300)
        assert ears.receive(120) is not None
        ears.close()
        for name in ("table:CS-1", "camera:CS-1/overview"):
            pid, before = row(name)["pid"], recorded()
            assert isinstance(pid, int)
            os.kill(pid, signal.SIGKILL)
            wait_until(lambda name=name, pid=pid: row(name)["pid"] not in (None, pid), 300)  # type: ignore[misc]
            wait_until(lambda before=before: recorded() > before + 20, 300)  # type: ignore[misc]
        wait_until(lambda: len(record.alerts()) > 0, 300)
    finally:
        stop.set()
        thread.join(60)
    assert not thread.is_alive()
    record.verify("CS-1")
    seqs = [line.seq for line in record.lines("CS-1")]
    assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))
    alerts = [(one.seq, one.check_id, one.seat) for one in record.alerts()]
    assert len(alerts) == len(set(alerts))
    assert any(isinstance(event, ev.ViewBlocked) for event in record.events("CS-1"))
    assert {one.state for one in record.rounds()} <= {
        RoundState.OPEN,
        RoundState.CLOSED,
        RoundState.INTERRUPTED,
    }
    assert list(site.places.video.glob("CS-1/overview/*.mkv"))
    record.close()
