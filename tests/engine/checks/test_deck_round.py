"""The deck in a round: counts, cards, backs, the rack, the method; each broken, its neighbour, remedies and doubts."""

from __future__ import annotations

from typing import Any

import pytest

from engine import events as ev
from engine.cards import Card
from engine.events import DEALER, Area, Device, Role
from engine.settings import Method
from engine.verdicts import Severity, Verdict
from tests.engine.checks.scripts import (
    HANDS,
    SEATS,
    Part,
    Step,
    ante,
    bet,
    call,
    clear,
    close,
    collect,
    deal,
    judge,
    opened,
    opening,
    pay,
    ready,
    reveal,
    said,
    settle,
    step,
    take,
    turn,
    whole,
)

BOOKS = ("nz", "s10")
COUNT = {"nz": "12.10", "s10": "(g)(6)(ii)"}


def start(book: str, name: str = "r1", **dealing: Any) -> list[Part]:
    """Return a round up to the end of its deal."""
    return [ready(book), opened(name), [ante(seat) for seat in SEATS], call(book), deal(book, **dealing)]


def end(book: str) -> list[Part]:
    """Return the rest of the round."""
    return [[bet(seat) for seat in SEATS], reveal(book), settle(book), close()]


def deck_checks(book: str, *parts: Part, **settings: Any) -> list[Verdict]:
    return judge(book, *parts, group="deck.", **settings)


def counted(count: int | None) -> Step:
    return step(ev.DeckCounted, deck="A", count=count)


VOID = [step(ev.RoundVoided), close()]
GONE = step(ev.DeckRemoved, deck="A")


@pytest.mark.parametrize("book", BOOKS)
def test_nz_12_10_s10_g_6_ii_a_deck_without_52_cards_and_play_goes_on(book: str) -> None:
    verdicts = deck_checks(book, start(book), counted(51), end(book))
    assert said(verdicts) == [("violation", "deck.count", COUNT[book], None)]
    assert verdicts[0].severity is Severity.CRITICAL
    assert verdicts[0].observed == "the dealer counted 51"
    assert deck_checks(book, start(book), counted(52), end(book)) == []
    assert said(deck_checks(book, start(book), counted(None), end(book))) == [
        ("cannot_tell", "deck.count", COUNT[book], None)
    ]


def test_nz_12_10_a_void_round_puts_it_right() -> None:
    verdicts = deck_checks("nz", start("nz"), counted(51), VOID)
    assert said(verdicts) == [("handled", "deck.count", "12.10", None)]


def test_s10_g_6_ii_a_void_round_and_another_deck_put_it_right() -> None:
    begin = [start("s10"), counted(53)]
    handled = deck_checks(
        "s10", begin, VOID, GONE, opening("B", "blue"), whole("s10", "r2", "B", back="blue")
    )
    assert said(handled) == [("handled", "deck.count", "(g)(6)(ii)", None)]
    kept = deck_checks("s10", begin, VOID, whole("s10", "r2"))
    assert said(kept) == [("violation", "deck.count", "(g)(6)(ii)", None)]


@pytest.mark.parametrize(("count", "wrong"), [(37, False), (36, True), (38, True)])
def test_s10_g_6_ii_the_stub_and_the_dealt_cards_make_52(count: int, wrong: bool) -> None:
    cards = [one for one in deal("s10") if one[0] is not ev.StubPlaced]
    stub = [step(ev.StubCounted, count=count), step(ev.StubPlaced)]
    begin = start("s10")[:-1]
    verdicts = deck_checks("s10", begin, cards, stub, end("s10"))
    expected = [("violation", "deck.count", "(g)(6)(ii)", None)] if wrong else []
    assert said(verdicts) == expected


def test_s10_g_6_ii_a_stub_is_not_judged_where_the_deal_was_out_of_view() -> None:
    cards = [one for one in deal("s10") if one[0] is not ev.StubPlaced]
    blocked = [step(ev.ViewBlocked, zone="seat:5", why="an arm"), step(ev.ViewRestored, zone="seat:5")]
    seen = [one for one in cards if one[1].get("seat") != 5]
    verdicts = deck_checks(
        "s10", start("s10")[:-1], blocked, seen, step(ev.StubCounted, count=37), end("s10")
    )
    assert ("cannot_tell", "deck.count", "(g)(6)(ii)", None) in said(verdicts)
    assert not [one for one in verdicts if one.ruling == "violation"]


