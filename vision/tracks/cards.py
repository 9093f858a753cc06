"""Cards: where they lie, which side is up, what they are; covered by hands, under other cards, thrown and landed."""

from __future__ import annotations

from math import hypot
from typing import Final

from vision.detections import UNKNOWN
from vision.observe import SeenCard, View
from vision.tracks.hands import HandTrack
from vision.tracks.motion import PAUSE, Frame, Motion

STEADY: Final = 8.0
GATE: Final = 26.0
FLIGHT_GATE, PAUSE_GATE = 70.0, 52.0
UNDER: Final = 52.0
"""A card whose middle is this near (mm) to that of another that is seen may lie under it."""
BURIED: Final = 600
AFTER_HAND: Final = 240
UNEXPLAINED: Final = 1100
IN_FLIGHT: Final = 420
RECENT: Final = 900
QUICK: Final = 0.8
"""A card that was last seen this quick (mm per ms) flies on: it does not stop under what it passes."""
FLEW: Final = 90.0
"""A card that came this far (mm) before it came to rest was delivered, not nudged."""
SHORT, NEW = 45.0, 1500
"""… and so was a card that came a shorter way, if it was not there so long (ms) before."""


class CardTrack(Motion):
    """One card. `votes` weigh its readings; `under` is the card that hides it; `turned` when a side last came up.

    Cards that are swept past each other swap tracks now and then. So two looks in a row that agree on a new name
    make all older readings worthless: they were about another card.
    """

    __slots__ = (
        "_other",
        "angle",
        "back",
        "face_up",
        "flat",
        "landed",
        "lost_at",
        "turned",
        "under",
        "votes",
    )

    def __init__(self, number: int, seen: SeenCard, at: int, frame: Frame) -> None:
        super().__init__(number, seen.x, seen.y, at, frame)
        self.angle = seen.angle
        self.face_up = seen.face_up
        self.flat = seen.flat
        self.back = seen.back
        self.votes: dict[str, float] = {}
        self.under: int | None = None
        self.landed: int | None = None
        self.turned = at
        self.lost_at: tuple[float, float] | None = None
        self._other: tuple[str, float] | None = None
        self.read(seen, at)

    def read(self, seen: SeenCard, at: int) -> None:
        """Count what a look says about side and face."""
        if seen.face_up is not self.face_up:
            self.face_up = seen.face_up
            self.turned = at
        self.angle, self.flat, self.under = seen.angle, seen.flat, None
        if seen.back is not None:
            self.back = seen.back
        if seen.face_up and seen.label != UNKNOWN:
            self._vote(seen.label, seen.conf)

    def _vote(self, name: str, weight: float) -> None:
        votes = self.votes
        if votes and max(votes, key=lambda one: votes[one]) != name:
            if self._other is not None and self._other[0] == name:
                votes.clear()
                weight += self._other[1]
                self._other = None
            else:
                self._other = (name, weight)
        else:
            self._other = None
        votes[name] = votes.get(name, 0.0) + weight

    @property
    def delivered(self) -> bool:
        """Whether it came over some distance and has come to lie."""
        return self.landed is not None


