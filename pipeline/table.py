"""One table, from frames to verdicts: the eyes of every camera, the tracker, the interpreter and the monitor in a row.

    watch = open_watch(table, book)                          # from a table file
    step = watch.update([Shot("overview", 0, 0, picture), …], signals)
    step.events, step.verdicts, step.belief
    last = watch.finish()

`pitwatch analyze` and the live processes run exactly this: the same frames and signals give the same events, live and
afterwards. Nothing here looks at a clock. A camera that cannot be trusted is left out, and the log says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import Any, Final, Protocol

from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.health import CameraHealth, Health
from calibration.layout import Layout
from calibration.tablefile import TableModel
from engine import events as ev
from engine.events import Event
from engine.monitor import Monitor
from engine.settings import TableSettings
from engine.verdicts import Verdict
from pipeline.interpret import Interpreter
from vision.observe import View
from vision.tracks import Tracker, Tracks

STEEP: Final = 0.62
"""A camera that looks down at the table at least so steeply (sine of the angle) can read cards."""
WITNESS: Final = "signal:pitwatch"


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One frame of one camera: picture (H, W, 3) BGR, its number, and when it was taken (ms)."""

    camera: str
    index: int
    at: int
    picture: NDArray[Any]


@dataclass(frozen=True, slots=True)
class BelievedCard:
    """A card on the table as the watch believes it to lie (mm); `name` is `??` while it is not known."""

    x: float
    y: float
    face_up: bool
    name: str
    confidence: float


@dataclass(frozen=True, slots=True)
class BelievedStack:
    """A chip stack on the table; `chips` bottom to top, None while they are not known."""

    x: float
    y: float
    chips: tuple[int, ...] | None
    confidence: float


