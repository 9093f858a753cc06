"""Handlers for rounds, wagers, lights, meters and settlement."""

from __future__ import annotations

from collections.abc import Mapping

from engine import events as ev
from engine.events import Area
from engine.state.evolve import evolve
from engine.state.model import Act, Seat, TableState, Wager
from engine.state.steps import Handler, in_round, open_round, with_entry, with_round, with_seat


def _opened(state: TableState, event: ev.RoundOpened) -> TableState:
    return open_round(state, event, event.round, event.deck, event.redeal)


def _set_wager(state: TableState, seat: int, area: Area, wager: Wager | None) -> TableState:
    return with_seat(state, seat, **{area.value: wager})


def _deal_went_on(state: TableState, event: ev.Event) -> TableState:
    """Note that the deal is over: somebody acts on complete hands."""
    now = state.round
    if now is None or now.first_card is None or now.deal_over is not None:
        return state
    return with_round(state, deal_over=event.seq)


def _placed(state: TableState, event: ev.WagerPlaced) -> TableState:
    state = in_round(state, event)
    now = state.round
    before_deal = now is None or now.first_card is None
    old = state.seats[event.seat].wager(event.area)
    if old is not None and old.lies:  # a second pile: what lies there is now the sum
        both = None if old.amount is None or event.amount is None else old.amount + event.amount
        pile = evolve(old, amount=both, piles=old.piles + 1, history=(*old.history, both))
        return _set_wager(state, event.seat, event.area, pile)
    wager = Wager(
        amount=event.amount,
        placed=event.seq,
        chips=event.chips,
        tender=event.tender,
        by=event.by,
        before_deal=before_deal,
        at_call=0 if now is not None and now.called is not None else None,
        history=(event.amount,),
    )
    state = _set_wager(state, event.seat, event.area, wager)
    return _deal_went_on(state, event) if event.area is Area.BET and not before_deal else state


def _changed(state: TableState, event: ev.WagerChanged) -> TableState:
    state = in_round(state, event)
    old = state.seats[event.seat].wager(event.area)
    base = old if old is not None else Wager(amount=None, placed=event.seq)
    changed = evolve(
        base, amount=event.amount, chips=event.chips, piles=1, history=(*base.history, event.amount)
    )
    return _set_wager(state, event.seat, event.area, changed)


def _oral(state: TableState, event: ev.OralWagerAccepted) -> TableState:
    return with_seat(in_round(state, event), event.seat, oral=event.seq)


def _withdrawn(state: TableState, event: ev.WagerWithdrawn) -> TableState:
    state = in_round(state, event)
    old = state.seats[event.seat].wager(event.area)
    if old is None:
        return state
    now = state.round
    if now is not None and now.called is None and now.first_card is None and not old.settled:
        return _set_wager(state, event.seat, event.area, None)
    return _set_wager(state, event.seat, event.area, evolve(old, withdrawn=event.seq))


def _called(state: TableState, event: ev.NoMoreBetsCalled) -> TableState:
    state = in_round(state, event)
    if state.round is not None and state.round.called is not None:
        return state  # said again: bets were closed the first time
    seats = tuple(_at_call(seat) for seat in state.seats)
    return with_round(evolve(state, seats=seats), called=event.seq)


def _at_call(seat: Seat) -> Seat:
    changes = {
        area.value: evolve(wager, at_call=wager.amount)
        for area in Area
        if (wager := seat.wager(area)) is not None
    }
    return evolve(seat, **changes) if changes else seat


def _locked(state: TableState, event: ev.LockOutPressed) -> TableState:
    return with_round(in_round(state, event), lock_out=event.seq)


def _light(state: TableState, event: ev.AcceptorLightChanged) -> TableState:
    return with_seat(state, event.seat, light=event.lit)


def _coupon(state: TableState, event: ev.CouponRedeemed) -> TableState:
    return with_seat(in_round(state, event), event.seat, coupon=True)


def _chips(state: TableState, event: ev.JackpotChipsCounted) -> TableState:
    return with_round(in_round(state, event), chips_counted=event.seq, chips_count=event.count)


def _meter(state: TableState, event: ev.JackpotMeterRead) -> TableState:
    """Note a reading: as the base of this round's growth, while nobody has staked yet."""
    now, old = state.round, state.meters.get(event.pool)
    if now is not None and now.closed is None:
        staked = any(seat.coupon or seat.jackpot is not None or seat.light for seat in state.seats)
        if not staked:
            state = with_round(state, meter_base=with_entry(now.meter_base, event.pool, event.amount))
        elif old is not None and event.amount < old and not _paid_since_reading(state, event.pool):
            state = with_round(state, meter_fell=event.seq)
    return evolve(
        state,
        meters=with_entry(state.meters, event.pool, event.amount),
        meters_read=with_entry(state.meters_read, event.pool, event.seq),
    )


def shared_reading(state: TableState, pool: ev.Pool, amount: int, seq: int) -> TableState:
    """Return the state with a reading that came from another table with the same meter."""
    now, old = state.round, state.meters.get(pool)
    if now is not None and now.closed is None and old is not None and amount < old and pool in now.meter_base:
        fallen = now.meter_base[pool] + amount - old
        state = with_round(state, meter_base=with_entry(now.meter_base, pool, fallen))
    return evolve(
        state,
        meters=with_entry(state.meters, pool, amount),
        meters_read=with_entry(state.meters_read, pool, seq),
    )


