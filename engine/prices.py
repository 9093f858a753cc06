"""Odds and jackpots as a rulebook's file writes them, turned into the values that settlement works with.

A rulebook is data, and its prices are the part of the data with the most ways to be wrong; so each is checked
here, once, with the name of the field in the message.

>>> odds_from("house", dict(high_card=1, pair=1, two_pair=2, three_of_a_kind=3, straight=4, flush=5,
...                         full_house=7, four_of_a_kind=20, straight_flush=50, royal_flush=100)).top.num
100
>>> jackpot_from("house", {"prizes": {"flush": {"times": 100}}}).prizes[Category.FLUSH].times
100
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from engine.errors import BadRulebook
from engine.hands import Category
from engine.jackpot import JackpotRules, Prize
from engine.settlement import Odds, Ratio

_FIELDS: Final = frozenset(
    {"prizes", "steps", "pool_of", "shared", "fixed_from_pool", "priority_pools", "least_rate", "variants"}
)


def odds_from(name: str, rows: Mapping[str, Any], lowest_row: str = "ace and king") -> Odds:
    """Build odds from "n to 1" rows (or [n, m] for n to m) by name of category; every category needs one."""
    missing = [kind.name.lower() for kind in Category if kind.name.lower() not in rows]
    if missing:
        raise BadRulebook(f"odds.bet.{missing[0]}: missing")
    found = {_kind(row, "odds.bet"): _ratio(value, f"odds.bet.{row}") for row, value in rows.items()}
    return Odds(name, tuple(found[kind] for kind in Category), lowest_row)


def jackpot_from(name: str, data: Mapping[str, Any], variants: Collection[str] = ()) -> JackpotRules:
    """Build the rules of a jackpot from a rulebook's table `jackpot`.

    `variants` are options that a house has taken, each a table under `jackpot.variants` that replaces fields,
    and single prizes within `prizes`: separate sub-pools, a fixed straight flush.

    >>> jackpot_from("house", {"prizes": {"flush": {"times": 100}}, "steps": [["flash"]]})
    Traceback (most recent call last):
    engine.errors.BadRulebook: jackpot.steps: 'flash' is no kind of hand
    """
    merged = dict(data)
    for variant in variants:
        changes = data.get("variants", {}).get(variant)
        if changes is None:
            raise BadRulebook(f"jackpot.variants.{variant}: missing")
        merged |= changes | {"prizes": {**merged.get("prizes", {}), **changes.get("prizes", {})}}
    unknown = sorted(set(merged) - _FIELDS)
    if unknown:
        raise BadRulebook(f"jackpot.{unknown[0]}: no such field")
    rate = merged.get("least_rate")
    return JackpotRules(
        name=name,
        prizes={_kind(k, "jackpot.prizes"): _prize(k, v) for k, v in merged.get("prizes", {}).items()},
        steps=tuple(_kinds(step, "jackpot.steps") for step in merged.get("steps", ())),
        pool_of={_kind(k, "jackpot.pool_of"): str(v) for k, v in merged.get("pool_of", {}).items()},
        shared=_kinds(merged.get("shared", ["royal_flush"]), "jackpot.shared"),
        fixed_from_pool=merged.get("fixed_from_pool"),
        priority_pools=frozenset(merged.get("priority_pools", ())),
        least_rate=None if rate is None else _ratio(rate, "jackpot.least_rate"),
    )


def _prize(kind: str, data: Mapping[str, Any]) -> Prize:
    where = f"jackpot.prizes.{kind}"
    unknown = sorted(set(data) - {"times", "amount", "share"})
    if unknown:
        raise BadRulebook(f"{where}.{unknown[0]}: no such field")
    times, amount = data.get("times", 0), data.get("amount", 0)
    if any(type(value) is not int or value < 0 for value in (times, amount)):
        raise BadRulebook(f"{where}: times and amount are whole numbers")
    share = _ratio(data["share"], f"{where}.share") if "share" in data else None
    return Prize(times, amount, share)


def _kinds(names: Collection[str], where: str) -> frozenset[Category]:
    return frozenset(_kind(name, where) for name in names)


def _kind(name: str, where: str) -> Category:
    kind = Category.__members__.get(name.upper())
    if kind is None:
        raise BadRulebook(f"{where}: {name!r} is no kind of hand")
    return kind


def _ratio(value: Any, where: str) -> Ratio:
    parts = list(value) if isinstance(value, list | tuple) else [value, 1]
    if len(parts) != 2 or any(type(part) is not int for part in parts):
        raise BadRulebook(f"{where}: {value!r} is not a whole number or a pair of them")
    return Ratio(*parts)
