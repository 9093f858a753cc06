"""What the monitor adds to the checks: once, doubted, put right or not, and right again by the next round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from engine import events as ev
from engine.checks.registry import CHECKS, Check, Finding, Moment
from engine.errors import BadRulebook
from engine.events import Area, Event
from engine.monitor import Monitor
from engine.rulebook import Rulebook, parse_rulebook
from engine.settings import TableSettings
from engine.verdicts import Ruling, Severity, Verdict


def folds(moment: Moment) -> Iterator[Finding]:
    """A check that objects to every fold: simple enough to see what the monitor makes of it."""
    yield Finding("no fold", "a fold", seat=moment.event.seat)


def book(**rule: Any) -> Rulebook:
    entry = {"clause": "1.1", "severity": "high", "consequence": "nothing"} | rule
    data = {"id": "t", "title": "Test", "game": {}, "odds": {}, "checks": {"test.fold": entry}}
    return parse_rulebook(data, "test")


@pytest.fixture(autouse=True)
def a_check(monkeypatch: pytest.MonkeyPatch) -> None:
    one = Check(
        "test.fold",
        "A fold",
        (ev.PlayerFolded,),
        ("seat", "signal:lights"),
        folds,
        lambda settings: True,
        False,
        False,
    )
    monkeypatch.setitem(CHECKS, "test.fold", one)


def log(*kinds: tuple[type[Event], dict[str, Any]]) -> list[Event]:
    return [
        kind(**({"seq": seq, "at": seq * 100, "table": "t"} | fields))
        for seq, (kind, fields) in enumerate(kinds, start=1)
    ]


OPEN = (ev.RoundOpened, {"round": "r1"})
OPEN_2 = (ev.RoundOpened, {"round": "r2"})
CLOSE = (ev.RoundClosed, {})
VOID = (ev.RoundVoided, {})


def fold(seat: int, **fields: Any) -> tuple[type[Event], dict[str, Any]]:
    return ev.PlayerFolded, {"seat": seat} | fields


def judge(
    *kinds: tuple[type[Event], dict[str, Any]], rules: Rulebook | None = None, **settings: Any
) -> list[Verdict]:
    return Monitor(rules or book(), TableSettings(**settings)).feed_all(log(*kinds))


def said(verdicts: list[Verdict]) -> list[tuple[str, int | None]]:
    return [(str(one.ruling), one.seat) for one in verdicts]


def test_a_finding_is_raised_once_at_its_event_with_all_an_operator_needs() -> None:
    verdicts = judge(OPEN, fold(3), fold(3), fold(4), CLOSE)
    assert said(verdicts) == [("violation", 3), ("violation", 4)]
    first = verdicts[0]
    assert (first.seq, first.at, first.round, first.clause, first.severity) == (
        2,
        200,
        "r1",
        "1.1",
        Severity.HIGH,
    )
    assert first.events == (2,)


def test_the_same_thing_in_the_next_round_is_raised_again() -> None:
    assert said(judge(OPEN, fold(3), CLOSE, OPEN_2, fold(3), CLOSE)) == [("violation", 3)] * 2


def test_a_blocked_seat_makes_it_cannot_tell_with_the_reason() -> None:
    blocked = (ev.ViewBlocked, {"zone": "seat:3", "why": "a hand covers it"})
    verdicts = judge(OPEN, blocked, fold(3), fold(4))
    assert said(verdicts) == [("cannot_tell", 3), ("violation", 4)]
    assert verdicts[0].reason == "seat 3 could not be seen: a hand covers it"


def test_a_blocked_table_covers_every_seat() -> None:
    assert said(judge(OPEN, (ev.ViewBlocked, {"zone": "table", "why": "dark"}), fold(5))) == [
        ("cannot_tell", 5)
    ]


def test_an_unwired_signal_makes_it_cannot_tell() -> None:
    verdicts = judge(OPEN, fold(3), signals=frozenset())
    assert said(verdicts) == [("cannot_tell", 3)]
    assert "not wired" in verdicts[0].reason


def test_a_lost_signal_makes_it_cannot_tell_until_the_round_after_it_is_back() -> None:
    lost = (ev.SignalLost, {"signal": "lights", "why": "cable"})
    back = (ev.SignalRestored, {"signal": "lights"})
    verdicts = judge(OPEN, lost, back, fold(3), CLOSE, OPEN_2, fold(3), CLOSE)
    assert said(verdicts) == [("cannot_tell", 3), ("violation", 3)]


def test_a_gap_that_ended_before_it_mattered_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    def since(moment: Moment) -> Iterator[Finding]:
        yield Finding("no fold", "a fold", seat=moment.event.seat, since=4)

    monkeypatch.setitem(CHECKS, "test.fold", replace(CHECKS["test.fold"], run=since))
    blocked = (ev.ViewBlocked, {"zone": "seat:3", "why": "a hand"})
    restored = (ev.ViewRestored, {"zone": "seat:3"})
    assert said(judge(OPEN, blocked, restored, fold(3))) == [("violation", 3)]
    assert said(judge(OPEN, fold(2), blocked, restored, fold(3))) == [("violation", 2), ("cannot_tell", 3)]


def test_what_was_seen_too_unsurely_proves_nothing() -> None:
    verdicts = judge(OPEN, fold(3, confidence=0.3))
    assert said(verdicts) == [("cannot_tell", 3)]
    assert verdicts[0].reason == "it was seen too unsurely (0.30)"


def test_a_round_with_gaps_and_no_finding_is_not_called_good() -> None:
    verdicts = judge(OPEN, (ev.ViewBlocked, {"zone": "seat:3", "why": "a hand"}), CLOSE)
    assert said(verdicts) == [("cannot_tell", None)]


def test_a_remedy_in_time_is_handled_and_in_default_a_violation() -> None:
    rules = book(remedy="void_round")
    handled = judge(OPEN, fold(3), VOID, CLOSE, rules=rules)
    assert said(handled) == [("handled", 3)]
    assert handled[0].events == (2, 3)
    assert handled[0].severity is Severity.LOW
    went_on = judge(OPEN, fold(3), (ev.WagerTaken, {"seat": 3, "area": Area.ANTE}), CLOSE, rules=rules)
    assert said(went_on) == [("violation", 3)]
    assert went_on[0].seq == 3
    assert "not put right" in went_on[0].reason


def test_a_remedy_that_may_have_gone_unseen_cannot_be_told() -> None:
    rules = book(remedy="void_round")
    blocked = (ev.ViewBlocked, {"zone": "seat:3", "why": "a hand"})
    verdicts = judge(OPEN, fold(3), blocked, CLOSE, rules=rules)
    assert said(verdicts) == [("cannot_tell", 3)]


def test_a_void_round_is_left_alone() -> None:
    assert judge(OPEN, VOID, fold(3), CLOSE) == []


def test_a_round_whose_end_was_missed_does_not_spoil_the_next() -> None:
    monitor = Monitor(book(), TableSettings())
    verdicts = monitor.feed_all(log(OPEN, fold(3), OPEN_2, fold(3), CLOSE))
    assert said(verdicts) == [("violation", 3), ("violation", 3)]
    assert [one.id for one in monitor.rounds] == ["r1", "r2"]


def test_a_retracted_event_no_longer_counts_and_nothing_is_said_twice() -> None:
    monitor = Monitor(book(), TableSettings())
    first = monitor.feed_all(log(OPEN, fold(3), fold(4)))
    assert said(first) == [("violation", 3), ("violation", 4)]
    retract = ev.EventRetracted(seq=4, at=400, table="t", retracts=2, why="it was the dealer's hand")
    assert monitor.feed(retract) == []
    assert monitor.state.seats[3].folded is None
    assert monitor.state.seats[4].folded == 3


def test_a_round_says_which_checks_passed() -> None:
    monitor = Monitor(book(), TableSettings())
    monitor.feed_all(log(OPEN, fold(3), CLOSE))
    assert monitor.rounds[0].rulings() == {"test.fold": Ruling.VIOLATION}


def test_a_rulebook_that_names_no_check_of_ours_is_refused() -> None:
    data = {
        "id": "t",
        "title": "T",
        "game": {},
        "odds": {},
        "checks": {"no.such": {"clause": "1", "severity": "low"}},
    }
    with pytest.raises(BadRulebook, match=r"checks.no.such: no such check"):
        Monitor(parse_rulebook(data, "t"), TableSettings())


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"severity": "low"}, r"checks.test.fold.clause: missing"),
        ({"clause": "1", "severity": "grave"}, r"checks.test.fold.severity: 'grave' is not one of"),
    ],
)
def test_a_rule_with_a_bad_field_is_named(entry: dict[str, str], message: str) -> None:
    data = {"id": "t", "title": "T", "game": {}, "odds": {}, "checks": {"test.fold": entry}}
    with pytest.raises(BadRulebook, match=message):
        parse_rulebook(data, "t")


def test_an_unknown_remedy_is_refused() -> None:
    with pytest.raises(BadRulebook, match="no such remedy 'pray'"):
        Monitor(book(remedy="pray"), TableSettings())
