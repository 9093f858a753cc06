"""Cards turned, spread, counted, verified, collected: what the dealer does with hands, and players who show."""

from __future__ import annotations

from collections.abc import Sequence

from engine import events as ev
from engine.events import DEALER
from simulator.choreography.act import Act
from simulator.choreography.board import Board
from simulator.choreography.cards import begin, grip_cards, lying, upright
from simulator.choreography.deal import PILE_SLOT, UP_SLOT, into_rack
from simulator.choreography.gestures import leave
from simulator.choreography.places import HELD_LEFT, Spot, card_z
from simulator.director import Beat
from simulator.scene import CardPose

ROW_SLOTS = (0, 1, 2, 4, UP_SLOT)


def turned(board: Board, beat: Beat) -> Act | None:
    """Turn cards over: the dealer's one by one into the row, a whole hand at once and spread, one alone in place."""
    event = beat.event
    assert isinstance(event, ev.CardsTurned)
    cards = event.cards if any(str(card) != "??" for card in event.cards) else beat.cards
    names = [n for n in board.chosen(event.seat, cards, event.position) if board.tracks.last(n) is not None]
    if not names:
        return None
    flip = 180.0 if event.face_up else 0.0
    by = DEALER if event.by is None else event.by
    if event.seat == DEALER:
        return _dealers(board, names, flip, by)
    if len(names) >= 3:
        return _whole_hand(board, event.seat, lying(board, event.seat), flip, by)
    return _single(board, event.seat, names, flip, by)


def _free_slots(board: Board, act: Act) -> list[int]:
    """Slots of the dealer's row in which no card lies apart; the pile's own is used last."""
    used = {board.slots.get(name) for name in lying(board, DEALER) if board.slots.get(name) != PILE_SLOT}
    return [slot for slot in ROW_SLOTS if slot not in used]


def _dealers(board: Board, names: Sequence[str], flip: float, by: int) -> Act:
    """Turn cards of the dealer's row, each into a slot of its own."""
    act, hand, _ = begin(board, DEALER, by)
    t = 0.0
    free = _free_slots(board, act)
    in_pile = [name for name in names if board.slots.get(name) == PILE_SLOT]
    whole = len(lying(board, DEALER)) == len(
        [n for n in lying(board, DEALER) if board.slots.get(n) == PILE_SLOT]
    )
    for name in sorted(names, key=lambda name: -act.card(name).z):
        pose = act.card(name)
        spot = Spot(pose.x, pose.y, pose.yaw, card_z(0))
        if name in in_pile and len(lying(board, DEALER)) > 1 and free:
            slot = UP_SLOT if len(names) == 1 and whole else free.pop(0)
            board.slots[name] = slot
            spot = board.places.dealer_pile(0, slot, board.rng)
            board.slots[name] = slot if slot != PILE_SLOT else 5
        t = act.reach(hand, pose.x, pose.y, pose.z + 6.0, "pinch", after=t, quick=0.7, lift=12.0) + 30.0
        to = {"x": spot.x, "y": spot.y, "z": 10.0, "grip": "pinch"}
        t = act.carry(hand, {name: upright(spot, flip=flip)}, to, after=t, lift=36.0, quick=1.3)
    act.done = leave(board, act, hand, t + 50.0)
    return act


def _whole_hand(board: Board, seat: int, names: list[str], flip: float, by: int) -> Act:
    """Square a hand up, turn it over as a packet, and spread it in a row."""
    act, hand, _ = begin(board, seat, by)
    board.held.pop(seat, None)
    t = grip_cards(board, act, hand, names)
    x, y = board.places.area(seat, "cards").centre
    count = len(names)
    square = {n: upright(_square(board, seat, x, y, level)) for level, n in enumerate(names)}
    t = act.carry(hand, square, {"x": x, "y": y, "z": 9.0, "grip": "pinch"}, after=t, lift=2.0)
    over = {n: {"flip": flip, "z": card_z(count - 1 - level)} for level, n in enumerate(names)}
    t = act.carry(hand, over, {"x": x, "y": y, "z": 14.0}, after=t + 30.0, lift=38.0, quick=2.6)
    rows = [board.places.row(seat, index, count, board.rng) for index in range(count)]
    spread = {n: upright(spot, flip=flip) for n, spot in zip(names, rows, strict=True)}
    t = act.carry(
        hand,
        spread,
        {"x": rows[-1].x, "y": rows[-1].y, "z": 7.0, "grip": "flat"},
        after=t,
        lift=1.0,
        quick=1.9,
    )
    act.done = leave(board, act, hand, t + 50.0)
    return act


def _square(board: Board, seat: int, x: float, y: float, level: int) -> Spot:
    yaw = CardPose.yaw_for(board.places.area(seat, "cards").direction)
    return Spot(x + board.rng.gauss(0, 0.4), y + board.rng.gauss(0, 0.4), yaw, card_z(level))


