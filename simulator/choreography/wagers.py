"""Wagers in motion: placed, changed, withdrawn, touched, taken and paid."""

from __future__ import annotations

from collections import Counter
from typing import Final

from engine import events as ev
from engine.events import DEALER, OUTSIDER, Area, Tender
from simulator.choreography.act import Act
from simulator.choreography.board import TALLEST, Board, column_of, tray_after
from simulator.choreography.gestures import bring, dealer_side, fetch, go_home, leave, stacks_of
from simulator.director import Beat
from simulator.scene import ChipStack, Clutter, ClutterKind, Side

TENDERS: Final[dict[Tender, ClutterKind]] = {
    Tender.PLAQUE: "plaque",
    Tender.COUPON: "coupon",
    Tender.CASH: "cash",
}


def _who(by: int | None, seat: int) -> int:
    return seat if by is None else by


def side_for_wager(board: Board, who: int, seat: int, area: Area) -> Side:
    """The hand that works at a wager: a player's right one, the dealer's nearer one."""
    if who == DEALER:
        return board.free_side(dealer_side(board.places.area(seat, str(area)).centre[0]))
    return "right"


def placed(board: Board, beat: Beat) -> Act:
    """Bring a new pile into an area and let go of it."""
    event = beat.event
    assert isinstance(event, ev.WagerPlaced)
    who = _who(event.by, event.seat)
    act = board.act(who)
    hand = board.hand(act, who, side_for_wager(board, who, event.seat, event.area), event.seat)
    key = (event.seat, event.area)
    board.owners[key] = event.seat if who == DEALER else who
    kind = TENDERS.get(event.tender)
    t = 0.0
    if kind is not None:
        t = _bring_paper(board, act, hand, kind, key)
    else:
        for chips in stacks_of(beat.chips or event.chips or (min(board.settings.chip_values),)):
            stack = fetch(board, act, hand, who, chips, t)
            t = set_down(board, act, hand, stack, key)
    act.done = leave(board, act, hand, t + 70.0)
    return act


def set_down(board: Board, act: Act, hand: str, stack: str, key: tuple[int, Area]) -> float:
    """Set a stack down at the next free spot of an area."""
    mine = board.wagers.setdefault(key, [])
    x, y = board.places.wager(key[0], str(key[1]), len(mine))
    if not mine:
        x, y = x + board.rng.gauss(0, 3.0), y + board.rng.gauss(0, 3.0)
    mine.append(stack)
    return bring(act, hand, stack, x, y, after=act.free_in(stack), lift=board.over(key[0], 40.0, [stack]))


def _bring_paper(board: Board, act: Act, hand: str, kind: ClutterKind, key: tuple[int, Area]) -> float:
    """Bring a plaque, a coupon or money."""
    now = act.hand(hand)
    name = board.new("tender")
    yaw = board.rng.gauss(0, 8.0)
    act.appear(Clutter(name, kind, now.x, now.y, yaw, 1.0, board.rng.randrange(1 << 16), 20.0), 60.0)
    act.reach(hand, now.x, now.y, 26.0, "pinch", after=0.0)
    board.wagers.setdefault(key, []).append(name)
    x, y = board.places.wager(key[0], str(key[1]), 0)
    return act.carry(hand, {name: {"x": x, "y": y, "z": 0.0}}, {"x": x, "y": y, "z": 5.0}, after=60.0)


def changed(board: Board, beat: Beat) -> Act | None:
    """Add chips to a pile, take some off, or build it anew under the hand."""
    event = beat.event
    assert isinstance(event, ev.WagerChanged)
    key = (event.seat, event.area)
    stacks = [name for name in board.wagers.get(key, []) if isinstance(board.tracks.last(name), ChipStack)]
    new = tuple(beat.chips or event.chips or ())
    if not stacks or not new:
        return touched(board, beat)
    who = _who(event.by, event.seat)
    act = board.act(who)
    hand = board.hand(act, who, side_for_wager(board, who, event.seat, event.area), event.seat)
    base = act.stack(stacks[0])
    more = Counter(new) - Counter(base.chips)
    less = Counter(base.chips) - Counter(new)
    t = 0.0
    if more:
        extra = fetch(board, act, hand, who, sorted(more.elements(), reverse=True))
        t = bring(act, hand, extra, base.x, base.y, base.height, after=act.free_in(extra))
        act.set(stacks[0], t, chips=new)
        act.vanish(extra, t)
    else:
        t = act.reach(hand, base.x, base.y, base.height + 3.0, "pinch", after=0.0)
        act.set(stacks[0], t, chips=new)
    if less and not more:
        rest = board.new("stack")
        top = len(new) * (base.height / max(1, len(base.chips)))
        removed = tuple(sorted(less.elements(), reverse=True))
        act.appear(ChipStack(rest, removed, base.x, base.y, top, base.jitter, base.seed + 1), t)
        act.done = _to_owner(board, act, hand, who, [rest], t)
        return act
    act.done = leave(board, act, hand, t + 80.0)
    return act


def withdrawn(board: Board, beat: Beat) -> Act | None:
    """Take a pile, and what was paid on it, back to a player's own chips."""
    event = beat.event
    assert isinstance(event, ev.WagerWithdrawn)
    names = there(board, (event.seat, event.area))
    if not names:
        return None
    who = _who(event.by, event.seat)
    act = board.act(who)
    hand = board.hand(act, who, side_for_wager(board, who, event.seat, event.area), event.seat)
    t = grasp(act, hand, names)
    del board.wagers[event.seat, event.area]
    act.done = _to_owner(board, act, hand, who, names, t)
    return act


