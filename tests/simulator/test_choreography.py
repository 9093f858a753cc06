"""The choreography against what a camera would see: nothing jumps, nothing is lost, and events show when they say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from math import hypot
from typing import Any

import pytest

from calibration.layout import standard_layout
from engine import events as ev
from engine.events import DEALER, Area
from engine.monitor import Monitor
from engine.rulebook import load_rulebook
from engine.settings import Method
from simulator.choreography import MOTIONS, Performance, choreograph
from simulator.director import Script, Want, legal
from simulator.director.witness import zone_of
from simulator.film import LONGEST_WAIT
from simulator.scenarios import catalogue, scenario_names, script_of
from simulator.scene import CardPose, ChipStack, Scene

LAYOUT = standard_layout()
FASTEST = 6.0
"""No card, chip or hand goes faster (mm per ms, so metres per second)."""
NEAR = 150.0
"""A thing comes into view or goes out of it only so near (mm) to a hand."""
SCENES: dict[str, tuple[str, int, Want]] = {
    "nz-shoe": ("nz", 1, Want(method=Method.SHOE, seats_at_least=3, seats_at_most=3)),
    "nz-packets": ("nz", 2, Want(method=Method.PACKETS, seats_at_least=4, seats_at_most=4)),
    "s10-shoe": ("s10", 3, Want(method=Method.SHOE, seats_at_least=2, seats_at_most=2)),
    "s10-hand": ("s10", 4, Want(method=Method.HAND, seats_at_least=3, seats_at_most=3)),
    "s10-packets": ("s10", 5, Want(method=Method.PACKETS, seats_at_least=3, seats_at_most=3)),
    "nz-jackpot": ("nz", 6, Want(hands=("flush",), all_jackpot=True, seats_at_most=2)),
    "nz-folds": ("nz", 7, Want(folds=2, seats_at_least=3, seats_at_most=3)),
}
UNSEEN_KINDS = {ev.CardIdentified, ev.TableOpened, ev.TableClosed}


@lru_cache(maxsize=16)
def performed(name: str) -> Performance:
    book, seed, want = SCENES[name]
    return choreograph(legal(book, seed, want), LAYOUT, seed)


@lru_cache(maxsize=4)
def scenes(name: str) -> tuple[Scene, ...]:
    film = performed(name)
    return tuple(film.timeline.scene_at(film.time_of(frame)) for frame in range(film.frames))


def scene_at(name: str, at: float) -> Scene:
    return performed(name).timeline.scene_at(at)


@pytest.mark.parametrize("name", SCENES)
def test_same_script_and_seed_give_the_same_motion(name: str) -> None:
    book, seed, want = SCENES[name]
    again = choreograph(legal(book, seed, want), LAYOUT, seed)
    first = performed(name)
    assert again.script.events == first.script.events
    assert again.timeline.scene_at(20_000) == first.timeline.scene_at(20_000)


def test_every_kind_of_event_that_a_camera_gives_has_a_motion() -> None:
    sample: dict[str, Any] = {"seq": 1, "at": 0, "table": "t"}
    fill: dict[str, Any] = {
        "seat": 1,
        "area": Area.ANTE,
        "deck": "A",
        "cards": (),
        "to_seat": 2,
        "off_table": True,
        "card": None,
    }
    for kind in ev.EVENT_TYPES.values():
        fields = {name: value for name, value in fill.items() if name in kind.__dataclass_fields__}
        extra = {"by": ev.Role.DEALER, "hand": ev.Side.LEFT, "device": ev.Device.SHOE}
        fields |= {name: value for name, value in extra.items() if name in kind.__dataclass_fields__}
        try:
            event = kind(**sample, **fields)
        except TypeError:
            continue
        if zone_of(event) is not None and kind not in UNSEEN_KINDS:
            assert kind in MOTIONS, kind.__name__


@pytest.mark.parametrize("name", SCENES)
def test_every_event_that_a_camera_sees_is_acted(name: str) -> None:
    film = performed(name)
    for event in film.script.events:
        by_cage = isinstance(event, ev.JackpotPaid) and event.by_cage
        if zone_of(event) is not None and not by_cage:
            assert event.seq in film.acted, event


@pytest.mark.parametrize("name", SCENES)
def test_order_stays_and_times_grow_and_fall_on_frames(name: str) -> None:
    film = performed(name)
    book, seed, want = SCENES[name]
    assert [type(e) for e in film.script.events] == [type(e) for e in legal(book, seed, want).events]
    times = [event.at for event in film.script.events]
    assert all(a < b for a, b in pairwise(times))
    for event in film.script.events:
        if event.seq in film.acted:
            assert event.at % 40 <= 1, event


@pytest.mark.parametrize("name", SCENES)
def test_retiming_changes_no_verdict(name: str) -> None:
    script: Script = performed(name).script
    monitor = Monitor(load_rulebook(script.rulebook), script.settings)
    assert [v for v in monitor.feed_all(script.events) if str(v.ruling) == "violation"] == []


def _verdicts(script: Script) -> Counter[tuple[str, int | None, str]]:
    monitor = Monitor(load_rulebook(script.rulebook), script.settings)
    given = monitor.feed_all(script.events)
    return Counter((v.check, v.seat, str(v.ruling)) for v in given if str(v.ruling) != "cannot tell")


@pytest.mark.parametrize("name", scenario_names(visible_only=True)[1::6])
def test_irregular_scenes_are_acted_and_keep_their_verdicts(name: str) -> None:
    book = catalogue()[name].rulebooks[-1]
    script = script_of(name, book, 1)
    if any(b.at - a.at > LONGEST_WAIT for a, b in pairwise(script.events)):
        pytest.skip("hours pass in it: it is never filmed")
    film = choreograph(script, LAYOUT, 1)
    assert _verdicts(film.script) == _verdicts(script)


@pytest.mark.parametrize("name", SCENES)
def test_nothing_jumps(name: str) -> None:
    step = 1000.0 / performed(name).fps
    last: dict[str, Any] = {}
    for number, scene in enumerate(scenes(name)):
        now = {one.id: one for one in scene.objects()}
        hands = [*scene.hands, *(one for one in last.values() if one.id.startswith("hand:"))]
        for key, one in now.items():
            if key in last:
                gone = hypot(one.x - last[key].x, one.y - last[key].y)
                assert gone <= FASTEST * step, f"{key} goes {gone:.0f} mm before frame {number}"
            elif number and not key.startswith("hand:"):
                _near_a_hand(one, hands, number)
        for key, one in last.items():
            if key not in now and not key.startswith("hand:") and getattr(one, "z", 0.0) > -1.0:
                _near_a_hand(one, hands, number)
        last = now


def _near_a_hand(one: Any, hands: list[Any], number: int) -> None:
    if one.id.startswith("stash:") and one.z > 0:
        return  # pushed over the rail together, by one hand
    far = min(hypot(one.x - hand.x, one.y - hand.y) for hand in hands)
    at_shoe = hypot(one.x - LAYOUT.shoe.centre[0], one.y - LAYOUT.shoe.centre[1]) < 150.0
    assert far <= NEAR or at_shoe, f"{one.id} comes or goes {far:.0f} mm from a hand, frame {number}"


@pytest.mark.parametrize("name", SCENES)
def test_cards_are_conserved(name: str) -> None:
    film = performed(name)
    drawn: Counter[int] = Counter()
    for beat in film.script.beats:
        if isinstance(beat.event, ev.CardDealt | ev.PacketDealt):
            drawn[beat.event.at] += len(beat.cards)
    cleared = max(e.at for e in film.script.events if isinstance(e, ev.CardsCollected))
    for scene in scenes(name):
        labels = [(card.label, card.deck) for card in scene.cards if card.label is not None]
        assert len(labels) == len(set(labels))
    before = scene_at(name, min(drawn) - 2_000)
    at_end = scene_at(name, film.timeline.duration - 1)
    assert not [card for card in scene_at(name, cleared + 2_000).cards if card.label is not None]
    stub = any(isinstance(e, ev.StubPlaced) for e in film.script.events)
    racked = at_end.fixtures.rack_cards - before.fixtures.rack_cards
    assert racked == (52 if stub else sum(drawn.values()))


def _hand_far(scene: Scene, x: float, y: float) -> bool:
    return all(hypot(hand.x - x, hand.y - y) > 60.0 for hand in scene.hands)


def _stack_in(scene: Scene, seat: int, area: Area) -> list[ChipStack]:
    place = getattr(LAYOUT.seat(seat), str(area))
    return [
        s
        for s in scene.stacks
        if s.z >= 0 and place.contains(s.x, s.y, 14.0) and not s.id.startswith("stash")
    ]


def _cards_at(scene: Scene, seat: int) -> list[CardPose]:
    if seat == DEALER:
        return [card for card in scene.cards if LAYOUT.dealer.contains(card.x, card.y, 8.0) and card.z < 20]
    place = LAYOUT.seat(seat)
    near = [card for card in scene.cards if card.z < 20]
    return [c for c in near if place.cards.contains(c.x, c.y, 8.0) or place.bet.contains(c.x, c.y, 30.0)]


def _value(scene: Scene, event: Any) -> int:
    return sum(sum(stack.chips) for stack in _stack_in(scene, event.seat, event.area))


PROOFS: dict[type[ev.Event], Callable[[Scene, Any], bool]] = {
    ev.WagerPlaced: lambda s, e: e.tender != "chips" or _value(s, e) == e.amount,
    ev.WagerChanged: lambda s, e: _value(s, e) == e.amount,
    ev.WagerWithdrawn: lambda s, e: not _stack_in(s, e.seat, e.area),
    ev.WagerTaken: lambda s, e: not _stack_in(s, e.seat, e.area),
    ev.CardsCollected: lambda s, e: not _cards_at(s, e.seat),
    ev.HandPickedUp: lambda s, e: not _cards_at(s, e.seat),
    ev.HandLaidDown: lambda s, e: len(_cards_at(s, e.seat)) == e.count,
    ev.PacketDealt: lambda s, e: len(_cards_at(s, e.seat)) == e.count,
}
"""What a picture shows from the moment of an event on, and did not show a second before."""


@pytest.mark.parametrize("name", SCENES)
def test_events_show_on_their_frame_and_not_before(name: str) -> None:
    film, seen = performed(name), 0
    for event in film.script.events:
        proof = PROOFS.get(type(event))
        if proof is None or event.seq not in film.acted or getattr(event, "tender", "chips") != "chips":
            continue
        seen += 1
        assert proof(scene_at(name, event.at), event), f"not seen at {event}"
        assert not proof(scene_at(name, event.at - 900), event), f"seen long before {event}"
    assert seen > 3


@pytest.mark.parametrize("name", ["nz-shoe", "s10-shoe", "s10-hand"])
def test_each_dealt_card_lies_still_at_its_time(name: str) -> None:
    film = performed(name)
    count: Counter[int] = Counter()
    for event in film.script.events:
        if isinstance(event, ev.CardDealt):
            count[event.seat] += 1
            assert len(_cards_at(scene_at(name, event.at), event.seat)) == count[event.seat]
            assert len(_cards_at(scene_at(name, event.at - 240), event.seat)) <= count[event.seat]


@pytest.mark.parametrize("name", SCENES)
def test_turned_cards_show_their_faces_uncovered(name: str) -> None:
    film = performed(name)
    for event in film.script.events:
        if isinstance(event, ev.CardsTurned) and event.face_up:
            scene = scene_at(name, event.at)
            up = {card.label: card for card in scene.cards if card.flip == 180.0}
            for card in event.cards:
                assert str(card) in up, event
            if len(event.cards) > 1:
                middle = up[str(event.cards[0])]
                assert _hand_far(scene, middle.x, middle.y)


def test_a_coupon_is_not_a_chip_of_its_worth_among_the_players_own() -> None:
    script = script_of("deal.no_ante/one_card", "s10", 0)
    paper = [
        beat.event
        for beat in script.beats
        if isinstance(beat.event, ev.WagerPlaced) and beat.event.tender is not ev.Tender.CHIPS
    ]
    assert paper
    film = choreograph(script, LAYOUT, 1)
    for event in film.script.events:
        for stack in film.timeline.scene_at(float(event.at)).stacks:
            assert set(stack.chips) <= set(script.settings.chip_values), stack
