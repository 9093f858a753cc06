"""The alerts page with 100,000 alerts stored: server time of one view, audit line and counts included.

    python benchmarks/bench_room.py [ALERTS]

Prints the median and the worst of 30 views, for the page and for the API; 1 if the median page takes 200 ms or more.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

from sqlalchemy import insert
from starlette.testclient import TestClient

from pipeline.record.schema import AlertRow, RoundRow
from pitwatch.demonstration import shipped_logs
from pitwatch.replaying import Replay
from room.app import create_app
from room.people import Role
from room.services import Room, RoomConfig

LIMIT_MS = 200.0
VIEWS = 30


def fill(room: Room, folder: Path, count: int) -> None:
    """Play one round of each kind, then copy its alerts over and over, as years of nights would."""
    for table, book in (("CS-1", "nz"), ("CS-2", "s10")):
        Replay(room.record, table, shipped_logs(book), folder).run()
    patterns = room.record.alerts()
    rulings = ("violation", "violation", "cannot_tell", "handled")
    states = ("new", "acknowledged", "dismissed", "escalated")
    rows = []
    for n in range(count - len(patterns)):
        one = patterns[n % len(patterns)].model_dump(exclude={"id"})
        changes = {"key": f"bench-{n}", "wall": one["wall"] - n * 7919, "severity": n % 5}
        rows.append({**one, **changes, "ruling": rulings[n % 4], "state": states[n // 4 % 4]})
    with room.record.engine.begin() as connection:
        connection.execute(insert(AlertRow), rows)
    print(json.dumps({"alerts": room.record.count(AlertRow), "rounds": room.record.count(RoundRow)}))


def timed(client: TestClient, path: str) -> tuple[list[float], float]:
    """Return the times of views in milliseconds, and the processor's time of one."""
    client.get(path).raise_for_status()
    times, busy = [], time.process_time()
    for _ in range(VIEWS):
        start = time.perf_counter()
        client.get(path).raise_for_status()
        times.append((time.perf_counter() - start) * 1000)
    return times, (time.process_time() - busy) * 1000 / VIEWS


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory(prefix="pitwatch-bench-") as name:
        folder = Path(name)
        room = Room(RoomConfig(f"sqlite:///{folder / 'record.db'}", folder, quick_passwords=True))
        fill(room, folder, count)
        account = room.people.add("bench", Role.ADMINISTRATOR, "a long enough secret")
        slow = False
        with TestClient(create_app(room), base_url="http://room.test") as client:
            client.cookies.set("pitwatch_session", room.people.begin(account))
            for path in ("/alerts", "/alerts?tab=unsure", "/live", "/search", "/api/v1/alerts?limit=50"):
                times, busy = timed(client, path)
                median = statistics.median(times)
                slow = slow or (path == "/alerts" and median >= LIMIT_MS)
                print(
                    f"{path:<24} median {median:6.1f} ms   worst {max(times):6.1f} ms   processor {busy:6.1f} ms"
                )
        room.close()
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