def _single(board: Board, seat: int, names: Sequence[str], flip: float, by: int) -> Act:
    """Turn one or two cards; out of a hand that is held they come beside it on the cloth, and go back."""
    act, hand, _ = begin(board, seat, by)
    t = 0.0
    for number, name in enumerate(names):
        pose = act.card(name)
        area = board.places.area(seat, "cards")
        x, y = area.at(16.0, -58.0 - 20.0 * number)
        spot = Spot(x, y, CardPose.yaw_for(area.direction) + board.rng.gauss(0, 4.0), card_z(6 + number))
        if flip == 0.0 and seat in board.held:
            t = act.reach(hand, pose.x, pose.y, 8.0, "pinch", after=t) + 40.0
            index = board.hands[seat].index(name)
            place, tilt = board.places.held(seat, index, len(board.hands[seat]))
            back = {"x": place.x, "y": place.y, "z": place.z, "yaw": place.yaw, "tilt": tilt, "flip": 0.0}
            t = act.carry(
                hand,
                {name: back},
                {"x": place.x, "y": place.y, "z": 84.0, "grip": "hold"},
                after=t,
                quick=1.3,
            )
            continue
        if flip == 0.0:
            spot = board.places.dealt(seat, board.hands[seat].index(name), board.rng)
        t = act.reach(hand, pose.x, pose.y, pose.z + 7.0, "pinch", after=t) + 40.0
        to = {"x": spot.x, "y": spot.y, "z": 9.0, "grip": "pinch"}
        t = act.carry(hand, {name: upright(spot, flip=flip)}, to, after=t, lift=36.0, quick=1.3)
    if seat in board.held and board.held[seat] == hand and flip:
        x, y = board.places.area(seat, "cards").at(-62.0, HELD_LEFT)
        act.done = t + 160.0
        act.reach(hand, x, y, 84.0, "hold", after=t + 60.0)
    elif seat in board.held and board.held[seat] == hand:
        act.done = t
    else:
        act.done = leave(board, act, hand, t + 50.0)
    return act


def flashed(board: Board, beat: Beat) -> Act | None:
    """Let the face of a card be seen for a moment."""
    event = beat.event
    assert isinstance(event, ev.CardFlashed)
    names = [n for n in board.chosen(event.seat, beat.cards or (event.card,), None) if board.tracks.last(n)][
        :1
    ]
    if not names:
        return None
    act, hand, _ = begin(board, event.seat, DEALER if event.by is None else event.by)
    pose = act.card(names[0])
    t = act.reach(hand, pose.x, pose.y, pose.z + 7.0, "pinch") + 40.0
    up = {"flip": 180.0 if pose.flip < 90 else 0.0, "z": pose.z + 14.0, "tilt": 0.0}
    t = act.carry(hand, {names[0]: up}, {"z": pose.z + 22.0}, after=t, lift=34.0, quick=2.2) + 320.0
    t = act.carry(
        hand,
        {names[0]: {"flip": pose.flip, "z": pose.z, "tilt": pose.tilt}},
        {"z": 8.0},
        after=t,
        lift=34.0,
        quick=2.2,
    )
    act.done = t if event.seat in board.held else leave(board, act, hand, t + 40.0)
    return act


def spread(board: Board, beat: Beat) -> Act | None:
    """Spread a hand in a row."""
    event = beat.event
    assert isinstance(event, ev.HandSpread)
    names = lying(board, event.seat)
    if not names:
        return None
    act, hand, _ = begin(board, event.seat, DEALER)
    t = grip_cards(board, act, hand, names)
    rows = [board.places.row(event.seat, index, len(names), board.rng) for index in range(len(names))]
    if event.seat == DEALER:
        for slot, name in enumerate(names):
            board.slots[name] = slot if slot != PILE_SLOT else 5
    things = {name: upright(spot) for name, spot in zip(names, rows, strict=True)}
    to = {"x": rows[-1].x, "y": rows[-1].y, "z": 7.0, "grip": "flat"}
    t = act.carry(hand, things, to, after=t, lift=1.0, quick=1.8)
    act.done = leave(board, act, hand, t + 50.0)
    return act


