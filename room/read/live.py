"""The tables as they are now, followed from the record, and the push to whoever watches.

One thread reads what is new in the record a few times a second: events are folded into beliefs, alerts and actions are
kept for a while so that every page gets each of them once. Pages that were away take up from the record itself, so a
restart of the room or of a browser loses nothing.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from pipeline.errors import RecordError
from pipeline.record import Record
from pipeline.record.queries import actions_after, heads, last_event, last_round
from room.people.store import now_ms
from room.read.alerts import brief
from room.read.belief import believe
from room.read.folding import Folding
from room.read.footage import Preview
from room.read.tables import House, TableInfo

EVERY: Final = 0.2
KEPT: Final = 2000
FRESH: Final = 10.0
"""Seconds after which a camera without a new picture is silent."""
OVERLAP: Final = 50
"""Alerts of two tables may become visible out of order: the last few are looked at again."""
BACKLOG: Final = 3000
"""How far back a fold begins when the room starts: longer than any round and the shuffle before it."""


@dataclass(slots=True)
class Followed:
    """One table as far as it was followed."""

    info: TableInfo
    folding: Folding
    belief: dict[str, Any]
    wall: int = 0
    seen: bool = False


@dataclass(frozen=True, slots=True)
class Push:
    """One message: a name and plain values; `cursor` says what a page has seen once it has this one."""

    name: str
    data: dict[str, Any]
    cursor: tuple[int, int] | None = None


@dataclass(slots=True)
class Health:
    """How the following goes."""

    problem: str = ""
    last_look: int = 0


@dataclass(slots=True)
class Subscriber:
    """A page that watches: what waits for it, and how it is woken."""

    wake: Callable[[], None]
    waiting: deque[Push] = field(default_factory=lambda: deque(maxlen=KEPT))
    overflowed: bool = False


class Live:
    """Follows the record and pushes."""

    def __init__(self, record: Record, house: House) -> None:
        self._record = record
        self._house = house
        self._tables: dict[str, Followed] = {}
        self._previews: dict[tuple[str, str], Preview] = {}
        self._came: dict[tuple[str, str], float] = {}
        self._subscribers: list[Subscriber] = []
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._alert, self._action = 0, 0
        self._recent: deque[int] = deque(maxlen=4 * OVERLAP)
        self.health = Health()

    def start(self) -> None:
        """Begin to follow; what is in the record by now is not pushed."""
        self._alert, self._action = heads(self._record)
        self._recent.extend(
            one.id for one in self._record.alerts(after=max(0, self._alert - OVERLAP)) if one.id is not None
        )
        self.look()
        self._thread = threading.Thread(target=self._run, name="room-live", daemon=True)
        self._thread.start()

    def leave(self) -> None:
        """Say that the room closes, without waiting for the following to end (safe in a signal handler)."""
        self._stop.set()
        for one in list(self._subscribers):
            one.wake()

    def stop(self) -> None:
        """Stop following and wake everybody who waits."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=5)
        with self._lock:
            for one in self._subscribers:
                one.wake()

    @property
    def stopped(self) -> bool:
        """Whether the room is going down."""
        return self._stop.is_set()

    # ── for the pages ────────────────────────────────────────────────────────────────────────────────

    def subscribe(self, wake: Callable[[], None]) -> Subscriber:
        """Register a page; `wake` is called from the following thread when something waits."""
        subscriber = Subscriber(wake)
        with self._lock:
            self._subscribers.append(subscriber)
        return subscriber

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Forget a page that went away."""
        with self._lock:
            if subscriber in self._subscribers:
                self._subscribers.remove(subscriber)

    def tables(self) -> list[dict[str, Any]]:
        """Return all tables in short, by pit and name, for the tiles."""
        with self._lock:
            followed = sorted(self._tables.values(), key=lambda one: (one.info.pit, one.info.name))
            return [self._tile(one) for one in followed]

    def belief(self, table: str) -> dict[str, Any] | None:
        """Return what is believed about one table now."""
        with self._lock:
            found = self._tables.get(table)
            return None if found is None else found.belief

    def previews(self, table: str) -> list[Preview]:
        """Return the newest picture of each camera of a table."""
        with self._lock:
            return [one for (name, _), one in sorted(self._previews.items()) if name == table]

    def preview(self, table: str, camera: str) -> Preview | None:
        """Return the newest picture of a camera."""
        with self._lock:
            return self._previews.get((table, camera))

    def show(self, preview: Preview) -> None:
        """Take a new picture in and tell the pages that it is there."""
        with self._lock:
            self._previews[preview.table, preview.camera] = preview
            self._came[preview.table, preview.camera] = time.monotonic()
            said = {
                "table": preview.table,
                "camera": preview.camera,
                "index": preview.index,
                "at": preview.at,
            }
            self._push(Push("preview", {**said, "overlay": preview.overlay}))

    def _tile(self, one: Followed) -> dict[str, Any]:
        belief = one.belief
        return {
            "table": one.info.name,
            "pit": one.info.pit,
            "rulebook": one.info.rulebook,
            "phase": belief["phase"],
            "round": belief["round"],
            "seq": belief["seq"],
            "at": belief["at"],
            "wall": one.wall,
            "players": sum(1 for seat in belief["seats"] if seat["present"] or seat["cards"]),
            "unseen": belief["unseen"],
            "cameras": self._cameras(one),
        }

    def _cameras(self, one: Followed) -> list[dict[str, Any]]:
        names = set(one.info.cameras) | {camera for table, camera in self._previews if table == one.info.name}
        lost = set(one.belief["lost_cameras"])
        return [
            {
                "camera": name,
                "state": "lost" if name in lost else self._sight(one.info.name, name),
            }
            for name in sorted(names | lost)
        ]

    def _sight(self, table: str, camera: str) -> str:
        """Return whether a camera's pictures come; one of which nothing came lately is not called well."""
        came = self._came.get((table, camera))
        return "seeing" if came is not None and time.monotonic() - came <= FRESH else "silent"

    # ── following ────────────────────────────────────────────────────────────────────────────────────

    def _run(self) -> None:
        while not self._stop.wait(EVERY):
            self.look()

    def look(self) -> None:
        """Look once at what is new."""
        try:
            self._follow_tables()
            self._follow_alerts()
            problem = ""
        except RecordError as error:
            problem = str(error)
        if problem != self.health.problem:
            with self._lock:
                self.health.problem = problem
                self._push(Push("health", {"problem": problem}))
        self.health.last_look = now_ms()

    def _follow_tables(self) -> None:
        for row in self._record.tables():
            known = self._tables.get(row.name)
            if known is not None and known.folding.seq >= row.seq and known.info.rulebook == row.rulebook:
                continue
            info = self._house.table(self._record, row.name)
            if known is None or known.info.settings.seats != info.settings.seats:
                known = Followed(info, Folding(info.settings.seats), {})
                known.folding.seq = max(-1, row.seq - BACKLOG)
            self._take_in(known, info)

    def _take_in(self, one: Followed, info: TableInfo) -> None:
        for event in self._record.events(info.name, after=one.folding.seq):
            one.folding.feed(event)
        folding = one.folding
        book = self._house.book(info.rulebook)
        belief = believe(folding.state, book, info.settings, folding.seq, folding.at)
        last = last_event(self._record, info.name)
        latest = last_round(self._record, info.name)
        with self._lock:
            one.info, one.belief, one.wall = info, belief, 0 if last is None else last.wall
            if latest is not None and belief["round"] is not None:
                belief["round"] = latest.round
            self._tables[info.name] = one
            self._push(Push("table", self._tile(one)))
            self._push(Push("belief", {"table": info.name, "belief": belief}))

    def _follow_alerts(self) -> None:
        fresh = [
            row
            for row in self._record.alerts(after=max(0, self._alert - OVERLAP))
            if row.id is not None and row.id not in self._recent
        ]
        done = actions_after(self._record, self._action)
        with self._lock:
            for row in fresh:
                assert row.id is not None, "a stored alert has a number"
                self._recent.append(row.id)
                self._alert = max(self._alert, row.id)
                self._push(Push("alert", brief(row), (self._alert, self._action)))
            for action, alert in done:
                self._action = action.id or self._action
                self._push(Push("action", action_message(action, alert), (self._alert, self._action)))

    def _push(self, message: Push) -> None:
        for one in self._subscribers:
            one.overflowed = one.overflowed or len(one.waiting) == one.waiting.maxlen
            one.waiting.append(message)
            one.wake()


def action_message(action: Any, alert: Any) -> dict[str, Any]:
    """Return what somebody did, as it is pushed."""
    return {
        "id": action.id,
        "alert": action.alert_id,
        "state": alert.state,
        "ruling": alert.ruling,
        "rank": alert.severity,
        "who": action.who,
        "what": action.what,
        "why": action.why,
        "wall": action.wall,
    }


def catch_up(record: Record, cursor: tuple[int, int]) -> list[Push]:
    """Return what a page missed since its cursor, oldest first."""
    alert, action = cursor
    missed: list[Push] = []
    after, fresh = max(0, alert - OVERLAP), now_ms() - 10_000
    while True:
        page = record.alerts(after=after)
        for row in page:
            after = row.id or after
            if (
                after > cursor[0] or row.wall >= fresh
            ):  # what became visible late is sent once too often, not lost
                alert = max(alert, after)
                missed.append(Push("alert", brief(row), (alert, action)))
        if len(page) < 1000:
            break
    for done, about in actions_after(record, action):
        action = done.id or action
        missed.append(Push("action", action_message(done, about), (alert, action)))
    return missed
