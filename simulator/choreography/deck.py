"""Whole decks in motion: brought, spread in ribbons, counted, loaded, held, taken away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine import events as ev
from engine.cards import DECK
from engine.events import DEALER, Device
from simulator.choreography.act import Act
from simulator.choreography.board import Board
from simulator.choreography.gestures import leave
from simulator.choreography.places import Spot, card_z
from simulator.choreography.tracks import share_of_time
from simulator.director import Beat
from simulator.scene import CardPose, DeckBlock, Side

OFF_TABLE: Final = (-120.0, -190.0)
ROW, CLOSE_ROW = 13, 26
"""Cards in a ribbon: of the opening spread, and of a count while wagers lie on the layout."""
HELD_AT: Final[dict[Side, tuple[float, float]]] = {"left": (-95.0, 62.0), "right": (95.0, 62.0)}


def on_cloth(board: Board, act: Act, hand: str) -> tuple[str, float]:
    """Have the deck lie as a block before the dealer: from the rack, the machine, or off the table."""
    if board.loose:
        return gather(board, act, hand)
    if board.block is not None and act.has(board.block):
        pose = act.block(board.block)
        return board.block, act.reach(hand, pose.x, pose.y, pose.z + 0.3 * pose.cards + 4.0, "hold")
    x, y = board.places.deck()
    name = board.new("block")
    racked = board.fixtures().rack_cards
    if racked:
        rack = board.places.rack(racked)
        t = act.reach(hand, rack.x, rack.y, rack.z + 8.0, "hold") + 100.0
        act.appear(DeckBlock(name, racked, rack.x, rack.y, 8.0, 0.0, board.deck_now), t)
        act.fixtures(t, lambda fixed: {"rack_cards": 0})
    elif board.in_device:
        inside = board.places.shoe_mouth(-60.0)
        t = act.reach(hand, inside.x, inside.y, 40.0, "hold") + 80.0
        act.appear(DeckBlock(name, board.in_device, inside.x, inside.y, 8.0, inside.yaw, board.deck_now), t)
        board.in_device = 0
    else:
        t = act.reach(hand, *OFF_TABLE, 20.0, "hold") + 80.0
        act.appear(DeckBlock(name, 52, *OFF_TABLE, 8.0, 0.0, board.deck_now), t)
    t = act.carry(
        hand, {name: {"x": x, "y": y, "z": 0.0, "yaw": 0.0}}, {"x": x, "y": y, "z": 22.0}, after=t, lift=30.0
    )
    board.block = name
    return name, t


def both_hands(board: Board) -> tuple[Act, str, str]:
    """An action of both of the dealer's hands."""
    act = board.act(DEALER)
    return act, board.hand(act, DEALER, "right"), board.hand(act, DEALER, "left")