class CardTracker:
    """All cards on the table."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self.tracks: dict[int, CardTrack] = {}
        self.gone: list[CardTrack] = []
        self.landed: list[CardTrack] = []
        self._next = 1
        self._known: dict[str, dict[int, tuple[SeenCard, CardTrack]]] = {}

    def update(self, view: View, hands: list[HandTrack]) -> None:
        """Take in the cards of one view; `hands` are those of the same camera."""
        frame = (view.camera, view.index)
        known = self._known.get(view.camera, {})
        now: dict[int, tuple[SeenCard, CardTrack]] = {}
        fresh: list[SeenCard] = []
        for seen in view.cards:
            old = known.get(id(seen))
            if old is not None and old[1].id in self.tracks and old[1].id not in now:
                if old[1].unchanged(view.at, frame):
                    self._land(old[1], old[1].rest_since or view.at)
                now[id(seen)] = old
            else:
                fresh.append(seen)
        taken = {track.id for _, track in now.values()}
        for seen, track in self._match(fresh, taken, view.at):
            if track is None:
                track = CardTrack(self._next, seen, view.at, frame)
                self._next += 1
                self.tracks[track.id] = track
            else:
                self._look(track, seen, view.at, frame)
            now[id(seen)] = (seen, track)
        self._known[view.camera] = now
        hidden = [track for track in self.tracks.values() if track.seen != view.at]
        for hand in hands if hidden else ():
            x0, y0, x1, y1 = hand.box(hand.radius + 6.0)
            for track in hidden:
                if x0 < track.x < x1 and y0 < track.y < y1 and hand.covers(track.x, track.y, 6.0):
                    track.excuse(view.at)

    def _look(self, track: CardTrack, seen: SeenCard, at: int, frame: Frame) -> None:
        rested = track.resting
        track.look(seen.x, seen.y, at, frame, STEADY)
        track.read(seen, at)
        if track.resting and not rested:
            self._land(track, track.rest_since if track.rest_since is not None else at)
        elif not track.resting:
            track.landed = None

    def _land(self, track: CardTrack, at: int) -> None:
        """Note that a card that flew has come to lie."""
        gone = hypot(track.x - track.came_from[0], track.y - track.came_from[1])
        if gone > (SHORT if at - track.born < NEW else FLEW) and track.landed is None:
            track.landed = at
            self.landed.append(track)

    def _match(
        self, fresh: list[SeenCard], taken: set[int], at: int
    ) -> list[tuple[SeenCard, CardTrack | None]]:
        """Pair looks with tracks, the surest pairs first."""
        pairs = []
        free = [
            track for track in self.tracks.values() if track.id not in taken and not self._buried(track, at)
        ]
        for index, seen in enumerate(fresh):
            for track in free:
                if abs(track.x - seen.x) > 420.0:
                    continue
                gone, gate = _off(track, seen, at)
                if gone < gate:
                    pairs.append((gone + _unlike(track, seen), index, track.id))
        pairs.sort()
        found: dict[int, CardTrack] = {}
        for _, index, number in pairs:
            if index not in found and number not in taken:
                found[index] = self.tracks[number]
                taken.add(number)
        return [(seen, found.get(index)) for index, seen in enumerate(fresh)]

    def _buried(self, track: CardTrack, at: int) -> bool:
        """Whether a card has long been under one that still lies there: what shows beside that one is another."""
        if track.under is None or track.face_up or at - track.seen < BURIED:
            return False
        top = self.tracks.get(track.under)
        return top is not None and top.resting and at - top.seen < 90

    def settle(self, at: int) -> None:
        """Drop cards that are gone and land those that flew onto others; called once for each moment."""
        self.gone = []
        seen = [track for track in self.tracks.values() if track.seen == at]
        for track in list(self.tracks.values()):
            if at in (track.seen, track.covered_at):
                continue
            top = self._over(track, seen) if track.resting or track.speed < QUICK else None
            if top is not None:
                self._goes_under(track, top, at)
                continue
            bare = track.bare(at)
            if bare >= self._limit(track, at):
                self._lose(track, seen)

    def _over(self, track: CardTrack, seen: list[CardTrack]) -> CardTrack | None:
        """The card that is seen where this one should be."""
        near = [
            (hypot(other.x - track.x, other.y - track.y), other.id, other)
            for other in seen
            if abs(other.x - track.x) < UNDER and abs(other.y - track.y) < UNDER
        ]
        best = min(near, default=None)
        return best[2] if best is not None and best[0] < UNDER else None

    def _goes_under(self, track: CardTrack, top: CardTrack, at: int) -> None:
        track.under = top.id
        track.bare_since = None
        if not track.resting and at - track.seen >= 150:
            track.rest_since = track.seen
            self._land(track, track.seen)

    def _limit(self, track: CardTrack, at: int) -> int:
        if not track.resting:
            return IN_FLIGHT
        recent = track.covered_at is not None and at - track.covered_at < RECENT
        return (
            AFTER_HAND if recent or track.under is not None or track.seen - track.born < 150 else UNEXPLAINED
        )

    def _lose(self, track: CardTrack, seen: list[CardTrack]) -> None:
        """Drop a card; one that was last seen flying towards others has landed on them."""
        if not track.resting and track.speed > 0.25:
            ux, uy = track.vx / track.speed, track.vy / track.speed
            for other in seen:
                dx, dy = other.x - track.x, other.y - track.y
                along, across = dx * ux + dy * uy, abs(dy * ux - dx * uy)
                if other.resting and -20.0 < along < 380.0 and across < 40.0 + 0.3 * max(0.0, along):
                    track.lost_at = (track.x, track.y)
                    track.x, track.y, track.under = other.x, other.y, other.id
                    track.rest_since = track.seen + round(min(400.0, 1.6 * along / track.speed))
                    self._land(track, track.rest_since)
                    return
        del self.tracks[track.id]
        self.gone.append(track)


def _off(track: CardTrack, seen: SeenCard, at: int) -> tuple[float, float]:
    """How far (mm) a look is from where a track should be, and how far it may be.

    A thrown card slides on and slows down: it may be anywhere between where it was and where it would be at speed.
    """
    if track.rest_since is not None:
        gate = GATE if at - track.rest_since > PAUSE or track.looks > 12 else PAUSE_GATE
        return hypot(seen.x - track.x, seen.y - track.y), gate
    gate = FLIGHT_GATE + 0.35 * track.speed * (at - track.seen) + (60.0 if track.looks == 1 else 0.0)
    x, y = track.ahead(at)
    dx, dy = 1.15 * (x - track.x), 1.15 * (y - track.y)
    square = dx * dx + dy * dy
    t = ((seen.x - track.x) * dx + (seen.y - track.y) * dy) / square if square > 0 else 0.0
    t = max(0.0, min(1.0, t))
    return hypot(seen.x - track.x - t * dx, seen.y - track.y - t * dy), gate


def _unlike(track: CardTrack, seen: SeenCard) -> float:
    """How much a look differs from a track in what does not depend on the place (as mm)."""
    unlike = 0.35 * min(30.0, abs((track.angle - seen.angle + 90.0) % 180.0 - 90.0))
    if track.face_up is not seen.face_up:
        unlike += 18.0
    elif seen.face_up and seen.label != UNKNOWN and track.votes:
        if max(track.votes, key=lambda label: track.votes[label]) != seen.label:
            unlike += 20.0
    if track.under is not None:
        unlike += 30.0
    return unlike
