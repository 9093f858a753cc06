"""The rhythm of the deal: which deliveries are sure, which were seen twice, which were not seen at all.

A dealer throws one card after the other at an even pace, round and round. Two landings closer together than any dealer
throws are one card; a seat that is passed over while the pause was long enough for a throw got a card that nobody
saw. A pause that was too short for it leaves the seat without a card: that is for the rulebook.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from math import dist
from statistics import median
from typing import Final

from pipeline.interpret.outbox import Draft
from vision.tracks import CardTrack

TOO_SOON: Final = 0.42
"""Two landings within this share of the usual pause are one throw."""
LONG_ENOUGH: Final = 0.55
"""A pause that is longer than the usual one by at least this share of it leaves room for one more throw."""
USUAL: Final = 560.0
PASSED: Final = 45.0


@dataclass(slots=True)
class Landing:
    """A delivery: when, to which seat, and the event that waits to be told."""

    at: int
    seat: int
    draft: Draft
    track: CardTrack | None = None
    place: tuple[float, float] = (0.0, 0.0)

    @property
    def went_on(self) -> bool:
        """Whether the card has left the place at which it seemed to land: it was only passing."""
        one = self.track
        return one is not None and not one.resting and dist((one.x, one.y), self.place) > PASSED


@dataclass(slots=True)
class Rhythm:
    """The deliveries of one deal."""

    landings: list[Landing] = field(default_factory=list)

    @property
    def pause(self) -> float:
        """The usual time (ms) between two landings."""
        times = [one.at for one in self.landings[-14:]]
        gaps = [b - a for a, b in pairwise(times) if b > a]
        return median([*gaps, USUAL, USUAL]) if gaps else USUAL

    def follows(self, seat: int, order: list[int]) -> int | None:
        """The seat that is due after another one, in the order of this table."""
        if seat not in order:
            return None
        return order[(order.index(seat) + 1) % len(order)]

    def doubtful(self, at: int, seat: int, order: list[int]) -> Landing | bool:
        """Weigh a new landing against the last: True to drop the new one, or the old one that was none, or False."""
        if not self.landings:
            return False
        last = self.landings[-1]
        if at - last.at >= TOO_SOON * self.pause:
            return False
        if last.seat == seat:
            return True
        before = self.landings[-2].seat if len(self.landings) > 1 else None
        if before is not None and self.follows(before, order) == seat and last.draft.seq is None:
            return last
        return self.follows(last.seat, order) != seat

    def left_out(self, order: list[int], counts: dict[int, int]) -> list[int]:
        """The seats at the end of the last turn that got a card less than all others, though nobody saw it fail."""
        most = max(counts.values(), default=0)
        behind = [seat for seat in order if counts.get(seat, 0) == most - 1]
        if not self.landings or not behind or len(behind) > 2 or order[-len(behind) :] != behind:
            return []
        return behind

    def unseen(self, at: int, seat: int, order: list[int]) -> list[tuple[int, int]]:
        """Deliveries (time, seat) that must have come between the last landing and a new one."""
        if not self.landings or seat not in order:
            return []
        last = self.landings[-1]
        passed: list[int] = []
        turn = self.follows(last.seat, order)
        while turn is not None and turn != seat and len(passed) < len(order):
            passed.append(turn)
            turn = self.follows(turn, order)
        if not passed or len(passed) >= len(order) or len(passed) > 2:
            return []
        if at - last.at < (len(passed) + LONG_ENOUGH) * self.pause or at - last.at > 4000:
            return []
        step = (at - last.at) / (len(passed) + 1)
        return [(round(last.at + step * number), one) for number, one in enumerate(passed, start=1)]