@pytest.mark.parametrize(("book", "clause"), [("nz", "12.10"), ("s10", "(i)(6)")])
def test_s10_i_6_the_shuffler_reports_another_number(book: str, clause: str) -> None:
    report = step(ev.ShufflerReported, deck="A", count=51)
    settings: dict[str, Any] = {"machine_shuffle": True, "counting_shuffler": True}
    machine = ready(book, machine=True)
    uncut = [*machine[:1], step(ev.DeckCut, deck="A", by=Role.DEALER, cards=20), machine[-1]]
    play = [uncut if book == "nz" else machine, report, whole(book, machine=True)[1:]]
    assert said(deck_checks(book, play, **settings)) == [("violation", "deck.count", clause, None)]
    away = [machine, report, GONE]
    assert said(deck_checks(book, away, **settings)) == [("handled", "deck.count", clause, None)]


@pytest.mark.parametrize(("book", "clause"), [("nz", "3.4"), ("s10", "(b)(1)")])
def test_nz_3_4_s10_b_1_the_same_card_twice(book: str, clause: str) -> None:
    hands = HANDS | {5: "Qs Qd 4c 5h Kd"}
    parts = [start(book), [bet(seat) for seat in SEATS], reveal(book), turn(5, hands), turn(2), close()]
    verdicts = deck_checks(book, parts)
    assert said(verdicts) == [("violation", "deck.duplicate_card", clause, 5)]
    assert verdicts[0].observed == "Kd at seat 5 and in the dealer's hand"
    assert verdicts[0].severity is Severity.CRITICAL


@pytest.mark.parametrize("book", BOOKS)
def test_a_card_turned_over_and_back_or_read_twice_is_one_card(book: str) -> None:
    card = (Card.parse("Qs"),)
    shown = [
        step(ev.CardsTurned, seat=5, cards=card, by=5, position=1),
        step(ev.CardsTurned, seat=5, cards=card, by=5, position=1, face_up=False),
        step(ev.CardIdentified, seat=5, card=card[0]),
    ]
    assert deck_checks(book, start(book), shown, end(book)) == []


@pytest.mark.parametrize("book", BOOKS)
def test_a_card_twice_in_one_hand(book: str) -> None:
    hands = HANDS | {5: "Qs Qd 4c 5h Qs"}
    verdicts = deck_checks(book, start(book), reveal(book), turn(5, hands), close())
    assert [(one.check, one.seat) for one in verdicts] == [("deck.duplicate_card", 5)]


@pytest.mark.parametrize(("book", "clause"), [("nz", "3.4"), ("s10", "(b)(1)")])
def test_nz_3_4_s10_b_1_two_back_colours(book: str, clause: str) -> None:
    cards = deal(book)
    at = next(n for n, one in enumerate(cards) if one[0] is ev.CardDealt and n > 4)
    odd = [*cards[:at], (cards[at][0], cards[at][1] | {"back": "blue"}), *cards[at + 1 :]]
    verdicts = deck_checks(book, start(book)[:-1], odd, end(book))
    assert said(verdicts) == [("violation", "deck.mixed_backs", clause, cards[at][1]["seat"])]
    unseen = [(kind, fields | {"back": None} if "back" in fields else fields) for kind, fields in cards]
    assert said(deck_checks(book, start(book)[:-1], unseen, end(book))) == [
        ("cannot_tell", "deck.mixed_backs", clause, None)
    ]


def test_s10_b_2_v_one_deck_in_the_rack() -> None:
    settled = [
        bet(2),
        bet(5),
        reveal("s10"),
        turn(5),
        turn(2),
        take(2, Area.ANTE, 1000),
        take(2, Area.BET, 2000),
    ]
    racked = [
        collect(2),
        pay(5, Area.ANTE, 1000),
        pay(5, Area.BET, 2000),
        collect(5, back="blue"),
        clear("s10", 0),
    ]
    verdicts = deck_checks("s10", start("s10"), settled, racked, close())
    assert said(verdicts) == [("violation", "deck.two_in_rack", "(b)(2)(v)", 5)]
    assert "deck.two_in_rack" not in [one.check for one in deck_checks("nz", start("nz"), racked, close())]


@pytest.mark.parametrize(
    ("method", "clause"), [(Method.SHOE, "(g)(6)"), (Method.HAND, "(h)(5)"), (Method.PACKETS, "(i)(5)")]
)
def test_s10_g_6_the_stub_is_counted_once_in_five_rounds(method: Method, clause: str) -> None:
    machine = method is Method.HAND
    settings: dict[str, Any] = {"method": method, "machine_shuffle": machine}

    def rounds(number: int, counted_in: int | None = None) -> list[Verdict]:
        parts = []
        for one in range(number):
            steps = whole("s10", f"r{one}", method=method, machine=machine)
            if one == counted_in:
                steps.insert(5, step(ev.StubCounted, count=37))
            parts.append(steps)
        return deck_checks("s10", parts, **settings)

    assert rounds(4) == []
    assert rounds(8, counted_in=4) == []
    verdicts = rounds(6)
    assert said(verdicts) == [("violation", "deck.stub_count_overdue", clause, None)]
    assert verdicts[0].round == "r4"
    assert verdicts[0].observed == "5 rounds without a count"


