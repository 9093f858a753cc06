"""The deal under both rulebooks: logs written by hand in which one clause is broken, and the nearest that breaks none.

All checks listen, not only those of the deal: what is expected is all that may be said.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine import events as ev
from engine.cards import Card, parse_cards
from engine.events import DEALER, Area, Side
from engine.settings import Method
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
    found,
    judge,
    opened,
    pay,
    ready,
    reveal,
    settle,
    step,
    take,
    turn,
)

UP = parse_cards(HANDS[DEALER])
NZ, S10 = deal("nz"), deal("s10")
BY_HAND = deal("s10", method=Method.HAND)
HAND: dict[str, Any] = {"method": Method.HAND, "machine_shuffle": True}
PACKETS: dict[str, dict[str, Any]] = {
    "nz": {"method": Method.PACKETS, "machine_shuffle": True, "decks": 2},
    "s10": {"method": Method.PACKETS},
}
TEN, OTHER_TEN = Card.parse("Tc"), Card.parse("Td")


def played(
    book: str,
    cards: Part,
    *,
    called: Part = None,
    decided: Part = None,
    shown: Part = None,
    settled: Part = None,
    **settings: Any,
) -> tuple[list[Any], list[Any]]:
    """Return the violations, and what was put right, of a round that is dealt so."""
    method = settings.get("method", Method.SHOE)
    verdicts = judge(
        book,
        ready(book, method=method, machine=settings.get("machine_shuffle", False)),
        opened(),
        [ante(seat) for seat in SEATS],
        call(book) if called is None else called,
        cards,
        [bet(seat) for seat in SEATS] if decided is None else decided,
        reveal(book, method) if shown is None else shown,
        settle(book) if settled is None else settled,
        close(),
        **settings,
    )
    return found(verdicts)


def card(seat: int, **fields: Any) -> Step:
    return step(ev.CardDealt, seat=seat, back="red", hand=Side.RIGHT, **fields)


def changed(steps: list[Step], index: int, **fields: Any) -> list[Step]:
    """Return the steps with fields of one changed."""
    return [*steps[:index], (steps[index][0], steps[index][1] | fields), *steps[index + 1 :]]


def turned(seat: int, *cards: Card, **fields: Any) -> Step:
    return step(ev.CardsTurned, **{"seat": seat, "cards": cards, "by": DEALER} | fields)


def with_hand_of_two(book: str, cards: str, dealer: int = 5) -> list[Part]:
    """Settle the round with seat 2, which loses, holding other cards than usual, or the dealer fewer."""
    count = len(cards.split())
    win: Part = [pay(5, Area.ANTE, 1000), pay(5, Area.BET, 2000), clear(book, 5)]
    shown = turned(2, *parse_cards(cards))
    lose: Part = [take(2, Area.ANTE, 1000), take(2, Area.BET, 2000)]
    if book == "nz":
        rest: Part = [turn(5), win, shown, lose, step(ev.HandCounted, seat=2, count=count), collect(2, count)]
    else:
        rest = [turn(5), shown, lose, collect(2, count), win]
    return [rest, collect(DEALER, dealer)]


@pytest.mark.parametrize("book", ["nz", "s10"])
@pytest.mark.parametrize("method", [Method.SHOE, Method.PACKETS])
def test_a_plain_deal_is_silent(book: str, method: Method) -> None:
    settings = PACKETS[book] if method is Method.PACKETS else {}
    assert played(book, deal(book, method=method), **settings) == ([], [])
    assert played("s10", BY_HAND, **HAND) == ([], [])


@pytest.mark.parametrize(("book", "clause"), [("nz", "8.1"), ("s10", "(g)(2)")])
def test_nz_8_1_s10_g_2_the_call_comes_before_the_first_card(book: str, clause: str) -> None:
    assert played(book, deal(book), called=[]) == ([("deal.before_call", clause, 2)], [])


@pytest.mark.parametrize(("book", "clause"), [("nz", "8.3"), ("s10", "(g)(4)")])
def test_nz_8_3_s10_g_4_the_order_of_the_deal(book: str, clause: str) -> None:
    first, second, *rest = deal(book)
    assert played(book, [second, first, *rest]) == ([("deal.order", clause, 2)], [])
    without = [one for one in deal(book) if one[1].get("seat") != 2]
    win = [turn(5), pay(5, Area.ANTE, 1000), pay(5, Area.BET, 2000), clear(book, 5), clear(book, DEALER)]
    assert played(book, without, decided=[bet(5)], settled=win) == ([("deal.order", clause, 2)], [])


@pytest.mark.parametrize(("book", "clause"), [("nz", "8.4"), ("s10", "(i)(3)")])
def test_nz_8_4_s10_i_3_the_order_of_packets(book: str, clause: str) -> None:
    first, second, *rest = deal(book, method=Method.PACKETS)
    found_ = played(book, [second, first, *rest], **PACKETS[book])
    assert found_ == ([("deal.order", clause, 2)], [])


@pytest.mark.parametrize(("book", "clause"), [("nz", "8.4"), ("s10", "(i)(7)")])
def test_nz_8_4_s10_i_7_the_bottom_card_of_the_dealers_packet_is_turned_up(book: str, clause: str) -> None:
    cards = deal(book, method=Method.PACKETS)
    wrong = changed(cards, len(cards) - 1, position=3)
    assert played(book, wrong, **PACKETS[book]) == ([("deal.up_card", clause, DEALER)], [])


def test_s10_i_7_the_dealers_packet_is_spread_first() -> None:
    cards = [one for one in deal("s10", method=Method.PACKETS) if one[0] is not ev.HandSpread]
    assert played("s10", cards, **PACKETS["s10"]) == ([("deal.up_card", "(i)(7)", DEALER)], [])


def test_nz_8_2_the_dealers_last_card_is_dealt_face_up() -> None:
    none_up = [*NZ[:14], card(DEALER)]
    found_ = played("nz", none_up, shown=turned(DEALER, *UP))
    assert found_ == ([("deal.up_card", "8.2", DEALER)], [])


def test_s10_g_4_ii_the_dealers_first_card_is_dealt_face_up() -> None:
    last_up = [*S10[:2], card(DEALER), *S10[3:14], card(DEALER, face_up=True, card=UP[4]), S10[15]]
    found_ = played("s10", last_up, shown=turned(DEALER, *UP[:4]))
    assert found_ == ([("deal.up_card", "(g)(4)(ii)", DEALER)], [])


def test_s10_h_3_a_hole_card_is_dealt_face_down() -> None:
    second_up = changed(BY_HAND, 6, face_up=True, card=UP[1])
    found_ = played("s10", second_up, shown=turned(DEALER, *UP[2:]), **HAND)
    assert found_ == ([("deal.dealer_card_exposed", "(h)(3)", DEALER)], [])


def test_nz_12_4_an_early_up_card_stays_and_the_fifth_goes_face_down() -> None:
    early = deal("s10")[:15]
    handled = [("deal.dealer_card_exposed", "12.4", DEALER)]
    assert played("nz", early, shown=reveal("s10")) == ([], handled)
    both = [*early[:14], NZ[14]]
    assert played("nz", both, shown=turned(DEALER, *UP[1:4])) == (handled, [])


def test_nz_12_3_an_exposed_card_is_turned_over() -> None:
    seven = parse_cards(HANDS[2])[0]
    first, *rest = changed(NZ, 0, face_up=True, card=seven)
    one = ("deal.card_exposed", "12.3", 2)
    assert played("nz", [first, *rest]) == ([one], [])
    assert played("nz", [first, turned(2, seven, face_up=False, position=1), *rest]) == ([], [one])


def test_nz_12_5_two_exposed_cards_are_a_misdeal() -> None:
    two, five = (parse_cards(HANDS[seat])[0] for seat in SEATS)
    shown = changed(changed(NZ, 0, face_up=True, card=two), 1, face_up=True, card=five)
    back = [turned(2, two, face_up=False, position=1), turned(5, five, face_up=False, position=1)]
    cards = [shown[0], back[0], shown[1], back[1], *shown[2:]]
    one, several = ("deal.card_exposed", "12.3", 2), ("deal.several_exposed", "12.5", 5)
    assert played("nz", cards) == ([several], [one])
    given_back = [step(ev.WagerWithdrawn, seat=seat, area=Area.ANTE, by=seat) for seat in SEATS]
    void = [*cards[:4], step(ev.RoundVoided), given_back, collect(2, 1), collect(5, 1)]
    assert played("nz", void, decided=[], shown=[], settled=[]) == ([], [one, several])


def test_s10_g_4_i_a_players_card_is_dealt_face_down() -> None:
    shown = changed(S10, 0, face_up=True, card=parse_cards(HANDS[2])[0])
    assert played("s10", shown) == ([("deal.card_exposed", "(g)(4)", 2)], [])


def test_s10_m_2_a_card_found_face_up_goes_to_the_rack() -> None:
    one = ("deal.face_up_in_shoe", "(m)(2)", None)
    ten = step(ev.CardFoundFaceUp, card=TEN)
    racked = step(ev.CardDiscarded, card=TEN, back="red")
    assert played("s10", [*S10[:4], ten, *S10[4:]]) == ([one], [])
    assert played("s10", [*S10[:4], ten, racked, *S10[4:]]) == ([], [one])
    again = [step(ev.CardFoundFaceUp, card=OTHER_TEN), step(ev.CardDiscarded, card=OTHER_TEN, back="red")]
    assert played("s10", [*S10[:4], ten, racked, *S10[4:7], again, *S10[7:]]) == ([one], [one])


def test_s10_m_3_a_card_drawn_in_error_is_the_next_card() -> None:
    drawn = step(ev.CardMisdrawn)
    assert played("s10", [*S10[:4], drawn, *S10[4:]]) == ([], [])
    racked = [*S10[:4], drawn, step(ev.CardDiscarded, back="red"), *S10[4:]]
    assert played("s10", racked) == ([("deal.misdrawn_card", "(m)(3)", None)], [])


@pytest.mark.parametrize(("book", "clause"), [("nz", "12.2"), ("s10", "(m)(4)")])
def test_nz_12_2_s10_m_4_a_player_has_five_cards(book: str, clause: str) -> None:
    cards, wrong = deal(book), [("deal.player_count", clause, 2)]
    four, six = with_hand_of_two(book, "2c 3d 7h 8s"), with_hand_of_two(book, "2c 3d 7h 8s Jc Td")
    assert played(book, [*cards[:3], *cards[4:]], settled=four) == (wrong, [])
    assert played(book, [*cards[:4], cards[3], *cards[4:]], settled=six) == (wrong, [])
    packets = changed(deal(book, method=Method.PACKETS), 0, count=4)
    assert played(book, packets, settled=four, **PACKETS[book]) == (wrong, [])


def test_nz_12_2_the_dealer_has_five_cards() -> None:
    short = [*NZ[:11], *NZ[12:]]
    settled = with_hand_of_two("nz", HANDS[2], dealer=4)
    found_ = played("nz", short, shown=turned(DEALER, *UP[1:4]), settled=settled)
    assert found_ == ([("deal.dealer_count", "12.2", DEALER)], [])


def test_s10_m_4_a_dealers_hand_of_four_is_completed() -> None:
    short, wrong = [*S10[:14], S10[15]], [("deal.dealer_count", "(m)(4)", DEALER)]
    settled = with_hand_of_two("s10", HANDS[2], dealer=4)
    assert played("s10", short, shown=turned(DEALER, *UP[1:4]), settled=settled) == (wrong, [])
    assert played("s10", [*short, card(DEALER)]) == ([], wrong)


def test_nz_12_9_a_hand_without_an_ante_is_counted_and_racked() -> None:
    cards, wrong = deal("nz", (2, 4, 5)), [("deal.no_ante", "12.9", 4)]
    away = [step(ev.HandCounted, seat=4, count=5), collect(4)]
    assert played("nz", [*cards, *away]) == ([], wrong)
    assert played("nz", cards, settled=[settle("nz")[:-1], away, clear("nz", DEALER)]) == (wrong, [])


def test_nz_12_9_the_jackpot_wager_of_a_hand_without_an_ante_is_void() -> None:
    chip = step(ev.WagerPlaced, seat=4, area=Area.JACKPOT, amount=100, chips=(100,), by=4)
    away = [step(ev.HandCounted, seat=4, count=5), collect(4)]
    taken = take(4, Area.JACKPOT, 100)
    violations, handled = played(
        "nz",
        [deal("nz", (2, 4, 5)), away, taken],
        called=[chip, call("nz")],
        jackpot="manual",
        signals=frozenset({"no_more_bets"}),
    )
    assert violations == [("wager.jackpot_without_ante", "11.1", 4), ("settle.void_round", "12.9", 4)]
    assert handled == [("deal.no_ante", "12.9", 4)]


@pytest.mark.parametrize(("book", "clause"), [("nz", "12.8"), ("s10", "(g)(4)(i)")])
def test_nz_12_8_s10_g_4_i_a_card_where_no_ante_lies(book: str, clause: str) -> None:
    cards = deal(book)
    assert played(book, [*cards[:3], card(4), *cards[3:], collect(4, 1)]) == (
        [("deal.no_ante", clause, 4)],
        [],
    )


def test_s10_g_3_h_2_ii_the_hand_that_deals_and_where_the_deck_is_held() -> None:
    near = changed(S10, 0, hand=Side.LEFT)
    assert played("s10", near) == ([("deal.hand_used", "(g)(3)", None)], [])
    other = step(ev.DeckHeld, hand=Side.RIGHT, over_tray=True)
    left = [(kind, fields | ({"hand": Side.LEFT} if "hand" in fields else {})) for kind, fields in BY_HAND]
    swapped = [*BY_HAND[:5], other, *left[5:]]
    assert played("s10", swapped, **HAND) == ([("deal.hand_used", "(h)(2)(ii)(A)", None)], [])
    aside = changed(BY_HAND, 0, over_tray=False)
    assert played("s10", aside, **HAND) == ([("deal.over_tray", "(h)(2)(ii)(B)", None)], [])


def test_s10_g_5_the_stub_goes_to_the_rack_unseen() -> None:
    wrong = [("deal.stub", "(g)(5)", None)]
    assert played("s10", S10[:-1]) == (wrong, [])
    assert played("s10", changed(S10, len(S10) - 1, exposed=True)) == (wrong, [])
    assert played("s10", changed(S10, len(S10) - 1, in_rack=False)) == (wrong, [])
