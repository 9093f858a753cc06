"""Settlement: wagers taken or paid though the round or the hand was declared void."""

from __future__ import annotations

from engine import events as ev
from engine.events import Area
from engine.settings import Method
from simulator.director.chips import pile
from simulator.director.edit import Edit
from simulator.director.house import Want
from simulator.director.irregularities.base import Hit, irregularity
from simulator.director.irregularities.decide_common import in_hand
from simulator.director.irregularities.settle_common import resettle
from simulator.director.plan import SeatPlan
from simulator.director.script import Expected
from simulator.director.void import void_hand, void_round

TWO = Want(seats_at_least=2, blind_bets=False)
SHOE = Want(method=Method.SHOE, seats_at_least=2)
MACHINE = Want(method=Method.PACKETS, seats_at_least=2)


def _one_short(edit: Edit) -> SeatPlan:
    """Let a player be dealt four cards; the fifth stays in the deck."""
    seat: SeatPlan = edit.pick(edit.seats())
    last = [one for one in edit.deliveries() if one.event.seat == seat.seat][-1]
    if isinstance(last.event, ev.PacketDealt):
        edit.change(last.at, faces=seat.hand[:4], count=4)
    else:
        edit.drop(last.at)
    for one in edit.all(ev.StubCounted):
        edit.change(one.at, count=one.event.count + 1)
    return seat


def _void_from(edit: Edit, at: int) -> None:
    """Cut the round at a place, where it is declared void."""
    stage = edit.continue_from(at)
    void_round(stage, edit.plan.back)
    edit.beats = stage.beats


def _ante_back(edit: Edit, seat: int | None = None) -> tuple[int, SeatPlan]:
    """Return where an ante goes back to its player after the declaration, and whose it is."""
    void = [*edit.all(ev.RoundVoided), *edit.all(ev.HandVoided)][0].at
    found = edit.all(ev.WagerWithdrawn, void, area=Area.ANTE)
    back = edit.pick([one for one in found if seat in (None, one.event.seat)][: 1 if seat else None])
    return back.at, edit.plan.seat(back.event.seat)


def _take_ante(edit: Edit, number: int | None = None) -> Hit:
    """Let the dealer take an ante that should go back to its player."""
    at, seat = _ante_back(edit, number)
    edit.drop(at)
    edit.insert(at, ev.WagerTaken, seat=seat.seat, area=Area.ANTE, amount=seat.ante)
    return seat.seat, Area.ANTE


def _misdeal(edit: Edit) -> None:
    seat = _one_short(edit)
    edit.handled.append(Expected("deal.player_count", "12.2", seat.seat))
    _void_from(edit, edit.decisions()[0])


@irregularity("settle.void_round", "ante_taken", nz="12.11", want=TWO)
def ante_taken(edit: Edit) -> Hit:
    """A player got four cards and the round is void; the dealer takes an ante all the same."""
    _misdeal(edit)
    return _take_ante(edit)


@irregularity("settle.void_round", "ante_paid", nz="12.11", want=TWO)
def ante_paid(edit: Edit) -> Hit:
    """A player got four cards and the round is void; the dealer pays an ante before it goes back."""
    _misdeal(edit)
    at, seat = _ante_back(edit)
    chips = pile(seat.ante, edit.settings.chip_values)
    edit.insert(at, ev.WagerPaid, stack=chips, seat=seat.seat, area=Area.ANTE, amount=seat.ante, chips=chips)
    return seat.seat, Area.ANTE


@irregularity("settle.void_round", "ante_of_void_hand_taken", s10="(m)(4)", want=TWO)
def ante_of_void_hand_taken(edit: Edit) -> Hit:
    """A player got four cards and that hand is void; the dealer takes its ante."""
    seat = _one_short(edit)
    edit.handled.append(Expected("deal.player_count", "(m)(4)", seat.seat))
    start = edit.decisions()[0]
    edit.drop(*in_hand(edit, seat.seat))
    for kind in (ev.PlayerFolded, ev.WagerTaken, ev.HandCounted, ev.CardsCollected, ev.WagerPlaced):
        edit.drop(*[one.at for one in edit.all(kind, start, seat=seat.seat) if one.at < edit.reveal()])
    stage = edit.continue_from(start)
    void_hand(stage, seat.seat, edit.plan.back)
    edit.beats[start:start] = stage.beats[start:]
    resettle(edit, away=frozenset({seat.seat}))
    return _take_ante(edit, seat.seat)


@irregularity("settle.void_round", "ante_taken_after_jam", s10="(m)(6)", want=MACHINE)
def ante_taken_after_jam(edit: Edit) -> Hit:
    """The automated shoe jams in the deal and the round is void; the dealer takes an ante."""
    at = edit.insert(edit.during_deal(), ev.ShoeJammed)
    edit.handled.append(Expected("deck.shoe_jam", "(m)(6)"))
    _void_from(edit, at)
    return _take_ante(edit)


@irregularity("settle.void_round", "ante_taken_after_face_up_cards", s10="(m)(2)", want=SHOE)
def ante_taken_after_face_up_cards(edit: Edit) -> Hit:
    """Two cards come face up out of the shoe and the round is void; the dealer takes an ante."""
    at = edit.during_deal()
    first, second = edit.plan.stub[:2]
    at = edit.insert(at, ev.CardFoundFaceUp, faces=(first,), card=first)
    at = edit.insert(at, ev.CardDiscarded, faces=(first,), card=first, back=edit.plan.back)
    at = edit.insert(at, ev.CardFoundFaceUp, faces=(second,), card=second)
    edit.handled.append(Expected("deal.face_up_in_shoe", "(m)(2)"))
    _void_from(edit, at)
    return _take_ante(edit)