def test_s10_i_6_a_counting_shuffler_excuses_the_automated_shoe_only() -> None:
    def five(method: Method) -> list[str]:
        parts = [whole("s10", f"r{one}", method=method, machine=True) for one in range(5)]
        settings: dict[str, Any] = {"method": method, "machine_shuffle": True, "counting_shuffler": True}
        return [one.check for one in deck_checks("s10", parts, **settings)]

    assert five(Method.PACKETS) == []
    assert five(Method.SHOE) == ["deck.stub_count_overdue"]


def test_s10_g_6_void_rounds_do_not_count_and_a_count_out_of_view_cannot_be_told() -> None:
    plain = [whole("s10", f"r{one}") for one in range(4)]
    assert deck_checks("s10", plain, start("s10", "void"), VOID) == []
    blocked = [step(ev.ViewBlocked, zone="deck", why="an arm"), step(ev.ViewRestored, zone="deck")]
    verdicts = deck_checks("s10", plain, start("s10", "r4"), blocked, end("s10"))
    rulings = {one.check: str(one.ruling) for one in verdicts}
    assert rulings == {"deck.stub_count_overdue": "cannot_tell", "deck.count": "cannot_tell"}


def jackpot_paid(hand: str, *more: Part, **settings: Any) -> list[tuple[str, str, str, int | None]]:
    hands = HANDS | {5: hand}
    paid = [turn(5, hands), step(ev.JackpotPaid, seat=5, amount=10_000)]
    parts = [start("nz"), bet(2), bet(5), reveal("nz"), paid, *more, close()]
    return said(judge("nz", *parts, group="deck.jackpot_count", jackpot="manual", **settings))


def test_nz_11_14_a_count_in_every_round_with_a_jackpot_payout() -> None:
    flush, straight_flush = "2s 4s 9s Js Qs", "4s 5s 6s 7s 8s"
    missing = [("violation", "deck.jackpot_count", "11.14", 5)]
    assert jackpot_paid(flush) == missing
    assert jackpot_paid(flush, counted(52)) == []
    assert jackpot_paid(flush, sub_pools=True) == []
    assert jackpot_paid(straight_flush, sub_pools=True) == [("violation", "deck.jackpot_count", "11.6C", 5)]
    assert jackpot_paid("?? ?? ?? ?? ??", sub_pools=True)[0][0] == "cannot_tell"
    blocked = [step(ev.ViewBlocked, zone="deck", why="an arm"), step(ev.ViewRestored, zone="deck")]
    assert [one[0] for one in jackpot_paid(flush, blocked)] == ["cannot_tell"]


def test_s10_m_7_the_dealing_method_is_the_one_set() -> None:
    packets = [step(ev.PacketDealt, seat=seat, count=5, back="red") for seat in (*SEATS, DEALER)]
    verdicts = deck_checks("s10", start("s10")[:-1], packets, close())
    assert said(verdicts) == [("violation", "deck.method", "(m)(7)", None)]
    wrong = [*ready("s10")[:-1], step(ev.DeckLoaded, deck="A", device=Device.AUTO_SHOE)]
    assert said(deck_checks("s10", wrong, whole("s10")[1:])) == [("violation", "deck.method", "(m)(7)", None)]
    left = step(ev.DeviceInstalled, device=Device.AUTO_SHOE)
    assert said(deck_checks("s10", left, whole("s10"))) == [("violation", "deck.method", "(m)(7)", None)]
    assert deck_checks("s10", left, step(ev.DeviceRemoved, device=Device.AUTO_SHOE), whole("s10")) == []


def test_s10_h_2_i_dealing_from_the_hand_needs_a_machine_shuffle() -> None:
    settings: dict[str, Any] = {"method": Method.HAND, "machine_shuffle": True}
    assert deck_checks("s10", whole("s10", method=Method.HAND), **settings) == []
    verdicts = deck_checks("s10", whole("s10", method=Method.HAND, machine=False), **settings)
    assert said(verdicts) == [("violation", "deck.method", "(h)(2)(i)", None)]


def test_s10_m_4_one_more_card_for_the_dealer_is_not_another_method() -> None:
    settings: dict[str, Any] = {"method": Method.PACKETS}
    short = [step(ev.PacketDealt, seat=seat, count=5, back="red") for seat in SEATS] + [
        step(ev.PacketDealt, seat=DEALER, count=4, back="red"),
        step(ev.CardDealt, seat=DEALER, back="red"),
    ]
    begin = [ready("s10", method=Method.PACKETS), opened(), [ante(seat) for seat in SEATS], call("s10")]
    assert deck_checks("s10", begin, short, close(), **settings) == []
