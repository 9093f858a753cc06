"""Shipped event logs played again through the judge into a record: the product at work where there is no camera.

Each log is one round at its own table settings. Played one after the other at one table they get new numbers, later
times and the table's name; nothing else about them changes, so that every alert is the one that the log's `expected`
names. Waits that show nothing (a shuffle) are cut short.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from engine import events as ev
from engine.events import Event
from engine.events.codec import read_lines
from engine.monitor import Monitor
from engine.rulebook import load_rulebook
from engine.settings import TableSettings
from engine.verdicts import Ruling
from pipeline.judge import TableJudge
from pipeline.record import Record
from pipeline.record.spool import Spool
from pitwatch.commands.common import open_text
from pitwatch.config import load_settings
from pitwatch.films import Film, Show, films_of, put_on_tape, show

LONGEST_WAIT = 1_500
"""No wait between two events is longer (milliseconds): a shuffle of 20 seconds shows nobody anything."""
PAUSE = 3_000
"""Between two rounds."""


@dataclass(frozen=True, slots=True)
class Log:
    """One shipped log: its events, the settings it was played under, the violations that are proper."""

    name: str
    rulebook: str
    settings: TableSettings
    events: tuple[Event, ...]
    expected: frozenset[tuple[str, int | None]]
    films: tuple[Film, ...] = ()


def load_log(folder: Path) -> Log:
    """Load one shipped log."""
    table, settings = load_settings(folder / "table.toml")
    with open_text(folder / "truth.jsonl") as file:
        events = tuple(read_lines(file, f"{folder.name}/truth.jsonl"))
    with open_text(folder / "expected.jsonl") as file:
        lines = [json.loads(line) for line in file]
    expected = frozenset((one["check"], one["seat"]) for one in lines if one["verdict"] == "violation")
    return Log(folder.name, table.rulebook, settings, events, expected, films_of(folder))


def shortened(
    events: Sequence[Event],
    table: str,
    seq: int,
    start: int,
    whole: bool = False,
    used: set[str] | None = None,
) -> Iterator[Event]:
    """Yield events under another table's name, numbered from `seq` + 1 and timed from `start`, long waits cut.

    With `whole` nothing is cut: the times are those of the film beside the log, which begins at 0.

    A round whose name is in `used` gets another one. Who sat down leaves at the end, as the next log begins elsewhere.
    """
    at, before, number = start, events[0].at if events else 0, seq
    for event in events:
        number += 1
        at = start + event.at if whole else at + min(max(event.at - before, 0), LONGEST_WAIT)
        before = event.at
        if used is not None and isinstance(event, ev.RoundOpened):
            event = replace(event, round=_unused(event.round, used))
        yield replace(event, table=table, seq=number, at=at)
    for seat in sorted({event.seat for event in events if isinstance(event, ev.PlayerSat)}):
        number += 1
        yield ev.PlayerLeft(seq=number, at=at + 200, table=table, seat=seat)


def _unused(name: str, used: set[str]) -> str:
    """Return a round's name, with a number behind it if the table has had it before."""
    found = next(one for n in count(1) if (one := name if n == 1 else f"{name}-{n}") not in used)
    used.add(found)
    return found


class Replay:
    """Plays logs at one table, in real time or at once."""

    def __init__(
        self,
        record: Record,
        table: str,
        logs: Sequence[Log],
        folder: Path,
        video: Path | None = None,
        tell: Show | None = None,
    ) -> None:
        self._record = record
        self._table = table
        self._logs = logs
        self._video = video
        self._tell = tell
        self._spool = Spool(folder / f"{table}.spool")
        self.found: dict[str, set[tuple[str, int | None]]] = {}

    def run(self, stop: threading.Event | None = None, speed: float = 1.0, again: bool = False) -> None:
        """Play all logs; with `again` for ever. Without `stop` nothing waits."""
        seq, at, used = -1, 0, set[str]()
        while True:
            for log in self._logs:
                judge = self._judge(log, seq)
                start = at + PAUSE
                self._film(log, start, stop, speed)
                for event in shortened(log.events, self._table, seq, start, bool(log.films), used):
                    if stop is not None and stop.wait(max(0, event.at - at) / 1000 / speed):
                        return
                    self._feed(log, judge, event)
                    at = event.at
                seq = judge.last_seq
            if not again:
                return

    def _film(self, log: Log, start: int, stop: threading.Event | None, speed: float) -> None:
        """Put a log's films on the tape and, where the clock runs, show them."""
        for film in log.films:
            if self._video is not None:
                put_on_tape(film, self._video, self._table, start)
            if self._tell is not None and stop is not None:
                args = (film, self._table, start, speed, stop, self._tell)
                threading.Thread(target=show, args=args, name=f"film-{film.camera}", daemon=True).start()

    def _judge(self, log: Log, seq: int) -> TableJudge:
        """Claim the table anew for a log: another round under other settings, judged from its own beginning."""
        book = load_rulebook(log.rulebook)
        settings = replace(log.settings, table=self._table)
        writer = self._record.claim(self._table, book.id, json.dumps(settings.to_mapping()))
        return TableJudge(self._record, Monitor(book, settings), writer, self._spool, seq)

    def _feed(self, log: Log, judge: TableJudge, event: Event) -> None:
        for verdict in judge.feed(event):
            if verdict.ruling is Ruling.VIOLATION:
                self.found.setdefault(log.name, set()).add((verdict.check, verdict.seat))