def cleared(board: Board, beat: Beat) -> Act | None:
    """Let players take in what still lies in their areas from the round before, as a new one opens."""
    act = board.act(DEALER)
    first = 0.0
    for seat, area in sorted(board.wagers, key=lambda key: (key[0], str(key[1]))):
        names = there(board, (seat, area))
        who = board.owners.get((seat, area), seat)
        if names and who not in (DEALER, OUTSIDER):
            hand = board.hand(act, who, "right", seat)
            t = grasp(act, hand, names)
            first = max(first, _to_owner(board, act, hand, who, names, t))
    board.wagers.clear()
    act.done = first
    return act if act.steps else None


def there(board: Board, key: tuple[int, Area]) -> list[str]:
    """The things of an area that are still there."""
    return [name for name in board.wagers.get(key, []) if board.tracks.last(name) is not None]


def grasp(act: Act, hand: str, names: list[str]) -> float:
    """Bring a hand to the middle of some things on the cloth."""
    x = sum(getattr(act.get(name), "x", 0.0) for name in names) / len(names)
    y = sum(getattr(act.get(name), "y", 0.0) for name in names) / len(names)
    top = max(getattr(act.get(name), "height", 2.0) for name in names)
    return act.reach(hand, x, y, top + 3.0, "pinch" if len(names) == 1 else "hold", open=0.3) + 60.0


def _carry_all(
    board: Board, act: Act, hand: str, names: list[str], x: float, y: float, z: float, t: float
) -> float:
    """Carry things together, close up around the hand on the way, over what stays at the seat."""
    things: dict[str, dict[str, float]] = {}
    now = act.hand(hand)
    for name in names:
        value = act.get(name)
        dx, dy = getattr(value, "x", 0.0) - now.x, getattr(value, "y", 0.0) - now.y
        things[name] = {"x": x + dx * 0.8, "y": y + dy * 0.8, "z": z}
    near = board.places.layout.area_at(now.x, now.y, 40.0)
    lift = board.over(near.seat, 30.0, names) if near is not None else 30.0
    return act.carry(hand, things, {"x": x, "y": y, "z": z + 20.0}, after=t, lift=lift)


def _to_owner(board: Board, act: Act, hand: str, who: int, names: list[str], t: float) -> float:
    """Bring chips to somebody's own; returns when the place that they left can be seen."""
    now = act.hand(hand)
    x0, y0 = now.x, now.y
    mine = [name for name in board.stash.get(who, []) if act.has(name)]
    if who == DEALER:
        return to_tray(board, act, hand, names, t)
    if who == OUTSIDER or not mine:
        away = board.home(hand, who, now.side, now.who, away=True)
        end = _carry_all(board, act, hand, names, away.x, away.y, 20.0, t)
    else:
        goal = min(mine, key=lambda name: len(act.stack(name).chips))
        pose = act.stack(goal)
        end = _carry_all(board, act, hand, names, pose.x, pose.y, pose.height, t)
        chips = [chip for name in names for chip in getattr(act.get(name), "chips", ())]
        act.set(goal, end, chips=(*pose.chips, *chips)[: TALLEST + 4])
    cleared = act.clear_of(hand, t, end, x0, y0)
    for name in names:
        act.vanish(name, end)
    go_home(board, act, hand, end + 50.0)
    return cleared


def to_tray(board: Board, act: Act, hand: str, names: list[str], t: float) -> float:
    """Bring chips to the tray; returns when the place that they left can be seen."""
    now = act.hand(hand)
    x0, y0 = now.x, now.y
    chips = [chip for name in names for chip in getattr(act.get(name), "chips", ())]
    tray = board.fixtures().tray
    column = column_of(tray, max(chips, default=tray[0][0]))
    x, y = board.places.tray_column(column, len(tray))
    end = _carry_all(board, act, hand, names, x, y, 14.0, t)
    cleared = act.clear_of(hand, t, end, x0, y0)
    for name in names:
        act.vanish(name, end + 60.0)
    act.move(hand, end, end + 90.0)
    act.fixtures(end + 60.0, lambda fixed: {"tray": tray_after(fixed.tray, chips, 1)})
    return cleared


def touched(board: Board, beat: Beat) -> Act | None:
    """Handle a pile and leave it as it was."""
    event = beat.event
    assert isinstance(event, ev.WagerTouched | ev.WagerChanged)
    names = there(board, (event.seat, event.area))
    if not names:
        return None
    who = _who(event.by, event.seat)
    act = board.act(who)
    hand = board.hand(act, who, side_for_wager(board, who, event.seat, event.area), event.seat)
    t = grasp(act, hand, names[:1])
    pose = act.get(names[0])
    x, y = getattr(pose, "x", 0.0), getattr(pose, "y", 0.0)
    for dx, dy in ((7.0, 4.0), (-3.0, -5.0), (1.5, 0.0)):
        t = act.carry(
            hand, {names[0]: {"x": x + dx, "y": y + dy}}, {"x": x + dx, "y": y + dy}, after=t, lift=0.0
        )
    act.done = leave(board, act, hand, t + 60.0)
    return act
