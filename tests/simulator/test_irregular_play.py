"""Irregular scenes of decisions, settlement and jackpots can be filmed: cards and chips go only where they can."""

from __future__ import annotations

import re

import pytest

from engine import events as ev
from engine.cards import Card
from engine.events import DEALER, Area, Pool
from engine.hands import evaluate
from engine.monitor.house import HouseMonitor
from engine.rulebook import load_rulebook
from simulator.director import Script
from simulator.director.irregularities import REGISTRY
from simulator.director.irregularities.jackpot_house import PRIZES, two_tables
from simulator.director.script import Beat

MINE = sorted(
    (name, book)
    for name, one in REGISTRY.items()
    if one.check_id.split(".")[0] in ("decide", "settle", "jackpot")
    for book in one.rulebooks
)


SNAKE = re.compile("(?=[A-Z])")


class Layout:
    """What lies on one table: cards by position, piles by seat and area, hands in the rack."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Begin a round with nothing on the layout."""
        self.hands: dict[int, list[Card]] = {}
        self.piles: dict[tuple[int, Area], int | None] = {}
        self.rack: dict[int, list[Card]] = {}

    def see(self, beat: Beat) -> None:
        """Let an event happen, if it can."""
        handler = getattr(self, f"on{SNAKE.sub('_', type(beat.event).__name__).lower()}", None)
        if handler is not None:
            handler(beat, beat.event)

    def on_round_opened(self, beat: Beat, event: ev.RoundOpened) -> None:
        self.clear()

    def _deliver(self, beat: Beat, event: ev.CardDealt | ev.PacketDealt) -> None:
        out = [card for hand in (*self.hands.values(), *self.rack.values()) for card in hand]
        assert not set(beat.cards) & set(out), f"{event}: a card lies somewhere else"
        self.hands.setdefault(event.seat, []).extend(beat.cards)

    on_card_dealt = on_packet_dealt = _deliver

    def on_card_moved(self, beat: Beat, event: ev.CardMoved) -> None:
        for card in beat.cards:
            self.hands[event.seat].remove(card)
            self.hands[event.to_seat].append(card)

    def on_cards_turned(self, beat: Beat, event: ev.CardsTurned) -> None:
        assert event.cards == beat.cards
        assert set(beat.cards) <= set(self.hands[event.seat]), f"{event}: the card is not in that hand"

    def on_card_flashed(self, beat: Beat, event: ev.CardFlashed) -> None:
        assert set(beat.cards) <= set(self.hands[event.seat])

    def on_cards_collected(self, beat: Beat, event: ev.CardsCollected) -> None:
        assert event.count == len(beat.cards), f"{event}"
        assert not event.cards or event.cards == beat.cards
        hand = self.hands[event.seat]
        for card in beat.cards:
            hand.remove(card)
        self.rack.setdefault(event.seat, []).extend(beat.cards)

    def on_hand_rebuilt(self, beat: Beat, event: ev.HandRebuilt) -> None:
        self.hands[event.seat].extend(self.rack.pop(event.seat))

    def _held(self, beat: Beat, event: ev.HandPickedUp | ev.HandCounted | ev.HandTouched) -> None:
        assert self.hands.get(event.seat), f"{event}: no cards lie there"

    on_hand_picked_up = on_hand_laid_down = on_hand_touched = on_hand_viewed = on_hand_counted = _held

    def on_wager_placed(self, beat: Beat, event: ev.WagerPlaced) -> None:
        assert (event.seat, event.area) not in self.piles, f"{event}: there is a pile"
        self.piles[event.seat, event.area] = event.amount

    def on_wager_changed(self, beat: Beat, event: ev.WagerChanged) -> None:
        assert (event.seat, event.area) in self.piles
        self.piles[event.seat, event.area] = event.amount

    def on_wager_withdrawn(self, beat: Beat, event: ev.WagerWithdrawn) -> None:
        assert (event.seat, event.area) in self.piles, f"{event}: nothing lies there"
        del self.piles[event.seat, event.area]

    def on_wager_taken(self, beat: Beat, event: ev.WagerTaken) -> None:
        left = (self.piles.pop((event.seat, event.area)) or 0) - (event.amount or 0)
        assert left >= 0, f"{event}: more than lay there"

    def on_wager_paid(self, beat: Beat, event: ev.WagerPaid) -> None:
        assert (event.seat, event.area) in self.piles, f"{event}: paid on nothing"
        assert sum(beat.chips) == event.amount
        assert event.chips in (None, beat.chips)