def _paid_since_reading(state: TableState, pool: ev.Pool) -> bool:
    read = state.meters_read.get(pool, -1)
    acts = () if state.round is None else state.round.acts
    return any(act.what == "jackpot_paid" and act.seq > read for act in acts)


def _act(state: TableState, act: Act) -> TableState:
    now = state.round
    return state if now is None else with_round(state, acts=(*now.acts, act))


def _taken(state: TableState, event: ev.WagerTaken) -> TableState:
    state = _deal_went_on(in_round(state, event), event)
    old = state.seats[event.seat].wager(event.area)
    wager = old if old is not None else Wager(amount=None, placed=event.seq)
    so_far = 0 if wager.taken is None else wager.taken_amount
    total = None if so_far is None or event.amount is None else so_far + event.amount
    state = _set_wager(state, event.seat, event.area, evolve(wager, taken=event.seq, taken_amount=total))
    return _act(state, Act(event.seq, "taken", event.seat, event.area, event.amount))


def _paid(state: TableState, event: ev.WagerPaid) -> TableState:
    state = _deal_went_on(in_round(state, event), event)
    old = state.seats[event.seat].wager(event.area)
    wager = old if old is not None else Wager(amount=None, placed=event.seq)
    sum_so_far = wager.paid_amount
    total = None if sum_so_far is None or event.amount is None else sum_so_far + event.amount
    first = wager.paid if wager.paid is not None else event.seq
    state = _set_wager(state, event.seat, event.area, evolve(wager, paid=first, paid_amount=total))
    return _act(state, Act(event.seq, "paid", event.seat, event.area, event.amount))


def _jackpot_paid(state: TableState, event: ev.JackpotPaid) -> TableState:
    state = in_round(state, event)
    seat = state.seats[event.seat]
    before = 0 if seat.jackpot_paid is None else seat.jackpot_amount
    total = None if before is None or event.amount is None else before + event.amount
    state = with_seat(
        state,
        event.seat,
        jackpot_paid=seat.jackpot_paid if seat.jackpot_paid is not None else event.seq,
        jackpot_amount=total,
        jackpot_by_cage=event.by_cage,
        jackpot_meters=_fresh_meters(state) if seat.jackpot_paid is None else seat.jackpot_meters,
    )
    return _act(state, Act(event.seq, "jackpot_paid", event.seat, Area.JACKPOT, event.amount))


def _fresh_meters(state: TableState) -> Mapping[ev.Pool, int]:
    """Return the meters as far as they were read since the last jackpot of this round was paid."""
    acts = () if state.round is None else state.round.acts
    last = max((act.seq for act in acts if act.what == "jackpot_paid"), default=None)
    if last is None:
        return state.meters
    return {pool: amount for pool, amount in state.meters.items() if state.meters_read[pool] >= last}


def _announced(state: TableState, event: ev.HandAnnounced) -> TableState:
    return with_round(in_round(state, event), announced=event.seq, announced_qualifies=event.qualifies)


def _informed(state: TableState, event: ev.InformationPassed) -> TableState:
    state = in_round(state, event)
    for seat in event.seats:
        if 0 < seat < len(state.seats):
            state = with_seat(state, seat, informed=event.seq)
    return state


def _verified(state: TableState, event: ev.JackpotVerified) -> TableState:
    return with_seat(in_round(state, event), event.seat, verified=event.seq)


def _confirmed(state: TableState, event: ev.SupervisorConfirmed) -> TableState:
    return with_seat(in_round(state, event), event.seat, confirmed=event.seq)


def _papers(state: TableState, event: ev.PapersCompleted) -> TableState:
    return with_seat(in_round(state, event), event.seat, papers=event.seq)


def _hand_voided(state: TableState, event: ev.HandVoided) -> TableState:
    return with_seat(in_round(state, event), event.seat, voided=event.seq)


def _round_voided(state: TableState, event: ev.RoundVoided) -> TableState:
    state = with_round(in_round(state, event), voided=event.seq)
    return evolve(state, rounds_since_stub_count=max(0, state.rounds_since_stub_count - 1))


def _closed(state: TableState, event: ev.RoundClosed) -> TableState:
    return with_round(in_round(state, event), closed=event.seq)


HANDLERS: dict[type[ev.Event], Handler] = {
    ev.RoundOpened: _opened,
    ev.WagerPlaced: _placed,
    ev.WagerChanged: _changed,
    ev.WagerWithdrawn: _withdrawn,
    ev.OralWagerAccepted: _oral,
    ev.NoMoreBetsCalled: _called,
    ev.LockOutPressed: _locked,
    ev.AcceptorLightChanged: _light,
    ev.CouponRedeemed: _coupon,
    ev.JackpotChipsCounted: _chips,
    ev.JackpotMeterRead: _meter,
    ev.WagerTaken: _taken,
    ev.WagerPaid: _paid,
    ev.JackpotPaid: _jackpot_paid,
    ev.HandAnnounced: _announced,
    ev.InformationPassed: _informed,
    ev.JackpotVerified: _verified,
    ev.SupervisorConfirmed: _confirmed,
    ev.PapersCompleted: _papers,
    ev.HandVoided: _hand_voided,
    ev.RoundVoided: _round_voided,
    ev.RoundClosed: _closed,
}
