"""The director against the monitor: neither shares code with the other, so agreement is worth something.

Legal scenes must pass in silence, an irregular one must raise its own check, clause and seat and no other
violation, one that was put right must be recorded as handled, and without witnesses a violation may only turn
into "cannot tell".
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.monitor.house import HouseMonitor
from engine.rulebook import SHIPPED, load_rulebook
from engine.verdicts import Ruling, Verdict
from simulator.director import Script, legal, shift, withhold
from simulator.director.handled import HANDLED
from simulator.director.irregularities import REGISTRY

ROUNDS = 300
CHUNK = 60
NIGHTLY_ROUNDS = 10_000
NIGHTLY_CHUNK = 500

IRREGULAR = sorted((name, book) for name, one in REGISTRY.items() for book in one.rulebooks)
PUT_RIGHT = sorted((name, book) for name, one in HANDLED.items() for book in one.rulebooks)


def judged(script: Script) -> list[Verdict]:
    """Return what the monitor says about a script."""
    monitor = HouseMonitor(load_rulebook(script.rulebook), {one.table: one for one in script.all_settings})
    return monitor.feed_all(script.events)


def shown(verdicts: list[Verdict]) -> list[str]:
    """Return verdicts in one line each, for the message of a failing test."""
    return [
        f"{one.ruling} {one.check} [{one.clause}] seat {one.seat} at {one.seq}: {one.observed} {one.reason}"
        for one in verdicts
    ]


def violations(verdicts: list[Verdict]) -> Counter[tuple[str, str, int | None]]:
    """Return check, clause and seat of each violation, counted: twice is once too often."""
    return Counter((one.check, one.clause, one.seat) for one in verdicts if one.ruling is Ruling.VIOLATION)


def assert_legal_scenes_are_silent(rulebook: str, first: int, count: int) -> None:
    for seed in range(first, first + count):
        script = shift(rulebook, seed) if seed % 20 == 0 else legal(rulebook, seed)
        assert not shown(judged(script)), f"{rulebook}, seed {seed}"


def assert_found(script: Script) -> None:
    """Its own violations in full, others only where they cannot but follow."""
    verdicts = judged(script)
    found = violations(verdicts)
    wanted = Counter((one.check, one.clause, one.seat) for one in script.expected)
    missed, more = wanted - found, found - wanted
    assert not missed, f"missed {missed}; said {shown(verdicts)}"
    assert not [one for one in more if one[0] not in script.allowed], f"too much: {shown(verdicts)}"
    areas = {(one.check, one.area) for one in verdicts}
    assert all((one.check, one.area) in areas for one in script.expected if one.area), shown(verdicts)


@pytest.mark.parametrize("rulebook", SHIPPED)
@pytest.mark.parametrize("first", range(0, ROUNDS, CHUNK))
def test_legal_rounds_and_shifts_pass_in_silence(rulebook: str, first: int) -> None:
    assert_legal_scenes_are_silent(rulebook, first, CHUNK)


@pytest.mark.nightly
@pytest.mark.parametrize("rulebook", SHIPPED)
@pytest.mark.parametrize("first", range(ROUNDS, ROUNDS + NIGHTLY_ROUNDS, NIGHTLY_CHUNK))
def test_ten_thousand_legal_rounds_pass_in_silence(rulebook: str, first: int) -> None:
    assert_legal_scenes_are_silent(rulebook, first, NIGHTLY_CHUNK)


def test_every_check_of_a_rulebook_has_an_irregularity() -> None:
    for name in SHIPPED:
        there = {one.check_id for one in REGISTRY.values() if name in one.rulebooks}
        assert set(load_rulebook(name).rules) - there == set()


@pytest.mark.parametrize(("name", "rulebook"), IRREGULAR)
def test_an_irregularity_raises_its_check_with_clause_and_seat_and_no_other(name: str, rulebook: str) -> None:
    for seed in range(2):
        assert_found(REGISTRY[name].make(rulebook, seed))


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "rulebook"), IRREGULAR)
def test_an_irregularity_in_thirty_rounds(name: str, rulebook: str) -> None:
    for seed in range(2, 32):
        assert_found(REGISTRY[name].make(rulebook, seed))


@pytest.mark.parametrize(("name", "rulebook"), PUT_RIGHT)
def test_what_the_dealer_puts_right_is_recorded_as_handled_and_not_alerted(name: str, rulebook: str) -> None:
    for seed in range(3):
        script = HANDLED[name].make(rulebook, seed)
        verdicts = judged(script)
        assert not violations(verdicts), shown(verdicts)
        handled = {(one.check, one.seat) for one in verdicts if one.ruling is Ruling.HANDLED}
        assert {(one.check, one.seat) for one in script.handled} <= handled, shown(verdicts)


def assert_no_wrong_verdict(script: Script, seed: int) -> None:
    """After witnesses were taken away: what is still alerted is true, and what is not is said to be unknown."""
    blind = withhold(script, random.Random(f"withhold:{script.name}:{seed}"))
    verdicts = judged(blind)
    true = {(one.check, one.seat) for one in script.expected} | {(one, None) for one in script.allowed}
    for one in verdicts:
        if one.ruling is Ruling.VIOLATION:
            assert (one.check, one.seat) in true or one.check in script.allowed, shown([one])
    spoken = {one.check for one in verdicts}
    for wanted in script.expected:
        assert wanted.check in spoken, f"{wanted} passed in silence: {shown(verdicts)}"


@pytest.mark.parametrize(("name", "rulebook"), IRREGULAR)
def test_without_witnesses_a_violation_turns_into_cannot_tell(name: str, rulebook: str) -> None:
    assert_no_wrong_verdict(REGISTRY[name].make(rulebook, 0), 0)


@pytest.mark.parametrize("rulebook", SHIPPED)
@pytest.mark.parametrize("first", range(0, 100, 25))
def test_a_legal_round_without_witnesses_is_never_a_violation(rulebook: str, first: int) -> None:
    for seed in range(first, first + 25):
        assert_no_wrong_verdict(legal(rulebook, f"blind:{seed}"), seed)


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "rulebook"), IRREGULAR)
def test_without_witnesses_in_twenty_rounds(name: str, rulebook: str) -> None:
    for seed in range(1, 21):
        assert_no_wrong_verdict(REGISTRY[name].make(rulebook, seed), seed)
