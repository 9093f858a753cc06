"""The demonstration: two tables play the shipped rounds again while the room is open.

Everything but the eyes is the real thing: events go one by one through the judge into the record, the room follows the
record and pushes. One person is made for it, with a password that nobody knows; who starts it gets a one-time link.
"""

from __future__ import annotations

import json
import secrets
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.record import Record
from pitwatch.data import shipped
from pitwatch.errors import BadInput
from pitwatch.replaying import Log, Replay, load_log
from room.people import Role
from room.read.recorded import RecordedFootage
from room.read.tables import House
from room.serve import RoomServer, free_port, make_server
from room.services import Room, RoomConfig

HOST = "127.0.0.1"
PERSON = "demo"
LOG_FILES = ("truth.jsonl", "expected.jsonl", "table.toml")
TABLES = (("CS-1", "nz", "Pit 1"), ("CS-2", "s10", "Pit 2"))


def shipped_logs(rulebook: str, films: bool = False) -> list[Log]:
    """Return the shipped logs of a rulebook: filmed ones first, then irregular ones, short before long."""
    kinds = ("clips", "logs") if films else ("logs",)
    roots = [shipped("datasets") / kind for kind in kinds]
    folders = [one for root in roots if root.is_dir() for one in sorted(root.iterdir())]
    whole = [one for one in folders if all((one / name).is_file() for name in LOG_FILES)]
    mine = [log for log in (load_log(one) for one in whole) if log.rulebook == rulebook]
    return sorted(mine, key=lambda one: (not one.films, not one.expected, len(one.events)))


@dataclass(slots=True)
class Demo:
    """A demonstration that runs."""

    room: Room
    server: RoomServer
    port: int
    replays: dict[str, Replay]
    logs: dict[str, list[Log]]
    token: str

    @property
    def link(self) -> str:
        """A link that signs in, once."""
        return f"http://{HOST}:{self.port}/enter/{self.room.tickets.make(PERSON)}"

    def expected(self) -> dict[str, set[tuple[str, int | None]]]:
        """Return the violations that must be found, by table."""
        return {table: {one for log in logs for one in log.expected} for table, logs in self.logs.items()}

    def ask(self, path: str, method: str = "GET", body: bytes | None = None) -> Any:
        """Ask the room as any program would, over HTTP with a token."""
        request = urllib.request.Request(  # our own address, written above
            f"http://{HOST}:{self.port}/api/v1{path}",
            body,
            {"Authorization": f"Bearer {self.token}", "Content-Type": "application/zip"},
            method=method,
        )
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
            data = answer.read()
        return json.loads(data) if answer.headers.get_content_type() == "application/json" else data


@contextmanager
def demonstration(port: int, speed: float, again: bool, films: bool = True) -> Iterator[Demo]:
    """Open the room and let the tables play; everything is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="pitwatch-demo-") as name:
        folder, stop = Path(name), threading.Event()
        url = f"sqlite:///{folder / 'record.db'}"
        room = Room(
            RoomConfig(
                record=url,
                home=folder,
                house=House(pits={table: pit for table, _, pit in TABLES}),
                models=shipped("models"),
                footage=RecordedFootage(folder / "video", folder / "clips"),
                demo=True,
            )
        )
        player = Record.open(url)
        account = room.people.add(PERSON, Role.ADMINISTRATOR, secrets.token_urlsafe(32))
        logs = {table: shipped_logs(rulebook, films) for table, rulebook, _ in TABLES}
        replays = {
            table: Replay(player, table, mine, folder, folder / "video", room.live.show)
            for table, mine in logs.items()
        }
        port = free_port(HOST, port)
        server = make_server(room, HOST, port)
        threads = [threading.Thread(target=server.run, name="demo-room")]
        threads += [
            threading.Thread(target=one.run, args=(stop, speed, again), name=f"demo-{table}")
            for table, one in replays.items()
        ]
        try:
            for thread in threads:
                thread.start()
            _wait_until_open(server, threads[0])
            yield Demo(
                room, server, port, replays, logs, room.people.make_token(account, "the demo's check", 1)
            )
        finally:
            stop.set()
            room.live.leave()
            server.should_exit = True
            for thread in threads:
                thread.join(timeout=10)
            player.close()
            room.close()


def _wait_until_open(server: RoomServer, thread: threading.Thread) -> None:
    deadline = time.monotonic() + 60
    while not server.started:
        if not thread.is_alive() or time.monotonic() > deadline:
            raise BadInput("demo: the room could not be opened")
        time.sleep(0.05)


def check(demo: Demo, seconds: float) -> Iterator[tuple[bool, str]]:
    """Yield what was checked, and whether it is as it should be: alerts, a replay, a case, its evidence."""
    wanted = demo.expected()
    deadline = time.monotonic() + seconds
    alerts: list[dict[str, Any]] = []
    while time.monotonic() < deadline:
        alerts = demo.ask("/alerts?ruling=violation&limit=500&order=newest")
        if all(_found(alerts, table) >= pairs for table, pairs in wanted.items()):
            break
        time.sleep(0.5)
    for table, pairs in wanted.items():
        found = _found(alerts, table)
        for pair in sorted(pairs | found, key=str):
            yield pair in pairs and pair in found, f"{table}: {_said(pair, pairs, found)}"
    if alerts:
        yield from _check_evidence(demo, alerts[0])


def _found(alerts: list[dict[str, Any]], table: str) -> set[tuple[str, int | None]]:
    return {(one["check"], one["seat"]) for one in alerts if one["table"] == table}


def _said(pair: tuple[str, int | None], wanted: set[Any], found: set[Any]) -> str:
    where = "table" if pair[1] is None else f"seat {pair[1]}"
    state = "found" if pair in wanted and pair in found else "MISSING" if pair in wanted else "NOT EXPECTED"
    return f"{pair[0]}, {where}: {state}"


def _check_evidence(demo: Demo, alert: dict[str, Any]) -> Iterator[tuple[bool, str]]:
    """Escalate an alert, replay its round, export it and verify the package."""
    path = f"/rounds/{alert['table']}/{alert['round']}"
    replay = demo.ask(path)
    yield bool(replay["beliefs"]), f"round {alert['round']}: replayed, {len(replay['moments'])} events"
    package = demo.ask(f"{path}/export", "POST", b"")
    result = demo.ask("/evidence/verify", "POST", package)
    yield result["holds"] and result["ours"], f"evidence of round {alert['round']}: exported, verified"
    broken = demo.ask("/evidence/verify", "POST", package[:200] + b"X" + package[201:])
    yield not broken["holds"], "evidence with one changed byte: refused"
