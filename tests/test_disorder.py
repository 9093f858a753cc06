"""Logs as they should not be: cut off, with events lost, doubled or out of order, rounds broken off.

Nobody says what a monitor must make of them, but for three things: it does not fall over, it is right again after the
next round, and it is still the same monitor when events make no sense at all.
"""

from __future__ import annotations

import random
import typing
from collections.abc import Sequence
from dataclasses import fields, replace
from enum import Enum
from types import UnionType
from typing import Any

import pytest

from engine import events as ev
from engine.cards import DECK, UNKNOWN, Card
from engine.events import EVENT_TYPES, Event
from engine.monitor.house import HouseMonitor
from engine.rulebook import SHIPPED, load_rulebook
from engine.settings import JackpotMode, Method, TableSettings
from engine.verdicts import Ruling
from simulator.director import shift

WAYS = (
    "lose one",
    "lose five",
    "lose a stretch",
    "double",
    "swap",
    "mix",
    "cut the end",
    "cut the start",
    "break off",
)


def disturbed(events: Sequence[Event], first: int, last: int, way: str, rng: random.Random) -> list[Event]:
    """Return the log with one round, from its first to its last event, disturbed."""
    log = list(events)
    inside = range(first + 1, last)
    at = rng.choice(inside)
    if way == "lose one":
        del log[at]
    elif way == "lose five":
        for one in sorted(rng.sample(inside, 5), reverse=True):
            del log[one]
    elif way == "lose a stretch":
        del log[at : min(at + rng.choice((3, 8, 20)), last)]
    elif way == "double":
        log.insert(at, log[at])
    elif way == "swap":
        log[at - 1], log[at] = log[at], log[at - 1]
    elif way == "mix":
        part = log[at : min(at + 6, last)]
        log[at : at + len(part)] = rng.sample(part, len(part))
    elif way == "cut the end":
        del log[at : last + 1]
    elif way == "cut the start":
        del log[first:at]
    else:
        del log[at:last]
    return [replace(event, seq=seq) for seq, event in enumerate(log, start=1)]


def assert_right_again(rulebook: str, seed: int) -> None:
    script = shift(rulebook, f"disorder:{seed}", rounds=5)
    opened = [at for at, event in enumerate(script.events) if isinstance(event, ev.RoundOpened)]
    ids = [event.round for event in script.events if isinstance(event, ev.RoundOpened)]
    for way in WAYS:
        rng = random.Random(f"{way}:{seed}")
        number = rng.randrange(len(opened) - 2)
        last = next(
            at
            for at in range(opened[number], len(script.events))
            if isinstance(script.events[at], ev.RoundClosed)
        )
        log = disturbed(script.events, opened[number], last, way, rng)
        monitor = HouseMonitor(load_rulebook(rulebook), {one.table: one for one in script.all_settings})
        later = [
            (one.round, one.check, one.observed)
            for one in monitor.feed_all(log)
            if one.ruling is Ruling.VIOLATION and one.round in ids[number + 2 :]
        ]
        assert not later, f"{way}, round {number}: {later}"


@pytest.mark.parametrize("rulebook", SHIPPED)
def test_a_disturbed_round_is_forgotten_after_the_next(rulebook: str) -> None:
    assert_right_again(rulebook, 0)


@pytest.mark.nightly
@pytest.mark.parametrize("rulebook", SHIPPED)
@pytest.mark.parametrize("seed", range(1, 41))
def test_forty_disturbed_shifts(rulebook: str, seed: int) -> None:
    assert_right_again(rulebook, seed)


HINTS = {kind: typing.get_type_hints(kind) for kind in EVENT_TYPES.values()}
COMMON = frozenset(field.name for field in fields(Event))
OFTEN = (
    ev.RoundOpened,
    ev.CardDealt,
    ev.PacketDealt,
    ev.WagerPlaced,
    ev.CardsTurned,
    ev.WagerTaken,
    ev.WagerPaid,
)


def anything(hint: Any, name: str, rng: random.Random) -> Any:
    """Return some value of a field's type."""
    if isinstance(hint, UnionType):
        kind = next(one for one in typing.get_args(hint) if one is not type(None))
        return None if rng.random() < 0.25 else anything(kind, name, rng)
    if typing.get_origin(hint) is tuple:
        return tuple(
            anything(typing.get_args(hint)[0], name, rng) for _ in range(rng.choice((0, 1, 4, 5, 6)))
        )
    if hint is Card:
        return rng.choice([*DECK[:20], UNKNOWN])
    if hint is bool:
        return rng.random() < 0.6
    if hint is int:
        return (
            rng.randrange(8) if name in ("seat", "to_seat") else rng.choice((0, 1, 4, 5, 7, 52, 1000, 99_999))
        )
    if isinstance(hint, type) and issubclass(hint, Enum):
        return rng.choice(list(hint))
    return rng.choice(("A", "B", "r1", "r2", "seat:2", "table", "deck", "dealer", "red", "lights", "meter"))


def chaos(rng: random.Random, length: int) -> list[Event]:
    """Return events that have nothing to do with each other."""
    log: list[Event] = []
    for seq in range(1, length):
        kind = rng.choice(OFTEN if rng.random() < 0.6 else tuple(EVENT_TYPES.values()))
        values = {name: anything(hint, name, rng) for name, hint in HINTS[kind].items() if name not in COMMON}
        log.append(kind(seq=seq, at=seq * 100, table="t", confidence=rng.choice((1.0, 0.3)), **values))
    return log


@pytest.mark.parametrize("rulebook", SHIPPED)
def test_events_without_sense_are_judged_without_falling_over(rulebook: str) -> None:
    for seed in range(8):
        rng = random.Random(f"chaos:{rulebook}:{seed}")
        settings = TableSettings(
            method=rng.choice((Method.SHOE, Method.PACKETS)),
            decks=rng.choice((1, 2)),
            machine_shuffle=rng.random() < 0.5,
            jackpot=rng.choice(list(JackpotMode)),
            sub_pools=rng.random() < 0.3,
            blind_bets=rng.random() < 0.5,
            payout_limit=rng.choice((None, 500_000)),
            view_one_hand=rng.random() < 0.5,
        )
        monitor = HouseMonitor(load_rulebook(rulebook), {"t": settings})
        for verdict in monitor.feed_all(chaos(rng, 100)):
            assert verdict.clause
