"""The director: the same seed gives the same scene, scenes are whole, and the catalogue leaves no check out."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine import events as ev
from engine.cards import DECK
from engine.events import Event
from engine.rulebook import SHIPPED, load_rulebook
from simulator.director import Script, Want, legal, shift, withhold
from simulator.director.handled import HANDLED
from simulator.director.irregularities import REGISTRY, make, names
from simulator.director.witness import signal_of, zone_of
from simulator.errors import ScriptError

IRREGULAR = sorted((name, book) for name, one in REGISTRY.items() for book in one.rulebooks)
PUT_RIGHT = sorted((name, book) for name, one in HANDLED.items() for book in one.rulebooks)


def assert_whole(script: Script) -> None:
    """Numbers run on, time never falls, and no round deals a card twice or one that its deck did not have."""
    assert [event.seq for event in script.events] == list(range(1, len(script.events) + 1))
    for table in script.all_settings:
        times = [event.at for event in script.events if event.table == table.table]
        assert times == sorted(times)
    for one in script.truth.rounds:
        dealt = [card for hand in one.hands.values() for card in hand]
        assert set(dealt) <= set(DECK)
        if "duplicate" not in script.name:
            assert len(set(dealt)) == len(dealt)
            assert len(set(one.order)) == len(one.order)


@pytest.mark.parametrize("rulebook", SHIPPED)
def test_the_same_seed_gives_the_same_scene(rulebook: str) -> None:
    assert legal(rulebook, 7).beats == legal(rulebook, 7).beats
    assert shift(rulebook, 7).beats == shift(rulebook, 7).beats
    assert legal(rulebook, 7).beats != legal(rulebook, 8).beats


@pytest.mark.parametrize("rulebook", SHIPPED)
def test_legal_rounds_and_shifts_are_whole(rulebook: str) -> None:
    for seed in range(60):
        assert_whole(legal(rulebook, seed))
    for seed in range(8):
        assert_whole(shift(rulebook, seed))


@pytest.mark.parametrize("rulebook", SHIPPED)
def test_every_check_has_an_irregularity_and_every_irregularity_a_check(rulebook: str) -> None:
    rules = load_rulebook(rulebook).rules
    assert {one.check_id for one in REGISTRY.values() if rulebook in one.rulebooks} == set(rules)
    assert {one.check_id for one in HANDLED.values() if rulebook in one.rulebooks} <= set(rules)


@pytest.mark.parametrize("rulebook", SHIPPED)
def test_every_remedy_that_a_rulebook_orders_is_shown_to_be_taken(rulebook: str) -> None:
    """But for a hole card before the call: cards before the call are a breach of their own, whatever is done then."""
    ordered = {rule.check for rule in load_rulebook(rulebook).rules.values() if rule.remedy is not None}
    shown = {one.check_id for one in HANDLED.values() if rulebook in one.rulebooks}
    assert ordered - shown <= {"decide.hole_before_call"}


@pytest.mark.parametrize(("name", "rulebook"), IRREGULAR)
def test_an_irregular_scene_is_whole_reproducible_and_says_what_it_breaks(name: str, rulebook: str) -> None:
    one = REGISTRY[name]
    script = one.make(rulebook, 3)
    assert_whole(script)
    assert script.name == name
    assert script.beats == make(name, rulebook, 3).beats
    assert {expected.check for expected in script.expected} == {one.check_id}
    assert one.describe.endswith(".")


@pytest.mark.parametrize(("name", "rulebook"), PUT_RIGHT)
def test_a_scene_that_is_put_right_is_whole_and_expects_no_violation(name: str, rulebook: str) -> None:
    script = HANDLED[name].make(rulebook, 3)
    assert_whole(script)
    assert not script.expected
    assert HANDLED[name].check_id in {expected.check for expected in script.handled}
    assert script.beats == HANDLED[name].make(rulebook, 3).beats


def test_names_are_those_of_a_rulebook() -> None:
    assert set(names("nz")) | set(names("s10")) == set(names())
    assert "deal.stub/exposed" in names("s10")
    assert "deal.stub/exposed" not in names("nz")


def test_what_is_no_breach_or_not_known_is_refused() -> None:
    with pytest.raises(ScriptError, match="not a breach of nz"):
        make("deal.stub/exposed", "nz", 1)
    with pytest.raises(ScriptError, match="no such irregularity"):
        make("deal.stub/eaten", "s10", 1)


def test_a_wanted_table_is_given() -> None:
    script = shift("s10", 1, Want(decks=2, seats_at_most=2), rounds=4)
    opened = [event for event in script.events if isinstance(event, ev.RoundOpened)]
    assert [event.deck for event in opened[:2]] == ["A", "B"]
    assert len(opened) == 4


def test_a_shift_counts_the_stub_at_least_every_five_rounds() -> None:
    for seed in range(6):
        script = shift("s10", seed, Want(seats_at_most=2, counting=False), rounds=11)
        since = 0
        for event in script.events:
            since += isinstance(event, ev.RoundOpened)
            since = 0 if isinstance(event, ev.StubCounted) else since
            assert since <= 5


def _bare(event: Event) -> tuple[str, int | None]:
    return type(event).__name__, getattr(event, "seat", None)


GAPS = (
    ev.ViewBlocked,
    ev.ViewRestored,
    ev.CameraLost,
    ev.CameraRestored,
    ev.SignalLost,
    ev.SignalRestored,
)


@pytest.mark.parametrize("rulebook", SHIPPED)
def test_withholding_makes_nothing_up_and_says_what_is_not_seen(rulebook: str) -> None:
    for seed in range(60):
        script = legal(rulebook, seed)
        blind = withhold(script, random.Random(seed))
        assert blind.beats == withhold(script, random.Random(seed)).beats
        before = Counter(map(_bare, script.events))
        after = Counter(_bare(event) for event in blind.events if not isinstance(event, GAPS))
        assert not after - before
        lost = before - after
        if lost:
            told = any(isinstance(event, GAPS) for event in blind.events)
            assert told or blind.settings.signals < script.settings.signals
        kept = [event for event in script.events if signal_of(event) is None and zone_of(event) is None]
        assert not Counter(map(_bare, kept)) - after  # what nobody needs to see is never lost
