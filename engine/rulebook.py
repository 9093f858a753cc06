"""A rulebook: which checks apply, by which clause, how severe, with which consequence; and the game's own data.

Rulebooks are TOML files: the shipped ones lie in `engine/rulebooks`, a house may keep its own anywhere. A file may
build on another (`extends = "s10"`) and say only what differs. Checks never ask which rulebook they serve: they
read its data, so another jurisdiction is another file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib import resources
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from engine.errors import BadRulebook
from engine.jackpot import JackpotRules
from engine.prices import jackpot_from, odds_from
from engine.settlement import Odds
from engine.verdicts import Severity

SHIPPED: Final = ("nz", "s10")


@dataclass(frozen=True, slots=True)
class Rule:
    """How one check applies under one rulebook.

    `remedy` names what the rulebook orders when the irregularity happens (see `engine.monitor.remedies`): done in
    time, it is handled; left undone, it is a violation. Without a remedy the irregularity itself is the violation.
    """

    check: str
    clause: str
    severity: Severity
    consequence: str = ""
    remedy: str | None = None
    params: Mapping[str, Any] | None = None

    def param(self, name: str) -> Any:
        """Return a parameter of the check under this rulebook."""
        if self.params is None or name not in self.params:
            raise BadRulebook(f"checks.{self.check}.params.{name}: missing")
        return self.params[name]


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of the book, in our words, with the checks that guard it or the reason why none does."""

    id: str
    says: str
    checks: tuple[str, ...] = ()
    why_none: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """How an unclear passage is read; shown in the coverage page and with every alert that rests on it.

    `values` are those that the checks know; a house that reads the passage otherwise sets one of them in a file of
    its own. `checks` are those whose alerts rest on the reading.
    """

    id: str
    clause: str
    text: str
    value: Any
    values: tuple[Any, ...] = ()
    checks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One jurisdiction's rules as data.

    `odds` and `jackpot` are as the file writes them; `bet_odds` and `jackpots` are what they say, worked out once:
    a jackpot for every choice that the rulebook leaves to the house.
    """

    id: str
    title: str
    game: Mapping[str, Any]
    odds: Mapping[str, Any]
    jackpot: Mapping[str, Any]
    rules: Mapping[str, Rule]
    clauses: tuple[Clause, ...] = ()
    readings: Mapping[str, Reading] | None = None
    bet_odds: Odds | None = None
    jackpots: Mapping[frozenset[str], JackpotRules] | None = None

    def jackpot_for(self, chosen: Collection[str]) -> JackpotRules | None:
        """Return the jackpot as the house has chosen it; choices that the rulebook does not know are left out.

        >>> load_rulebook("nz").jackpot_for(["sub_pools"]).priority_pools
        frozenset({'major'})
        """
        if not self.jackpots:
            return None
        return self.jackpots[frozenset(chosen) & frozenset(self.jackpot.get("variants", {}))]

    def readings_of(self, check: str) -> tuple[Reading, ...]:
        """Return how the passages are read on which alerts of a check rest.

        >>> [one.clause for one in load_rulebook("nz").readings_of("deck.jackpot_count")]
        ['11.14']
        """
        return tuple(one for one in (self.readings or {}).values() if check in one.checks)


def load_rulebook(name: str) -> Rulebook:
    """Load a shipped rulebook by id, or one from a `.toml` file by path.

    >>> load_rulebook("nz").id
    'nz'
    >>> load_rulebook("xx")
    Traceback (most recent call last):
    engine.errors.BadRulebook: rulebook 'xx': not one of nz, s10, and no such .toml file
    """
    return parse_rulebook(_read(name), name)


def _read(name: str, depth: int = 0) -> dict[str, Any]:
    if depth > 4:
        raise BadRulebook(f"rulebook {name!r}: extends itself")
    if name in SHIPPED:
        text = resources.files("engine.rulebooks").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    elif name.endswith(".toml") and Path(name).is_file():
        text = Path(name).read_text(encoding="utf-8")
    else:
        raise BadRulebook(f"rulebook {name!r}: not one of {', '.join(SHIPPED)}, and no such .toml file")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadRulebook(f"rulebook {name!r}: {error}") from None
    base = data.pop("extends", None)
    return data if base is None else _merged(_read(str(base), depth + 1), data)


def _merged(base: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """Return the base with the change laid over it, table by table."""
    result = dict(base)
    for key, value in change.items():
        old = result.get(key)
        both_tables = isinstance(old, Mapping) and isinstance(value, Mapping)
        result[key] = _merged(old, value) if both_tables else value  # type: ignore[arg-type]
    return result


def parse_rulebook(data: Mapping[str, Any], name: str) -> Rulebook:
    """Build a rulebook from parsed TOML; an error names the file and the field."""
    known = {"id", "title", "game", "odds", "jackpot", "checks", "clauses", "readings"}
    for key in data:
        if key not in known:
            raise BadRulebook(f"rulebook {name!r}, {key}: no such field")
    for key in ("id", "title", "game", "odds"):
        if key not in data:
            raise BadRulebook(f"rulebook {name!r}, {key}: missing")
    rules = {
        check: _rule(name, check, entry)
        for check, entry in data.get("checks", {}).items()
        if not entry.get("off", False)
    }
    return Rulebook(
        id=data["id"],
        title=data["title"],
        game=data["game"],
        odds=data["odds"],
        jackpot=data.get("jackpot", {}),
        rules=rules,
        clauses=tuple(_clause(name, entry) for entry in data.get("clauses", [])),
        readings={key: _reading(name, key, entry) for key, entry in data.get("readings", {}).items()},
        **_prices(data, name),
    )


def _prices(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Work out the odds and the jackpots of a rulebook that has any."""
    odds, jackpot = data["odds"], data.get("jackpot", {})
    variants = list(jackpot.get("variants", {}))
    try:
        return {
            "bet_odds": odds_from(data["id"], odds["bet"]) if "bet" in odds else None,
            "jackpots": {
                frozenset(chosen): jackpot_from(data["id"], jackpot, chosen)
                for size in range(len(variants) + 1)
                for chosen in combinations(variants, size)
            }
            if jackpot
            else None,
        }
    except BadRulebook as error:
        raise BadRulebook(f"rulebook {name!r}, {error}") from None


