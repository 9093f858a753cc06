"""A real room behind a real browser: Debian's Chromium, driven by Playwright. Nothing may leave the machine."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from calibration.camera import overview_camera
from calibration.drawing import overlay
from calibration.layout import standard_layout
from calibration.tablefile import camera_model, load_table, save_table
from engine import events as ev
from pipeline.record import Record
from pitwatch.data import shipped
from pitwatch.replaying import Replay, load_log
from room.people import Role
from room.read.footage import Clip
from room.read.tables import House
from room.serve import RoomServer, free_port, make_server
from room.services import Room, RoomConfig
from tests.room.conftest import PASSWORD, play

HOST = "127.0.0.1"
PATIENCE = 60_000
"""Milliseconds: a loaded machine is slow, not broken."""


class DrawnFootage:
    """Pictures of a table that is only drawn: the layout as the overview camera sees it on a green cloth."""

    def __init__(self) -> None:
        camera = overview_camera()
        cloth = np.full((camera.lens.height, camera.lens.width, 3), (60, 92, 24), np.uint8)
        worked, data = cv2.imencode(".jpg", overlay(cloth, camera, standard_layout()))
        assert worked
        self._jpeg = data.tobytes()

    def cameras(self, table: str) -> list[str]:
        return []

    def still(self, table: str, camera: str, at: int) -> bytes | None:
        return self._jpeg if camera == "overview" else None

    def clip(self, table: str, camera: str, start: int, end: int) -> Clip | None:
        return None


class Running:
    """A room that can be stopped and started again on the same port, over the same record."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port(HOST, 0)
        self.url = f"http://{HOST}:{self.port}"
        self.record = f"sqlite:///{folder / 'record.db'}"
        self.room: Room | None = None
        self._server: RoomServer | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        config = RoomConfig(
            record=self.record,
            home=self.folder,
            quick_passwords=True,
            house=House(
                pits={"CS-1": "Pit 1", "CS-2": "Pit 2", "CS-3": "Pit 2", "CS-4": "Pit 1"},
                files={"CS-1": self.folder / "cs-1.toml"},
            ),
            models=shipped("models"),
            footage=DrawnFootage(),
        )
        self.room = Room(config)
        self._server = make_server(self.room, HOST, self.port)
        self._thread = threading.Thread(target=self._server.run, name="room under test")
        self._thread.start()
        deadline = time.monotonic() + 60
        while not self._server.started:
            assert time.monotonic() < deadline, "the room did not start"
            assert self._thread.is_alive(), "the room could not start"
            time.sleep(0.02)

    def stop(self) -> None:
        assert self.room is not None
        assert self._server is not None
        assert self._thread is not None
        self.room.live.leave()
        self._server.should_exit = True
        self._thread.join(timeout=30)
        self.room.close()

    def play(self, name: str, table: str) -> None:
        """Let a shipped round happen at a table."""
        record = Record.open(self.record)
        seq = next((row.seq for row in record.tables() if row.name == table), -1)
        assert seq == -1, "one round a table is enough here"
        Replay(record, table, [load_log(shipped("datasets") / "logs" / name)], self.folder).run()
        record.close()


def blind_table(folder: Path) -> None:
    """Play a round at a table whose camera on the bets was lost and whose seat 2 was hidden: it cannot be told."""
    log = load_log(shipped("datasets") / "logs" / "nz-wager-late")
    opened = next(n for n, event in enumerate(log.events) if isinstance(event, ev.RoundOpened))
    at = log.events[opened].at
    lost = (
        ev.CameraLost(seq=0, at=at, table="CS-1", camera="bets", zones=("tray",), why="no picture for 3 s"),
        ev.ViewBlocked(seq=0, at=at, table="CS-1", zone="seat:2", why="a drinks tray stands in front of it"),
    )
    events = (*log.events[: opened + 1], *lost, *log.events[opened + 1 :])
    record = Record.open(f"sqlite:///{folder / 'record.db'}")
    Replay(record, "CS-4", [replace(log, events=events)], folder).run()
    record.close()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record with two tables' rounds, and a table file with one camera."""
    folder = tmp_path_factory.mktemp("house")
    play(f"sqlite:///{folder / 'record.db'}", folder, {"CS-1": "nz", "CS-2": "s10"})
    blind_table(folder)
    table = load_table(shipped("datasets") / "logs" / "nz-clean" / "table.toml")
    camera = camera_model(replace(overview_camera(), name="overview"))
    save_table(table.model_copy(update={"cameras": (camera,)}), folder / "cs-1.toml")
    return folder


@pytest.fixture
def running(house: Path, tmp_path: Path) -> Iterator[Running]:
    for name in ("record.db", "cs-1.toml"):
        shutil.copy(house / name, tmp_path / name)
    found = Running(tmp_path)
    found.start()
    assert found.room is not None
    for role in Role:
        found.room.people.add(str(role), role, PASSWORD)
    yield found
    found.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = shutil.which("chromium")
    assert program is not None, "Chromium is missing: apt-get install chromium"
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=program, args=["--no-sandbox", "--mute-audio"])
        yield started
        started.close()


class Seen:
    """What the browser asked for and complained about."""

    def __init__(self, context: BrowserContext) -> None:
        self.errors: list[str] = []
        self.abroad: list[str] = []
        self.quiet = False
        context.on("console", lambda message: self._said(message.type, message.text))
        context.on("weberror", lambda error: self.errors.append(str(error.error)))
        context.on("request", lambda request: self._asked(request.url))

    def _said(self, kind: str, text: str) -> None:
        if kind == "error" and not self.quiet:
            self.errors.append(text)

    def _asked(self, url: str) -> None:
        if not url.startswith((f"http://{HOST}:", "data:", f"blob:http://{HOST}:")):
            self.abroad.append(url)


@pytest.fixture
def seen(
    browser: Browser, running: Running, request: pytest.FixtureRequest
) -> Iterator[tuple[BrowserContext, Seen]]:
    """A context that must end without an error on the console and without a request to elsewhere."""
    size = getattr(request, "param", (1920, 1080))
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, timezone_id="UTC")
    context.set_default_timeout(PATIENCE)
    watched = Seen(context)
    yield context, watched
    context.close()
    assert watched.errors == []
    assert watched.abroad == []


@pytest.fixture
def page(seen: tuple[BrowserContext, Seen]) -> Page:
    return seen[0].new_page()


def enter(page: Page, running: Running, role: str = "supervisor", path: str = "/live") -> None:
    """Sign in as a person would and go to a page."""
    page.goto(f"{running.url}/sign-in?next={path}")
    page.get_by_label("Name").fill(role)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{running.url}{path.split('?')[0]}*")


def wait_live(page: Page) -> None:
    """Wait until the push is open."""
    page.wait_for_selector("html[data-push=open]")
