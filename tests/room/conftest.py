"""A room over a record that the shipped logs were played into; made once, copied for each test."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from pipeline.record import Record
from pitwatch.data import shipped
from pitwatch.replaying import Replay, load_log
from room.app import create_app
from room.people import Role
from room.read.tables import House
from room.services import Room, RoomConfig

PASSWORD = "correct horse battery"
NIGHT = 1_763_700_000_000
"""A night in November: the shipped rounds were recorded then, a second apart."""
Entered = Callable[[str], TestClient]


def play(url: str, folder: Path, tables: dict[str, str]) -> None:
    """Play the shipped logs of a rulebook at each table."""
    now = [NIGHT]

    def clock() -> int:
        now[0] += 1000
        return now[0]

    record = Record.open(url, clock)
    for table, prefix in tables.items():
        folders = sorted((shipped("datasets") / "logs").glob(f"{prefix}-*"))
        Replay(record, table, [load_log(one) for one in folders], folder).run()
    record.close()


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    play(f"sqlite:///{folder / 'record.db'}", folder, {"CS-1": "nz", "CS-2": "s10"})
    return folder / "record.db"


@pytest.fixture
def room(played: Path, tmp_path: Path) -> Iterator[Room]:
    shutil.copy(played, tmp_path / "record.db")
    opened = Room(
        RoomConfig(
            record=f"sqlite:///{tmp_path / 'record.db'}",
            home=tmp_path,
            quick_passwords=True,
            house=House(pits={"CS-1": "Pit 1", "CS-2": "Pit 2"}),
            models=shipped("models"),
        )
    )
    for role in Role:
        opened.people.add(str(role), role, PASSWORD)
    yield opened
    opened.close()


@pytest.fixture
def client(room: Room) -> Iterator[TestClient]:
    """Somebody who is not signed in."""
    with TestClient(create_app(room), base_url="http://room.test", follow_redirects=False) as found:
        yield found


def sign_in(client: TestClient, name: str) -> TestClient:
    """Sign in and send the CSRF token with every request, as the pages do."""
    client.cookies.clear()
    answer = client.post("/sign-in", data={"name": name, "password": PASSWORD})
    assert answer.status_code == 303
    csrf = client.get("/live").text.split('name="csrf" content="')[1].split('"')[0]
    client.headers["X-CSRF-Token"] = csrf
    return client


@pytest.fixture
def entered(client: TestClient) -> Entered:
    """Somebody with a role who is signed in."""
    return lambda role: sign_in(client, role)