def counted(board: Board, beat: Beat) -> Act | None:
    """Count a hand out, card by card: folded cards beside the bet, a hand that lies up towards the dealer."""
    event = beat.event
    assert isinstance(event, ev.HandCounted)
    seat, names = event.seat, lying(board, event.seat)
    if not names:
        return None
    act, hand, _ = begin(board, seat, DEALER)
    board.held.pop(seat, None)
    up = act.card(names[0]).flip > 90.0
    order = list(names) if up else list(reversed(names))
    free = not any(board.tracks.last(name) is not None for name in board.wagers.get((seat, ev.Area.BET), []))
    t = 0.0
    for index, name in enumerate(order):
        pose = act.card(name)
        if seat == DEALER or up or seat not in board.folded:
            area = board.places.area(seat, "cards")
            pitch = 76.0 if seat == DEALER else min(30.0, (area.width - 50.0) / max(1, len(names) - 1))
            x, y = area.at(22.0, pitch * ((len(names) - 1) / 2 - index))
            spot = Spot(x, y, pose.yaw, card_z(index))
        else:
            spot = board.places.counted(seat, free, index, len(names), board.rng)
        t = act.reach(hand, pose.x, pose.y, pose.z + 6.0, "flat", after=t, quick=0.55, lift=6.0)
        to = {"x": spot.x, "y": spot.y, "z": 7.0, "grip": "flat"}
        t = act.carry(hand, {name: upright(spot)}, to, after=t, lift=3.0, quick=1.0)
    act.done = leave(board, act, hand, t + 60.0)
    return act


def collected(board: Board, beat: Beat) -> Act | None:
    """Sweep a hand together and take it to the rack."""
    event = beat.event
    assert isinstance(event, ev.CardsCollected)
    seat, names = event.seat, _meant(board, beat, event)
    if not names:
        return None
    act, hand, _ = begin(board, seat, DEALER)
    hand = board.hand(act, DEALER, board.free_side("right"))
    t = sweep(board, act, hand, names)
    act.done = into_rack(board, act, hand, names, t, board.over(seat, 46.0))
    for name in names:
        board.hands[seat].remove(name)
    board.held.pop(seat, None)
    board.folded.discard(seat)
    return act


def _meant(board: Board, beat: Beat, event: ev.CardsCollected) -> list[str]:
    """The cards that are collected: those of the script by face, otherwise as many as were counted."""
    names = lying(board, event.seat)
    if event.count is None or event.count >= len(names):
        return names
    act = board.act(DEALER)
    faces = {str(card) for card in beat.cards or event.cards}
    known = [name for name in names if act.card(name).label in faces]
    return known if len(known) == event.count else names[: event.count]


def sweep(board: Board, act: Act, hand: str, names: list[str], t: float = 0.0) -> float:
    """Sweep cards together into a packet from one end of the row to the other; returns when they are one."""
    first, last = act.card(names[0]), act.card(names[-1])
    t = act.reach(hand, first.x, first.y, 8.0, "flat", after=t, lift=14.0) + 40.0
    things = {
        name: upright(Spot(last.x, last.y, last.yaw, card_z(level)), flip=last.flip)
        for level, name in enumerate(names)
    }
    return act.carry(
        hand, things, {"x": last.x, "y": last.y, "z": 8.0, "grip": "hold"}, after=t, lift=1.0, quick=1.3
    )


def verified(board: Board, beat: Beat) -> Act | None:
    """Go over the cards of a hand with a finger, one after the other."""
    event = beat.event
    assert isinstance(event, ev.JackpotVerified)
    act, hand, names = begin(board, event.seat, DEALER)
    points = [(act.card(name).x, act.card(name).y) for name in names]
    t = 0.0
    for x, y in points or [board.places.area(event.seat, "cards").centre]:
        x, y = x * 0.94, y * 0.94 if event.seat else y - 30.0
        t = act.reach(hand, x, y, 12.0, "point", after=t, lift=8.0) + 110.0
    act.done = leave(board, act, hand, t)
    return act


def rebuilt(board: Board, beat: Beat) -> Act | None:
    """Take a hand back out of the rack and lay it out face up at its seat."""
    event = beat.event
    assert isinstance(event, ev.HandRebuilt)
    count = len(beat.cards) or 5
    act = board.act(DEALER)
    hand = board.hand(act, DEALER, "right")
    rack = board.places.rack(board.fixtures().rack_cards)
    t = act.reach(hand, rack.x, rack.y, rack.z + 8.0, "hold") + 80.0
    names = [board.new("card") for _ in range(count)]
    labels = [str(card) for card in beat.cards] + [None] * (count - len(beat.cards))
    for level, (name, label) in enumerate(zip(names, labels, strict=True)):
        act.appear(CardPose(name, label, rack.x, rack.y, rack.z + 0.3 * level), t)
    act.fixtures(t, lambda fixed: {"rack_cards": max(0, fixed.rack_cards - count)})
    rows = [board.places.row(event.seat, index, count, board.rng) for index in range(count)]
    things = {name: upright(spot, flip=180.0) for name, spot in zip(names, rows, strict=True)}
    x, y = rows[-1].x, rows[-1].y
    t = act.carry(hand, things, {"x": x, "y": y, "z": 8.0, "grip": "flat"}, after=t, lift=40.0, quick=1.3)
    board.hands.setdefault(event.seat, []).extend(names)
    act.done = leave(board, act, hand, t + 60.0)
    return act
