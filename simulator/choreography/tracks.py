"""Tracks of objects through time, and the timeline that reads a scene off them at any moment.

A film has thousands of frames in which almost nothing moves. So the timeline keeps, between two moments at which
anything begins or ends, the resting objects as they are and works out only those that move; a frame costs far less
than a millisecond, and the renderer is told which objects changed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from simulator.scene import (
    CardPose,
    ChipStack,
    Clutter,
    CutCard,
    DeckBlock,
    Fixtures,
    HandPose,
    Scene,
    SceneObject,
)

Value = SceneObject | Fixtures
Ease = Callable[[float], float]

FIXTURES: Final = "fixtures"
"""The id under which the table's fixtures have their track: lights, rack, tray and shoe change there."""


def min_jerk(u: float) -> float:
    """Return how far a hand has gone after the share `u` of its time: the path of least jerk.

    >>> min_jerk(0.0), min_jerk(0.5), min_jerk(1.0)
    (0.0, 0.5, 1.0)
    """
    return u * u * u * (10.0 + u * (6.0 * u - 15.0))


def share_of_time(gone: float) -> float:
    """Return after which share of its time a hand has gone a share of its way: `min_jerk` turned round.

    >>> round(share_of_time(0.5), 6)
    0.5
    """
    low, high = 0.0, 1.0
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if min_jerk(middle) < gone else (low, middle)
    return high


def throw(u: float) -> float:
    """Return how far a card has gone that a hand speeds up to let it go: steadily faster.

    >>> throw(0.0), throw(0.5), throw(1.0)
    (0.0, 0.25, 1.0)
    """
    return u * u


