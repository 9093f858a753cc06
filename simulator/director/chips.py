"""Amounts as piles of chips, the way players and dealers build them."""

from __future__ import annotations

import random
from collections.abc import Sequence


def pile(amount: int, values: Sequence[int], rng: random.Random | None = None) -> tuple[int, ...]:
    """Return chips for an amount, bottom to top, the smaller ones on top (nz 5.4).

    With a generator the pile is sometimes built of smaller chips than it needs. A rest that no chip can show
    (cents of a jackpot, paid in coin) is left out.

    >>> pile(13600, (100, 500, 2500, 10000))
    (10000, 2500, 500, 500, 100)
    """
    chips: list[int] = []
    for value in sorted(values, reverse=True):
        count, amount = divmod(amount, value)
        chips += [value] * count
    if rng is not None:
        for _ in range(rng.randrange(3)):
            chips = _changed(chips, values, rng)
    return tuple(sorted(chips, reverse=True))


def _changed(chips: list[int], values: Sequence[int], rng: random.Random) -> list[int]:
    """Change one chip into smaller ones, if the pile stays small enough to stand."""
    choices = [(chip, low) for chip in set(chips) for low in values if low < chip and chip % low == 0]
    choices = sorted((chip, low) for chip, low in choices if len(chips) + chip // low <= 14)
    if not choices:
        return chips
    chip, low = rng.choice(choices)
    rest = list(chips)
    rest.remove(chip)
    return rest + [low] * (chip // low)


def in_two(amount: int, unit: int, rng: random.Random) -> tuple[int, int] | None:
    """Split an amount into two payments of whole chips, or None if it is a single chip."""
    steps = amount // unit
    if steps < 2 or amount % unit:
        return None
    first = rng.randrange(1, steps) * unit
    return first, amount - first