def _rule(name: str, check: str, entry: Mapping[str, Any]) -> Rule:
    for key in ("clause", "severity"):
        if not isinstance(entry.get(key), str):
            raise BadRulebook(f"rulebook {name!r}, checks.{check}.{key}: missing or not a text")
    try:
        severity = Severity[entry["severity"].upper()]
    except KeyError:
        words = ", ".join(one.word for one in Severity)
        raise BadRulebook(
            f"rulebook {name!r}, checks.{check}.severity: {entry['severity']!r} is not one of {words}"
        ) from None
    return Rule(
        check=check,
        clause=entry["clause"],
        severity=severity,
        consequence=entry.get("consequence", ""),
        remedy=entry.get("remedy"),
        params=entry.get("params"),
    )


def _reading(name: str, id: str, entry: Mapping[str, Any]) -> Reading:
    where = f"rulebook {name!r}, readings.{id}"
    for key in ("clause", "text", "value"):
        if key not in entry:
            raise BadRulebook(f"{where}.{key}: missing")
    values = tuple(entry.get("values", ()))
    if values and entry["value"] not in values:
        known = ", ".join(map(repr, values))
        raise BadRulebook(f"{where}.value: {entry['value']!r} is not one of {known}")
    return Reading(id, entry["clause"], entry["text"], entry["value"], values, tuple(entry.get("checks", ())))


def _clause(name: str, entry: Mapping[str, Any]) -> Clause:
    checks, why = tuple(entry.get("checks", ())), entry.get("why_none", "")
    if bool(checks) == bool(why):
        raise BadRulebook(
            f"rulebook {name!r}, clause {entry.get('id')}: needs checks, or the reason why none applies"
        )
    return Clause(entry["id"], entry["says"], checks, why)
