"""Irregularities of the deal: hands with too many or too few cards that are played all the same.

The dealer does not qualify in these rounds, so that antes are paid whatever a player holds: how a hand of four or six
cards compares with another is a question that no rulebook answers.
"""

from __future__ import annotations

from itertools import combinations

from engine import events as ev
from engine.cards import Card
from engine.events import DEALER
from engine.hands import evaluate, qualifies
from engine.settings import Method
from simulator.director.edit import Edit
from simulator.director.house import Want
from simulator.director.irregularities.base import Hit, irregularity
from simulator.director.irregularities.deal_common import (
    deliveries_to,
    packets,
    plain,
    regive,
    reshow_dealer,
    resize_stub,
    shrink_stub,
    spare,
)

NO_HAND = Want(dealer="no_hand")


def add_card(edit: Edit, seat: int, turn: int, card: Card) -> tuple[Card, ...]:
    """Let a seat get one more card, together with the one of a turn; return its hand."""
    given = deliveries_to(edit, seat)
    if packets(edit):
        hand = (*edit.beats[given[0].at].cards, card)
        edit.change(given[0].at, faces=hand, count=len(hand))
    else:
        cards = [edit.beats[found.at].cards[0] for found in given]
        at = given[turn].at
        event = edit.beats[at].event
        assert isinstance(event, ev.CardDealt)
        edit.insert(at + 1, ev.CardDealt, (card,), seat=seat, back=event.back, hand=event.hand)
        hand = (*cards[: turn + 1], card, *cards[turn + 1 :])
    shrink_stub(edit, (card,))
    return hand


def drop_cards(edit: Edit, seat: int, turns: list[int]) -> tuple[Card, ...]:
    """Let a seat miss its cards of some turns; return its hand."""
    given = deliveries_to(edit, seat)
    if packets(edit):
        full = edit.beats[given[0].at].cards
        hand = tuple(card for turn, card in enumerate(full) if turn not in turns)
        edit.change(given[0].at, faces=hand, count=len(hand))
    else:
        full = tuple(edit.beats[found.at].cards[0] for found in given)
        hand = tuple(card for turn, card in enumerate(full) if turn not in turns)
        edit.drop(*[given[turn].at for turn in turns])
    resize_stub(edit, (*edit.plan.stub, *(card for card in full if card not in hand)))
    return hand


def player_hand(edit: Edit, seat: int, hand: tuple[Card, ...]) -> None:
    """Let everything that follows in the round go by the hand that a player was dealt."""
    start = deliveries_to(edit, seat)[-1].at
    own = [f.at for f in edit.all(ev.CardsTurned, start, seat=seat) if f.event.by != DEALER]
    edit.drop(*own)
    regive(edit, seat, hand, start)


@irregularity("deal.player_count", "six_cards", nz="12.2", s10="(m)(4)", want=NO_HAND)
def six_cards(edit: Edit) -> Hit:
    """A player is dealt a sixth card, and the hand is played."""
    seat = edit.pick(plain(edit)).seat
    player_hand(edit, seat, add_card(edit, seat, edit.rng.randrange(5), spare(edit)[0]))
    return seat, None


@irregularity("deal.player_count", "four_cards", nz="12.2", s10="(m)(4)", want=NO_HAND)
def four_cards(edit: Edit) -> Hit:
    """A player is dealt only four cards, and the hand is played."""
    seat = edit.pick(plain(edit)).seat
    player_hand(edit, seat, drop_cards(edit, seat, [edit.rng.randrange(5)]))
    return seat, None


def still_no_hand(edit: Edit) -> list[Card]:
    """Return the cards of the stub with which the dealer still has nothing."""
    dealer = edit.plan.dealer
    return [
        card
        for card in edit.plan.stub
        if not any(qualifies(evaluate((*four, card))) for four in combinations(dealer, 4))
    ]


def dealer_hand(edit: Edit, hand: tuple[Card, ...]) -> None:
    """Let the dealer reveal and collect the hand that was dealt."""
    regive(edit, DEALER, hand, deliveries_to(edit, DEALER)[-1].at)
    reshow_dealer(edit)


@irregularity("deal.dealer_count", "six_cards", nz="12.2", s10="(m)(4)", want=NO_HAND)
def dealer_six(edit: Edit) -> Hit:
    """The dealer is dealt a sixth card, and the round is played."""
    card = edit.pick(still_no_hand(edit))
    turn = edit.rng.randrange(4) if edit.nz else edit.rng.randrange(5)
    dealer_hand(edit, add_card(edit, DEALER, turn, card))
    return DEALER, None


@irregularity("deal.dealer_count", "four_cards", s10="(m)(4)", want=NO_HAND)
def dealer_four(edit: Edit) -> Hit:
    """The dealer is dealt only four cards, and plays them without a fifth."""
    dealer_hand(edit, drop_cards(edit, DEALER, [edit.rng.randrange(1, 5)]))
    return DEALER, None


@irregularity(
    "deal.dealer_count", "four_in_packet", nz="12.2", want=Want(dealer="no_hand", method=Method.PACKETS)
)
def dealer_four_in_packet(edit: Edit) -> Hit:
    """The dealer's packet has only four cards, and the round is played."""
    dealer_hand(edit, drop_cards(edit, DEALER, [edit.rng.randrange(1, 5)]))
    return DEALER, None


@irregularity("deal.dealer_count", "three_cards", s10="(m)(4)", want=NO_HAND)
def dealer_three(edit: Edit) -> Hit:
    """The dealer is dealt only three cards, and the round is played instead of being void."""
    dealer_hand(edit, drop_cards(edit, DEALER, sorted(edit.rng.sample(range(1, 5), 2))))
    return DEALER, None
