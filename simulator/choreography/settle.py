"""Wagers settled: taken, paid, counted; the acceptors' lights."""

from __future__ import annotations

from typing import Final

from engine import events as ev
from engine.events import DEALER, Area
from engine.settings import JackpotMode
from simulator.choreography.act import Act
from simulator.choreography.board import Board
from simulator.choreography.gestures import fetch, leave, stacks_of
from simulator.choreography.wagers import grasp, set_down, side_for_wager, there, to_tray
from simulator.director import Beat
from simulator.scene import ChipStack

SHOWN: Final = 600.0
"""So long (ms) a jackpot chip lies on its acceptor before it is swallowed."""


def taken(board: Board, beat: Beat) -> Act | None:
    """Take a wager to the tray."""
    event = beat.event
    assert isinstance(event, ev.WagerTaken)
    key = (event.seat, event.area)
    names = there(board, key)
    if not names:
        return None
    act = board.act(DEALER)
    hand = board.hand(act, DEALER, side_for_wager(board, DEALER, event.seat, event.area))
    t, names = _grasp_amount(board, act, hand, names, event.amount)
    board.wagers[key] = [name for name in board.wagers[key] if name not in names]
    act.done = to_tray(board, act, hand, names, t)
    return act


def _grasp_amount(
    board: Board, act: Act, hand: str, names: list[str], amount: int | None
) -> tuple[float, list[str]]:
    """Take hold of the chips that make an amount: all, one stack, or some off the top of the first."""
    worth = {name: sum(getattr(act.get(name), "chips", ())) for name in names}
    if amount is None or amount >= sum(worth.values()) or not any(worth.values()):
        return grasp(act, hand, names), names
    one = next((name for name in names if worth[name] == amount), None)
    if one is not None:
        return grasp(act, hand, [one]), [one]
    base = max(names, key=lambda name: worth[name])
    pose = act.stack(base)
    stay: list[int] = list(pose.chips)
    some: list[int] = []
    for chip in sorted(pose.chips, reverse=True):
        if chip <= amount - sum(some):
            some.append(chip)
            stay.remove(chip)
    if not some or not stay:
        return grasp(act, hand, [base]), [base]
    t = grasp(act, hand, [base])
    off = board.new("stack")
    act.set(base, t, chips=tuple(stay))
    z = pose.z + pose.height * len(stay) / len(pose.chips)
    act.appear(ChipStack(off, tuple(some), pose.x, pose.y, z, pose.jitter, pose.seed + 1), t)
    return t, [off]


def paid(board: Board, beat: Beat) -> Act:
    """Take the chips of a payment from the tray and size them into the area, beside the wager."""
    event = beat.event
    assert isinstance(event, ev.WagerPaid)
    return _pay(board, event.seat, event.area, tuple(beat.chips or event.chips or ()))


def jackpot_paid(board: Board, beat: Beat) -> Act | None:
    """Pay a jackpot in chips; what the cage pays does not come over the table."""
    event = beat.event
    assert isinstance(event, ev.JackpotPaid)
    return _pay(board, event.seat, Area.JACKPOT, beat.chips) if beat.chips else None


def _pay(board: Board, seat: int, area: Area, chips: tuple[int, ...]) -> Act:
    act = board.act(DEALER)
    hand = board.hand(act, DEALER, side_for_wager(board, DEALER, seat, area))
    t = 0.0
    for pile in stacks_of(chips or (min(board.settings.chip_values),)):
        stack = fetch(board, act, hand, DEALER, pile, t)
        t = set_down(board, act, hand, stack, (seat, area)) + 60.0
    act.done = leave(board, act, hand, t)
    return act


def light(board: Board, beat: Beat) -> Act:
    """Switch an acceptor's light; one that goes on has swallowed the chip on it."""
    event = beat.event
    assert isinstance(event, ev.AcceptorLightChanged)
    act = board.act(DEALER)
    seat = event.seat
    if event.lit:
        act.fixtures(0.0, lambda now: {"lights": now.lights | {seat}})
        if board.settings.jackpot is JackpotMode.ELECTRONIC:
            for name in there(board, (seat, Area.JACKPOT)):
                pose = act.get(name)
                if isinstance(pose, ChipStack):
                    act.not_before = max(act.not_before, board.tracks.free(name) + SHOWN)
                    t = act.move(name, 0.0, 140.0, z=-pose.height - 1.0)
                    act.vanish(name, t)
            board.wagers.pop((seat, Area.JACKPOT), None)
    else:
        act.fixtures(0.0, lambda now: {"lights": now.lights - {seat}})
    return act


def chips_counted(board: Board, beat: Beat) -> Act:
    """Count the jackpot chips that the acceptors gave out, in a row before the tray, and put them away."""
    event = beat.event
    assert isinstance(event, ev.JackpotChipsCounted)
    act = board.act(DEALER)
    hand = board.hand(act, DEALER, board.free_side("right"))
    count = min(event.count or 0, 9)
    value = board.settings.jackpot_wager
    names: list[str] = []
    t = act.reach(hand, 150.0, 118.0, 10.0, "pinch")
    for number in range(count):
        name = board.new("stack")
        x = 150.0 - 46.0 * (count - 1 - number)
        act.appear(ChipStack(name, (value,), 172.0, 112.0, 0.0, 0.4, board.rng.randrange(1 << 30)), t)
        act.reach(hand, 172.0, 114.0, 6.0, "pinch", after=t, quick=0.6, lift=4.0)
        t = act.carry(
            hand, {name: {"x": x, "y": 122.0}}, {"x": x, "y": 122.0, "z": 6.0}, after=t, lift=1.0, quick=0.7
        )
        names.append(name)
    act.done = leave(board, act, hand, t + 80.0)
    if names:
        back = grasp(act, hand, names) + 350.0
        to_tray(board, act, hand, names, back)
    return act
