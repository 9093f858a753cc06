"""Hands of cards at a seat: picked up, looked at, laid down, moved, hidden, folded."""

from __future__ import annotations

from engine import events as ev
from engine.events import DEALER
from simulator.choreography.act import Act
from simulator.choreography.board import Board
from simulator.choreography.gestures import dealer_side, go_home, leave
from simulator.choreography.places import HELD_LEFT, Spot, card_z
from simulator.director import Beat
from simulator.scene import Side


def lying(board: Board, seat: int) -> list[str]:
    """The cards of a seat that are in view."""
    return [name for name in board.hands.get(seat, []) if board.tracks.last(name) is not None]


def side_at(board: Board, who: int, seat: int) -> Side:
    """The hand that works at cards: a player's left one, the dealer's nearer one."""
    if who != DEALER:
        return "left"
    return board.free_side(
        "right" if seat == DEALER else dealer_side(board.places.area(seat, "cards").centre[0])
    )


def middle(board: Board, act: Act, names: list[str]) -> tuple[float, float]:
    """The middle of some cards."""
    poses = [act.card(name) for name in names]
    return sum(pose.x for pose in poses) / len(poses), sum(pose.y for pose in poses) / len(poses)


def upright(spot: Spot, **more: float) -> dict[str, float]:
    """The changes that lay a card flat at a spot."""
    return {
        "x": spot.x,
        "y": spot.y,
        "z": spot.z,
        "yaw": spot.yaw,
        "tilt": 0.0,
        "roll": 0.0,
        "curl": 0.0,
        **more,
    }


def begin(board: Board, seat: int, by: int | None) -> tuple[Act, str, list[str]]:
    """An action at the cards of a seat: the action, the hand that does it, the cards in view."""
    who = seat if by is None else by
    act = board.act(who)
    held = board.held.get(seat)
    if held is not None and act.has(held) and act.hand(held).who == who:
        return act, held, lying(board, seat)
    return act, board.hand(act, who, side_at(board, who, seat), seat), lying(board, seat)


def grip_cards(board: Board, act: Act, hand: str, names: list[str], z: float = 6.0) -> float:
    """Bring a hand to the near edge of some cards."""
    x, y = middle(board, act, names)
    return act.reach(hand, x, y, z, "pinch", open=0.35) + 70.0


def picked_up(board: Board, beat: Beat) -> Act | None:
    """Take up a hand of cards: fanned, faces to the player, backs to the table."""
    event = beat.event
    assert isinstance(event, ev.HandPickedUp)
    act, hand, names = begin(board, event.seat, event.by)
    if not names or event.seat == DEALER:
        return None
    t = _take_up(board, act, hand, event.seat, names, grip_cards(board, act, hand, names))
    act.done = t
    return act


