"""Rounds in which something goes wrong and is put right as the rulebook orders: recorded as handled, never alerted."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from engine import events as ev
from engine.cards import DECK, UNKNOWN
from engine.events import DEALER, Role
from engine.settings import Method
from simulator.director.before import make_ready
from simulator.director.cards import decide
from simulator.director.edit import Edit, Found, Unfit
from simulator.director.house import ANY, Want
from simulator.director.irregularities.base import Apply, Base, Hit, Irregularity, one_round
from simulator.director.irregularities.deal_common import (
    deliveries_to,
    empty_seats,
    packets,
    plain,
    reshow_dealer,
    resize_stub,
    shrink_stub,
    spare,
)
from simulator.director.irregularities.deal_counts import (
    NO_HAND,
    add_card,
    drop_cards,
    player_hand,
    still_no_hand,
)
from simulator.director.irregularities.deal_faces import (
    expose,
    find_and_rack,
    hide_again,
    to_players,
    turn_in,
)
from simulator.director.irregularities.deal_order import deal_stray, rack_stray, stray_clause
from simulator.director.irregularities.deck_round import lose_a_card
from simulator.director.plan import Frame, RoundPlan, SeatPlan
from simulator.director.plan import plan as make_plan
from simulator.director.play import finish, play_round
from simulator.director.script import Expected, Script
from simulator.director.stage import Stage
from simulator.director.void import void_hand, void_round
from simulator.errors import ScriptError


@dataclass(frozen=True, slots=True)
class PutRight(Irregularity):
    """An irregularity with its remedy: what a monitor must record as handled."""

    def apply(self, rng: random.Random, script: Script) -> Script | None:
        """Return the script with the irregularity put right, or None if it does not fit into this one."""
        edit = Edit(script, rng)
        try:
            hits = self.edit(edit)
        except Unfit:
            return None
        done = [self._expected(script.rulebook, hit) for hit in (hits if isinstance(hits, list) else [hits])]
        return edit.done(self.name, handled=done)


HANDLED: dict[str, PutRight] = {}


def put_right(
    check_id: str,
    remedy: str,
    *,
    nz: str | None = None,
    s10: str | None = None,
    want: Want = ANY,
    visible: bool = True,
    base: Base = one_round,
) -> Callable[[Apply], Apply]:
    """Enter a function into the list of scenes that are put right; its docstring is the description."""

    def enter(function: Apply) -> Apply:
        name = f"{check_id}/{remedy}"
        if name in HANDLED:
            raise ScriptError(f"{name} is in the list twice")
        clauses = {book: clause for book, clause in (("nz", nz), ("s10", s10)) if clause is not None}
        text = " ".join((function.__doc__ or "").split())
        HANDLED[name] = PutRight(name, check_id, clauses, text, visible, want, function, base)
        return function

    return enter


def redeal(stage: Stage, plan: RoundPlan) -> None:
    """Deal a void round again, after the cards were shuffled and the players could change their wagers (nz 12.11)."""
    frame = Frame(
        settings=plan.settings,
        players={seat.owner: seat.player for seat in plan.seats},
        meters=dict(stage.meters),
        round=f"{plan.round}b",
        deck=plan.deck,
        back=plan.back,
        idle_deck=plan.idle_deck,
        redeal=True,
        must_play=frozenset(seat.owner for seat in plan.seats),
    )
    again = make_plan(plan.rulebook, f"{plan.seed}:redeal", ANY, frame)
    make_ready(stage, again)
    play_round(stage, again)


def void_from(edit: Edit, at: int, again: bool = True) -> None:
    """Let the round be declared void at an index, and be dealt again."""
    stage = edit.continue_from(at)
    void_round(stage, edit.plan.back)
    if again:
        redeal(stage, edit.plan)
    edit.beats = stage.beats


def play_without(edit: Edit, at: int, seat: int) -> None:
    """Let one hand be declared void at the end of the deal, and the round be played without it."""
    stage = edit.continue_from(at)
    void_hand(stage, seat, edit.plan.back)
    rest = replace(
        edit.plan,
        settings=edit.settings,
        seats=tuple(one for one in edit.plan.seats if one.seat != seat),
    )
    decide(stage, rest)
    finish(stage, rest)
    edit.beats = stage.beats


def deal_over(edit: Edit) -> int:
    """Return where the deal is over and the players begin to decide."""
    return edit.decisions()[0]


@put_right("deal.card_exposed", "turned_over", nz="12.3")
def turned_over(edit: Edit) -> Hit:
    """A player's card is dealt face up, and the dealer turns it over and deals on."""
    given = edit.pick(to_players(edit))
    hide_again(edit, given, expose(edit, given))
    return given.event.seat, None


