"""Piles of an area: what a wager is made of, as it was last settled, and the difference that is being watched."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot
from typing import Any, Final

from engine.events import Area, Tender
from pipeline.interpret.outbox import Draft
from vision.observe import SeenThing
from vision.tracks import StackTrack

SAME: Final = 16.0
"""Two stacks whose feet are this near (mm) are the same stack."""
READ: Final = 1.7
"""The least weight of votes for a reading: about two looks."""


@dataclass(frozen=True, slots=True)
class Pile:
    """One stack of an area, as it was last settled. `tender` other than chips has no reading."""

    x: float
    y: float
    chips: tuple[int, ...] | None
    track: int
    tender: Tender = Tender.CHIPS
    since: int = 0
    sure: bool = True

    @property
    def amount(self) -> int | None:
        """Its value in cents."""
        return None if self.chips is None else sum(self.chips)


@dataclass(slots=True)
class Paper:
    """A plaque, a coupon or money on the cloth."""

    kind: str
    x: float
    y: float
    born: int
    seen: int
    looks: int = 1


@dataclass(slots=True)
class Spot:
    """One area: its piles as last settled, and the difference that is being watched."""

    seat: int
    area: Area
    piles: list[Pile] = field(default_factory=list)
    settled_at: int = 0
    differs_since: int | None = None
    shape: tuple[int, ...] = ()
    busy: int | None = None
    seen: int = 0
    unread: tuple[Draft, int | None] | None = None
    glimpse: tuple[int, ...] | None = None

    @property
    def amount(self) -> int | None:
        """What stands there in all."""
        return total(self.piles)


def total(piles: list[Pile]) -> int | None:
    """The value of some piles, None if one was not read."""
    amounts = [pile.amount for pile in piles]
    return None if any(one is None for one in amounts) else sum(one for one in amounts if one is not None)


def near(one: Paper, thing: SeenThing) -> bool:
    """Whether a thing is one that is already followed."""
    return hypot(one.x - thing.x, one.y - thing.y) < SAME


def pile_at(piles: list[Pile], x: float, y: float) -> Pile | None:
    """The pile that stands at a point."""
    near = [pile for pile in piles if hypot(pile.x - x, pile.y - y) < SAME]
    return min(near, key=lambda pile: hypot(pile.x - x, pile.y - y), default=None)


def pile_of(one: Any) -> Pile:
    """A stack or a paper as a pile; chips that were not read since a hand was there are open."""
    if isinstance(one, StackTrack):
        chips = one.chips if not one.stale and one.sure > 0.55 else None
        sure = sum(one.votes.values()) >= 2 * READ
        return Pile(one.x, one.y, chips, one.id, Tender.CHIPS, one.rest_since or one.born, sure)
    return Pile(one.x, one.y, None, -1, Tender(one.kind), one.born)
