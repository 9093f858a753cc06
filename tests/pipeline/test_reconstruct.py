"""A round rebuilt from its log says what the director played, and never more than was seen."""

from __future__ import annotations

import dataclasses
import re

import pytest
from hypothesis import given

from engine import events as ev
from engine.events import DEALER, EVENT_TYPES, Area
from engine.rulebook import SHIPPED
from engine.verdicts import Ruling, Severity, Verdict
from pipeline.reconstruct import report_html, sentence, tell
from pipeline.reconstruct.words import SENTENCES
from simulator.director import legal
from tests.engine.test_events import any_event


def test_every_kind_of_event_has_a_sentence() -> None:
    assert set(SENTENCES) == set(EVENT_TYPES.values())


@given(any_event())
def test_any_event_can_be_said(event: ev.Event) -> None:
    said = sentence(event)
    assert said
    assert "None" not in said


@pytest.mark.parametrize("rulebook", SHIPPED)
@pytest.mark.parametrize("seed", range(12))
def test_the_story_of_a_round_is_what_was_played(rulebook: str, seed: int) -> None:
    script = legal(rulebook, seed)
    story = tell(script.events, seats=script.settings.seats)
    [truth] = script.truth.rounds
    assert story.complete
    assert not story.void
    assert {one.seat for one in story.seats} == {
        DEALER,
        *(seat for seat, hand in truth.hands.items() if hand),
    }
    for one in story.seats:
        known = [card for card in one.cards if card.known]
        assert set(known) <= set(truth.hands[one.seat])
    dealer = next(one for one in story.seats if one.seat == DEALER)
    assert set(dealer.cards) == set(truth.hands[DEALER])
    staked = {(one.seat, wager.area): wager.staked for one in story.seats for wager in one.wagers}
    for (seat, area), chips in truth.chips.items():
        if (seat, area) in staked and area is Area.ANTE:
            assert staked[seat, area] == sum(chips)


def test_what_was_not_seen_is_told() -> None:
    events = legal("nz", 3).events
    blocked = ev.ViewBlocked(
        seq=events[-1].seq + 1,
        at=events[-1].at,
        table=events[0].table,
        zone="seat:4",
        why="a hand covered seat 4",
    )
    story = tell([*events[:-1], dataclasses.replace(blocked, seq=events[-1].seq)])
    assert [(one.zone, one.why) for one in story.unseen] == [("seat:4", "a hand covered seat 4")]
    assert not story.complete
    assert "its end was not seen" in report_html([story], "Test")


def test_the_report_stands_alone_and_escapes_what_it_quotes() -> None:
    script = legal("s10", 5)
    verdict = Verdict(
        Ruling.VIOLATION, "wager.late", "s10", "(f)(2)", Severity.HIGH, "CS-1", "r", 3, 1234, "Late <b>wager</b>",
        seat=2, area=Area.ANTE, expected="10.00 & no more", observed="20.00",
    )  # fmt: skip
    story = tell(script.events, [verdict])
    page = report_html([story], "A <script> title", {(story.round, 3): b"\xff\xd8jpeg"})
    assert "<script" not in page
    assert "Late &lt;b&gt;wager&lt;/b&gt;" in page
    assert "data:image/jpeg;base64," in page
    assert not re.findall(r'(?:src|href)="(?!data:)', page)
    assert "s10 (f)(2)" in page