def slide(u: float) -> float:
    """Return how far a card has slid that was let go: slower and slower until friction stops it.

    >>> slide(0.0), slide(0.5), slide(1.0)
    (0.0, 0.75, 1.0)
    """
    return u * (2.0 - u)


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of one object's track: from `start` to `end` (None: not there) over [t0, t1] ms.

    `numbers` are the fields that change, with both values; `lift` raises the path between its ends (mm).
    """

    t0: float
    t1: float
    start: Value | None
    end: Value | None
    numbers: tuple[tuple[str, float, float], ...] = ()
    lift: float = 0.0
    ease: Ease = min_jerk

    def at(self, t: float) -> Value | None:
        """The object at a time within the stretch."""
        if t >= self.t1 or self.end is None or self.start is None:
            return self.end
        s = self.ease((t - self.t0) / (self.t1 - self.t0))
        fields: dict[str, Any] = {name: a + (b - a) * s for name, a, b in self.numbers}
        if self.lift:
            z = fields.get("z", getattr(self.end, "z", 0.0))
            fields["z"] = z + self.lift * 4.0 * s * (1.0 - s)
        return replace(self.end, **fields)


class Track:
    """The stretches of one object, in order; between two stretches it rests."""

    __slots__ = ("id", "segments", "starts")

    def __init__(self, name: str) -> None:
        self.id = name
        self.segments: list[Segment] = []
        self.starts: list[float] = []

    @property
    def free(self) -> float:
        """The time from which the object rests."""
        return self.segments[-1].t1 if self.segments else 0.0

    @property
    def last(self) -> Value | None:
        """What the object is after its last stretch."""
        return self.segments[-1].end if self.segments else None

    def add(self, segment: Segment) -> None:
        """Append a stretch; stretches never overlap."""
        if segment.t0 < self.free - 1e-6:
            raise ValueError(f"{self.id}: moved at {segment.t0:.0f} ms but busy until {self.free:.0f} ms")
        self.segments.append(segment)
        self.starts.append(segment.t0)

    def find(self, t: float) -> Segment | None:
        """The last stretch that has begun at a time."""
        index = bisect_right(self.starts, t) - 1
        return self.segments[index] if index >= 0 else None


def segment(
    t0: float, t1: float, start: Value, changes: dict[str, Any], lift: float = 0.0, ease: Ease = min_jerk
) -> Segment:
    """Build a stretch from what changes; numbers are eased, everything else is new from the start."""
    end = replace(start, **changes)
    numbers = tuple(
        (name, float(before), float(value))
        for name, value in changes.items()
        if isinstance(value, int | float)
        and isinstance(before := getattr(start, name), int | float)
        and not isinstance(value, bool)
        and before != value
    )
    return Segment(t0, t1, start, end, numbers, lift, ease)


class Timeline:
    """Every object's track; a pure function from time (ms) to `Scene`."""

    def __init__(self, tracks: Iterable[Track], duration: int) -> None:
        self.tracks: tuple[Track, ...] = tuple(track for track in tracks if track.segments)
        self.duration = duration
        marks = {mark for track in self.tracks for seg in track.segments for mark in (seg.t0, seg.t1)}
        self._marks: list[float] = sorted(marks)
        self._cached: int | None = None
        self._resting: list[Value] = []
        self._moving: list[Segment] = []
        self._still = _gaps(
            ((seg.t0, seg.t1) for track in self.tracks for seg in track.segments), float(duration)
        )

    def scene_at(self, t_ms: float) -> Scene:
        """The table at one moment."""
        self._load(bisect_right(self._marks, t_ms))
        values = list(self._resting)
        for seg in self._moving:
            value = seg.at(t_ms)
            if value is not None:
                values.append(value)
        return _scene(values)

    def _load(self, interval: int) -> None:
        """Sort the objects of one interval between marks into resting and moving ones."""
        if interval == self._cached:
            return
        self._cached = interval
        low = self._marks[interval - 1] if interval > 0 else -1.0
        self._resting, self._moving = [], []
        for track in self.tracks:
            seg = track.find(low)
            if seg is None or (seg.end is None and low >= seg.t1):
                continue
            if low < seg.t1:
                self._moving.append(seg)
            elif seg.end is not None:
                self._resting.append(seg.end)

    def changed(self, t0: float, t1: float) -> frozenset[str]:
        """The ids of objects whose value may differ between two moments (t0 < t1); fixtures by `FIXTURES`."""
        return frozenset(
            track.id
            for track in self.tracks
            if (seg := track.find(t1)) is not None and (seg.t1 > t0 or (seg.t0 == seg.t1 and seg.t0 > t0))
        )

    def is_still(self, t0: float, t1: float) -> bool:
        """Whether nothing changes between two moments."""
        index = bisect_right(self._still, (t0, float("inf"))) - 1
        return index >= 0 and self._still[index][0] <= t0 and t1 < self._still[index][1]

    @property
    def still_intervals(self) -> Sequence[tuple[float, float]]:
        """The stretches [from, to) ms in which nothing changes."""
        return self._still

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all objects that ever appear."""
        return tuple(track.id for track in self.tracks)

    def track(self, name: str) -> Track:
        """The track of one object."""
        return next(track for track in self.tracks if track.id == name)


def _gaps(spans: Iterable[tuple[float, float]], end: float) -> list[tuple[float, float]]:
    gaps: list[tuple[float, float]] = []
    reached = 0.0
    for t0, t1 in sorted(spans):
        if t0 > reached:
            gaps.append((reached, t0))
        reached = max(reached, t1)
    if end > reached:
        gaps.append((reached, end))
    return gaps


def _scene(values: Iterable[Value]) -> Scene:
    cards: list[CardPose] = []
    stacks: list[ChipStack] = []
    hands: list[HandPose] = []
    blocks: list[DeckBlock] = []
    cuts: list[CutCard] = []
    clutter: list[Clutter] = []
    fixtures = Fixtures()
    for value in values:
        if isinstance(value, CardPose):
            cards.append(value)
        elif isinstance(value, ChipStack):
            stacks.append(value)
        elif isinstance(value, HandPose):
            hands.append(value)
        elif isinstance(value, Clutter):
            clutter.append(value)
        elif isinstance(value, DeckBlock):
            blocks.append(value)
        elif isinstance(value, CutCard):
            cuts.append(value)
        else:
            fixtures = value
    return Scene(
        tuple(cards), tuple(stacks), tuple(hands), tuple(blocks), tuple(cuts), tuple(clutter), fixtures
    )