@dataclass(frozen=True, slots=True)
class Belief:
    """What the watch believes is on the table now, for the room and for whoever debugs it."""

    at: int
    cards: tuple[BelievedCard, ...] = ()
    stacks: tuple[BelievedStack, ...] = ()
    unseen: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """What one moment brought: events that are now certain, what they prove, and what is on the table."""

    events: tuple[Event, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    belief: Belief = Belief(0)


class Sees(Protocol):
    """One camera's eyes."""

    camera: Camera

    def look(self, frame: NDArray[Any], index: int, at: int) -> View:
        """Return what a frame shows."""
        ...

    def reset(self) -> None:
        """Forget what was seen, as when `camera` was replaced."""
        ...


class TableWatch:
    """Watches one table. `monitor` None: events only, for a caller that judges and records by itself."""

    def __init__(
        self,
        settings: TableSettings,
        layout: Layout,
        eyes: Mapping[str, Sees],
        monitor: Monitor | None = None,
        first_seq: int = 1,
        check_cameras: bool = True,
    ) -> None:
        self.settings, self.layout, self.eyes, self.monitor = settings, layout, dict(eyes), monitor
        order = sorted(self.eyes, key=lambda name: (-steepness(self.eyes[name].camera), name))
        self.tracker = Tracker(order or ("overview", "bets"))
        self.reader = Interpreter(settings, layout, first_seq)
        self._health = {
            name: CameraHealth(one.camera, layout) for name, one in self.eyes.items() if check_cameras
        }
        self._calibrated = {name: one.camera for name, one in self.eyes.items()}
        self._lost: dict[str, str] = {}
        self._belief = Belief(0)
        self.views: dict[str, View] = {}

    def update(self, shots: Sequence[Shot], signals: Iterable[Event] = ()) -> Step:
        """Take in the frames of one moment and the signals that came since the last one."""
        return self.take([self._look(shot) for shot in shots], signals)

    def take(self, views: Sequence[View], signals: Iterable[Event] = ()) -> Step:
        """Take in what eyes have already made of the frames of one moment."""
        heard = list(signals)
        if not views:
            return self._judged(self.reader.hear(heard), self._belief)
        for view in views:
            self.views[view.camera] = view
        at = max(view.at for view in views)
        heard += self._noticed(views, at)
        tracks = self.tracker.update(views)
        events = self.reader.feed(tracks, heard)
        self._belief = self._believed(tracks)
        return self._judged(events, self._belief)

    def finish(self, signals: Iterable[Event] = ()) -> Step:
        """The film is over: everything that was kept back."""
        return self._judged(self.reader.finish(signals), self._belief)

    def _judged(self, events: Sequence[Event], belief: Belief) -> Step:
        verdicts = self.monitor.feed_all(events) if self.monitor is not None else []
        return Step(tuple(events), tuple(verdicts), belief)

    # -- cameras -----------------------------------------------------------------------------------------------------

    def _look(self, shot: Shot) -> View:
        eyes = self.eyes[shot.camera]
        health = self._trust(shot)
        if health is not None and not health.usable:
            return View(shot.camera, shot.index, shot.at, usable=False, why=health.why)
        view = eyes.look(shot.picture, shot.index, shot.at)
        return view if view.at == shot.at else replace(view, at=shot.at)

    def _trust(self, shot: Shot) -> Health | None:
        """Whether a camera can be trusted; one that was moved and found again is used from where it now is."""
        watch = self._health.get(shot.camera)
        if watch is None:
            return None
        health = watch.update(shot.picture, shot.at)
        eyes, camera = self.eyes[shot.camera], health.camera or self._calibrated[shot.camera]
        if eyes.camera is not camera:
            eyes.camera = camera
            eyes.reset()
        return health

    def _noticed(self, views: Sequence[View], at: int) -> list[Event]:
        """Events about cameras that are lost or back."""
        notes: list[Event] = []
        base: dict[str, Any] = {"seq": 0, "at": at, "table": self.settings.table, "witness": WITNESS}
        for view in views:
            lost = self._lost.get(view.camera)
            if not view.usable and lost is None:
                self._lost[view.camera] = view.why
                zones = self._blind_without()
                notes.append(ev.CameraLost(camera=view.camera, zones=zones, why=view.why, **base))
            elif view.usable and lost is not None:
                del self._lost[view.camera]
                notes.append(ev.CameraRestored(camera=view.camera, **base))
        return notes

    def _blind_without(self) -> tuple[str, ...]:
        """The zones that no camera shows well enough while some are lost: no cards, or no chip counts."""
        left = [one.camera for name, one in self.eyes.items() if name not in self._lost]
        if not any(steepness(camera) >= STEEP for camera in left):
            return ("table",)
        had_sides = any(steepness(one.camera) < STEEP for one in self.eyes.values())
        if had_sides and not any(steepness(camera) < STEEP for camera in left):
            return tuple(f"seat:{seat.seat}" for seat in self.layout.seats)
        return ()

    # -- belief ------------------------------------------------------------------------------------------------------

    def _believed(self, tracks: Tracks) -> Belief:
        names = self.reader.context.names()
        cards = tuple(
            BelievedCard(round(one.x, 1), round(one.y, 1), one.face_up, *names.get(one.id, ("??", 0.0)))
            for one in tracks.cards
        )
        stacks = tuple(
            BelievedStack(round(one.x, 1), round(one.y, 1), one.chips, round(one.sure, 3))
            for one in tracks.stacks
        )
        return Belief(tracks.at, cards, stacks, dict(self._lost) or None)


def steepness(camera: Camera) -> float:
    """How steeply a camera looks at the middle of the table: the sine of the angle, 1 straight down."""
    x, y, z = camera.position
    return z / max(1.0, hypot(x, y - 400.0, z))


def open_watch(
    table: TableModel,
    settings: TableSettings,
    monitor: Monitor | None = None,
    cameras: Sequence[str] | None = None,
    first_seq: int = 1,
) -> TableWatch:
    """A watch with real eyes for the cameras of a table file (or some of them); loads the models."""
    from vision.evaluator import Evaluator
    from vision.eyes import Eyes

    layout, known = table.build_layout(), table.build_cameras()
    shared = Evaluator()
    names = list(known) if cameras is None else list(cameras)
    eyes = {name: Eyes(known[name], layout, table.chips, shared) for name in names}
    return TableWatch(settings, layout, eyes, monitor, first_seq)
