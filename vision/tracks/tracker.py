"""The tracker: views of all cameras in, tracks out. It owns its ids and its state; nothing is shared or global.

Feed it everything that belongs to one moment at once (`update`). Cameras are fused on the table's plane: a card seen by
two cameras is one track. An object that is covered by a hand as its camera sees it stays; one that should be seen
and is not goes, quickly where a hand has just been and slowly where nothing explains it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import hypot
from typing import Final

from vision.observe import SeenDeck, SeenThing, View
from vision.tracks.cards import CardTrack, CardTracker
from vision.tracks.hands import HandTrack, HandTracker
from vision.tracks.motion import Frame
from vision.tracks.stacks import StackTrack, StackTracker

STALE: Final = 300
"""Hands of a camera that has been silent for so long (ms) are taken from the next camera."""


@dataclass(frozen=True, slots=True)
class Tracks:
    """What is on the table at one moment.

    Tracks are live: they change with the next update, so whoever wants to remember something copies it. `landed` are
    cards that came to lie after a flight and `gone` what was dropped, both since the last update.
    """

    at: int
    frames: tuple[Frame, ...]
    cards: tuple[CardTrack, ...] = ()
    stacks: tuple[StackTrack, ...] = ()
    hands: tuple[HandTrack, ...] = ()
    decks: tuple[SeenDeck, ...] = ()
    things: tuple[SeenThing, ...] = ()
    landed: tuple[CardTrack, ...] = ()
    gone_cards: tuple[CardTrack, ...] = ()
    gone_stacks: tuple[StackTrack, ...] = ()


@dataclass(slots=True)
class _Eyes:
    """What is kept for one camera."""

    hands: HandTracker = field(default_factory=HandTracker)
    seen: int = -10_000
    view: View | None = None


class Tracker:
    """Tracks cards, stacks and hands of one table over all of its cameras.

    `cameras` in order of trust for hands: the steepest first, whose parallax is least.
    """

    def __init__(self, cameras: Sequence[str] = ("overview", "bets")) -> None:
        self.order = tuple(cameras)
        self.reset()

    def reset(self) -> None:
        """Forget everything: another film, or the camera was moved."""
        self.cards = CardTracker()
        self.stacks = StackTracker()
        self._eyes: dict[str, _Eyes] = {}

    def update(self, views: Sequence[View]) -> Tracks:
        """Take in all views of one moment."""
        at = max(view.at for view in views)
        for view in sorted(views, key=lambda view: (self._rank(view.camera), view.index)):
            if not view.usable:
                continue
            eyes = self._eyes.setdefault(view.camera, _Eyes())
            eyes.view, eyes.seen = view, at
            hands = eyes.hands.update(view.hands, view.at)
            if view.cards or view.camera in self.cards._known:
                self.cards.update(view, hands)
            self.stacks.update(view, hands)
        if any(view.usable and self._shows_cards(view.camera) for view in views):
            self.cards.settle(at)
        if any(view.usable for view in views):
            self.stacks.settle(at)
        landed, self.cards.landed = tuple(self.cards.landed), []
        return Tracks(
            at,
            tuple((view.camera, view.index) for view in views),
            tuple(self.cards.tracks.values()),
            tuple(self.stacks.tracks.values()),
            self._hands(at),
            self._decks(at),
            self._things(at),
            landed,
            tuple(self.cards.gone),
            tuple(self.stacks.gone),
        )

    def _shows_cards(self, camera: str) -> bool:
        """Whether a camera has ever shown a card: only such a one can say that none is there."""
        return camera in self.cards._known

    def _rank(self, camera: str) -> int:
        return self.order.index(camera) if camera in self.order else len(self.order)

    def _fresh(self, at: int) -> list[_Eyes]:
        """The cameras that have reported lately, the most trusted first."""
        names = sorted(self._eyes, key=lambda name: (self._rank(name), name))
        return [self._eyes[name] for name in names if at - self._eyes[name].seen <= STALE]

    def _hands(self, at: int) -> tuple[HandTrack, ...]:
        fresh = self._fresh(at)
        return tuple(fresh[0].hands.tracks) if fresh else ()

    def _decks(self, at: int) -> tuple[SeenDeck, ...]:
        """The decks as the most trusted camera shows them: one that is held up would appear in two places."""
        for eyes in self._fresh(at):
            if eyes.view is not None and eyes.view.decks:
                return eyes.view.decks
        return ()

    def _things(self, at: int) -> tuple[SeenThing, ...]:
        things: list[SeenThing] = []
        for eyes in self._fresh(at):
            for thing in eyes.view.things if eyes.view is not None else ():
                if all(hypot(thing.x - other.x, thing.y - other.y) > 30.0 for other in things):
                    things.append(thing)
        return tuple(things)
