"""One action of somebody at the table: steps on a clock of its own, put on the timeline as a whole.

An action is written from its own zero: the hand reaches, takes, carries, lets go. Only when it is complete is it
known how long it takes and when its event is done, and only then is it placed: as early as the hands and things
that it needs are free, and so that its event is done when the script wants it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import hypot
from typing import Any, Final

from simulator.choreography.tracks import (
    FIXTURES,
    Ease,
    Segment,
    Track,
    Value,
    min_jerk,
    segment,
    share_of_time,
)
from simulator.scene import CardPose, ChipStack, DeckBlock, Fixtures, Grip, HandPose

REACH_BASE, REACH_PER_MM = 130.0, 0.56
"""How long a hand travels (ms): a start-up part and a part by distance, for a dealer of pace 1."""
CLEAR: Final = 95.0
"""So far (mm) a hand or a thing must have gone before the place that it leaves can be seen."""


@dataclass(frozen=True, slots=True)
class Step:
    """A change to one object over [t0, t1] of an action's clock."""

    id: str
    t0: float
    t1: float
    changes: dict[str, Any] | None = None
    appears: Value | None = None
    lift: float = 0.0
    ease: Ease = min_jerk


class Tracks:
    """All tracks of a film while it is being written."""

    def __init__(self) -> None:
        self.all: dict[str, Track] = {}

    def last(self, name: str) -> Value | None:
        """What an object is after everything written so far."""
        track = self.all.get(name)
        return track.last if track is not None else None

    def free(self, name: str) -> float:
        """From when an object is at rest."""
        track = self.all.get(name)
        return track.free if track is not None else 0.0

    def put(self, step: Step, shift: float) -> None:
        """Write a step, with its clock's zero at `shift`."""
        track = self.all.setdefault(step.id, Track(step.id))
        t0, t1 = step.t0 + shift, step.t1 + shift
        before = track.last
        if step.appears is not None:
            track.add(Segment(t0, t0, None, step.appears))
        elif step.changes is None:
            track.add(Segment(t0, t0, before, None))
        elif before is None:
            raise ValueError(f"{step.id} is moved but is not there")
        else:
            track.add(segment(t0, t1, before, step.changes, step.lift, step.ease))


