"""Cards on their way out: drawn, thrown or carried to a seat; packets; strays; the stub."""

from __future__ import annotations

from math import hypot
from typing import Any, Final

from engine import events as ev
from engine.cards import Card
from engine.events import DEALER
from engine.events import Side as EventSide
from engine.settings import Method
from simulator.choreography.act import Act
from simulator.choreography.board import Board
from simulator.choreography.gestures import leave
from simulator.choreography.places import Spot, card_z
from simulator.choreography.tracks import slide, throw
from simulator.director import Beat
from simulator.scene import CardPose, DeckBlock, Side

LET_GO: Final = 0.42
"""After so much of its way the hand lets a dealt card go, and it slides on alone."""
THROW_BASE, THROW_PER_MM = 170.0, 0.62
"""How long a dealt card is under way (ms): a part for the grip and a part by distance."""
CARDS_CLEAR: Final = 190.0
"""So far (mm) a packet of cards must have gone before its seat is seen to be empty."""
PILE_SLOT, UP_SLOT = 1, 3


def dealer_slot(board: Board, shown: bool) -> tuple[int, int]:
    """The slot and level at which a card of the dealer comes to lie: hole cards in a pile, the up-card apart."""
    if shown and all(board.slots.get(name) != UP_SLOT for name in board.hands.get(DEALER, [])):
        return UP_SLOT, 0
    level = sum(board.slots.get(name) == PILE_SLOT for name in board.hands.get(DEALER, []))
    return PILE_SLOT, level


def _target(board: Board, seat: int, shown: bool, name: str) -> Spot:
    """Where a single card comes to lie."""
    if seat == DEALER:
        slot, level = dealer_slot(board, shown)
        board.slots[name] = slot
        return board.places.dealer_pile(level, slot, board.rng)
    return board.places.dealt(seat, len(board.hands.get(seat, [])), board.rng)


def _sides(board: Board, hand: EventSide | None) -> tuple[Side, Side]:
    """The hand that places cards and the one that holds or draws them."""
    if hand is EventSide.LEFT or (hand is None and board.deck_hand == "right"):
        return "left", "right"
    return "right", "left"


def draw(board: Board, act: Act, name: str, label: str | None, deck: int, drawing: str, up: bool) -> Spot:
    """Let a card come out of the shoe (or off the deck in hand) to where the other hand takes it."""
    flip = 180.0 if up else 0.0
    if board.settings.method is Method.HAND and board.block is not None and act.has(board.block):
        pose = act.block(board.block)
        top = Spot(pose.x, pose.y, pose.yaw, pose.z + 0.3 * pose.cards)
        act.appear(CardPose(name, label, top.x, top.y, top.z, top.yaw, flip, deck=deck), 60.0)
        out = Spot(pose.x + (26.0 if pose.x < 0 else -26.0), pose.y + 24.0, pose.yaw, top.z + 4.0)
        act.set(board.block, 60.0, cards=max(1, pose.cards - 1))
        act.move(name, 60.0, 170.0, x=out.x, y=out.y, z=out.z)
        return out
    inside, mouth, take = (
        board.places.shoe_mouth(-30.0),
        board.places.shoe_mouth(50.0),
        board.places.handover(),
    )
    t = act.reach(drawing, mouth.x, mouth.y, 22.0, "flat", lift=6.0)
    act.appear(
        CardPose(name, label, inside.x, inside.y, 5.0, inside.yaw, flip, deck=deck), max(0.0, t - 130.0)
    )
    act.move(name, max(0.0, t - 130.0), t, x=mouth.x, y=mouth.y, z=card_z(0) + 1.0)
    to = {"x": take.x, "y": take.y, "yaw": take.yaw, "z": card_z(0)}
    act.carry(
        drawing, {name: to}, {"x": take.x - 22.0, "y": take.y - 14.0, "z": 7.0}, after=t, lift=0.0, quick=0.7
    )
    act.reach(drawing, mouth.x, mouth.y, 22.0, "flat", quick=0.7, lift=8.0)
    return take