def filmed(script: Script) -> None:
    """Play a script on layouts, table by table."""
    tables: dict[str, Layout] = {}
    last = -1
    for number, beat in enumerate(script.beats, start=1):
        assert beat.event.seq == number
        assert beat.event.at > last, "two things at once"
        last = beat.event.at
        tables.setdefault(beat.event.table, Layout()).see(beat)


@pytest.mark.parametrize(("name", "rulebook"), MINE)
def test_an_irregular_scene_can_be_filmed(name: str, rulebook: str) -> None:
    for seed in range(3):
        filmed(REGISTRY[name].make(rulebook, seed))


@pytest.mark.parametrize(("name", "rulebook"), MINE)
def test_a_scene_is_the_same_for_the_same_seed(name: str, rulebook: str) -> None:
    assert REGISTRY[name].make(rulebook, "again") == REGISTRY[name].make(rulebook, "again")


@pytest.mark.parametrize("rulebook", ["nz", "s10"])
def test_exchanged_cards_are_settled_as_they_then_lie(rulebook: str) -> None:
    for seed in range(6):
        script = REGISTRY["decide.cards_exchanged/one_for_one"].make(rulebook, seed)
        moved = [beat for beat in script.beats if isinstance(beat.event, ev.CardMoved)]
        dealt = script.truth.rounds[0].hands
        for beat, other in (moved, moved[::-1]):
            assert isinstance(beat.event, ev.CardMoved)
            gone, come = beat.cards[0], other.cards[0]
            racked = next(
                one.cards
                for one in script.beats
                if isinstance(one.event, ev.CardsCollected) and one.event.seat == beat.event.seat
            )
            assert set(racked) == set(dealt[beat.event.seat]) - {gone} | {come}


@pytest.mark.parametrize("rulebook", ["nz", "s10"])
@pytest.mark.parametrize(
    ("variant", "paid", "better"),
    [
        ("loser_paid", True, -1),
        ("winner_taken", False, 1),
        ("push_taken", False, 0),
        ("push_paid", True, 0),
    ],
)
def test_a_wrong_outcome_is_wrong_by_the_cards(rulebook: str, variant: str, paid: bool, better: int) -> None:
    for seed in range(4):
        script = REGISTRY[f"settle.wrong_outcome/{variant}"].make(rulebook, seed)
        hands, seat = script.truth.rounds[0].hands, script.expected[0].seat
        assert seat is not None
        mine, theirs = evaluate(hands[seat]), evaluate(hands[DEALER])
        assert (mine > theirs) - (mine < theirs) == better
        kind = ev.WagerPaid if paid else ev.WagerTaken
        done = {one.area for one in script.events if isinstance(one, kind) and one.seat == seat}
        assert {Area.ANTE, Area.BET} <= done


def test_a_player_who_left_takes_nothing_back() -> None:
    for variant in ("paid", "bet_by_friend", "ante_left"):
        for seed in range(6):
            script = REGISTRY[f"decide.absent_player/{variant}"].make("nz", seed)
            left = next(one for one in script.events if isinstance(one, ev.PlayerLeft))
            later = [
                one for one in script.events if one.seq > left.seq and getattr(one, "by", None) == left.seat
            ]
            assert not later


def test_a_part_left_lying_is_whole_chips() -> None:
    for rulebook in ("nz", "s10"):
        for seed in range(6):
            script = REGISTRY["settle.taken_amount/part_left"].make(rulebook, seed)
            seat, area = script.expected[0].seat, script.expected[0].area
            taken = next(
                one
                for one in script.beats
                if isinstance(one.event, ev.WagerTaken) and (one.event.seat, one.event.area) == (seat, area)
            )
            assert seat is not None
            assert area is not None
            assert isinstance(taken.event, ev.WagerTaken)
            pile = script.truth.rounds[0].chips[seat, area]
            assert pile[-len(taken.chips) :] == taken.chips
            assert len(taken.chips) < len(pile)
            assert sum(taken.chips) == taken.event.amount


def test_two_tables_with_one_pool_show_one_meter() -> None:
    for seed in range(10):
        script = two_tables("nz", str(seed), PRIZES)
        shown: dict[Pool, int] = {}
        paid = 0
        for event in script.events:
            if isinstance(event, ev.JackpotPaid):
                paid = event.amount or 0
            elif isinstance(event, ev.JackpotMeterRead):
                assert event.amount >= shown.get(event.pool, 0) - paid
                shown[event.pool], paid = event.amount, 0
        assert len(script.truth.rounds) == 2


def test_jackpots_paid_by_priority_between_tables_are_no_violation() -> None:
    book = load_rulebook("nz")
    for seed in range(10):
        script = two_tables("nz", str(seed), PRIZES)
        filmed(script)
        house = HouseMonitor(book, {one.table: one for one in script.all_settings})
        assert not house.feed_all(script.events)
