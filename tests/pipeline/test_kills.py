"""Killed hundreds of times while it writes: nothing recorded is lost, no alert is repeated, the chain always holds."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

from engine import events as ev
from engine.events import Event
from engine.monitor import Monitor
from engine.rulebook import load_rulebook
from engine.settings import TableSettings
from pipeline.judge import TableJudge
from pipeline.record import Record
from pipeline.record.engine import connect
from pipeline.record.schema import RoundState
from pipeline.record.spool import Spool

KILLS = 120
ROUND = 12


def event(seq: int) -> Event:
    """An endless game: a round of a few events, in which somebody bets without the deal having begun properly."""
    place, base = seq % ROUND, {"seq": seq, "at": seq * 40, "table": "CS-1"}
    if place == 0:
        return ev.RoundOpened(round=f"R{seq // ROUND}", **base)  # type: ignore[arg-type]
    if place == ROUND - 1:
        return ev.RoundClosed(**base)  # type: ignore[arg-type]
    if place == 5:
        return ev.NoMoreBetsCalled(**base)  # type: ignore[arg-type]
    return ev.WagerPlaced(seat=place % 7 + 1, area=ev.Area.ANTE, amount=1000, **base)  # type: ignore[arg-type]


def play_for_ever(url: str, spool: Path, ready: int) -> None:
    """The child: takes the table up where its log ends, and goes on until it is killed."""
    record = Record(connect(url))
    judge = TableJudge.take_up(record, load_rulebook("nz"), TableSettings(table="CS-1"), Spool(spool))
    os.write(ready, b"x")
    seq = judge.last_seq + 1
    while True:
        judge.feed_all([event(seq), event(seq + 1)])
        os.write(ready, b"x")
        seq += 2


def one_life(url: str, spool: Path, steps: int, seconds: float) -> None:
    """Start a writer, let it write some steps and a moment more, and kill it; forked: a life costs no start-up."""
    heard, ready = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            play_for_ever(url, spool, ready)
        finally:
            os._exit(1)
    os.close(ready)
    alive = b"".join(os.read(heard, 1) for _ in range(1 + steps))
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.close(heard)
    _, status = os.waitpid(child, 0)
    assert len(alive) == 1 + steps, "the writer could not take the table up"
    assert os.WTERMSIG(status) == signal.SIGKILL


def test_hundreds_of_kills_lose_and_repeat_nothing(url: str, tmp_path: Path) -> None:
    Record.open(url).close()
    rng, last = random.Random(5), -1
    for kill in range(KILLS):
        one_life(url, tmp_path / "spool", rng.randrange(3), rng.uniform(0.0, 0.004))
        if kill % 25 == 24:
            record = Record.open(url)
            seen = [row.seq for row in record.lines("CS-1", after=last)]
            assert seen == list(range(last + 1, last + 1 + len(seen)))
            last = seen[-1] if seen else last
            record.close()
    record = Record.open(url)
    number = record.verify("CS-1")
    assert number == record.tables()[0].seq + 1 > 0
    told = [(row.seq, row.check_id, row.seat) for row in record.alerts(limit=100_000)]
    assert len(told) == len(set(told)) > 0
    # what was alerted is exactly what one undisturbed judge says about the same events
    calm = Monitor(load_rulebook("nz"), TableSettings(table="CS-1"))
    verdicts = calm.feed_all([event(seq) for seq in range(number)])
    expected = [(verdict.seq, verdict.check, verdict.seat) for verdict in verdicts]
    assert told == expected
    states = {row.state for row in record.rounds("CS-1", limit=100_000)}
    assert states <= {RoundState.CLOSED, RoundState.OPEN}
    record.close()