def toss(
    act: Act, hand: str, name: str, start: Spot, goal: Spot, after: float, rise: float, **changes: Any
) -> float:
    """Throw a card flat over the cloth: the hand speeds it up and lets it go; returns when it lies.

    Hand and card go together until the hand lets go; speeds match there, so that nothing jerks. It flies about
    `rise` mm high, over the chips on its way.
    """
    gone = hypot(goal.x - start.x, goal.y - start.y)
    total = act.pace * (THROW_BASE + THROW_PER_MM * gone)
    share = LET_GO if gone > 150.0 else 0.75
    x, y = start.x + (goal.x - start.x) * share, start.y + (goal.y - start.y) * share
    middle = {
        "x": x,
        "y": y,
        "z": goal.z + rise * 0.6,
        "yaw": start.yaw + _short(goal.yaw - start.yaw) * share,
    }
    t1 = after + total * share
    act.move(name, after, t1, ease=throw, **middle, **changes)
    act.move(hand, after, t1, ease=throw, x=x, y=y, z=9.0 + rise * 0.6, grip="pinch")
    follow = 28.0 / max(gone, 1.0)
    act.move(
        hand,
        t1,
        t1 + 90.0,
        ease=slide,
        x=x + (goal.x - start.x) * follow,
        y=y + (goal.y - start.y) * follow,
        z=26.0 + rise * 0.6,
    )
    t2 = t1 + total * (1 - share)
    return act.move(
        name,
        t1,
        t2,
        lift=rise * 0.6,
        ease=slide,
        x=goal.x,
        y=goal.y,
        z=goal.z,
        yaw=middle["yaw"] + _short(goal.yaw - middle["yaw"]),
    )


def _short(turn: float) -> float:
    """The same turn the short way round (degrees)."""
    return (turn + 180.0) % 360.0 - 180.0


def card_dealt(board: Board, beat: Beat) -> Act:
    """Draw one card and throw it to its seat."""
    event = beat.event
    assert isinstance(event, ev.CardDealt)
    act = board.act(DEALER)
    placing, drawing = _sides(board, event.hand)
    hand = board.hand(act, DEALER, placing)
    label = _label(beat.cards, event.card)
    name, start = _next_card(
        board, act, label, board.deck_index(event.back), board.hand(act, DEALER, drawing)
    )
    goal = _target(board, event.seat, event.face_up, name)
    ready = act.reach(hand, start.x, start.y + 4.0, start.z + 7.0, "pinch", lift=14.0, quick=0.75)
    begin = max(ready, act.free_in(name)) + 20.0
    flip = 180.0 if event.face_up else 0.0
    if event.face_up:
        begin = act.carry(
            hand,
            {name: {"x": start.x + 40.0, "y": start.y + 50.0, "z": 8.0, "flip": flip}},
            {"x": start.x + 40.0, "y": start.y + 50.0, "z": 14.0},
            after=begin,
            lift=34.0,
        )
        start = Spot(start.x + 40.0, start.y + 50.0, start.yaw, 8.0)
    act.done = toss(act, hand, name, start, goal, begin, board.over(event.seat, 8.0), flip=flip)
    board.hands.setdefault(event.seat, []).append(name)
    board.in_device = max(0, board.in_device - 1)
    return act


def _label(cards: tuple[Card, ...], told: Card) -> str | None:
    """The face of a card: what the script hides, or what the event tells."""
    for card in (*cards, told):
        if str(card) != "??":
            return str(card)
    return None


def _next_card(board: Board, act: Act, label: str | None, deck: int, drawing: str) -> tuple[str, Spot]:
    """The card that is dealt next: one that was drawn before its time, or a fresh one."""
    if board.spare is not None and act.has(board.spare):
        name, board.spare = board.spare, None
        pose = act.card(name)
        if pose.label is None or pose.label == label:
            act.set(name, 0.0, label=label)
            return name, Spot(pose.x, pose.y, pose.yaw, pose.z)
        board.spare = name
    name = board.new("card")
    return name, draw(board, act, name, label, deck, drawing, up=False)


