"""Judging on top of the record: killed at any moment, nothing recorded is lost and no alert is repeated."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.monitor import Monitor
from engine.rulebook import load_rulebook
from engine.verdicts import Ruling
from pipeline.judge import TableJudge
from pipeline.record import Record, RecordAway
from pipeline.record.spool import Spool, SpoolFull
from simulator.director import Script
from simulator.director.irregularities import REGISTRY

CHILD = """
import sys
from pathlib import Path
from engine.rulebook import load_rulebook
from pipeline.judge import TableJudge
from pipeline.record import Record
from pipeline.record.spool import Spool
from simulator.director.irregularities import REGISTRY
url, spool, name = sys.argv[1:]
script = REGISTRY[name].make("nz", 4)
judge = TableJudge.take_up(Record.open(url), load_rulebook("nz"), script.settings, Spool(Path(spool)))
print("ready", flush=True)
for event in script.events:
    judge.feed(event)
print("done", flush=True)
"""


def crooked() -> tuple[str, Script]:
    name = next(name for name in sorted(REGISTRY) if name.startswith("wager.bet_amount"))
    return name, REGISTRY[name].make("nz", 4)


def alerted(record: Record) -> list[tuple[str, str, int | None]]:
    return [(one.ruling, one.check_id, one.seat) for one in record.alerts()]


def test_killed_again_and_again_it_ends_with_the_same_log(url: str, tmp_path: Path) -> None:
    name, script = crooked()
    book = load_rulebook("nz")
    expected = [
        (str(v.ruling), v.check, v.seat) for v in Monitor(book, script.settings).feed_all(script.events)
    ]
    rng = random.Random(7)
    kills = 0
    for _ in range(12):
        args = [sys.executable, "-c", CHILD, url, str(tmp_path / "spool"), name]
        child = subprocess.Popen(args, stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(rng.uniform(0, 0.12))
        os.kill(child.pid, signal.SIGKILL)
        finished = "done" in child.stdout.read()
        child.stdout.close()
        kills += child.wait() == -signal.SIGKILL
        record = Record.open(url)
        seen = [event.seq for event in record.events(script.settings.table)]
        assert seen == [event.seq for event in script.events[: len(seen)]]
        assert record.verify(script.settings.table) == len(seen)
        record.close()
        if finished:
            break
    assert kills >= 1
    record = Record.open(url)
    judge = TableJudge.take_up(record, book, script.settings, Spool(tmp_path / "spool"))
    for event in script.events:
        judge.feed(event)
    assert tuple(record.events(script.settings.table)) == script.events
    assert alerted(record) == expected
    record.close()


class Flaky:
    """Takes the writer's place and is away when told so."""

    def __init__(self, writer: object) -> None:
        self.writer = writer
        self.away = False

    def __getattr__(self, name: str) -> object:
        if self.away:
            raise RecordAway("record: disk full")
        return getattr(self.writer, name)


def test_while_the_record_is_away_events_wait_in_the_spool(record: Record, tmp_path: Path) -> None:
    _, script = crooked()
    judge = TableJudge.take_up(record, load_rulebook("nz"), script.settings, Spool(tmp_path / "spool"))
    flaky = Flaky(judge._writer)
    judge._writer = flaky  # type: ignore[assignment]
    verdicts = []
    for number, event in enumerate(script.events):
        flaky.away = 10 <= number < 30
        verdicts += judge.feed(event)
        if number == 29:
            assert judge.health.waiting == 20
            assert "disk full" in judge.health.why
    assert judge.health.waiting == 0
    assert judge.health.why == ""
    assert tuple(record.events(script.settings.table)) == script.events
    assert len(record.alerts()) == len(verdicts)
    assert any(one.ruling is Ruling.VIOLATION for one in verdicts)


def test_what_waited_is_recorded_once_at_the_next_start(record: Record, tmp_path: Path) -> None:
    _, script = crooked()
    book = load_rulebook("nz")
    judge = TableJudge.take_up(record, book, script.settings, Spool(tmp_path / "spool"))
    flaky = Flaky(judge._writer)
    judge._writer = flaky  # type: ignore[assignment]
    flaky.away = True
    for event in script.events[:20]:
        judge.feed(event)
    lines = (tmp_path / "spool").read_bytes()
    judge = TableJudge.take_up(record, book, script.settings, Spool(tmp_path / "spool"))
    assert len(list(record.events(script.settings.table))) == 20
    (tmp_path / "spool").write_bytes(lines + b'{"torn')  # killed between recording and clearing
    TableJudge.take_up(record, book, script.settings, Spool(tmp_path / "spool"))
    assert len(list(record.events(script.settings.table))) == 20


def test_a_full_spool_says_so_and_keeps_what_it_holds(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool", most_bytes=60)
    spool.put({"event": 1})
    with pytest.raises(SpoolFull, match="full"):
        spool.put({"event": "x" * 60})
    assert [json.dumps(one) for one in spool.read()] == ['{"event": 1}']
