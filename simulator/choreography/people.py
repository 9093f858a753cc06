"""People: players who come and go, the dealer's gestures, devices that are put on or taken off the table."""

from __future__ import annotations

from engine import events as ev
from engine.events import DEALER, Area, Device
from simulator.choreography.act import Act
from simulator.choreography.board import Board
from simulator.choreography.gestures import go_home, leave
from simulator.director import Beat
from simulator.scene import Clutter, ShoeKind


def sat(board: Board, beat: Beat) -> Act:
    """Let a player sit down: hands on the rail, chips before them."""
    event = beat.event
    assert isinstance(event, ev.PlayerSat)
    who = event.seat
    act = board.act(who)
    for side in ("left", "right"):
        name = board.hand(act, who, side, who)
        rest = board.home(name, who, side)
        act.reach(name, rest.x, rest.y, rest.z, "rest", after=60.0 if side == "left" else 0.0)
    t = act.free_in(name)
    if not board.stash.get(who):
        board.stash[who] = _push_in(board, act, who, name)
        t = go_home(board, act, name, act.free_in(name) + 80.0)
    act.done = t
    return act


def _push_in(board: Board, act: Act, who: int, hand: str) -> list[str]:
    """Push the own chips from the rail to where they stay."""
    start = act.free_in(hand)
    made = board.build_stash(act, who, start)
    away = board.home(hand, who, "right", who)
    area = board.places.area(who, "stash")
    x, y = area.centre
    dx, dy = away.x - x, away.y - y
    goals = {name: {"x": act.stack(name).x, "y": act.stack(name).y, "z": 0.0} for name in made}
    for name in made:
        pose = act.stack(name)
        act.set(name, start, x=pose.x + dx * 0.9, y=pose.y + dy * 0.9, z=40.0)
    act.carry(hand, goals, {"x": x, "y": y, "z": 30.0, "grip": "push"}, after=start, lift=6.0, quick=1.8)
    return made


def left(board: Board, beat: Beat) -> Act | None:
    """Let a player take the own chips and go."""
    event = beat.event
    assert isinstance(event, ev.PlayerLeft)
    who = event.seat
    act = board.act(who)
    t = 0.0
    stacks = [name for name in board.stash.pop(who, []) if act.has(name)]
    hand = board.hand(act, who, "right", who)
    away = board.home(hand, who, "right", who, away=True)
    if stacks:
        area = board.places.area(who, "stash")
        t = act.reach(hand, *area.centre, 20.0, "hold") + 80.0
        dx, dy = away.x - area.centre[0], away.y - area.centre[1]
        things = {
            name: {"x": act.stack(name).x + dx, "y": act.stack(name).y + dy, "z": 45.0} for name in stacks
        }
        t = act.carry(hand, things, {"x": away.x, "y": away.y, "z": 50.0}, after=t, lift=50.0, quick=1.3)
        for name in stacks:
            act.vanish(name, t)
    for side in ("left", "right"):
        name = board.hand(act, who, side, who)
        gone = board.home(name, who, side, who, away=True)
        end = act.reach(name, gone.x, gone.y, 10.0, "rest", after=0.0)
        act.vanish(name, end)
    act.done = max(t, end)
    return act


def no_more_bets(board: Board, beat: Beat) -> Act | None:
    """Wave a flat hand over the layout as the call is made."""
    if board.deck_hand == "right":
        return None
    act = board.act(DEALER)
    hand = board.hand(act, DEALER, "right")
    t = act.reach(hand, 250.0, 260.0, 120.0, "flat", open=0.8)
    t = act.reach(hand, -120.0, 300.0, 125.0, "flat", after=t, quick=1.4, lift=0.0, open=0.8)
    act.done = t
    go_home(board, act, hand, t + 40.0)
    return act


def lock_out(board: Board, beat: Beat) -> Act | None:
    """Press the button beside the tray."""
    if board.deck_hand == "left":
        return None
    act = board.act(DEALER)
    hand = board.hand(act, DEALER, "left")
    t = act.reach(hand, -290.0, 62.0, 30.0, "point")
    act.done = act.reach(hand, -290.0, 62.0, 10.0, "point", after=t, lift=0.0) + 60.0
    go_home(board, act, hand, act.done + 80.0)
    return act


def coupon(board: Board, beat: Beat) -> Act:
    """Lay a jackpot coupon before the acceptor; the dealer takes it at once."""
    event = beat.event
    assert isinstance(event, ev.CouponRedeemed)
    seat = event.seat
    act = board.act(seat)
    hand = board.hand(act, seat, "right", seat)
    now = act.hand(hand)
    name = board.new("tender")
    act.reach(hand, now.x, now.y, now.z, "pinch")
    act.appear(Clutter(name, "coupon", now.x, now.y, 0.0, 1.0, board.rng.randrange(1 << 16), now.z), 60.0)
    x, y = board.places.wager(seat, str(Area.JACKPOT), 0)
    t = act.carry(hand, {name: {"x": x, "y": y, "z": 0.0}}, {"x": x, "y": y, "z": 6.0}, after=80.0)
    act.done = leave(board, act, hand, t + 60.0)
    taker = board.hand(act, DEALER, board.free_side("right"))
    t = act.reach(taker, x, y, 5.0, "pinch", after=act.done + 100.0)
    to = {"x": 190.0, "y": 70.0, "z": 20.0}
    t = act.carry(taker, {name: to}, {**to, "z": 24.0}, after=t + 40.0)
    act.vanish(name, t)
    return act


def dealer_changed(board: Board, beat: Beat) -> Act | None:
    """Let one dealer clear the hands and go, and another come."""
    if board.deck_hand is not None:
        return None
    act = board.act(DEALER)
    for side in ("left", "right"):
        name = board.hand(act, DEALER, side)
        away = board.places.away(DEALER, side)
        home = board.places.rest(DEALER, side)
        t = act.reach(name, home.x * 0.4, 110.0, 30.0, "spread", turn=180.0)
        t = act.reach(name, home.x * 0.4, 110.0, 34.0, "spread", after=t + 200.0, turn=0.0)
        t = act.reach(name, away.x, away.y - 120.0, 5.0, "rest", after=t)
        t = act.reach(name, home.x, home.y, home.z, "rest", after=t + 700.0)
    act.done = t
    return act


def device_changed(board: Board, beat: Beat) -> Act:
    """Put a shoe or shuffler on the table, or take it off, between two hands."""
    event = beat.event
    assert isinstance(event, ev.DeviceInstalled | ev.DeviceRemoved)
    kind: ShoeKind = "none"
    if isinstance(event, ev.DeviceInstalled):
        kind = "shoe" if event.device is Device.SHOE else "shuffler"
    act = board.act(DEALER)
    x, y = board.places.layout.shoe.centre
    act.reach(board.hand(act, DEALER, "left"), x - 70.0, y, 60.0, "hold")
    act.reach(board.hand(act, DEALER, "right"), x + 70.0, y, 60.0, "hold")
    t = max(act.free_in(name) for name in act.hands) + 200.0
    act.fixtures(t, lambda now: {"shoe": kind})
    act.done = max(leave(board, act, name, t + 150.0) for name in sorted(act.hands))
    return act
