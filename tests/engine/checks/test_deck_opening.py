"""Opening of decks, their number, colours and age: each clause broken, its lawful neighbour, and doubts."""

from __future__ import annotations

from typing import Any

import pytest

from engine import events as ev
from engine.events import Role
from engine.settings import Method
from engine.verdicts import Severity, Verdict
from tests.engine.checks.scripts import (
    Part,
    Step,
    in_order,
    judge,
    opening,
    said,
    step,
    whole,
)

BOOKS = ("nz", "s10")
HOUR = 3_600_000
PACKETS: dict[str, Any] = {"method": Method.PACKETS, "machine_shuffle": True, "decks": 2}
TWO: dict[str, Any] = {"machine_shuffle": True, "decks": 2}


def without(steps: list[Step], kind: type[ev.Event], **match: Any) -> list[Step]:
    """Return steps without those of a kind whose fields match."""
    return [
        one
        for one in steps
        if one[0] is not kind or any(one[1].get(name) != value for name, value in match.items())
    ]


def first_round(book: str, *before: Part, **settings: Any) -> list[Verdict]:
    """Judge the first round with deck A after some opening; only the decks' checks."""
    method, machine = settings.get("method", Method.SHOE), settings.get("machine_shuffle")
    parts = [step(ev.TableOpened), *before, whole(book, method=method, machine=machine)]
    return judge(book, *parts, group="deck.", **settings)


@pytest.mark.parametrize("book", BOOKS)
def test_a_proper_opening_is_silent(book: str) -> None:
    assert first_round(book, opening()) == []
    assert first_round(book, opening(), opening("B", "blue"), **PACKETS) == []


@pytest.mark.parametrize("book", BOOKS)
def test_a_deck_that_was_there_before_the_log_is_taken_as_opened(book: str) -> None:
    assert judge(book, whole(book), group="deck.") == []


@pytest.mark.parametrize(("book", "clause"), [("nz", "6.1"), ("s10", "(c)(1)")])
@pytest.mark.parametrize("role", [Role.DEALER, Role.SUPERVISOR])
def test_nz_6_1_s10_c_1_both_inspect(book: str, clause: str, role: Role) -> None:
    verdicts = first_round(book, without(opening(), ev.DeckInspected, by=role))
    assert said(verdicts) == [("violation", "deck.inspection", clause, None)]
    assert role in verdicts[0].observed


def test_s10_c_4_two_decks_are_inspected_one_by_one() -> None:
    second = without(opening("B", "blue"), ev.DeckInspected, by=Role.SUPERVISOR)
    verdicts = first_round("s10", opening(), second, **TWO)
    assert said(verdicts) == [("violation", "deck.inspection", "(c)(4)", None)]
    assert "deck B" in verdicts[0].expected


@pytest.mark.parametrize(("book", "clause"), [("nz", "6.2"), ("s10", "(c)(2)")])
def test_nz_6_2_s10_c_2_the_opening_spread(book: str, clause: str) -> None:
    def spread(cards: tuple[Any, ...], face_up: bool = True) -> list[tuple[str, str, str, int | None]]:
        steps = [
            (kind, fields | {"cards": cards, "face_up": face_up}) if kind is ev.DeckSpread else (kind, fields)
            for kind, fields in opening()
        ]
        return said(first_round(book, steps))

    broken = [("violation", "deck.opening_spread", clause, None)]
    good = in_order()
    assert spread(good) == []
    assert spread(good[::-1]) == []
    assert spread(good[:-1]) == broken
    assert spread((good[1], good[0], *good[2:])) == broken
    assert spread((*good[:-1], good[0])) == broken
    assert spread(good, face_up=False) == broken
    assert said(first_round(book, without(opening(), ev.DeckSpread))) == broken
    unread = (*good[:-1], type(good[0]).parse("??"))
    assert spread(unread) == [("cannot_tell", "deck.opening_spread", clause, None)]


@pytest.mark.parametrize("book", BOOKS)
def test_a_spread_mended_before_the_wash_is_silent(book: str) -> None:
    good = opening()
    bad = step(ev.DeckSpread, deck="A", cards=in_order()[:-1])
    assert first_round(book, [*good[:3], bad, *good[3:]]) == []


def test_nz_6_4_the_wash_only_where_a_machine_shuffles() -> None:
    assert first_round("nz", opening(wash=False)) == []
    verdicts = first_round("nz", opening(wash=False), opening("B", "blue"), **PACKETS)
    assert said(verdicts) == [("violation", "deck.wash", "6.4", None)]


def test_s10_c_3_the_wash() -> None:
    verdicts = first_round("s10", opening(wash=False))
    assert said(verdicts) == [("violation", "deck.wash", "(c)(3)", None)]
    assert verdicts[0].severity is Severity.LOW


@pytest.mark.parametrize("book", BOOKS)
def test_what_happened_out_of_view_at_opening_cannot_be_told(book: str) -> None:
    good = opening()
    hidden = [step(ev.ViewBlocked, zone="deck", why="a tray"), step(ev.ViewRestored, zone="deck")]
    verdicts = first_round(book, good[0], hidden)
    assert {str(one.ruling) for one in verdicts} == {"cannot_tell"}
    assert {"deck.inspection", "deck.opening_spread"} <= {one.check for one in verdicts}
    unseen_deck = first_round(book, hidden)
    assert {str(one.ruling) for one in unseen_deck} == {"cannot_tell"}


def test_nz_6_1_two_decks_with_a_shuffler_one_with_a_shoe() -> None:
    one = first_round("nz", opening(), **PACKETS | {"decks": 1})
    assert said(one) == [("violation", "deck.decks_required", "6.1", None)]
    missing = first_round("nz", opening(), **PACKETS)
    assert said(missing) == [("violation", "deck.decks_required", "6.1", None)]
    two = first_round("nz", opening(), opening("B", "blue"), decks=2)
    assert [found.check for found in two] == ["deck.decks_required"]
    assert first_round("s10", opening()) == []


def test_s10_b_2_ii_backs_of_different_colours() -> None:
    def colours(second: str) -> list[tuple[str, str, str, int | None]]:
        rounds = [whole("s10", machine=True), whole("s10", "r2", "B", back=second, machine=True)]
        parts = [step(ev.TableOpened), opening(), opening("B", second), *rounds]
        return said(judge("s10", *parts, group="deck.", **TWO))

    assert colours("blue") == []
    assert colours("red") == [("violation", "deck.same_colour", "(b)(2)(ii)", None)]
    assert judge("nz", opening(), opening("B"), whole("nz"), group="deck.same") == []


def test_s10_c_5_cards_are_changed_every_eight_hours() -> None:
    def later(wait: int) -> list[Verdict]:
        second = whole("s10", "r2")
        idle = step(ev.DealerChanged, wait=wait)
        return judge("s10", opening(), whole("s10"), idle, second, whole("s10", "r3"), group="deck.age")

    assert later(8 * HOUR - 120_000) == []
    verdicts = later(8 * HOUR)
    assert said(verdicts) == [("violation", "deck.age", "(c)(5)", None)]
    assert verdicts[0].round == "r2"
    assert verdicts[0].observed == "in use for 8 hours 0 minutes"