def _take_up(board: Board, act: Act, hand: str, seat: int, names: list[str], t: float) -> float:
    """Lift cards into the fan."""
    things = {}
    for index, name in enumerate(names):
        spot, tilt = board.places.held(seat, index, len(names))
        things[name] = {"x": spot.x, "y": spot.y, "z": spot.z, "yaw": spot.yaw, "tilt": tilt, "flip": 0.0}
    spot, _ = board.places.held(seat, len(names) // 2, len(names))
    x, y = board.places.area(seat, "cards").at(-62.0, HELD_LEFT)
    end = act.carry(
        hand, things, {"x": x, "y": y, "z": spot.z + 22.0, "grip": "hold"}, after=t, lift=6.0, quick=1.5
    )
    board.held[seat] = hand
    return end


def viewed(board: Board, beat: Beat) -> Act | None:
    """Look at cards: squeeze the fan open, card by card; a hand that lies is bent up at its near edge."""
    event = beat.event
    assert isinstance(event, ev.HandViewed)
    act, hand, names = begin(board, event.seat, event.by)
    if not names or event.seat == DEALER:
        return None
    if event.seat in board.held:
        t = 0.0
        for name in names[1:]:
            pose = act.card(name)
            act.carry(
                hand, {name: {"yaw": pose.yaw + 5.0, "curl": 5.0}}, {"z": act.hand(hand).z}, after=t, lift=0.0
            )
            t = act.free_in(name)
        for name in names[1:]:
            act.move(name, t, t + 260.0, yaw=act.card(name).yaw - 5.0, curl=0.0)
        act.done = t + 260.0
        return act
    t = grip_cards(board, act, hand, names)
    for name in names:
        pose = act.card(name)
        act.move(name, t, t + 350.0, tilt=-24.0, z=pose.z + 19.0, curl=6.0)
        act.move(name, t + 1000.0, t + 1300.0, tilt=0.0, z=pose.z, curl=0.0)
    act.move(hand, t, t + 350.0, z=34.0)
    act.move(hand, t + 1000.0, t + 1300.0, z=6.0)
    act.done = leave(board, act, hand, t + 1340.0)
    return act


def laid_down(board: Board, beat: Beat) -> Act | None:
    """Put a hand back on the layout, face down; cards that were out of sight come back with it."""
    event = beat.event
    assert isinstance(event, ev.HandLaidDown)
    seat = event.seat
    act, hand, names = begin(board, seat, event.by)
    t = 0.0
    gone = board.hidden.pop(seat, [])
    back = gone if event.count is None else gone[: max(0, event.count - len(names))]
    if len(back) < len(gone):
        board.hidden[seat] = gone[len(back) :]
    if back:
        home = board.home(hand, seat, act.hand(hand).side, seat, away=True)
        t = act.reach(hand, home.x, home.y, 20.0, "hold")
        for name in back:
            pose = board.gone_pose(name)
            act.appear(pose, t)
            act.set(name, t, x=home.x, y=home.y, z=30.0, flip=0.0)
        names = [*names, *back]
    if not names:
        return None
    if seat not in board.held and not back:
        return touch(board, seat, event.by)
    kept = names[event.count :] if event.count is not None else []
    names = names[: len(names) - len(kept)]
    things = {
        name: upright(board.places.dealt(seat, level, board.rng), flip=0.0)
        for level, name in enumerate(names)
    }
    x, y = board.places.area(seat, "cards").centre
    things |= {name: {"x": x, "y": y, "z": 12.0, "tilt": 0.0} for name in kept}
    t = act.carry(hand, things, {"x": x, "y": y, "z": 8.0, "grip": "pinch"}, after=t, lift=6.0, quick=1.3)
    board.held.pop(seat, None)
    act.done = _keep_back(board, act, hand, seat, kept, t) if kept else leave(board, act, hand, t + 60.0)
    return act


def _keep_back(board: Board, act: Act, hand: str, seat: int, kept: list[str], t: float) -> float:
    """Take cards that are kept back off the table with the hand; returns when the others can be seen."""
    now = act.hand(hand)
    away = board.home(hand, now.who, now.side, seat, away=True)
    things = {name: {"x": away.x, "y": away.y, "z": 5.0} for name in kept}
    end = act.carry(hand, things, {"x": away.x, "y": away.y, "z": 9.0, "grip": "hold"}, after=t + 60.0)
    board.remember(kept)
    board.hidden.setdefault(seat, []).extend(kept)
    for name in kept:
        act.vanish(name, end)
    cleared = act.clear_of(hand, t + 60.0, end, now.x, now.y)
    go_home(board, act, hand, end + 300.0)
    return cleared


def hand_touched(board: Board, beat: Beat) -> Act | None:
    """Touch cards that lie on the layout."""
    event = beat.event
    assert isinstance(event, ev.HandTouched)
    return touch(board, event.seat, event.by)


def touch(board: Board, seat: int, by: int | None) -> Act | None:
    """Put a hand on cards, push them a little, and go."""
    act, hand, names = begin(board, seat, by)
    if not names or seat in board.held:
        return None
    t = grip_cards(board, act, hand, names)
    now = act.hand(hand)
    for dx, dy in ((5.0, 3.0), (-2.0, -4.0)):
        things = {name: {"x": act.card(name).x + dx, "y": act.card(name).y + dy} for name in names}
        t = act.carry(hand, things, {"x": now.x + dx, "y": now.y + dy}, after=t, lift=0.0)
    act.done = leave(board, act, hand, t + 120.0)
    return act


def folded(board: Board, beat: Beat) -> Act | None:
    """Push the cards forward to give them up."""
    event = beat.event
    assert isinstance(event, ev.PlayerFolded)
    seat = event.seat
    act, hand, names = begin(board, seat, None)
    if not names:
        return None
    t = 0.0 if seat in board.held else grip_cards(board, act, hand, names)
    free = not any(board.tracks.last(name) is not None for name in board.wagers.get((seat, ev.Area.BET), []))
    spots = [board.places.folded(seat, free, index, board.rng) for index in range(len(names))]
    things = {name: upright(spot, flip=0.0) for name, spot in zip(names, spots, strict=True)}
    to = {"x": spots[0].x, "y": spots[0].y, "z": 8.0, "grip": "push"}
    t = act.carry(hand, things, to, after=t, lift=4.0, quick=1.2)
    board.held.pop(seat, None)
    board.folded.add(seat)
    act.done = leave(board, act, hand, t + 60.0)
    return act


def out_of_sight(board: Board, beat: Beat) -> Act | None:
    """Take cards below the table's edge, or hide them above it against the body."""
    event = beat.event
    assert isinstance(event, ev.CardsOutOfSight)
    seat = event.seat
    act, hand, names = begin(board, seat, None)
    names = names[: event.count] if event.count else names
    if not names or seat == DEALER:
        return None
    t = 0.0 if seat in board.held else grip_cards(board, act, hand, names)
    now = act.hand(hand)
    x0, y0 = now.x, now.y
    away = board.home(hand, now.who, now.side, now.who, away=True)
    z = 5.0 if event.off_table else 90.0
    things = {name: {"x": away.x, "y": away.y, "z": z, "tilt": -60.0} for name in names}
    end = act.carry(
        hand, things, {"x": away.x, "y": away.y, "z": z + 4.0, "grip": "hold"}, after=t, lift=50.0
    )
    for name in names:
        act.vanish(name, end)
    board.remember(names)
    board.hidden.setdefault(seat, []).extend(names)
    if not lying_after(act, board, seat):
        board.held.pop(seat, None)
    act.done = max(act.clear_of(hand, t, end, x0, y0), end - 60.0)
    go_home(board, act, hand, end + 400.0)
    return act


def lying_after(act: Act, board: Board, seat: int) -> list[str]:
    """The cards of a seat in view at the end of an action."""
    return [name for name in board.hands.get(seat, []) if act.has(name)]


def moved(board: Board, beat: Beat) -> Act | None:
    """Carry a card from one seat's hand to another's."""
    event = beat.event
    assert isinstance(event, ev.CardMoved)
    who = event.seat if event.by is None else event.by
    chosen = board.chosen(event.seat, beat.cards or (event.card,), None)[:1] or lying(board, event.seat)[:1]
    if not chosen or board.tracks.last(chosen[0]) is None:
        return None
    name = chosen[0]
    act = board.act(who)
    hand = board.hand(act, who, "right" if who != DEALER else side_at(board, who, event.to_seat), event.seat)
    t = grip_cards(board, act, hand, [name], act.card(name).z + 6.0)
    level = len(board.hands.get(event.to_seat, []))
    if event.to_seat == DEALER:
        spot = board.places.dealer_pile(level, 1, board.rng)
    else:
        spot = board.places.dealt(event.to_seat, level, board.rng)
    to = {"x": spot.x, "y": spot.y, "z": 8.0, "grip": "pinch"}
    t = act.carry(
        hand, {name: upright(Spot(spot.x, spot.y, spot.yaw, card_z(level)))}, to, after=t, lift=10.0
    )
    board.hands[event.seat].remove(name)
    board.hands.setdefault(event.to_seat, []).append(name)
    act.done = leave(board, act, hand, t + 50.0)
    return act
