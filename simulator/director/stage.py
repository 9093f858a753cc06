"""The stage: a clock, a growing list of beats, and what the scene must remember from round to round."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from engine.cards import Card
from engine.events import Event, Pool
from engine.settings import TableSettings
from simulator.director.script import Beat
from simulator.director.witness import witness_of

Step = Callable[[], None]


class Stage:
    """Where a scene is played.

    Keeps the time, the dealer's pace, the jackpot meters and the lights that burn; everything else is in the
    beats. One stage lasts for a whole session.
    """

    def __init__(self, settings: TableSettings, rng: random.Random, start: int = 0) -> None:
        self.settings = settings
        self.rng = rng
        self.clock = start
        self.pace = rng.uniform(0.75, 1.35)
        self.beats: list[Beat] = []
        self.meters: dict[Pool, int] = {}
        self.lit: set[int] = set()
        self.seated: set[int] = set()

    def wait(self, low: int, high: int) -> None:
        """Let time pass, at the dealer's pace."""
        self.clock += max(1, round(self.rng.uniform(low, high) * self.pace))

    def put(
        self,
        kind: type[Event],
        after: tuple[int, int] = (250, 700),
        faces: Sequence[Card] = (),
        stack: Sequence[int] = (),
        **fields: Any,
    ) -> None:
        """Let an event happen a little later; `faces` and `stack` are the cards and chips that it hides."""
        self.wait(*after)
        event = kind(seq=len(self.beats) + 1, at=self.clock, table=self.settings.table, **fields)
        event = replace(event, witness=witness_of(event))
        self.beats.append(Beat(event, tuple(faces), tuple(stack)))

    def chance(self, probability: float) -> bool:
        """Return whether something of this probability happens."""
        return self.rng.random() < probability

    def merge(self, sequences: Sequence[Sequence[Step]]) -> None:
        """Run several sequences of steps, each in its order, mixed at random."""
        left = [list(sequence) for sequence in sequences if sequence]
        while left:
            chosen = self.rng.choice(left)
            chosen.pop(0)()
            if not chosen:
                left.remove(chosen)
