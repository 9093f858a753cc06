"""What lies at a seat as pictures, and what is believed of the hand there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from engine.cards import Card
from pipeline.interpret.spots import CardSpot
from vision.tracks import CardTrack


@dataclass(frozen=True, slots=True)
class Picture:
    """What lies at a seat: where (none, home, fold), backs and faces that show, and the mean place."""

    where: str = "none"
    down: int = 0
    up: int = 0
    along: float = 0.0
    across: float = 0.0

    @property
    def cards(self) -> int:
        """How many cards show."""
        return self.down + self.up


NOTHING: Final = Picture()


@dataclass(slots=True)
class Lying:
    """The cards of a seat that show now."""

    cards: list[tuple[CardTrack, CardSpot]] = field(default_factory=list)
    lifted: list[CardTrack] = field(default_factory=list)
    moving: int = 0

    def picture(self) -> Picture:
        """The picture that they make."""
        if not self.cards:
            return NOTHING
        n = len(self.cards)
        along = sum(spot.along for _, spot in self.cards) / n
        across = sum(spot.across for _, spot in self.cards) / n
        up = sum(track.face_up for track, _ in self.cards)
        home = sum(spot.home for _, spot in self.cards) * 2 >= n
        return Picture("home" if home else "fold", n - up, up, along, across)


@dataclass(slots=True)
class Hand:
    """What the interpreter believes about the cards of one seat."""

    seat: int
    count: int = 0
    sure: bool = True
    held: bool = False
    picture: Picture = NOTHING
    settled_at: int = 0
    differs_since: int | None = None
    candidate: Picture | None = None
    lifted_since: int | None = None
    shown: int | None = None
    faces: tuple[Card, ...] = ()
    back: str | None = None
    busy: int | None = None
    spot: tuple[float, float] = (0.0, 0.0)
    tracks: tuple[int, ...] = ()
    folded: bool = False
    last_seen: int = 0
    grip: tuple[float, float] | None = None
    down: int | None = None
    unread: int = 0
    counted: bool = False
    lay: int = 0
    delivered: int = -10_000
    laid: dict[int, float] = field(default_factory=dict)
    drawn: dict[int, int] = field(default_factory=dict)

    def clear(self, at: int) -> None:
        """Forget the hand: it is in the rack."""
        self.__init__(self.seat, settled_at=at)  # type: ignore[misc]


def alike(a: Picture, b: Picture) -> bool:
    """Whether two pictures may be of the same cards, one of them missed."""
    return a.where == b.where and a.up == b.up and abs(a.down - b.down) <= 1
