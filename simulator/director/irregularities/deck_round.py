"""Irregularities of decks in a round: counts, cards that are there twice, backs, the rack, the dealing method."""

from __future__ import annotations

from dataclasses import replace

from engine import events as ev
from engine.cards import Card
from engine.events import Device, Role
from engine.hands import Category
from engine.settings import JackpotMode, Method
from simulator.director.edit import Edit
from simulator.director.house import Want
from simulator.director.irregularities.base import Hit, dealing_clause, irregularity
from simulator.director.irregularities.deal_common import replay
from simulator.director.plan import BACKS, RoundPlan, SeatPlan
from simulator.director.script import Script
from simulator.director.shift import COUNT_EVERY, Shift, two_rounds

ALL_SHOWN = Want(dealer="pair", all_bet=True)
JACKPOT = Want(hands=("flush",), all_jackpot=True, jackpot=JackpotMode.ELECTRONIC)


def lose_a_card(edit: Edit) -> None:
    """Let a card be missing from the deck: the last of the stub, which nobody is dealt."""
    opened = edit.first(ev.RoundOpened)
    edit.change(opened.at, faces=edit.beats[opened.at].cards[:-1])


@irregularity("deck.count", "jackpot_count_short", nz="12.10", want=replace(JACKPOT, sub_pools=False))
def jackpot_count_short(edit: Edit) -> Hit:
    """The count at a jackpot payout shows 51 cards, and the round stands."""
    lose_a_card(edit)
    edit.change(edit.only(ev.DeckCounted).at, count=51)
    return None, None


@irregularity("deck.count", "counted_before_the_reveal", nz="12.10")
def counted_before_reveal(edit: Edit) -> Hit:
    """The dealer counts the deck while the players decide, finds another number than 52, and goes on."""
    count = edit.rng.choice((51, 53))
    if count == 51:
        lose_a_card(edit)
    edit.insert(edit.reveal(), ev.DeckCounted, deck=edit.plan.deck, count=count)
    return None, None


@irregularity("deck.count", "stub_short", s10="(g)(6)(ii)")
def stub_short(edit: Edit) -> Hit:
    """The count of the stub shows that a card is missing, and the round is played."""
    counted = edit.only(ev.StubCounted)
    lose_a_card(edit)
    left = edit.plan.stub[:-1]
    edit.change(counted.at, faces=left, count=len(left))
    edit.change(edit.only(ev.StubPlaced).at, faces=left)
    return None, None


@irregularity(
    "deck.count", "shuffler_report", nz="12.10", s10="(i)(6)", want=Want(counting=True), visible=False
)
def shuffler_report(edit: Edit) -> Hit:
    """The shuffler reports another number than 52, and the deck is dealt all the same."""
    edit.need(edit.settings.counting_shuffler)
    lose_a_card(edit)
    edit.change(edit.first(ev.ShufflerReported, deck=edit.plan.deck).at, count=51)
    return None, None


@irregularity("deck.count", "played_again", nz="12.10", s10="(g)(6)(ii)", base=two_rounds)
def short_deck_played_again(edit: Edit) -> Hit:
    """The dealer counts a deck between two rounds, finds 51 cards, and deals from it again."""
    second = edit.all(ev.RoundOpened)[1]
    edit.insert(second.at, ev.DeckCounted, deck=second.event.deck, count=51)
    edit.change(second.at + 1, faces=edit.beats[second.at + 1].cards[:-1])
    return None, None


def second_sight(edit: Edit, card: Card) -> int:
    """Return the seat at which a card is seen that was seen elsewhere before."""
    seen: int | None = None
    for beat in edit.beats:
        event = beat.event
        if not isinstance(event, ev.CardDealt | ev.CardsTurned | ev.CardFlashed):
            continue
        shown = event.cards if isinstance(event, ev.CardsTurned) else (event.card,)
        if card not in shown:
            continue
        if seen is not None and event.seat != seen:
            return event.seat
        seen = event.seat
    edit.need(False)
    raise AssertionError


def with_card(plan: RoundPlan, seat: SeatPlan, card: Card, place: int) -> RoundPlan:
    """Return the plan with one card of a hand replaced."""
    hand = (*seat.hand[:place], card, *seat.hand[place + 1 :])
    return replace(
        plan, seats=tuple(replace(one, hand=hand) if one.seat == seat.seat else one for one in plan.seats)
    )


@irregularity(
    "deck.duplicate_card", "dealer_and_player", nz="3.4", s10="(b)(1)", want=Want(dealer="pair", all_bet=True)
)
def dealers_card_twice(edit: Edit) -> Hit:
    """A card of the dealer lies in a player's hand as well."""
    card = edit.pick(edit.plan.dealer)
    replay(edit, with_card(edit.plan, edit.pick(edit.plan.seats), card, edit.rng.randrange(5)))
    return second_sight(edit, card), None


@irregularity(
    "deck.duplicate_card",
    "two_players",
    nz="3.4",
    s10="(b)(1)",
    want=replace(ALL_SHOWN, seats_at_least=2),
)
def players_card_twice(edit: Edit) -> Hit:
    """The same card lies in the hands of two players."""
    one, two = edit.rng.sample(list(edit.plan.seats), 2)
    card = edit.pick(one.hand)
    replay(edit, with_card(edit.plan, two, card, edit.rng.randrange(5)))
    return second_sight(edit, card), None


