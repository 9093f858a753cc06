"""What an irregularity is, and the registry that all of them enter."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.events import Area
from simulator.director.edit import Edit, Unfit
from simulator.director.house import ANY, Want
from simulator.director.play import legal
from simulator.director.script import Expected, Script
from simulator.errors import ScriptError

TRIES = 300

Hit = tuple[int | None, Area | None] | tuple[int | None, Area | None, str]
"""Where it was done: seat, area and, where it is not the usual one, the clause."""
Apply = Callable[[Edit], Hit | list[Hit]]
Base = Callable[[str, str, Want], Script]


@dataclass(frozen=True, slots=True)
class Irregularity:
    """One way to break a rule: what it alters, and what a monitor must say.

    `name` is `check/variant`. `clauses` gives the clause for each rulebook in which it is a breach. `apply` alters
    the script through an `Edit` and says where; it raises `Unfit` if the round does not offer what it needs.
    """

    name: str
    check_id: str
    clauses: dict[str, str]
    describe: str
    visible_to_camera: bool
    want: Want
    edit: Apply
    base: Base
    allowed: tuple[str, ...] = ()

    @property
    def rulebooks(self) -> tuple[str, ...]:
        """The rulebooks under which this is a breach."""
        return tuple(self.clauses)

    def apply(self, rng: random.Random, script: Script) -> Script | None:
        """Return the script with the irregularity, or None if it does not fit into this one."""
        if script.rulebook not in self.clauses:
            return None
        edit = Edit(script, rng)
        try:
            hits = self.edit(edit)
        except Unfit:
            return None
        expected = [
            self._expected(script.rulebook, hit) for hit in (hits if isinstance(hits, list) else [hits])
        ]
        return edit.done(self.name, expected, allowed=self.allowed)

    def _expected(self, rulebook: str, hit: Hit) -> Expected:
        clause = hit[2] if len(hit) == 3 else self.clauses[rulebook]
        return Expected(self.check_id, clause, hit[0], hit[1])

    def make(self, rulebook: str, seed: str | int) -> Script:
        """Return a scene with this irregularity: the first legal one, by seed, into which it fits."""
        if rulebook not in self.clauses:
            raise ScriptError(f"{self.name} is not a breach of {rulebook}")
        for number in range(TRIES):
            script = self.base(rulebook, f"{self.name}:{seed}:{number}", self.want)
            made = self.apply(random.Random(f"irregular:{self.name}:{rulebook}:{seed}:{number}"), script)
            if made is not None:
                return made
        raise ScriptError(f"{self.name}: no round of {rulebook} fits, seed {seed}")


REGISTRY: dict[str, Irregularity] = {}


def one_round(rulebook: str, seed: str, want: Want) -> Script:
    """Return a legal round that stands alone: the base of most irregularities."""
    return legal(rulebook, seed, want)


def irregularity(
    check_id: str,
    variant: str,
    *,
    nz: str | None = None,
    s10: str | None = None,
    want: Want = ANY,
    visible: bool = True,
    base: Base = one_round,
    allowed: Sequence[str] = (),
) -> Callable[[Apply], Apply]:
    """Enter a function into the catalogue; its docstring is the description."""

    def enter(function: Apply) -> Apply:
        name = f"{check_id}/{variant}"
        if name in REGISTRY:
            raise ScriptError(f"{name} is in the catalogue twice")
        clauses = {book: clause for book, clause in (("nz", nz), ("s10", s10)) if clause is not None}
        text = " ".join((function.__doc__ or "").split())
        REGISTRY[name] = Irregularity(
            name, check_id, clauses, text, visible, want, function, base, tuple(allowed)
        )
        return function

    return enter


def dealing_clause(edit: Edit, shoe: str, hand: str, packets: str) -> str:
    """Return the s10 clause that goes with the dealing method."""
    return {"shoe": shoe, "hand": hand, "packets": packets}[str(edit.settings.method)]
