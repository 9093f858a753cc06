"""Decks mixed by hand: washed, riffled, cut."""

from __future__ import annotations

from math import cos, pi, sin

from engine import events as ev
from engine.events import Role
from simulator.choreography.act import Act
from simulator.choreography.board import Board
from simulator.choreography.deck import both_hands, on_cloth
from simulator.choreography.gestures import leave
from simulator.choreography.places import card_z
from simulator.director import Beat
from simulator.scene import CardPose, CutCard, DeckBlock


def washed(board: Board, beat: Beat) -> Act:
    """Mix a deck face down with both hands, and gather it."""
    act, hand, other = both_hands(board)
    block, t = on_cloth(board, act, hand)
    pose = act.block(block)
    cx, cy, rng = pose.x, pose.y + 40.0, board.rng
    names = [board.new("card") for _ in range(pose.cards)]
    for level, name in enumerate(names):
        act.appear(CardPose(name, None, pose.x, pose.y, card_z(level), 0.0, deck=pose.deck), t)
    act.vanish(block, t)
    act.reach(other, cx - 70.0, cy, 10.0, "flat", after=max(0.0, t - 400.0))
    begin = max(t, act.free_in(other))
    for turn in range(5):
        end = begin + act.pace * 760.0
        angle = turn * 2.1
        for level, name in enumerate(names):
            a, r = rng.uniform(0, 2 * pi), 150.0 * rng.random() ** 0.5
            spot = {"x": cx + cos(a) * r * 1.25, "y": cy + sin(a) * r * 0.8, "z": card_z(level % 9)}
            if turn in (0, 4) or rng.random() < 0.55:
                act.move(name, begin, end, **spot, yaw=act.card(name).yaw + rng.uniform(-80, 80))
        for one, sign in ((hand, 1.0), (other, -1.0)):
            x, y = cx + sign * (70.0 + 45.0 * cos(angle)), cy + 45.0 * sin(angle)
            act.move(one, begin, end, x=x, y=y, z=9.0, grip="spread")
        begin = end
    board.loose = []
    end = begin + act.pace * 900.0
    for level, name in enumerate(names):
        act.move(name, begin, end, x=cx, y=cy, z=card_z(level), yaw=0.0)
        act.vanish(name, end)
    for one, sign in ((hand, 1.0), (other, -1.0)):
        act.move(one, begin, end, x=cx + sign * 36.0, y=cy, z=14.0, grip="hold")
    board.block = board.new("block")
    act.appear(DeckBlock(board.block, len(names), cx, cy, 0.0, 0.0, pose.deck), end)
    leave(board, act, other, end + 60.0)
    act.done = leave(board, act, hand, end + 60.0)
    return act


def shuffled(board: Board, beat: Beat) -> Act | None:
    """Riffle a deck three times; a machine does it unseen."""
    event = beat.event
    assert isinstance(event, ev.DeckShuffled)
    if event.by is Role.MACHINE:
        board.in_device = board.in_device or 52
        return None
    act, hand, other = both_hands(board)
    block, t = on_cloth(board, act, hand)
    x, y = board.places.deck()
    t = act.carry(
        hand, {block: {"x": x, "y": y, "z": 0.0}}, {"x": x + 36.0, "y": y, "z": 12.0}, after=t, lift=2.0
    )
    t = max(t, act.reach(other, x - 36.0, y, 12.0, "hold", after=max(0.0, t - 350.0)))
    for _ in range(3 if event.complete else 1):
        t = _riffle(board, act, hand, other, block, t)
    leave(board, act, other, t + 60.0)
    act.done = leave(board, act, hand, t + 60.0)
    return act