@put_right("deal.dealer_card_exposed", "left_as_up_card", nz="12.4", want=Want(method=Method.SHOE))
def left_as_up_card(edit: Edit) -> Hit:
    """A card of the dealer is dealt face up too early; it stays as the up-card, and the fifth is dealt face down."""
    given = deliveries_to(edit, DEALER)
    expose(edit, edit.pick(given[:4]))
    edit.change(given[4].at, face_up=False, card=UNKNOWN)
    reshow_dealer(edit)
    return DEALER, None


@put_right("deal.several_exposed", "void_round", nz="12.5")
def several_void(edit: Edit) -> Hit:
    """Two cards are exposed in one deal; the round is void and dealt again."""
    cards = to_players(edit)
    edit.need(len(cards) >= 2)
    first, second = sorted(edit.rng.sample(cards, 2), key=lambda found: found.at)
    for given in (second, first):
        hide_again(edit, given, expose(edit, given))
    edit.handled.append(Expected("deal.card_exposed", "12.3", first.event.seat))
    void_from(edit, edit.all(ev.CardsTurned, face_up=False)[1].at + 1)
    return second.event.seat, None


@put_right("deal.player_count", "void_round", nz="12.2")
def player_void_round(edit: Edit) -> Hit:
    """A player is dealt a wrong number of cards; the round is void and dealt again."""
    return _misdealt(edit, void_from)


@put_right("deal.player_count", "void_hand", s10="(m)(4)", want=Want(seats_at_least=2))
def player_void_hand(edit: Edit) -> Hit:
    """A player is dealt a wrong number of cards; that hand is void, and the round goes on without it."""
    seat: SeatPlan = edit.pick(plain(edit))
    _give_wrong(edit, seat.seat)
    play_without(edit, deal_over(edit), seat.seat)
    return seat.seat, None


@put_right("deal.player_count", "void_one_hand", nz="12.2", want=Want(seats_at_least=2))
def player_void_one_hand(edit: Edit) -> Hit:
    """A player is dealt a wrong number of cards; the house voids only that hand, and the round goes on."""
    seat: SeatPlan = edit.pick(plain(edit))
    edit.settings = replace(edit.settings, misdeal_voids_one_hand=True)
    _give_wrong(edit, seat.seat)
    play_without(edit, deal_over(edit), seat.seat)
    return seat.seat, None


def _misdealt(edit: Edit, then: Callable[[Edit, int], None]) -> Hit:
    seat: SeatPlan = edit.pick(plain(edit))
    _give_wrong(edit, seat.seat)
    then(edit, deal_over(edit))
    return seat.seat, None


def _give_wrong(edit: Edit, seat: int) -> None:
    """Deal four or six cards to a player."""
    if edit.rng.random() < 0.5:
        player_hand(edit, seat, add_card(edit, seat, edit.rng.randrange(5), spare(edit)[0]))
    else:
        player_hand(edit, seat, drop_cards(edit, seat, [edit.rng.randrange(5)]))


@put_right("deal.dealer_count", "void_round", nz="12.2", s10="(m)(4)", want=NO_HAND)
def dealer_void_round(edit: Edit) -> Hit:
    """The dealer is dealt six cards; the round is void, the cards are shuffled and dealt again."""
    card = edit.pick(still_no_hand(edit))
    add_card(edit, DEALER, edit.rng.randrange(4), card)
    void_from(edit, deal_over(edit))
    return DEALER, None


@put_right("deal.dealer_count", "completed", s10="(m)(4)")
def dealer_completed(edit: Edit) -> Hit:
    """The dealer is dealt four cards; the stub is put away, and one more card from it completes the hand."""
    return _complete(edit, edit.rng.randrange(1, 5), deal_over)


@put_right("deal.dealer_count", "completed_before_the_stub", s10="(m)(4)")
def dealer_completed_at_once(edit: Edit) -> Hit:
    """The dealer is dealt four cards, sees it when the deal is done, and deals the fifth before the stub is racked."""
    edit.need(not packets(edit))
    return _complete(edit, edit.rng.randrange(1, 4), lambda edit: edit.deliveries()[-1].at + 1)


