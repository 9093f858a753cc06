"""The table's settings: what the house has posted, switched on and wired, as the monitor must know it.

Settings are a witness of their own: a limit that is not set (`None`) cannot be broken, and a signal that
is not wired cannot be missed; the checks that need them then say "cannot tell" or stay off.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, Final

from engine.errors import BadSettings

SIGNALS: Final = ("no_more_bets", "lock_out", "lights", "shuffler", "meter", "supervisor")
"""What a table's controller can report: the calls, the button, the acceptor lights, the machines, a person."""


class Method(StrEnum):
    """How cards reach the players: one at a time from a shoe or by hand, or in packets of five."""

    SHOE = "shoe"
    HAND = "hand"
    PACKETS = "packets"


class JackpotMode(StrEnum):
    """How the progressive jackpot is operated at this table."""

    NONE = "none"
    ELECTRONIC = "electronic"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class TableSettings:
    """The settings of one table; amounts in cents.

    `posted_odds` are "to 1" odds on the bet wager by category name, where the house posts other odds than the
    rulebook's. `signals` are those wired at this table. Tables with the same `jackpot_link` play for one jackpot.
    """

    table: str = "table"
    seats: int = 7
    method: Method = Method.SHOE
    machine_shuffle: bool = False
    counting_shuffler: bool = False
    decks: int = 1
    ante_min: int | None = None
    ante_max: int | None = None
    chip_values: tuple[int, ...] = (100, 500, 2500, 10000, 50000, 100000)
    payout_limit: int | None = None
    posted_odds: Mapping[str, int] = field(default_factory=dict)
    jackpot: JackpotMode = JackpotMode.NONE
    jackpot_wager: int = 100
    sub_pools: bool = False
    straight_flush_fixed: bool = False
    meter_rate_percent: int = 75
    jackpot_link: str = "house"
    blind_bets: bool = False
    several_areas: bool = False
    view_one_hand: bool = False
    turn_all_hands: bool = True
    misdeal_voids_one_hand: bool = False
    signals: frozenset[str] = frozenset(SIGNALS)

    def __post_init__(self) -> None:
        if not 1 <= self.seats <= 9:
            raise BadSettings(f"seats: {self.seats} is not between 1 and 9")
        if self.decks not in (1, 2):
            raise BadSettings(f"decks: a table uses 1 deck or 2, not {self.decks}")
        unknown = sorted(self.signals - set(SIGNALS))
        if unknown:
            raise BadSettings(f"signals: {unknown[0]!r} is not one of {', '.join(SIGNALS)}")
        if self.ante_min is not None and self.ante_max is not None and self.ante_min > self.ante_max:
            raise BadSettings(f"ante_min: {self.ante_min} is more than ante_max {self.ante_max}")
        for name in ("jackpot_wager", "ante_min", "ante_max", "payout_limit"):
            amount = getattr(self, name)
            if amount is not None and amount <= 0:
                raise BadSettings(f"{name}: {amount} is not an amount above zero")
        if not all(value > 0 for value in self.chip_values):
            raise BadSettings("chip_values: every chip is worth more than nothing")

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> TableSettings:
        """Build settings from a parsed file, naming the field that is wrong.

        >>> TableSettings.from_mapping({"method": "packets", "ante_min": 1000}).method
        <Method.PACKETS: 'packets'>
        >>> TableSettings.from_mapping({"metod": "packets"})
        Traceback (most recent call last):
        engine.errors.BadSettings: metod: no such setting
        """
        known = {f.name: f for f in fields(cls)}
        values: dict[str, Any] = {}
        for name, value in data.items():
            if name not in known:
                raise BadSettings(f"{name}: no such setting")
            values[name] = _convert(name, value)
        return cls(**values)

    def to_mapping(self) -> dict[str, Any]:
        """Return the settings as plain values, those that differ from the default only."""
        default = TableSettings()
        plain: dict[str, Any] = {}
        for f in fields(self):
            value = getattr(self, f.name)
            if value == getattr(default, f.name):
                continue
            if isinstance(value, frozenset):
                value = sorted(value)
            elif isinstance(value, tuple):
                value = list(value)
            elif isinstance(value, Mapping):
                value = dict(value)
            plain[f.name] = str(value) if isinstance(value, StrEnum) else value
        return plain


_BOOLS: Final = frozenset(f.name for f in fields(TableSettings) if f.type == "bool")
_INTS: Final = frozenset(f.name for f in fields(TableSettings) if f.type in ("int", "int | None"))


def _convert(name: str, value: Any) -> Any:
    """Check one value against its field and give it the field's type."""
    if name in _BOOLS and not isinstance(value, bool):
        raise BadSettings(f"{name}: {value!r} is not true or false")
    if name in _INTS and (isinstance(value, bool) or not isinstance(value, int)):
        raise BadSettings(f"{name}: {value!r} is not a whole number")
    if name in ("table", "jackpot_link") and not isinstance(value, str):
        raise BadSettings(f"{name}: {value!r} is not a text")
    try:
        if name == "method":
            return Method(value)
        if name == "jackpot":
            return JackpotMode(value)
    except ValueError as error:
        raise BadSettings(f"{name}: {error}") from None
    if name in ("chip_values", "signals"):
        wanted = int if name == "chip_values" else str
        if not isinstance(value, list | tuple) or not all(type(item) is wanted for item in value):
            raise BadSettings(f"{name}: {value!r} is not a list of {'numbers' if wanted is int else 'names'}")
        return tuple(value) if wanted is int else frozenset(value)
    if name == "posted_odds":
        if not isinstance(value, Mapping) or not all(type(odds) is int for odds in value.values()):
            raise BadSettings(f"{name}: {value!r} is not a table of whole numbers")
        return dict(value)
    return value
