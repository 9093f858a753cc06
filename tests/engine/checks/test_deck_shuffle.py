"""Shuffle, cut, idle tables, jams, alternation: each clause broken, its lawful neighbour, remedies and doubts."""

from __future__ import annotations

from typing import Any

import pytest

from engine import events as ev
from engine.cards import Card
from engine.events import Device, Role
from engine.settings import Method
from engine.verdicts import Verdict
from tests.engine.checks.scripts import (
    SEATS,
    Part,
    Step,
    ante,
    bet,
    call,
    close,
    deal,
    in_order,
    judge,
    opened,
    opening,
    ready,
    reveal,
    said,
    sat,
    settle,
    step,
    whole,
)

BOOKS = ("nz", "s10")
TWO: dict[str, Any] = {"machine_shuffle": True, "decks": 2}


def round_after(
    book: str, *prepared: Part, name: str = "r2", deck: str = "A", method: Method = Method.SHOE
) -> list[Part]:
    """Return a whole round that begins with these preparations."""
    return [*prepared, whole(book, name, deck, method)[1:]]


def deck_checks(book: str, *parts: Part, **settings: Any) -> list[Verdict]:
    return judge(book, *parts, group="deck.", **settings)


def cut(book: str, **fields: Any) -> list[Step]:
    """Shuffle and cut in a way of one's own, and load."""
    made = {"deck": "A", "by": Role.DEALER, "cards": 20, "cover_card_racked": True} | fields
    shuffle, _, load = ready(book)
    return [shuffle, step(ev.DeckCut, **made), load]


@pytest.mark.parametrize("book", BOOKS)
def test_rounds_one_after_another_are_silent(book: str) -> None:
    assert deck_checks(book, [whole(book, f"r{number}") for number in range(4)]) == []


@pytest.mark.parametrize(("book", "clause"), [("nz", "7.1(b)"), ("s10", "(d)(1)")])
def test_nz_7_1_b_s10_d_1_no_shuffle_after_a_round(book: str, clause: str) -> None:
    load = ready(book)[-1]
    verdicts = deck_checks(book, whole(book), round_after(book, load))
    assert said(verdicts) == [("violation", "deck.no_shuffle", clause, None)]
    assert verdicts[0].round == "r2"


@pytest.mark.parametrize(("book", "clause"), [("nz", "7.1(a)"), ("s10", "(d)(1)")])
def test_nz_7_1_a_s10_d_1_no_shuffle_before_play(book: str, clause: str) -> None:
    verdicts = deck_checks(book, opening(), round_after(book, ready(book)[-1]))
    assert said(verdicts) == [("violation", "deck.no_shuffle", clause, None)]


@pytest.mark.parametrize("book", BOOKS)
def test_a_shuffle_that_may_have_gone_unseen_cannot_be_told(book: str) -> None:
    hidden = [step(ev.ViewBlocked, zone="deck", why="an arm"), step(ev.ViewRestored, zone="deck")]
    verdicts = deck_checks(book, whole(book), round_after(book, hidden))
    assert {str(one.ruling) for one in verdicts} == {"cannot_tell"}
    assert {"deck.no_shuffle", "deck.cut"} <= {one.check for one in verdicts}
    assert deck_checks(book, whole(book), round_after(book, hidden), whole(book, "r3"))[len(verdicts) :] == []


def test_nz_7_2_an_employee_cuts_and_never_a_player() -> None:
    uncut = [one for one in ready("nz") if one[0] is not ev.DeckCut]
    none = deck_checks("nz", round_after("nz", uncut))
    assert said(none) == [("violation", "deck.cut", "7.2", None)]
    by_player = deck_checks("nz", round_after("nz", cut("nz", by=Role.PLAYER)))
    assert said(by_player) == [("violation", "deck.cut", "7.2", None)]
    assert deck_checks("nz", round_after("nz", cut("nz", by=Role.SUPERVISOR, cards=3))) == []


@pytest.mark.parametrize(
    ("fault", "ruling"),
    [
        ({"cards": 9}, "violation"),
        ({"cover_card_racked": False}, "violation"),
        ({"by": Role.SUPERVISOR}, "violation"),
        ({"by": Role.PLAYER}, "violation"),
        ({"cards": None}, "cannot_tell"),
        ({"cover_card_racked": None}, "cannot_tell"),
    ],
)
def test_s10_d_3_how_the_cut_is_made(fault: dict[str, Any], ruling: str) -> None:
    verdicts = deck_checks("s10", round_after("s10", cut("s10", **fault)))
    assert [(str(one.ruling), one.check) for one in verdicts] == [(ruling, "deck.cut")]
    assert ruling != "violation" or verdicts[0].clause == "(d)(3)(i)"