def _complete(edit: Edit, turn: int, place: Callable[[Edit], int]) -> Hit:
    """Leave the dealer out in one turn, and let one more card come later."""
    card = edit.plan.dealer[turn]
    hand = None if packets(edit) else deliveries_to(edit, DEALER)[0].event.hand
    drop_cards(edit, DEALER, [turn])
    for spread in edit.all(ev.HandSpread, seat=DEALER):
        edit.change(spread.at, count=4)
    at = edit.insert(place(edit), ev.CardDealt, (card,), seat=DEALER, back=edit.plan.back, hand=hand)
    if any(found.at > at for found in edit.all(ev.StubPlaced)):
        resize_stub(edit, edit.plan.stub)
    return DEALER, None


@put_right("deal.no_ante", "counted_and_discarded", nz="12.9", want=Want(seats_at_most=6))
def stray_counted(edit: Edit) -> Hit:
    """A whole hand goes to an area with no ante; it is counted and put into the rack, and play goes on."""
    seat = edit.pick(empty_seats(edit))
    count = deal_stray(edit, seat, [0, 1, 2, 3, 4])
    at = edit.insert(deal_over(edit), ev.HandCounted, seat=seat, count=count)
    rack_stray(edit, seat, count, at)
    return seat, None


@put_right("deal.no_ante", "void_round", nz="12.8", want=Want(seats_at_most=6, method=Method.SHOE))
def stray_void(edit: Edit) -> Hit:
    """Cards go to an area with no ante and are found there before all cards are dealt; the round is void."""
    seat = edit.pick(empty_seats(edit))
    deal_stray(edit, seat, list(range(edit.rng.randint(1, 4))))
    void_from(edit, deliveries_to(edit, seat)[-1].at + 1)
    return seat, None


@put_right("deal.no_ante", "used_as_next", s10="(g)(4)(i)", want=Want(seats_at_most=6))
def stray_used(edit: Edit) -> Hit:
    """A card is put down at an area with no ante, and moved on to the player who is next."""
    edit.need(not packets(edit))
    seat = edit.pick(empty_seats(edit))
    given: Found = edit.pick([f for f in edit.deliveries() if f.event.seat > seat])
    card = edit.beats[given.at].cards
    edit.change(given.at, seat=seat)
    fields: dict[str, Any] = {"seat": seat, "to_seat": given.event.seat, "by": DEALER}
    edit.insert(given.at + 1, ev.CardMoved, card, **fields)
    return seat, None, stray_clause(edit)


@put_right("deal.face_up_in_shoe", "racked", s10="(m)(2)")
def found_racked(edit: Edit) -> Hit:
    """A card comes out face up and goes to the rack, unused."""
    edit.need(not packets(edit))
    card = spare(edit)
    find_and_rack(edit, edit.pick(edit.deliveries()).at, card[0])
    shrink_stub(edit, card)
    return None, None


@put_right("deal.face_up_in_shoe", "void_round", s10="(m)(2)")
def found_void(edit: Edit) -> Hit:
    """Two cards come out face up; all hands are void, and the cards are shuffled and dealt again."""
    edit.need(not packets(edit))
    cards = spare(edit, 2)
    places = sorted(edit.rng.sample([found.at for found in edit.deliveries()], 2), reverse=True)
    for at, card in zip(places, cards, strict=True):
        find_and_rack(edit, at, card)
    void_from(edit, edit.all(ev.CardDiscarded)[1].at + 1)
    edit.handled.append(Expected("deal.face_up_in_shoe", "(m)(2)"))  # the first of the two, which was racked
    return None, None


@put_right("deck.count", "void_round", nz="12.10")
def short_deck_void(edit: Edit) -> Hit:
    """The dealer counts the deck while the players decide and finds 51 cards; the round is void."""
    lose_a_card(edit)
    at = edit.insert(edit.reveal(), ev.DeckCounted, deck=edit.plan.deck, count=51)
    void_from(edit, at, again=False)
    edit.insert(len(edit.beats), ev.DeckRemoved, deck=edit.plan.deck)
    return None, None


