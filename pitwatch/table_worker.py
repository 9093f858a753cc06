"""The process of one table, put together: record, judge, eyes (or a script in their place), rings."""

from __future__ import annotations

import threading

from engine.events import Event
from engine.events.codec import read_lines
from pipeline.bus import Bus
from pipeline.judge import TableJudge
from pipeline.live.gather import Gatherer
from pipeline.live.looks import LookLog
from pipeline.live.table import TableParts, TableProcess
from pipeline.live.watcher import ScriptWatcher, Watcher
from pipeline.record import Record
from pipeline.record.spool import Spool
from pitwatch.commands.common import open_text
from pitwatch.site import SiteHere, TableHere


def run_table(here: SiteHere, table: TableHere, bus: Bus, stop: threading.Event) -> None:
    """Watch one table: take up its log where it ended, and go on."""
    record = Record.open(here.site.record)
    try:
        spool = Spool(here.places.spool(table.name), round(here.site.spool_mb * 1e6))
        judge = TableJudge.take_up(record, table.book, table.settings, spool)
        rings = [(one.name, here.places.ring(table.name, one.name)) for one in table.site.camera]
        watcher = make_watcher(table, judge.last_seq + 1)
        parts = TableParts(
            table.name,
            judge,
            watcher,
            Gatherer(rings, table.site.mode, table.site.look_fps),
            LookLog(here.places.looks(table.name), str(table.site.mode)),
            table.site.clock == "film",
        )
        how = {"mode": str(table.site.mode), "look_fps": table.site.look_fps, "clock": table.site.clock}
        cameras = [one.name for one in table.site.camera]
        record.audit("pitwatch", "watch begun", table=table.name, cameras=cameras, **how)
        process = TableProcess(parts, bus)
        process.resume(record.last_at(table.name))
        process.run(stop)
        process.close()
    finally:
        record.close()


def make_watcher(table: TableHere, first_seq: int) -> Watcher:
    """Return what watches a table: the eyes, or the script that stands in for them."""
    if table.site.script is not None:
        return ScriptWatcher(table.name, load_script(table), first_seq)
    from pipeline.live.sight import make_sight

    return make_sight(table.model, table.settings, [one.name for one in table.site.camera], first_seq)


def load_script(table: TableHere) -> list[Event]:
    """Load the event log that is played in the eyes' place."""
    assert table.site.script is not None
    with open_text(table.site.script) as file:
        return list(read_lines(file, str(table.site.script)))