def test_s10_d_2_cut_after_manual_shuffles_only_and_a_wrong_one_may_be_made_again() -> None:
    shuffle, good, load = ready("s10")
    assert said(deck_checks("s10", round_after("s10", shuffle, load))) == [
        ("violation", "deck.cut", "(d)(2)(ii)", None)
    ]
    machine = step(ev.DeckShuffled, deck="A", by=Role.MACHINE)
    assert deck_checks("s10", round_after("s10", machine, load), machine_shuffle=True) == []
    bad = step(ev.DeckCut, deck="A", cards=4, cover_card_racked=True)
    assert deck_checks("s10", round_after("s10", shuffle, bad, good, load)) == []
    assert deck_checks("s10", round_after("s10", cut("s10", cards=10))) == []


def idle(*while_vacant: Part, wait: int = 600_000) -> list[Part]:
    return [step(ev.TableVacated), *while_vacant, step(ev.PlayerSat, seat=2, wait=wait)]


def spread(face_up: bool = True) -> Step:
    return step(ev.DeckSpread, deck="A", cards=in_order() if face_up else (), face_up=face_up)


def test_s10_d_5_idle_tables() -> None:
    washed = [step(ev.DeckWashed, deck="A"), ready("s10")]

    def resumed(*between: Part) -> list[tuple[str, str, str, int | None]]:
        return said(deck_checks("s10", whole("s10"), *between, whole("s10", "r2")[1:]))

    assert resumed(idle(spread()), washed) == []
    assert resumed(idle(spread(False)), spread(), washed) == []
    assert resumed(idle(wait=10_000), spread(), washed) == []
    assert resumed(idle(), spread(), washed) == [("violation", "deck.idle_spread", "(d)(5)", None)]
    assert resumed(idle(spread(False)), washed) == [("violation", "deck.idle_spread", "(d)(5)", None)]
    no_wash = [("violation", "deck.vacant_no_reshuffle", "(d)(5)", None)]
    assert resumed(idle(spread()), ready("s10")) == no_wash
    assert resumed(idle(spread())) == no_wash


def test_nz_7_1_c_a_shuffle_after_a_vacant_table() -> None:
    def resumed(*between: Part) -> list[tuple[str, str, str, int | None]]:
        return said(deck_checks("nz", whole("nz"), *between, whole("nz", "r2")[1:]))

    assert resumed(idle(), ready("nz")) == []
    assert resumed(ready("nz"), idle()) == [("violation", "deck.vacant_no_reshuffle", "7.1(c)", None)]
    hidden = [step(ev.ViewBlocked, zone="deck", why="an arm"), step(ev.ViewRestored, zone="deck")]
    assert {one[:2] for one in resumed(ready("nz"), idle(hidden))} == {
        ("cannot_tell", "deck.vacant_no_reshuffle"),
        ("cannot_tell", "deck.count"),
    }


def test_nz_7_1_e_a_card_shown_before_the_shoe_calls_for_a_reshuffle() -> None:
    shuffle, cutting, load = ready("nz")
    shown = step(ev.CardShown, deck="A", card=Card.parse("Qs"))
    handled = deck_checks("nz", round_after("nz", shuffle, shown, shuffle, cutting, load))
    assert said(handled) == [("handled", "deck.exposed_no_reshuffle", "7.1(e)", None)]
    verdicts = deck_checks("nz", round_after("nz", shuffle, shown, cutting, load))
    assert said(verdicts) == [("violation", "deck.exposed_no_reshuffle", "7.1(e)", None)]
    assert "Qs" in verdicts[0].observed
    assert deck_checks("s10", round_after("s10", shuffle, shown, ready("s10")[1:])) == []


def test_s10_m_5_a_jam_of_the_shuffler_calls_for_a_reshuffle() -> None:
    machine = step(ev.DeckShuffled, deck="A", by=Role.MACHINE)
    load = step(ev.DeckLoaded, deck="A", device=Device.SHOE)
    jam = step(ev.ShufflerJammed, deck="A")

    def played(*prepared: Part) -> list[tuple[str, str, str, int | None]]:
        return said(
            deck_checks(
                "s10", whole("s10", machine=True), round_after("s10", *prepared), machine_shuffle=True
            )
        )

    assert played(jam, machine, load) == [("handled", "deck.shuffler_jam", "(m)(5)", None)]
    assert played(jam, load) == [("violation", "deck.shuffler_jam", "(m)(5)", None)]
    broken = step(ev.DeckShuffled, deck="A", by=Role.MACHINE, complete=False)
    assert played(broken, load) == [("violation", "deck.shuffler_jam", "(m)(5)", None)]
    lost = [step(ev.SignalLost, signal="shuffler", why="cable"), step(ev.SignalRestored, signal="shuffler")]
    assert ("cannot_tell", "deck.shuffler_jam", "(m)(5)", None) in played(lost, machine, load)


