"""What hands do again and again: leave, go home, collect chips from stacks, set things down."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import atan2, degrees, hypot

from calibration.layout import CHIP_HEIGHT
from engine.events import DEALER, OUTSIDER
from simulator.choreography.act import Act
from simulator.choreography.board import TALLEST, Board, column_of, tray_after
from simulator.scene import ChipStack, HandPose, Side

READY = {"left": (-165.0, 120.0), "right": (165.0, 120.0)}
"""Where the dealer's hands wait between two actions: before the tray."""


def leave(board: Board, act: Act, hand: str, after: float) -> float:
    """Let a hand go off what it worked at; returns when that can be seen.

    A player's hand goes home. The dealer's only makes room, because the next thing to do is near.
    """
    now = act.hand(hand)
    x0, y0 = now.x, now.y
    if now.who == DEALER:
        x, y = READY[now.side]
        gone = hypot(x - x0, y - y0)
        share = min(1.0, 130.0 / max(gone, 1.0))
        end = act.reach(
            hand,
            x0 + (x - x0) * share,
            y0 + (y - y0) * share,
            40.0,
            "rest",
            after=after,
            lift=10.0,
            quick=0.8,
        )
        return act.clear_of(hand, after, end, x0, y0)
    end = go_home(board, act, hand, after)
    if act.has(hand):
        return act.clear_of(hand, after, end, x0, y0)
    return after + (end - after) * 0.45


def go_home(board: Board, act: Act, hand: str, after: float) -> float:
    """Let a hand go back to where it rests; returns when it is there. A stranger's hand goes out of view."""
    now = act.hand(hand)
    stranger = hand.startswith(f"hand:{OUTSIDER}:")
    home = board.home(hand, OUTSIDER if stranger else now.who, now.side, now.who, away=stranger)
    end = act.reach(hand, home.x, home.y, home.z, "rest", after=after, open=home.open, yaw=None, turn=0.0)
    if stranger:
        act.vanish(hand, end)
    return end


def working_hand(board: Board, act: Act, by: int, side: Side, seat: int) -> str:
    """The hand with which somebody works at a seat."""
    return board.hand(act, by, side, seat)


def dealer_side(x: float) -> Side:
    """The dealer's hand for a place: the nearer one."""
    return "left" if x < -60.0 else "right"


def pile_height(chips: Sequence[int]) -> float:
    """Height of a pile (mm)."""
    return CHIP_HEIGHT * len(chips)


def fetch(board: Board, act: Act, hand: str, who: int, chips: Sequence[int], t: float = 0.0) -> str:
    """Collect chips into a hand, from the tray (dealer) or from the own stacks; returns the new stack's id."""
    name = board.new("stack")
    taken: tuple[int, ...] = ()
    for value, group in groupby(chips):
        count = len(list(group))
        x, y, z = _source(board, act, who, value)
        if taken:
            there = {"x": x, "y": y, "z": z + 4.0}
            t = act.carry(hand, {name: {"x": x, "y": y, "z": z}}, there, after=t, lift=12.0)
        else:
            t = act.reach(hand, x, y, z + 4.0, "pinch", after=t, lift=12.0, open=0.2)
        t += 50.0
        taken += (value,) * count
        if act.has(name):
            act.set(name, t, chips=taken)
        else:
            untidy, seed = board.rng.uniform(0.2, 1.3), board.rng.randrange(1 << 30)
            act.appear(ChipStack(name, taken, x, y, z, untidy, seed), t)
        _take_out(board, act, who, value, count, t)
    return name


def _source(board: Board, act: Act, who: int, value: int) -> tuple[float, float, float]:
    """Where chips of a value are taken from."""
    if who == DEALER:
        tray = board.fixtures().tray
        return (*board.places.tray_column(column_of(tray, value), len(tray)), 16.0)
    stack = board.near_stash(act, who, value)
    if stack is not None:
        pose = act.stack(stack)
        return pose.x, pose.y, max(0.0, pose.height - CHIP_HEIGHT)
    mine = [name for name in board.stash.get(who, []) if act.has(name)]
    if mine:
        pose = act.stack(mine[-1])
        return pose.x + 30.0, pose.y, 4.0
    if who == OUTSIDER:
        pose_x, pose_y = act.hand(f"hand:{who}:right").x, act.hand(f"hand:{who}:right").y
        return pose_x, pose_y, 30.0
    x, y = board.places.stash(who, 0, 1)
    return x, y, 4.0


def _take_out(board: Board, act: Act, who: int, value: int, count: int, t: float) -> None:
    """Let the place where chips were taken from show that they are gone."""
    if who == DEALER:
        act.fixtures(t, lambda now: {"tray": tray_after(now.tray, (value,) * count, -1)})
        return
    for _ in range(count):
        stack = board.near_stash(act, who, value)
        if stack is None:
            return
        left = list(act.stack(stack).chips)
        left.remove(value)
        if left:
            act.set(stack, t, chips=tuple(left))
        else:
            act.vanish(stack, t)
            board.stash[who].remove(stack)


def bring(
    act: Act,
    hand: str,
    stack: str,
    x: float,
    y: float,
    z: float = 0.0,
    after: float = 0.0,
    lift: float = 18.0,
) -> float:
    """Carry a stack in a hand to a point and set it down; returns when it stands."""
    top = z + pile_height(act.stack(stack).chips)
    to = {"x": x, "y": y, "z": top + 3.0, "grip": "pinch"}
    return act.carry(hand, {stack: {"x": x, "y": y, "z": z}}, to, after=after, lift=lift)


def stacks_of(chips: Sequence[int]) -> list[tuple[int, ...]]:
    """Split chips into stacks that stand."""
    return [tuple(chips[first : first + TALLEST]) for first in range(0, len(chips), TALLEST)]


def toward(now: HandPose, x: float, y: float) -> float:
    """The direction from a hand to a point (degrees), for fingers that point there."""
    return degrees(atan2(y - now.y, x - now.x))
