"""Alter a script at one point: find events, change, drop, move or insert them, or play on from there.

Numbers and times are put in order at the end, so an edit may be written as if the log were a list.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine import events as ev
from engine.cards import Card
from engine.events import DEALER, Area, Event
from engine.settings import TableSettings
from simulator.director.plan import RoundPlan, SeatPlan
from simulator.director.script import Beat, Expected, Script, renumbered
from simulator.director.stage import Stage
from simulator.director.witness import witness_of
from simulator.errors import ScriptError


class Unfit(Exception):
    """This round does not offer what the edit needs; another seed may."""


@dataclass(frozen=True, slots=True)
class Found:
    """A place in the script: index and event."""

    at: int
    event: Any


class Edit:
    """A script on the cutting table."""

    def __init__(self, script: Script, rng: random.Random) -> None:
        plan = script.notes.get("plan")
        self.script = script
        self.rng = rng
        self.rulebook = script.rulebook
        self.settings: TableSettings = script.settings
        self.beats: list[Beat] = list(script.beats)
        self.handled: list[Expected] = []
        self._plan = plan if isinstance(plan, RoundPlan) else None

    @property
    def nz(self) -> bool:
        """Whether the rulebook is nz."""
        return self.rulebook == "nz"

    @property
    def plan(self) -> RoundPlan:
        """The plan of the round (single rounds only)."""
        if self._plan is None:
            raise ScriptError("a session has no single plan")
        return self._plan

    def use(self, plan: RoundPlan) -> None:
        """Take over the plan of a round that was played anew."""
        self._plan = plan

    def all(self, kind: type[Event], start: int = 0, **match: Any) -> list[Found]:
        """Return every event of a kind whose fields match, from an index on."""
        return [
            Found(at, beat.event)
            for at, beat in enumerate(self.beats)
            if at >= start
            and isinstance(beat.event, kind)
            and all(getattr(beat.event, name) == value for name, value in match.items())
        ]

    def first(self, kind: type[Event], start: int = 0, **match: Any) -> Found:
        """Return the first such event, or give the round up."""
        found = self.all(kind, start, **match)
        if not found:
            raise Unfit(kind.__name__)
        return found[0]

    def only(self, kind: type[Event], start: int = 0, **match: Any) -> Found:
        """Return the one such event; give the round up if there are more."""
        found = self.all(kind, start, **match)
        if len(found) != 1:
            raise Unfit(kind.__name__)
        return found[0]

    def pick(self, items: Sequence[Any]) -> Any:
        """Choose one of several, or give the round up if there is none."""
        if not items:
            raise Unfit("nothing to choose from")
        return self.rng.choice(list(items))

    def need(self, holds: bool) -> None:
        """Give the round up unless something holds."""
        if not holds:
            raise Unfit("not this round")

    def change(
        self,
        at: int,
        faces: tuple[Card, ...] | None = None,
        stack: tuple[int, ...] | None = None,
        **fields: Any,
    ) -> None:
        """Change fields of an event, and what it hides."""
        beat = self.beats[at]
        self.beats[at] = Beat(
            replace(beat.event, **fields),
            beat.cards if faces is None else faces,
            beat.chips if stack is None else stack,
        )

    def insert(
        self, at: int, kind: type[Event], faces: Sequence[Card] = (), stack: Sequence[int] = (), **fields: Any
    ) -> int:
        """Let an event happen before the one at an index; return the index after it."""
        before = self.beats[at - 1].event.at if at > 0 else 0
        after = self.beats[at].event.at if at < len(self.beats) else before + 1600
        event = kind(seq=0, at=(before + after) // 2, table=self.settings.table, **fields)
        self.beats.insert(at, Beat(replace(event, witness=witness_of(event)), tuple(faces), tuple(stack)))
        return at + 1

    def drop(self, *indices: int) -> None:
        """Leave events out."""
        for at in sorted(set(indices), reverse=True):
            del self.beats[at]

    def drop_all(self, kind: type[Event], start: int = 0, **match: Any) -> None:
        """Leave out every event of a kind that matches."""
        self.drop(*[found.at for found in self.all(kind, start, **match)])

    def move(self, indices: Sequence[int], before: int) -> None:
        """Move events, in their order, in front of the event at an index."""
        chosen = sorted(indices)
        moved = [self.beats[at] for at in chosen]
        target = self.beats[before] if before < len(self.beats) else None
        self.beats = [beat for at, beat in enumerate(self.beats) if at not in set(chosen)]
        place = (
            len(self.beats) if target is None else next(n for n, b in enumerate(self.beats) if b is target)
        )
        self.beats[place:place] = moved

    def call(self) -> int:
        """Return where "no more bets" is called."""
        return self.first(ev.NoMoreBetsCalled).at

    def deliveries(self) -> list[Found]:
        """Return the deliveries of the deal, in order."""
        return [
            Found(at, beat.event)
            for at, beat in enumerate(self.beats)
            if isinstance(beat.event, ev.CardDealt | ev.PacketDealt)
        ]

    def reveal(self) -> int:
        """Return where the dealer turns the hole cards."""
        turned = [f for f in self.all(ev.CardsTurned, seat=DEALER) if len(f.event.cards) >= 4]
        self.need(bool(turned))
        return turned[0].at

    def decisions(self) -> tuple[int, int]:
        """Return where the decisions begin and end: after the deal, up to the reveal."""
        start = self.deliveries()[-1].at + 1
        while isinstance(
            self.beats[start].event, ev.StubPlaced | ev.StubCounted | ev.HandSpread | ev.CardsTurned
        ):
            start += 1
        return start, self.reveal()

    def during_deal(self) -> int:
        """Return a place between two cards of the deal."""
        return int(self.pick([found.at for found in self.deliveries()][1:]))

    def seats(self, holds: Callable[[SeatPlan], bool] = lambda seat: True) -> list[SeatPlan]:
        """Return the seats of the plan that fit."""
        return [seat for seat in self.plan.seats if holds(seat)]

    def continue_from(self, at: int) -> Stage:
        """Cut the script at an index and return a stage on which to play on."""
        stage = Stage(self.settings, self.rng, start=self.beats[at - 1].event.at)
        stage.beats = self.beats[:at]
        for beat in stage.beats:
            event = beat.event
            if isinstance(event, ev.JackpotMeterRead):
                stage.meters[event.pool] = event.amount
            elif isinstance(event, ev.AcceptorLightChanged):
                (stage.lit.add if event.lit else stage.lit.discard)(event.seat)
        return stage

    def done(
        self,
        name: str,
        expected: Sequence[Expected] = (),
        handled: Sequence[Expected] = (),
        allowed: Sequence[str] = (),
    ) -> Script:
        """Return the altered script."""
        return replace(
            self.script,
            settings=self.settings,
            beats=renumbered(self.beats),
            expected=tuple(expected),
            handled=(*handled, *self.handled),
            allowed=tuple(allowed),
            name=name,
        )


def lying(beats: Sequence[Beat]) -> dict[tuple[int, Area], int | None]:
    """Return the wagers that lie on the layout after some beats of one round, with who made them."""
    piles: dict[tuple[int, Area], int | None] = {}
    for beat in beats:
        event = beat.event
        if isinstance(event, ev.RoundOpened):
            piles.clear()
        elif isinstance(event, ev.WagerPlaced):
            piles.setdefault((event.seat, event.area), event.by)
        elif isinstance(event, ev.WagerWithdrawn | ev.WagerTaken):
            piles.pop((event.seat, event.area), None)
    return piles