def test_s10_m_6_a_jam_of_the_automated_shoe_voids_the_round() -> None:
    dealt = deal("s10", method=Method.PACKETS)
    before = [ready("s10", method=Method.PACKETS), opened(), [ante(seat) for seat in SEATS], call("s10")]
    jam = step(ev.ShoeJammed)
    bets = [bet(seat) for seat in SEATS]

    def packets(*parts: Part) -> list[tuple[str, str, str, int | None]]:
        return said(deck_checks("s10", before, *parts, method=Method.PACKETS))

    void = packets(dealt[:1], jam, step(ev.RoundVoided), close())
    assert void == [("handled", "deck.shoe_jam", "(m)(6)", None)]
    on = packets(dealt[:1], jam, dealt[1:], bets, reveal("s10", Method.PACKETS), settle("s10"), close())
    assert on == [("violation", "deck.shoe_jam", "(m)(6)", None)]
    after = packets(dealt, bets, jam, reveal("s10", Method.PACKETS), settle("s10"), close())
    assert after == []


def test_s10_b_2_iv_decks_alternate() -> None:
    def rounds(*decks: str, between: Part = ()) -> list[Verdict]:
        backs = {"A": "red", "B": "blue", "C": "green"}
        played = [
            [whole("s10", f"r{number}", deck, back=backs[deck], machine=True), between if number == 0 else ()]
            for number, deck in enumerate(decks)
        ]
        return deck_checks("s10", played, **TWO)

    assert rounds("A", "B", "A", "B") == []
    verdicts = rounds("A", "B", "B", "A")
    assert said(verdicts) == [("violation", "deck.alternation", "(b)(2)(iv)", None)]
    assert verdicts[0].round == "r2"
    changed = [step(ev.DeckRemoved, deck="B"), opening("C", "green")]
    assert rounds("A", "A", "C", between=changed) == []
    assert deck_checks("nz", whole("nz"), whole("nz", "r2")) == []


def test_s10_b_2_iv_a_round_that_was_void_may_be_redealt_with_either_deck() -> None:
    void = [*whole("s10", machine=True)[:5], step(ev.RoundVoided), close()]
    assert deck_checks("s10", void, whole("s10", "r2", "A", machine=True), **TWO) == []


def test_s10_b_2_iv_a_round_whose_deck_is_not_known_cannot_be_told() -> None:
    first = whole("s10", machine=True)
    second = [ready("s10", machine=True), opened("r2", None), *whole("s10", machine=True)[2:]]
    verdicts = deck_checks("s10", opening(), opening("B", "blue"), first, second, **TWO)
    assert ("cannot_tell", "deck.alternation", "(b)(2)(iv)", None) in said(verdicts)
    assert not [one for one in verdicts if one.ruling == "violation"]


@pytest.mark.parametrize("book", BOOKS)
def test_players_who_sit_down_do_not_disturb(book: str) -> None:
    assert deck_checks(book, whole(book), sat(7), whole(book, "r2")) == []


@pytest.mark.parametrize("book", BOOKS)
def test_a_deal_that_nobody_saw_leaves_every_question_about_the_deck_open(book: str) -> None:
    blocked = step(ev.ViewBlocked, zone="table", why="smoke")
    bets = [opened("r2"), [ante(seat) for seat in SEATS]]
    verdicts = deck_checks(book, whole(book), bets, blocked, call(book), close())
    assert {str(one.ruling) for one in verdicts} == {"cannot_tell"}
    assert {"deck.no_shuffle", "deck.cut", "deck.count"} <= {one.check for one in verdicts}


def test_s10_d_5_an_idle_table_whose_first_player_was_not_seen_to_come_cannot_be_told() -> None:
    vacated = [step(ev.TableVacated), spread(), step(ev.DeckWashed, deck="A"), ready("s10")]
    verdicts = deck_checks("s10", whole("s10"), vacated, whole("s10", "r2")[1:])
    assert said(verdicts) == [("cannot_tell", "deck.idle_spread", "(d)(5)", None)]
