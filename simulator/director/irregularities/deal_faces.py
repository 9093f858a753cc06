"""Irregularities of the deal: faces that show, the wrong up-card, cards found face up."""

from __future__ import annotations

from typing import Any

from engine import events as ev
from engine.cards import UNKNOWN, Card
from engine.events import DEALER
from engine.settings import Method
from simulator.director.edit import Edit, Found
from simulator.director.house import Want
from simulator.director.irregularities.base import Hit, dealing_clause, irregularity
from simulator.director.irregularities.deal_common import (
    deliveries_to,
    packets,
    reshow_dealer,
    shrink_stub,
    spare,
)
from simulator.director.script import Expected

SHOE = Want(method=Method.SHOE)
PACKETS = Want(method=Method.PACKETS)


def face_clause(edit: Edit) -> str:
    """Return the s10 clause that has cards dealt face down."""
    return dealing_clause(edit, "(g)(4)", "(h)(3)", "(i)(3)")


def to_players(edit: Edit) -> list[Found]:
    """Return the deliveries to players."""
    return [found for found in edit.deliveries() if found.event.seat != DEALER]


def expose(edit: Edit, given: Found) -> Card:
    """Let a card of a delivery lie face up; return it."""
    cards = edit.beats[given.at].cards
    if isinstance(given.event, ev.CardDealt):
        edit.change(given.at, card=cards[0], face_up=True)
        return cards[0]
    position = edit.rng.randint(1, 5)
    turn_in(edit, given.at + 1, given.event.seat, cards[position - 1], True, position)
    return cards[position - 1]


def turn_in(edit: Edit, at: int, seat: int, card: Card, up: bool, position: int) -> None:
    """Let the dealer turn one card of a hand over."""
    fields: dict[str, Any] = {
        "seat": seat,
        "cards": (card,),
        "face_up": up,
        "by": DEALER,
        "position": position,
    }
    edit.insert(at, ev.CardsTurned, (card,), **fields)


def hide_again(edit: Edit, given: Found, card: Card) -> None:
    """Let an exposed card be turned over before dealing goes on."""
    single = isinstance(given.event, ev.CardDealt)
    before = [one for one in deliveries_to(edit, given.event.seat) if one.at <= given.at]
    packet = edit.beats[given.at].cards
    position = len(before) if single else packet.index(card) + 1
    turn_in(edit, given.at + (1 if single else 2), given.event.seat, card, False, position)


@irregularity("deal.card_exposed", "left_face_up", nz="12.3", s10="(g)(4)")
def left_face_up(edit: Edit) -> Hit:
    """A player's card is dealt face up and stays so."""
    given = edit.pick(to_players(edit))
    expose(edit, given)
    return given.event.seat, None, "12.3" if edit.nz else face_clause(edit)


@irregularity("deal.card_exposed", "flashed", s10="(g)(4)")
def flashed(edit: Edit) -> Hit:
    """A player's card shows its face for a moment as it is dealt."""
    given = edit.pick(to_players(edit))
    card = edit.pick(edit.beats[given.at].cards)
    edit.insert(given.at + 1, ev.CardFlashed, (card,), seat=given.event.seat, card=card, by=DEALER)
    return given.event.seat, None, face_clause(edit)


@irregularity("deal.several_exposed", "two_cards", nz="12.5")
def two_exposed(edit: Edit) -> Hit:
    """Two cards are exposed in one deal, each is turned over, and the round goes on."""
    cards = to_players(edit)
    edit.need(len(cards) >= 2)
    first, second = sorted(edit.rng.sample(cards, 2), key=lambda found: found.at)
    for given in (second, first):
        hide_again(edit, given, expose(edit, given))
    edit.handled.append(Expected("deal.card_exposed", "12.3", first.event.seat))
    return second.event.seat, None


@irregularity("deal.dealer_card_exposed", "hidden_again", nz="12.4", want=SHOE)
def dealer_hidden_again(edit: Edit) -> Hit:
    """A card of the dealer is dealt face up too early and is turned down instead of staying as the up-card."""
    given = edit.pick(deliveries_to(edit, DEALER)[:4])
    hide_again(edit, given, expose(edit, given))
    reshow_dealer(edit)
    return DEALER, None


@irregularity("deal.dealer_card_exposed", "fifth_up_too", nz="12.4", want=SHOE)
def fifth_up_too(edit: Edit) -> Hit:
    """A card of the dealer is dealt face up too early, and the fifth is dealt face up as well."""
    expose(edit, edit.pick(deliveries_to(edit, DEALER)[:4]))
    reshow_dealer(edit)
    return DEALER, None


@irregularity("deal.dealer_card_exposed", "hole_card_face_up", s10="(g)(4)")
def hole_card_face_up(edit: Edit) -> Hit:
    """A hole card is dealt face up."""
    edit.need(not packets(edit))
    expose(edit, edit.pick(deliveries_to(edit, DEALER)[1:]))
    reshow_dealer(edit)
    return DEALER, None, face_clause(edit)