@put_right("deck.count", "void_round_remove_deck", s10="(g)(6)(ii)")
def short_stub_void(edit: Edit) -> Hit:
    """The count of the stub shows that a card is missing; all hands are void, and the deck leaves the table."""
    counted = edit.only(ev.StubCounted)
    lose_a_card(edit)
    edit.change(counted.at, faces=edit.plan.stub[:-1], count=counted.event.count - 1)
    void_from(edit, counted.at + 1, again=False)
    edit.insert(len(edit.beats), ev.DeckRemoved, deck=edit.plan.deck)
    return None, None


@put_right("deck.count", "remove_deck", nz="12.10", s10="(i)(6)", want=Want(counting=True), visible=False)
def reported_removed(edit: Edit) -> Hit:
    """The shuffler reports 51 cards; that deck leaves the table, and the round is played with another."""
    edit.need(edit.settings.counting_shuffler)
    at = edit.first(ev.DeckShuffled).at
    at = edit.insert(at, ev.DeckShuffled, deck="Z", by=Role.MACHINE)
    at = edit.insert(at, ev.ShufflerReported, deck="Z", count=51)
    edit.insert(at, ev.DeckRemoved, deck="Z")
    return None, None


@put_right("deck.exposed_no_reshuffle", "reshuffled", nz="7.1(e)", want=Want(method=Method.SHOE))
def shown_reshuffled(edit: Edit) -> Hit:
    """A card shows its face while the deck is shuffled or cut, and the cards are shuffled again."""
    deck = edit.plan.deck
    shuffled = edit.first(ev.DeckShuffled, deck=deck)
    at = edit.insert(shuffled.at, ev.DeckShuffled, deck=deck, by=Role.DEALER)
    edit.insert(at, ev.CardShown, deck=deck, card=edit.rng.choice(DECK))
    return None, None


@put_right("deck.shuffler_jam", "reshuffled", s10="(m)(5)", want=Want(machine_shuffle=True), visible=False)
def jam_reshuffled(edit: Edit) -> Hit:
    """The shuffler jams, and the cards are shuffled again."""
    found = edit.first(ev.DeckShuffled, deck=edit.plan.deck, by=Role.MACHINE)
    edit.insert(found.at, ev.ShufflerJammed, deck=edit.plan.deck)
    return None, None


@put_right("deck.shoe_jam", "void_round", s10="(m)(6)", want=Want(method=Method.PACKETS), visible=False)
def shoe_jam_void(edit: Edit) -> Hit:
    """The automated shoe jams in the deal; the round is void, and all cards are shuffled and dealt again."""
    at = edit.insert(edit.during_deal(), ev.ShoeJammed)
    void_from(edit, at)
    return None, None


@put_right("decide.early_reveal", "may_still_decide", nz="12.7")
def may_still_decide(edit: Edit) -> Hit:
    """The dealer exposes a hole card before every player has decided; they may still bet or fold."""
    edit.need(any(not seat.blind for seat in edit.plan.seats))
    at = deal_over(edit)
    up = 1 if packets(edit) else 5
    position = edit.rng.choice([number for number in range(1, 6) if number != up])
    turn_in(edit, at, DEALER, edit.plan.dealer[position - 1], True, position)
    reshow_dealer(edit)
    return DEALER, None


@put_right("decide.taken_undecided", "rebuilt", nz="12.13", s10="(j)(1)")
def taken_and_rebuilt(edit: Edit) -> Hit:
    """The dealer takes a hand before its player has decided, and lays it out again."""
    seat: SeatPlan = edit.pick([one for one in edit.plan.seats if not one.blind])
    at = deal_over(edit)
    fields: dict[str, Any] = {"seat": seat.seat, "count": 5, "in_order": True, "back": edit.plan.back}
    at = edit.insert(at, ev.CardsCollected, seat.hand, **fields)
    edit.insert(at, ev.HandRebuilt, seat.hand, seat=seat.seat, from_top=True)
    return seat.seat, None


@put_right("settle.dealer_misread", "announced_again", nz="10.1", s10="(j)(5)", visible=False)
def announced_again(edit: Edit) -> Hit:
    """The dealer announces the own hand wrongly and corrects it before anything is settled."""
    said = edit.first(ev.HandAnnounced)
    edit.insert(said.at, ev.HandAnnounced, qualifies=not said.event.qualifies)
    plays = said.event.qualifies
    return DEALER, None, ("10.3" if plays else "10.1") if edit.nz else ("(j)(5)" if plays else "(j)(6)(ii)")
