"""Chip stacks: where they stand and what they are made of, by vote over looks since a hand was last at them."""

from __future__ import annotations

from math import hypot
from typing import Final

from vision.observe import SeenStack, View
from vision.tracks.hands import HandTrack
from vision.tracks.motion import Frame, Motion

STEADY: Final = 7.0
GATE: Final = 17.0
AFTER_HAND: Final = 200
"""A stack that a hand uncovers and that is not there is gone after so long (ms) …"""
UNEXPLAINED: Final = 1100
"""… and one that no hand was near after so long: eyes err more often than chips vanish."""
RECENT: Final = 900


class StackTrack(Motion):
    """One stack. `votes` weigh every reading since a hand was last at it."""

    __slots__ = ("_stale", "touched", "votes")

    def __init__(self, number: int, seen: SeenStack, at: int, frame: Frame) -> None:
        super().__init__(number, seen.x, seen.y, at, frame)
        self.votes: dict[tuple[int, ...], float] = {}
        self.touched = 0
        self._stale = False
        self.read(seen)

    def read(self, seen: SeenStack) -> None:
        """Count a reading; the first one after a hand was there makes all older ones worthless."""
        if seen.chips is None:
            return
        if self._stale:
            self.votes.clear()
            self._stale = False
        self.votes[seen.chips] = self.votes.get(seen.chips, 0.0) + seen.conf

    def handled(self) -> None:
        """A hand is at the stack: what was read may no longer hold."""
        self._stale = True
        self.touched += 1

    @property
    def stale(self) -> bool:
        """Whether nothing has been read since a hand was there."""
        return self._stale

    @property
    def chips(self) -> tuple[int, ...] | None:
        """The reading with most votes, None if there is none."""
        return max(self.votes, key=lambda chips: (self.votes[chips], chips)) if self.votes else None

    @property
    def sure(self) -> float:
        """The winner's share of the votes, held down while there are few."""
        total = sum(self.votes.values())
        return max(self.votes.values()) / (total + 0.15) if self.votes else 0.0


class StackTracker:
    """All stacks on the table."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self.tracks: dict[int, StackTrack] = {}
        self.gone: list[StackTrack] = []
        self._next = 1
        self._known: dict[str, dict[int, tuple[SeenStack, StackTrack]]] = {}

    def update(self, view: View, hands: list[HandTrack]) -> None:
        """Take in the stacks of one view; `hands` are those of the same camera."""
        frame = (view.camera, view.index)
        known = self._known.get(view.camera, {})
        now: dict[int, tuple[SeenStack, StackTrack]] = {}
        fresh: list[SeenStack] = []
        for seen in view.stacks:
            old = known.get(id(seen))
            if old is not None and old[1].id in self.tracks:
                old[1].unchanged(view.at, frame)
                now[id(seen)] = old
            else:
                fresh.append(seen)
        taken = {track.id for _, track in now.values()}
        for seen, track in self._match(fresh, taken, view.at):
            if track is None:
                track = StackTrack(self._next, seen, view.at, frame)
                self._next += 1
                self.tracks[track.id] = track
            else:
                track.look(seen.x, seen.y, view.at, frame, STEADY)
                track.read(seen)
            now[id(seen)] = (seen, track)
        self._known[view.camera] = now
        self._cover(view.at, hands)

    def _match(
        self, fresh: list[SeenStack], taken: set[int], at: int
    ) -> list[tuple[SeenStack, StackTrack | None]]:
        pairs = []
        for index, seen in enumerate(fresh):
            for track in self.tracks.values():
                if track.id in taken:
                    continue
                x, y = track.ahead(at)
                if abs(seen.x - x) > 320.0:
                    continue
                gone = hypot(seen.x - x, seen.y - y)
                if gone < GATE + (0 if track.resting else 60 + 60 * track.speed):
                    pairs.append((gone, index, track.id))
        pairs.sort()
        found: dict[int, StackTrack] = {}
        for _, index, number in pairs:
            if index not in found and number not in taken:
                found[index] = self.tracks[number]
                taken.add(number)
        return [(seen, found.get(index)) for index, seen in enumerate(fresh)]

    def _cover(self, at: int, hands: list[HandTrack]) -> None:
        """Excuse stacks behind hands; note which are handled."""
        for hand in hands:
            x0, y0, x1, y1 = hand.box(max(60.0, hand.radius + 8.0))
            tx, ty = hand.tip
            for track in self.tracks.values():
                if x0 < track.x < x1 and y0 < track.y < y1:
                    if hypot(tx - track.x, ty - track.y) < 60.0:
                        track.handled()
                    if hand.covers(track.x, track.y, 8.0):
                        track.excuse(at)

    def settle(self, at: int) -> None:
        """Drop stacks that are gone; called when all cameras of one moment have been taken in."""
        self.gone = []
        for track in list(self.tracks.values()):
            if at in (track.seen, track.covered_at):
                continue
            bare = track.bare(at)
            recent = track.covered_at is not None and at - track.covered_at < RECENT
            limit = AFTER_HAND if recent or not track.resting else UNEXPLAINED
            if bare >= limit or (track.looks == 1 and bare > 300):
                del self.tracks[track.id]
                self.gone.append(track)