@irregularity("deck.mixed_backs", "one_delivery", nz="3.4", s10="(b)(1)")
def mixed_backs(edit: Edit) -> Hit:
    """A card, or a packet, with another back is among those dealt."""
    other = edit.rng.choice([back for back in BACKS if back != edit.plan.back])
    given = edit.pick(edit.deliveries()[1:])
    edit.change(given.at, back=other)
    return given.event.seat, None


def same_deck(rulebook: str, seed: str, want: Want) -> Script:
    """Return two rounds that are both played with the first deck."""
    table = Shift(rulebook, seed, want)
    table.open()
    first = table.round()
    table.play(table.planned(deck=first.deck))
    return table.script()


@irregularity("deck.alternation", "same_deck_again", s10="(b)(2)(iv)", base=same_deck, want=Want(decks=2))
def same_deck_again(edit: Edit) -> Hit:
    """The same deck is used in two rounds running."""
    return None, None


@irregularity("deck.two_in_rack", "stray_card", s10="(b)(2)(v)", want=Want(decks=2))
def stray_card_in_rack(edit: Edit) -> Hit:
    """A card of the other deck, left over from the last round, goes into the rack among those of this one."""
    other = edit.rng.choice([back for back in BACKS if back != edit.plan.back])
    racked = edit.pick(edit.all(ev.CardsCollected, edit.reveal()))
    edit.insert(racked.at + 1, ev.CardDiscarded, back=other)
    return None, None


def uncounted_rounds(rulebook: str, seed: str, want: Want) -> Script:
    """Return as many rounds without a count of the stub as are one too many."""
    table = Shift(rulebook, seed, want)
    table.open()
    for _ in range(COUNT_EVERY):
        table.play(table.planned(count=False))
    return table.script()


@irregularity(
    "deck.stub_count_overdue", "five_rounds", s10="(g)(6)", base=uncounted_rounds, want=Want(seats_at_most=3)
)
def stub_uncounted(edit: Edit) -> Hit:
    """The stub is not counted for five rounds."""
    edit.need(not (edit.settings.method is Method.PACKETS and edit.settings.counting_shuffler))
    return None, None, dealing_clause(edit, "(g)(6)", "(h)(5)", "(i)(5)")


@irregularity("deck.jackpot_count", "left_out", nz="11.14", want=replace(JACKPOT, sub_pools=False))
def no_jackpot_count(edit: Edit) -> Hit:
    """The deck is not counted in a round with a jackpot payout."""
    edit.drop(edit.only(ev.DeckCounted).at)
    return edit.first(ev.JackpotPaid).event.seat, None


@irregularity(
    "deck.jackpot_count",
    "left_out_major_pool",
    nz="11.6C",
    want=Want(hands=("straight_flush",), all_jackpot=True, jackpot=JackpotMode.ELECTRONIC, sub_pools=True),
)
def no_major_count(edit: Edit) -> Hit:
    """The deck is not counted in a round with a payout from the Major pool."""
    edit.drop(edit.only(ev.DeckCounted).at)
    major = {seat.seat for seat in edit.plan.seats if seat.kind >= Category.STRAIGHT_FLUSH}
    return next(f.event.seat for f in edit.all(ev.JackpotPaid) if f.event.seat in major), None


@irregularity("deck.method", "other_device", s10="(m)(7)", want=Want(method=Method.SHOE))
def dealt_from_hand(edit: Edit) -> Hit:
    """At a table set up for a shoe the dealer takes the deck in hand and deals from it."""
    edit.change(edit.first(ev.DeckLoaded, deck=edit.plan.deck).at, device=Device.HAND)
    return None, None


def _by_hand(edit: Edit) -> None:
    """Let the dealer shuffle and cut the deck instead of the machine."""
    deck = edit.plan.deck
    machine = edit.first(ev.DeckShuffled, deck=deck)
    edit.drop(*[f.at for f in edit.all(ev.ShufflerReported, deck=deck) if f.at < edit.call()])
    edit.change(machine.at, by=Role.DEALER, witness="camera:overview")
    edit.insert(machine.at + 1, ev.DeckCut, deck=deck, by=Role.DEALER, cards=20, cover_card_racked=True)


@irregularity("deck.method", "hand_shuffled", s10="(h)(2)(i)", want=Want(method=Method.HAND))
def hand_shuffled(edit: Edit) -> Hit:
    """The dealer shuffles by hand at a table where cards are dealt from the hand."""
    _by_hand(edit)
    return None, None


@irregularity(
    "deck.method", "shuffler_still_there", s10="(m)(7)", want=Want(machine_shuffle=True, method=Method.SHOE)
)
def shuffler_still_there(edit: Edit) -> Hit:
    """The dealer shuffles by hand while the shuffler is still on the table."""
    _by_hand(edit)
    edit.insert(0, ev.DeviceInstalled, device=Device.SHUFFLER)
    return None, None
