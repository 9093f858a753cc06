"""What irregularities of deck, wagers and deal share: a round played anew from another plan, other cards in a hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import events as ev
from engine.cards import Card
from engine.events import DEALER, Area
from engine.settings import Method
from simulator.director.amounts import bet_due
from simulator.director.chips import pile
from simulator.director.edit import Edit, Found
from simulator.director.plan import RoundPlan, SeatPlan, Stake
from simulator.director.play import play


def replay(edit: Edit, plan: RoundPlan) -> None:
    """Let the whole round be played anew by another plan."""
    edit.script = play(plan)
    edit.beats = list(edit.script.beats)
    edit.settings = plan.settings
    edit.use(plan)


def packets(edit: Edit) -> bool:
    """Whether the cards come in packets of five."""
    return edit.settings.method is Method.PACKETS


def deliveries_to(edit: Edit, seat: int) -> list[Found]:
    """Return the deliveries to one seat."""
    return [found for found in edit.deliveries() if found.event.seat == seat]


def spare(edit: Edit, count: int = 1) -> tuple[Card, ...]:
    """Return cards of the stub that go where they do not belong."""
    edit.need(len(edit.plan.stub) >= count)
    return edit.plan.stub[:count]


def shrink_stub(edit: Edit, cards: Sequence[Card]) -> None:
    """Let some cards be missing from the stub, because they were dealt or thrown away."""
    left = tuple(card for card in edit.plan.stub if card not in cards)
    resize_stub(edit, left)


def resize_stub(edit: Edit, left: tuple[Card, ...]) -> None:
    """Let the stub be other cards, and its count follow."""
    for found in edit.all(ev.StubCounted):
        edit.change(found.at, faces=left, count=len(left))
    for found in edit.all(ev.StubPlaced):
        edit.change(found.at, faces=left)


def regive(edit: Edit, seat: int, hand: tuple[Card, ...], start: int) -> None:
    """Let a seat hold other cards from an index on: every event that counts or shows them follows."""
    for at in range(start, len(edit.beats)):
        event = edit.beats[at].event
        if getattr(event, "seat", None) != seat:
            continue
        if isinstance(event, ev.HandPickedUp | ev.HandLaidDown | ev.HandCounted | ev.HandSpread):
            edit.change(at, count=len(hand))
        elif isinstance(event, ev.HandViewed):
            edit.change(at, faces=hand)
        elif isinstance(event, ev.CardsCollected):
            edit.change(at, faces=hand, count=len(hand), cards=hand if event.cards else ())
        elif isinstance(event, ev.CardsTurned) and len(event.cards) > 1:
            up = _up_before(edit, at, seat) if seat == DEALER else ()
            shown = tuple(card for card in hand if card not in up)
            edit.change(at, faces=shown, cards=shown)


def _up_before(edit: Edit, at: int, seat: int) -> tuple[Card, ...]:
    """Return the cards of a seat that lie face up before an index."""
    up: list[Card] = []
    for beat in edit.beats[:at]:
        event = beat.event
        if getattr(event, "seat", None) != seat:
            continue
        if isinstance(event, ev.CardDealt) and event.face_up:
            up.append(event.card)
        elif isinstance(event, ev.CardsTurned):
            up = [*up, *event.cards] if event.face_up else [card for card in up if card not in event.cards]
    return tuple(up)


def reshow_dealer(edit: Edit) -> None:
    """Let the reveal turn exactly the dealer's cards that still lie face down."""
    hand = tuple(card for beat in edit.beats for card in beat.cards if _to_dealer(beat.event))
    at = next(
        f.at for f in reversed(edit.all(ev.CardsTurned, seat=DEALER, face_up=True)) if len(f.event.cards) > 1
    )
    up = _up_before(edit, at, DEALER)
    hole = tuple(card for card in hand if card not in up)
    edit.change(at, faces=hole, cards=hole)


def _to_dealer(event: ev.Event) -> bool:
    return isinstance(event, ev.CardDealt | ev.PacketDealt) and event.seat == DEALER


def plain(edit: Edit) -> list[SeatPlan]:
    """Return the seats that stay in the round, at their own players' places, with no part in the jackpot."""
    return edit.seats(
        lambda seat: (
            not seat.folds and seat.owner == seat.seat and seat.stake is Stake.NONE and not seat.blind
        )
    )


def empty_seats(edit: Edit) -> list[int]:
    """Return the seats at which nobody sits or wagers in the whole scene."""
    used = {getattr(beat.event, "seat", 0) for beat in edit.beats}
    return [seat for seat in range(1, edit.settings.seats + 1) if seat not in used]


def settle_as(edit: Edit, seat: SeatPlan, area: Area, amount: int, start: int) -> None:
    """Let a wager of another amount be taken or paid in full from an index on."""
    for found in edit.all(ev.WagerTaken, start, seat=seat.seat, area=area):
        edit.change(found.at, amount=amount)
    paid = edit.all(ev.WagerPaid, start, seat=seat.seat, area=area)
    if not paid:
        return
    due = amount if area is Area.ANTE else bet_due(edit.rulebook, edit.settings, seat.kind, amount)
    chips = pile(due, edit.settings.chip_values)
    edit.need(sum(chips) == due)
    edit.change(paid[0].at, stack=chips, amount=due, chips=chips if len(chips) <= 20 else None)
    edit.drop(*[found.at for found in paid[1:]])


def chips_of(edit: Edit, amount: int) -> dict[str, Any]:
    """Return the fields of a pile of so much."""
    chips = pile(amount, edit.settings.chip_values)
    edit.need(amount > 0 and sum(chips) == amount and len(chips) <= 20)
    return {"stack": chips, "amount": amount, "chips": chips}