@irregularity("deal.dealer_card_exposed", "hole_card_flashed", s10="(g)(4)")
def hole_card_flashed(edit: Edit) -> Hit:
    """A hole card shows its face for a moment while the dealer's hand is dealt."""
    given = edit.pick(deliveries_to(edit, DEALER)[0 if packets(edit) else 1 : 4])
    card = edit.beats[given.at].cards[-1]
    edit.insert(given.at + 1, ev.CardFlashed, (card,), seat=DEALER, card=card, by=DEALER)
    return DEALER, None, face_clause(edit)


def up_clause(edit: Edit) -> str:
    """Return the clause about the dealer's up-card."""
    if edit.nz:
        return "8.4" if packets(edit) else "8.2"
    return dealing_clause(edit, "(g)(4)(ii)", "(h)(3)(ii)", "(i)(7)")


def up_delivery(edit: Edit) -> Found:
    """Return the delivery that brings the up-card."""
    return next(found for found in deliveries_to(edit, DEALER) if found.event.face_up)


@irregularity("deal.up_card", "none", nz="8.2", s10="(g)(4)(ii)")
def no_up_card(edit: Edit) -> Hit:
    """None of the dealer's cards is face up while the players decide."""
    if packets(edit):
        edit.drop(edit.first(ev.CardsTurned, seat=DEALER).at)
    else:
        up = up_delivery(edit)
        edit.change(up.at, face_up=False, card=UNKNOWN)
    reshow_dealer(edit)
    return DEALER, None, up_clause(edit)


@irregularity("deal.up_card", "another_turned", nz="8.2", s10="(i)(7)")
def another_turned(edit: Edit) -> Hit:
    """After the deal the dealer turns up a card that is not the one that the rulebook orders."""
    hand = edit.plan.dealer
    if packets(edit):
        position = edit.rng.randint(2, 5)
        turned = edit.first(ev.CardsTurned, seat=DEALER)
        card = hand[position - 1]
        edit.change(turned.at, faces=(card,), cards=(card,), position=position)
    else:
        edit.need(edit.nz)
        up = up_delivery(edit)
        edit.change(up.at, face_up=False, card=UNKNOWN)
        position = edit.rng.randint(1, 4)
        turn_in(edit, up.at + 1, DEALER, hand[position - 1], True, position)
    reshow_dealer(edit)
    return DEALER, None, up_clause(edit)


@irregularity("deal.up_card", "second_card", s10="(g)(4)(ii)")
def second_card_up(edit: Edit) -> Hit:
    """The dealer's first card is dealt face down and the second face up."""
    edit.need(not packets(edit))
    first, second = deliveries_to(edit, DEALER)[:2]
    edit.change(first.at, face_up=False, card=UNKNOWN)
    edit.change(second.at, face_up=True, card=edit.beats[second.at].cards[0])
    reshow_dealer(edit)
    return DEALER, None, up_clause(edit)


@irregularity("deal.up_card", "not_spread", s10="(i)(7)", want=PACKETS)
def not_spread(edit: Edit) -> Hit:
    """The dealer turns the bottom card without spreading the packet in a row."""
    edit.drop(edit.first(ev.HandSpread, seat=DEALER).at)
    return DEALER, None


@irregularity("deal.face_up_in_shoe", "used", s10="(m)(2)")
def found_and_used(edit: Edit) -> Hit:
    """A card comes out of the shoe or deck face up, and is dealt all the same, face down."""
    edit.need(not packets(edit) and not edit.all(ev.StubCounted))
    given = edit.pick([found for found in edit.deliveries() if not found.event.face_up])
    edit.insert(given.at, ev.CardFoundFaceUp, card=edit.beats[given.at].cards[0])
    return None, None


def find_and_rack(edit: Edit, at: int, card: Card) -> None:
    """Let a card of the stub come out face up before a delivery and go to the rack."""
    at = edit.insert(at, ev.CardFoundFaceUp, (card,), card=card)
    edit.insert(at, ev.CardDiscarded, card=card, back=edit.plan.back)


@irregularity("deal.face_up_in_shoe", "two_found", s10="(m)(2)")
def two_found(edit: Edit) -> Hit:
    """Two cards come out face up and go to the rack, and the round is played instead of being void."""
    edit.need(not packets(edit))
    cards = spare(edit, 2)
    places = sorted(edit.rng.sample([found.at for found in edit.deliveries()], 2), reverse=True)
    for at, card in zip(places, cards, strict=True):
        find_and_rack(edit, at, card)
    shrink_stub(edit, cards)
    edit.handled.append(Expected("deal.face_up_in_shoe", "(m)(2)"))
    return None, None
