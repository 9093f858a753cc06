"""What the irregularities of decisions and settlement share: moments of a hand, and a round played on from a cut."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine import events as ev
from engine.cards import Card
from simulator.director.edit import Edit
from simulator.director.money import Desk
from simulator.director.plan import RoundPlan, SeatPlan
from simulator.director.play import finish_at


def own_seats(edit: Edit) -> list[SeatPlan]:
    """Return the areas whose players sit at them and play no other."""
    owners = [seat.owner for seat in edit.plan.seats]
    return [seat for seat in edit.plan.seats if seat.owner == seat.seat and owners.count(seat.seat) == 1]


def held(edit: Edit, seat: int) -> tuple[int, int]:
    """Return from where to where a player holds the cards: after the pick-up, up to the laying down."""
    return edit.first(ev.HandPickedUp, seat=seat).at + 1, edit.first(ev.HandLaidDown, seat=seat).at


def lies_at(edit: Edit, seat: int) -> list[int]:
    """Return the places between deal and reveal at which the cards of a seat lie on the layout."""
    start, end = edit.decisions()
    places: list[int] = []
    lying = True
    for at in range(start, end + 1):
        if lying:
            places.append(at)
        event = edit.beats[at].event
        if getattr(event, "seat", None) == seat:
            if isinstance(event, ev.HandPickedUp | ev.CardsCollected | ev.PlayerFolded):
                lying = False
            elif isinstance(event, ev.HandLaidDown):
                lying = True
    return places


def decided_at(edit: Edit, seat: SeatPlan) -> int:
    """Return where a player bets or folds."""
    if seat.folds:
        return edit.first(ev.PlayerFolded, seat=seat.seat).at
    return edit.first(ev.WagerPlaced, edit.call(), seat=seat.seat, area=ev.Area.BET).at


def fold_block(edit: Edit, seat: int) -> list[int]:
    """Return the places of a fold and of everything by which the dealer clears it."""
    start = edit.first(ev.PlayerFolded, seat=seat).at
    end = edit.first(ev.CardsCollected, start, seat=seat).at
    return [
        at
        for at in range(start, end + 1)
        if getattr(edit.beats[at].event, "seat", None) == seat
        and isinstance(
            edit.beats[at].event, ev.PlayerFolded | ev.WagerTaken | ev.HandCounted | ev.CardsCollected
        )
    ]


def in_hand(edit: Edit, seat: int) -> list[int]:
    """Return the places at which somebody handles the cards of a seat between deal and reveal."""
    start, end = edit.decisions()
    kinds = (
        ev.HandTouched,
        ev.HandPickedUp,
        ev.HandViewed,
        ev.CardsTurned,
        ev.HandLaidDown,
    )
    return [
        at
        for at in range(start, end)
        if isinstance(edit.beats[at].event, kinds) and getattr(edit.beats[at].event, "seat", None) == seat
    ]


def with_hands(plan: RoundPlan, hands: Mapping[int, tuple[Card, ...]]) -> RoundPlan:
    """Return the plan with other hands at some seats."""
    seats = tuple(replace(one, hand=hands.get(one.seat, one.hand)) for one in plan.seats)
    return replace(plan, seats=seats)


def play_on(edit: Edit, desk: Desk) -> None:
    """Let the dealer reveal, settle and close the round; the script goes on from where the desk's stage is."""
    finish_at(desk)
    edit.beats = desk.stage.beats
