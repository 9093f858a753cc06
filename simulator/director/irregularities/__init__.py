"""The catalogue of irregularities: each breaks one rule at one point of a scene, and says what a monitor must find.

Importing this package enters them all; `REGISTRY` maps `check/variant` to the irregularity.
"""

from __future__ import annotations

from simulator.director.irregularities import (  # noqa: F401
    deal_counts,
    deal_faces,
    deal_manner,
    deal_order,
    decide_dealer,
    decide_player,
    deck_opening,
    deck_round,
    deck_shuffle,
    jackpot_house,
    jackpot_paid,
    jackpot_steps,
    settle_order,
    settle_outcome,
    settle_void,
    wager_after,
    wager_closing,
    wager_jackpot,
)
from simulator.director.irregularities.base import REGISTRY, Irregularity
from simulator.director.script import Script
from simulator.errors import ScriptError

__all__ = ["REGISTRY", "Irregularity", "make", "names"]


def names(rulebook: str | None = None) -> tuple[str, ...]:
    """Return the names of all irregularities, or of those that break one rulebook."""
    return tuple(sorted(name for name, one in REGISTRY.items() if rulebook in (None, *one.rulebooks)))


def make(name: str, rulebook: str, seed: str | int) -> Script:
    """Return a scene with an irregularity; the same for the same seed."""
    if name not in REGISTRY:
        raise ScriptError(f"{name}: no such irregularity")
    return REGISTRY[name].make(rulebook, seed)