def packet_dealt(board: Board, beat: Beat) -> Act:
    """Carry a packet from the shuffler to its seat."""
    event = beat.event
    assert isinstance(event, ev.PacketDealt)
    act = board.act(DEALER)
    hand = board.hand(act, DEALER, "right")
    count = max(len(beat.cards), event.count or 0)
    labels = [str(card) if str(card) != "??" else None for card in beat.cards] + [None] * (
        count - len(beat.cards)
    )
    mouth, inside = board.places.shoe_mouth(46.0), board.places.shoe_mouth(-40.0)
    names = [board.new("card") for _ in range(count)]
    deck = board.deck_index(event.back)
    for level, (name, label) in enumerate(zip(names, labels, strict=True)):
        act.appear(CardPose(name, label, inside.x, inside.y, card_z(level) + 4.0, inside.yaw, deck=deck), 0.0)
        act.move(name, 0.0, 260.0, x=mouth.x, y=mouth.y, z=card_z(level) + 4.0)
    t = max(260.0, act.reach(hand, mouth.x, mouth.y, 10.0, "pinch")) + 60.0
    spots = _packet_spots(board, event.seat, count)
    for name in names:
        if event.seat == DEALER:
            board.slots[name] = PILE_SLOT
    things = {
        name: {"x": spot.x, "y": spot.y, "z": spot.z, "yaw": inside.yaw + _short(spot.yaw - inside.yaw)}
        for name, spot in zip(names, spots, strict=True)
    }
    goal = spots[0] if spots else mouth
    t = act.carry(
        hand,
        things,
        {"x": goal.x, "y": goal.y, "z": 8.0, "grip": "pinch"},
        after=t,
        lift=board.over(event.seat, 14.0),
    )
    act.done = leave(board, act, hand, t + 40.0)
    board.hands.setdefault(event.seat, []).extend(names)
    board.in_device = max(0, board.in_device - count)
    return act


def _packet_spots(board: Board, seat: int, count: int) -> list[Spot]:
    """Where the cards of a packet come to lie: square on each other, the packet as a whole a little askew."""
    turn, below = board.rng.gauss(0, 3.0), len(board.hands.get(seat, []))
    return [board.places.packet(seat, below + level, board.rng, turn) for level in range(count)]


def misdrawn(board: Board, beat: Beat) -> Act:
    """Draw a card that nobody is due, and keep it face down."""
    return _stray(board, None, up=False)


def found_face_up(board: Board, beat: Beat) -> Act:
    """Draw a card that comes out face up."""
    event = beat.event
    assert isinstance(event, ev.CardFoundFaceUp)
    return _stray(board, _label(beat.cards, event.card), up=True)


def _stray(board: Board, label: str | None, up: bool) -> Act:
    act = board.act(DEALER)
    placing, drawing = _sides(board, None)
    hand = board.hand(act, DEALER, placing)
    name = board.new("card")
    take = draw(board, act, name, label, 0, board.hand(act, DEALER, drawing), up)
    t = max(act.reach(hand, take.x, take.y, take.z + 7.0, "pinch"), act.free_in(name))
    aside = Spot(-300.0, 262.0, -6.0, card_z(0))
    to = {"x": aside.x, "y": aside.y, "z": aside.z, "yaw": aside.yaw}
    t = act.carry(hand, {name: to}, {"x": aside.x, "y": aside.y, "z": 8.0}, after=t, lift=4.0)
    act.done = leave(board, act, hand, t + 40.0)
    board.spare = name
    board.in_device = max(0, board.in_device - 1)
    return act


def discarded(board: Board, beat: Beat) -> Act:
    """Put a single card that belongs to no hand into the rack."""
    event = beat.event
    assert isinstance(event, ev.CardDiscarded)
    act = board.act(DEALER)
    hand = board.hand(act, DEALER, "right")
    if board.spare is not None and act.has(board.spare):
        name, board.spare = board.spare, None
        pose = act.card(name)
        start = Spot(pose.x, pose.y, pose.yaw, pose.z)
    else:
        name = board.new("card")
        drawing = board.hand(act, DEALER, "left")
        deck = board.deck_index(event.back)
        start = draw(board, act, name, _label(beat.cards, event.card), deck, drawing, up=False)
    t = max(act.reach(hand, start.x, start.y, start.z + 7.0, "pinch"), act.free_in(name)) + 40.0
    act.done = into_rack(board, act, hand, [name], t)
    return act