def _riffle(board: Board, act: Act, hand: str, other: str, block: str, t: float) -> float:
    """Part a deck, bend the halves into each other, push them together."""
    pose = act.block(block)
    half = board.new("block")
    top = max(1, min(pose.cards - 1, pose.cards // 2 + board.rng.randint(-3, 3)))
    pace = act.pace
    act.appear(DeckBlock(half, top, pose.x, pose.y, 0.3 * (pose.cards - top), pose.yaw, pose.deck), t)
    act.set(block, t, cards=pose.cards - top)
    x, y = pose.x, pose.y
    apart = t + 420.0 * pace
    act.move(half, t, apart, 14.0, x=x + 62.0, y=y, z=0.0, yaw=pose.yaw - 14.0)
    act.move(block, t, apart, x=x - 62.0, yaw=pose.yaw + 14.0)
    act.move(hand, t, apart, 14.0, x=x + 74.0, y=y, z=20.0, grip="hold")
    act.move(other, t, apart, x=x - 74.0, y=y, z=20.0, grip="hold")
    meshed = apart + 560.0 * pace
    act.move(half, apart, meshed, x=x + 26.0, z=3.0)
    act.move(block, apart, meshed, x=x - 26.0)
    act.move(hand, apart, meshed, x=x + 52.0)
    act.move(other, apart, meshed, x=x - 52.0)
    done = meshed + 380.0 * pace
    act.move(half, meshed, done, x=x, z=3.0, yaw=pose.yaw)
    act.move(block, meshed, done, x=x, yaw=pose.yaw)
    act.move(hand, meshed, done, x=x + 38.0)
    act.move(other, meshed, done, x=x - 38.0)
    act.vanish(half, done)
    act.set(block, done, cards=pose.cards)
    return done + 60.0


def cut(board: Board, beat: Beat) -> Act:
    """Lift some cards off a deck, lay them beside it, and put the rest on top; then the cover card's way."""
    event = beat.event
    assert isinstance(event, ev.DeckCut)
    act, hand, _ = both_hands(board)
    block, t = on_cloth(board, act, hand)
    pose = act.block(block)
    if event.by is Role.PLAYER and board.stash:
        leave(board, act, hand, t + 80.0)
        hand = board.hand(act, min(board.stash), "right")
        t = act.reach(hand, pose.x, pose.y, pose.z + 0.3 * pose.cards + 4.0, "hold", after=t)
    off = max(1, min(pose.cards - 1, event.cards or 26))
    top = board.new("block")
    act.appear(DeckBlock(top, off, pose.x, pose.y, 0.3 * (pose.cards - off), pose.yaw, pose.deck), t)
    act.set(block, t, cards=pose.cards - off)
    x = pose.x + 92.0
    t = act.carry(hand, {top: {"x": x, "z": 0.0}}, {"x": x, "z": 0.3 * off + 8.0}, after=t + 60.0, lift=26.0)
    act.reach(hand, pose.x, pose.y, 18.0, "hold", after=t + 60.0)
    t = act.free_in(hand)
    onto = {"x": x, "z": 0.3 * off}
    t = act.carry(hand, {block: onto}, {"x": x, "z": 24.0}, after=t + 40.0, lift=26.0)
    act.vanish(top, t)
    act.set(block, t, z=0.0, cards=pose.cards)
    if event.cover_card_racked is not None:
        t = _cover_card(board, act, hand, event.cover_card_racked, x, pose.y, t + 80.0)
    act.done = leave(board, act, hand, t + 60.0)
    return act


def _cover_card(board: Board, act: Act, hand: str, racked: bool, x: float, y: float, t: float) -> float:
    """Draw the cover card out from under the deck: to the rack as it should, or aside."""
    name = board.new("cut")
    rack = board.places.rack(board.fixtures().rack_cards)
    act.appear(CutCard(name, x, y, card_z(0)), t)
    goal = (rack.x, rack.y, rack.z) if racked else (x + 120.0, y + 40.0, card_z(0))
    to = {"x": goal[0], "y": goal[1], "z": goal[2]}
    t = act.carry(hand, {name: to}, {**to, "z": goal[2] + 6.0, "grip": "pinch"}, after=t, lift=20.0)
    if racked:
        act.vanish(name, t)
    return t