class Act:
    """The steps of one action, and when in it the event is done."""

    def __init__(self, tracks: Tracks, pace: float) -> None:
        self.tracks = tracks
        self.pace = pace
        self.steps: list[Step] = []
        self.done = 0.0
        self.not_before = 0.0
        self.hands: set[str] = set()
        self._now: dict[str, Value | None] = {}
        self._free: dict[str, float] = {}

    def get(self, name: str) -> Value:
        """What an object is at the present end of the action."""
        value = self._now[name] if name in self._now else self.tracks.last(name)
        if value is None:
            raise ValueError(f"{name} is not there")
        return value

    def has(self, name: str) -> bool:
        """Whether an object is there at the present end of the action."""
        value = self._now[name] if name in self._now else self.tracks.last(name)
        return value is not None

    def card(self, name: str) -> CardPose:
        """A card at the present end of the action."""
        value = self.get(name)
        assert isinstance(value, CardPose)
        return value

    def stack(self, name: str) -> ChipStack:
        """A chip stack at the present end of the action."""
        value = self.get(name)
        assert isinstance(value, ChipStack)
        return value

    def hand(self, name: str) -> HandPose:
        """A hand at the present end of the action."""
        value = self.get(name)
        assert isinstance(value, HandPose)
        return value

    def block(self, name: str) -> DeckBlock:
        """A pile of cards at the present end of the action."""
        value = self.get(name)
        assert isinstance(value, DeckBlock)
        return value

    def _step(self, step: Step) -> None:
        start = max(step.t0, self._free.get(step.id, step.t0))
        if start > step.t0:
            step = replace(step, t0=start, t1=max(start, step.t1))
        self.steps.append(step)
        self._free[step.id] = step.t1

    def move(
        self,
        name: str,
        t0: float,
        t1: float,
        lift: float = 0.0,
        ease: Ease = min_jerk,
        **changes: Any,
    ) -> float:
        """Move an object; returns when it arrives. It never starts before its last step here has ended."""
        before = self.get(name)
        self._step(Step(name, t0, t1, changes, None, lift, ease))
        self._now[name] = replace(before, **changes)
        return max(t1, self._free[name])

    def set(self, name: str, t: float, **changes: Any) -> None:
        """Change an object from one moment to the next."""
        self.move(name, t, t, **changes)

    def appear(self, value: Value, t: float) -> None:
        """Let an object come into view."""
        name = FIXTURES if isinstance(value, Fixtures) else value.id
        self._step(Step(name, t, t, None, value))
        self._now[name] = value

    def vanish(self, name: str, t: float) -> None:
        """Let an object go out of view: into the rack, the tray, the shoe, or off the table."""
        self.get(name)
        self._step(Step(name, t, t, None, None))
        self._now[name] = None

    def fixtures(self, t: float, change: Callable[[Fixtures], dict[str, Any]]) -> None:
        """Change the fixtures at a moment, from what they are then."""
        now = self.get("fixtures")
        assert isinstance(now, Fixtures)
        self.set("fixtures", t, **change(now))

    def travel(self, distance: float) -> float:
        """How long a hand needs for a distance (ms)."""
        return self.pace * (REACH_BASE + REACH_PER_MM * distance)

    def reach(
        self,
        name: str,
        x: float,
        y: float,
        z: float,
        grip: Grip = "pinch",
        after: float = 0.0,
        lift: float = 50.0,
        quick: float = 1.0,
        **more: Any,
    ) -> float:
        """Bring a hand to a point, not before `after`; returns when it is there."""
        self.hands.add(name)
        now = self.hand(name)
        gone = hypot(x - now.x, y - now.y, z - now.z)
        start = max(after, self._free.get(name, 0.0))
        duration = self.travel(gone) * quick if gone > 3 else 40.0
        return self.move(
            name, start, start + duration, lift * min(1, gone / 200), x=x, y=y, z=z, grip=grip, **more
        )

    def carry(self, hand: str, things: dict[str, dict[str, Any]], to: dict[str, Any], **how: Any) -> float:
        """Move a hand and what it holds along one path; returns when they arrive.

        `things` maps ids to their changes, `to` are the hand's; `after`, `lift`, `quick` as in `reach`.
        """
        self.hands.add(hand)
        now = self.hand(hand)
        gone = hypot(to.get("x", now.x) - now.x, to.get("y", now.y) - now.y, to.get("z", now.z) - now.z)
        lift, quick = float(how.get("lift", 18.0)), float(how.get("quick", 1.0))
        start = max(float(how.get("after", 0.0)), self._free.get(hand, 0.0))
        end = start + max(60.0, self.travel(gone) * quick)
        self.move(hand, start, end, lift, **to)
        for name, changes in things.items():
            self.move(name, start, end, lift, **changes)
        return end

    def free_in(self, name: str) -> float:
        """When the last step of an object in this action ends."""
        return self._free.get(name, 0.0)

    def clear_of(self, name: str, t0: float, t1: float, x: float, y: float, far: float = CLEAR) -> float:
        """When an object that goes from (x, y) over [t0, t1] to where it is now no longer covers that point."""
        value = self.get(name)
        gone = hypot(getattr(value, "x", x) - x, getattr(value, "y", y) - y)
        return t0 + (t1 - t0) * share_of_time(min(1.0, far / max(gone, 1.0)))

    @property
    def end(self) -> float:
        """When the last step ends."""
        return max((step.t1 for step in self.steps), default=0.0)

    def earliest(self) -> float:
        """The first moment at which this action can begin: when all that it needs is free in time."""
        start = self.not_before
        seen: set[str] = set()
        for step in self.steps:
            if step.id not in seen:
                seen.add(step.id)
                start = max(start, self.tracks.free(step.id) - step.t0)
        return start

    def commit(self, start: float) -> None:
        """Write the action on the tracks, from a moment on."""
        for step in sorted(self.steps, key=lambda step: step.t0):
            self.tracks.put(step, start)