def into_rack(board: Board, act: Act, hand: str, names: list[str], t: float, lift: float = 46.0) -> float:
    """Carry cards to the rack, face down, and let them go in; returns when their place can be seen again."""
    now = act.hand(hand)
    x0, y0 = now.x, now.y
    rack = board.places.rack(board.fixtures().rack_cards)
    things = {
        name: {
            "x": rack.x, "y": rack.y, "z": rack.z + 0.3 * number, "flip": 0.0, "tilt": 0.0, "curl": 0.0, "roll": 0.0,
            "yaw": act.card(name).yaw + _short(rack.yaw - act.card(name).yaw),
        }
        for number, name in enumerate(names)
    }  # fmt: skip
    end = act.carry(
        hand, things, {"x": rack.x, "y": rack.y, "z": rack.z + 12.0, "grip": "hold"}, after=t, lift=lift
    )
    cleared = act.clear_of(hand, t, end, x0, y0, CARDS_CLEAR)
    for name in names:
        act.vanish(name, end)
    count = len(names)
    act.fixtures(end, lambda fixed: {"rack_cards": fixed.rack_cards + count})
    act.reach(hand, rack.x - 120.0, rack.y + 40.0, 40.0, "rest", after=end + 40.0)
    return cleared


def stub_placed(board: Board, beat: Beat) -> Act:
    """Take the stub out of the shoe (or the hand) and put it into the rack, or leave it on the cloth."""
    event = beat.event
    assert isinstance(event, ev.StubPlaced)
    act = board.act(DEALER)
    count = max(1, board.in_device or len(beat.cards))
    side: Side = board.deck_hand or "left"
    hand = board.hand(act, DEALER, side)
    name, t = take_deck(board, act, hand, count)
    face = str(beat.cards[-1]) if event.exposed and beat.cards else None
    if event.in_rack:
        rack = board.places.rack(board.fixtures().rack_cards)
        goal = Spot(rack.x, rack.y, 0.0, rack.z)
    else:
        goal = Spot(*board.places.deck(), 0.0, 0.0)
    if face is not None:
        act.set(name, t, top=face)
    x0, y0 = act.block(name).x, act.block(name).y
    to = {"x": goal.x, "y": goal.y, "z": goal.z, "yaw": goal.yaw}
    end = act.carry(
        hand, {name: to}, {"x": goal.x, "y": goal.y, "z": goal.z + 18.0, "grip": "hold"}, after=t, lift=40.0
    )
    if event.in_rack:
        act.vanish(name, end)
        act.fixtures(end, lambda fixed: {"rack_cards": fixed.rack_cards + count})
        board.block = None
        act.done = end
        leave(board, act, hand, end + 60.0)
    else:
        board.block = name
        act.done = max(leave(board, act, hand, end + 60.0), act.clear_of(name, t, end, x0, y0))
    board.in_device, board.deck_hand = 0, None
    return act


def take_deck(board: Board, act: Act, hand: str, count: int) -> tuple[str, float]:
    """Take what is left of the deck: off the cloth, out of the hand, or out of the shoe; returns id and time."""
    if board.block is not None and act.has(board.block):
        pose = act.block(board.block)
        t = act.reach(hand, pose.x, pose.y, pose.z + 0.3 * pose.cards + 4.0, "hold")
        return board.block, t + 60.0
    mouth, inside = board.places.shoe_mouth(58.0), board.places.shoe_mouth(-60.0)
    name = board.new("block")
    t = act.reach(hand, inside.x, inside.y, 40.0, "hold")
    act.appear(DeckBlock(name, count, inside.x, inside.y, 6.0, inside.yaw), t)
    to = {"x": mouth.x, "y": mouth.y, "z": 6.0}
    t = act.carry(hand, {name: to}, {"x": mouth.x, "y": mouth.y, "z": 22.0}, after=t, lift=4.0)
    return name, t