def ribbons(
    board: Board, act: Act, hand: str, block: str, labels: Sequence[str | None], up: bool, width: int = ROW
) -> float:
    """Spread a block into rows: the hand draws it along, and leaves the cards behind."""
    t = act.free_in(hand)
    deck, count = act.block(block).deck, len(labels)
    board.ribbon = width
    for first in range(0, count, width):
        row = labels[first : first + width]
        spots = [board.places.spread52(first // width, column, width) for column in range(len(row))]
        z = 4.0 + 0.3 * (count - first)
        start, end = spots[0], spots[-1]
        t = act.carry(
            hand, {block: {"x": start.x, "y": start.y, "yaw": start.yaw, "z": 4.0}},
            {"x": start.x, "y": start.y, "z": z + 6.0}, after=t, lift=8.0,
        )  # fmt: skip
        t1 = t + act.pace * 62.0 * max(2, len(row))
        for column, (spot, label) in enumerate(zip(spots, row, strict=True)):
            name = board.new("card")
            when = t + (t1 - t) * share_of_time(column / max(1, len(row) - 1)) if column else t
            pose = CardPose(name, label, spot.x, spot.y, spot.z, spot.yaw, 180.0 if up else 0.0, deck=deck)
            act.appear(pose, when)
            board.loose.append(name)
        act.move(hand, t, t1, x=end.x, y=end.y, z=z, grip="flat")
        act.move(block, t, t1, x=end.x, y=end.y, yaw=end.yaw)
        left = count - first - len(row)
        if left:
            act.set(block, t1, cards=left)
        else:
            act.vanish(block, t1)
        t = t1
    board.block = None
    return t


def gather(board: Board, act: Act, hand: str) -> tuple[str, float]:
    """Sweep loose cards together into a block, row by row; returns its id and when it lies squared."""
    cards = [name for name in board.loose if act.has(name)]
    board.loose = []
    block = board.new("block")
    got, t = 0, 0.0
    for first in range(0, len(cards), board.ribbon):
        row = cards[first : first + board.ribbon]
        start, end = act.card(row[0]), act.card(row[-1])
        if got:
            to = {"x": start.x, "y": start.y, "yaw": start.yaw}
            t = act.carry(hand, {block: to}, {"x": start.x, "y": start.y, "z": 14.0}, after=t, lift=6.0)
        else:
            t = act.reach(hand, start.x, start.y, 10.0, "flat", after=t)
            act.appear(DeckBlock(block, 1, start.x, start.y, 0.0, start.yaw, start.deck), t)
        t1 = t + act.pace * 45.0 * max(3, len(row))
        for column, name in enumerate(row):
            act.vanish(name, t + (t1 - t) * share_of_time(column / max(1, len(row) - 1)) if column else t)
        act.move(hand, t, t1, x=end.x, y=end.y, z=14.0, grip="flat")
        act.move(block, t, t1, x=end.x, y=end.y, yaw=end.yaw)
        got += len(row)
        act.set(block, t1, cards=got)
        t = t1
    x, y = board.places.deck()
    t = act.carry(hand, {block: {"x": x, "y": y, "z": 0.0, "yaw": 0.0}}, {"x": x, "y": y, "z": 20.0}, after=t)
    board.block = block
    return block, t


def brought(board: Board, beat: Beat) -> Act:
    """Bring a new deck to the table."""
    act, hand, _ = both_hands(board)
    if board.block is None and not board.loose:
        board.in_device = 0
        act.fixtures(0.0, lambda fixed: {"rack_cards": 0})
        name = board.new("block")
        t = act.reach(hand, *OFF_TABLE, 20.0, "hold") + 60.0
        act.appear(DeckBlock(name, 52, *OFF_TABLE, 8.0, 0.0, board.deck_now), t)
        x, y = board.places.deck()
        t = act.carry(
            hand, {name: {"x": x, "y": y, "z": 0.0}}, {"x": x, "y": y, "z": 22.0}, after=t, lift=30.0
        )
        board.block = name
    else:
        _, t = on_cloth(board, act, hand)
    act.done = leave(board, act, hand, t + 60.0)
    return act


def inspected(board: Board, beat: Beat) -> Act:
    """Take a deck up and go through it."""
    act, hand, other = both_hands(board)
    name, t = on_cloth(board, act, hand)
    pose = act.block(name)
    act.reach(other, pose.x - 60.0, pose.y, 40.0, "pinch", after=max(0.0, t - 300.0))
    for z, skew in ((60.0, 18.0), (56.0, -14.0), (60.0, 16.0)):
        t = act.carry(hand, {name: {"z": z, "skew": skew}}, {"z": z + 22.0}, after=t, lift=0.0, quick=2.0)
    t = act.carry(hand, {name: {"z": 0.0, "skew": 0.0}}, {"z": 20.0}, after=t, lift=0.0, quick=1.5)
    leave(board, act, other, t)
    act.done = leave(board, act, hand, t + 50.0)
    return act


def deck_spread(board: Board, beat: Beat) -> Act:
    """Spread the whole deck in ribbons, face up or down."""
    event = beat.event
    assert isinstance(event, ev.DeckSpread)
    act, hand, _ = both_hands(board)
    block, _ = on_cloth(board, act, hand)
    cards = beat.cards or event.cards or DECK
    labels = [str(card) if str(card) != "??" else None for card in cards]
    act.set(block, act.free_in(hand), cards=len(labels))
    t = ribbons(board, act, hand, block, labels, event.face_up)
    act.done = leave(board, act, hand, t + 80.0)
    return act


def loaded(board: Board, beat: Beat) -> Act:
    """Put the deck into the shoe or the machine, or take it in hand."""
    event = beat.event
    assert isinstance(event, ev.DeckLoaded)
    act, hand, other = both_hands(board)
    block, t = on_cloth(board, act, hand)
    count = act.block(block).cards
    if event.device is Device.HAND:
        t = _into_hand(board, act, hand, other, block, "left", t, over_tray=True)
        act.done = t
        return act
    shoe = board.places.shoe_mouth(-70.0)
    to = {"x": shoe.x, "y": shoe.y, "z": 30.0, "yaw": shoe.yaw}
    t = act.carry(
        hand, {block: to}, {"x": shoe.x, "y": shoe.y, "z": 60.0, "grip": "hold"}, after=t + 60.0, lift=70.0
    )
    act.vanish(block, t)
    board.block, board.in_device = None, count
    act.done = leave(board, act, hand, t + 60.0)
    return act


def _into_hand(
    board: Board, act: Act, hand: str, other: str, block: str, side: Side, t: float, over_tray: bool
) -> float:
    """Put the deck into one hand, over the tray or (wrongly) out over the cloth."""
    holding = hand if hand.endswith(side) else other
    x, y = HELD_AT[side]
    if not over_tray:
        y += 190.0
    pose = act.block(block)
    t = max(t, act.reach(holding, pose.x, pose.y, pose.z + 10.0, "hold"))
    to = {"x": x, "y": y, "z": 58.0, "yaw": 14.0 if side == "left" else -14.0}
    t = act.carry(holding, {block: to}, {"x": x, "y": y, "z": 50.0, "grip": "hold"}, after=t, lift=12.0)
    board.deck_hand, board.in_device = side, pose.cards
    return t


def held(board: Board, beat: Beat) -> Act:
    """Take the deck in one hand."""
    event = beat.event
    assert isinstance(event, ev.DeckHeld)
    act, hand, other = both_hands(board)
    if board.block is None or not act.has(board.block):
        board.block, t = on_cloth(board, act, hand)
    else:
        t = 0.0
    side: Side = "left" if str(event.hand) == "left" else "right"
    act.done = _into_hand(board, act, hand, other, board.block, side, t, event.over_tray is not False)
    freed = other if hand.endswith(side) else hand
    if freed in act.hands:
        leave(board, act, freed, act.free_in(freed))
    return act


def removed(board: Board, beat: Beat) -> Act:
    """Take the deck off the table for good."""
    act, hand, _ = both_hands(board)
    block, t = on_cloth(board, act, hand)
    to = {"x": OFF_TABLE[0], "y": OFF_TABLE[1], "z": 10.0}
    t = act.carry(hand, {block: to}, {**to, "z": 30.0, "grip": "hold"}, after=t, lift=40.0)
    act.vanish(block, t)
    board.block = None
    act.done = t
    return act


def stub_counted(board: Board, beat: Beat) -> Act:
    """Spread the stub face down in ribbons, go over it with a finger, and gather it again."""
    event = beat.event
    assert isinstance(event, ev.StubCounted)
    count = max(1, board.in_device or event.count or len(beat.cards))
    board.in_device = count
    act = _count(board, count)
    board.deck_hand = None
    return act


def deck_counted(board: Board, beat: Beat) -> Act:
    """Count all cards that are not on the layout: spread them in ribbons, and put them back into the rack."""
    return _count(board, 0)


def _count(board: Board, count: int) -> Act:
    act, hand, _ = both_hands(board)
    racked = board.fixtures().rack_cards
    if count:
        act_rack = 0
        block, _ = _out_of_device(board, act, hand, count)
    else:
        act_rack = racked
        block, _ = on_cloth(board, act, hand)
    total = act.block(block).cards
    t = ribbons(board, act, hand, block, [None] * total, up=False, width=CLOSE_ROW)
    for first in range(0, total, CLOSE_ROW):
        row = board.loose[first : first + CLOSE_ROW]
        for name in (row[0], row[-1]):
            pose = act.card(name)
            t = act.reach(hand, pose.x, pose.y, 12.0, "point", after=t, quick=1.2, lift=6.0)
    act.done = t
    block, t = gather(board, act, hand)
    if act_rack:
        rack = board.places.rack(0)
        to = {"x": rack.x, "y": rack.y, "z": rack.z, "yaw": 0.0}
        t = act.carry(hand, {block: to}, {"x": rack.x, "y": rack.y, "z": 40.0}, after=t, lift=40.0)
        act.vanish(block, t)
        act.fixtures(t, lambda fixed: {"rack_cards": fixed.rack_cards + total})
        board.block = None
    leave(board, act, hand, t + 60.0)
    return act


def _out_of_device(board: Board, act: Act, hand: str, count: int) -> tuple[str, float]:
    """Take the stub out of the shoe, or out of the hand that dealt, to the cloth."""
    x, y = board.places.deck()
    if board.block is not None and act.has(board.block):
        name = board.block
        pose = act.block(name)
        t = act.reach(hand, pose.x, pose.y, pose.z + 20.0, "hold")
    else:
        name = board.new("block")
        inside = board.places.shoe_mouth(-60.0)
        t = act.reach(hand, inside.x, inside.y, 40.0, "hold") + 80.0
        act.appear(DeckBlock(name, count, inside.x, inside.y, 8.0, inside.yaw, board.deck_now), t)
        board.block = name
    to = {"x": x, "y": y, "z": 0.0, "yaw": 0.0}
    return name, act.carry(hand, {name: to}, {"x": x, "y": y, "z": 22.0}, after=t, lift=16.0)


def shown(board: Board, beat: Beat) -> Act:
    """Let a card of the deck show its face while the deck is handled, and put it back."""
    event = beat.event
    assert isinstance(event, ev.CardShown)
    act, hand, _ = both_hands(board)
    block, t = on_cloth(board, act, hand)
    pose = act.block(block)
    top = pose.z + 0.3 * pose.cards
    name = board.new("card")
    act.appear(CardPose(name, str(event.card), pose.x, pose.y, top, pose.yaw, deck=pose.deck), t)
    aside = Spot(pose.x + 84.0, pose.y + 10.0, 8.0, card_z(0))
    to = {"x": aside.x, "y": aside.y, "z": aside.z, "yaw": aside.yaw, "flip": 180.0}
    t = act.carry(
        hand, {name: to}, {"x": aside.x, "y": aside.y, "z": 10.0, "grip": "pinch"}, after=t, lift=36.0
    )
    act.done = leave(board, act, hand, t + 60.0)
    t = act.reach(hand, aside.x, aside.y, 8.0, "pinch", after=act.free_in(hand) + 400.0)
    back = {"x": pose.x, "y": pose.y, "z": top, "yaw": pose.yaw, "flip": 0.0}
    t = act.carry(hand, {name: back}, {"x": pose.x, "y": pose.y, "z": top + 8.0}, after=t, lift=36.0)
    act.vanish(name, t)
    return act
