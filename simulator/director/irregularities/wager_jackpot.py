"""Irregularities of jackpot wagers before the deal: no ante, wrong amount, wrong light, no lock-out."""

from __future__ import annotations

from typing import Any

from engine import events as ev
from engine.events import Area
from engine.hands import Category
from engine.settings import JackpotMode
from simulator.director.edit import Edit
from simulator.director.house import Want
from simulator.director.irregularities.base import Hit, dealing_clause, irregularity
from simulator.director.irregularities.deal_common import chips_of, empty_seats
from simulator.director.plan import Stake

ELECTRONIC = Want(jackpot=JackpotMode.ELECTRONIC)
MANUAL = Want(jackpot=JackpotMode.MANUAL, seats_at_most=6)


def no_payout(edit: Edit) -> None:
    """Give up rounds with a jackpot payout: the meters of this scene are altered."""
    edit.need(not edit.all(ev.JackpotPaid))


def last_reading(edit: Edit) -> dict[ev.Pool, int]:
    """Return what the meters show before the call."""
    return {f.event.pool: f.event.amount for f in edit.all(ev.JackpotMeterRead) if f.at < edit.call()}


def grow_more(edit: Edit, at: int) -> int:
    """Let the meters grow by one more wager at an index just before the call; return the index after it."""
    added = edit.settings.jackpot_wager * edit.settings.meter_rate_percent // 100
    shown = last_reading(edit)
    parts = dict.fromkeys(shown, added)
    if edit.settings.sub_pools:
        parts = {ev.Pool.MAJOR: added - added // 3, ev.Pool.MINOR: added // 3}
    for pool, part in parts.items():
        at = edit.insert(at, ev.JackpotMeterRead, amount=shown[pool] + part, pool=pool)
    return at


def recount(edit: Edit, more: int) -> None:
    """Let the dealer count other jackpot chips (s10 (g)(2))."""
    for found in edit.all(ev.JackpotChipsCounted):
        edit.change(found.at, count=found.event.count + more)


def _stray_chip(edit: Edit, seat: int) -> Hit:
    """Let a player at a seat without an ante put a chip into the acceptor, which takes it."""
    at = edit.call()
    fields: dict[str, Any] = {"seat": seat, "area": Area.JACKPOT, "by": seat}
    edit.insert(len(edit.beats), ev.AcceptorLightChanged, seat=seat, lit=False)
    if not edit.nz:
        if edit.all(ev.JackpotChipsCounted):
            recount(edit, 1)
        else:
            edit.insert(edit.first(ev.LockOutPressed).at + 1, ev.JackpotChipsCounted, count=1)
    at = edit.insert(at, ev.WagerPlaced, **fields, **chips_of(edit, edit.settings.jackpot_wager))
    at = edit.insert(at, ev.AcceptorLightChanged, seat=seat, lit=True)
    at = grow_more(edit, at)
    edit.insert(0, ev.PlayerSat, seat=seat, player=f"jackpot-{seat}")
    return seat, Area.JACKPOT


@irregularity(
    "wager.jackpot_without_ante",
    "in_the_slot",
    nz="11.1",
    s10="(f)(3)",
    want=Want(jackpot=JackpotMode.ELECTRONIC, seats_at_most=6),
)
def slot_without_ante(edit: Edit) -> Hit:
    """Somebody without an ante puts a chip into the jackpot slot, and the light goes on."""
    no_payout(edit)
    return _stray_chip(edit, edit.pick(empty_seats(edit)))


@irregularity("wager.jackpot_without_ante", "on_the_layout", nz="11.1", want=MANUAL)
def layout_without_ante(edit: Edit) -> Hit:
    """Somebody without an ante puts a chip on the jackpot area, and takes it back during the round."""
    seat = edit.pick(empty_seats(edit))
    fields: dict[str, Any] = {"seat": seat, "area": Area.JACKPOT, "by": seat}
    edit.insert(edit.decisions()[0], ev.WagerWithdrawn, **fields)
    edit.insert(edit.call(), ev.WagerPlaced, **fields, **chips_of(edit, edit.settings.jackpot_wager))
    edit.insert(0, ev.PlayerSat, seat=seat, player=f"jackpot-{seat}")
    return seat, Area.JACKPOT


@irregularity("wager.jackpot_amount", "wrong_chip", nz="11.2", s10="(f)(3)")
def wrong_chip(edit: Edit) -> Hit:
    """A jackpot wager is made with a chip of another value."""
    seat = edit.pick(edit.seats(lambda one: one.stake is Stake.CHIP and not one.wins_jackpot)).seat
    value = edit.pick([one for one in edit.settings.chip_values if one != edit.settings.jackpot_wager][:2])
    made = edit.only(ev.WagerPlaced, seat=seat, area=Area.JACKPOT)
    edit.change(made.at, stack=(value,), amount=value, chips=(value,))
    for taken in edit.all(ev.WagerTaken, seat=seat, area=Area.JACKPOT):
        edit.change(taken.at, amount=value)
    return seat, Area.JACKPOT


@irregularity("wager.jackpot_amount", "two_chips", nz="11.3", want=MANUAL)
def two_chips(edit: Edit) -> Hit:
    """A jackpot wager is made with several chips instead of one of its value."""
    due = edit.settings.jackpot_wager
    unit = edit.pick([one for one in edit.settings.chip_values if one < due and due % one == 0])
    seat = edit.pick(edit.seats(lambda one: one.stake is Stake.CHIP)).seat
    chips = (unit,) * (due // unit)
    made = edit.only(ev.WagerPlaced, seat=seat, area=Area.JACKPOT)
    edit.change(made.at, stack=chips, chips=chips)
    return seat, Area.JACKPOT


@irregularity(
    "wager.jackpot_light",
    "stays_off",
    nz="11.4",
    s10="(f)(3)",
    want=ELECTRONIC,
    allowed=("jackpot.lights_count",),
)
def light_stays_off(edit: Edit) -> Hit:
    """The light of a jackpot wager does not go on, and nobody says anything."""
    no_payout(edit)
    seat = edit.pick(edit.seats(lambda one: one.stake is Stake.CHIP)).seat
    light = edit.first(ev.AcceptorLightChanged, seat=seat, lit=True)
    steps = 2 if edit.settings.sub_pools else 1
    meters = edit.all(ev.JackpotMeterRead, light.at)
    edit.need(all(f.at < edit.call() for f in meters) and len(meters) == steps)
    edit.drop(light.at, *(f.at for f in meters))
    edit.drop_all(ev.AcceptorLightChanged, seat=seat)
    return seat, Area.JACKPOT


@irregularity(
    "wager.jackpot_light",
    "on_without_a_wager",
    nz="11.4",
    s10="(f)(3)",
    want=Want(jackpot=JackpotMode.ELECTRONIC, turn_all=True),
    allowed=("jackpot.lights_count",),
)
def light_without_wager(edit: Edit) -> Hit:
    """A light goes on at a seat that made no jackpot wager, and nobody says anything."""
    edit.need(edit.settings.turn_all_hands)  # or the light would call for the hand to be turned (j)(6)(i)
    seat = edit.pick(edit.seats(lambda one: one.stake is Stake.NONE and one.kind < Category.FLUSH)).seat
    edit.insert(len(edit.beats), ev.AcceptorLightChanged, seat=seat, lit=False)
    edit.insert(edit.call(), ev.AcceptorLightChanged, seat=seat, lit=True)
    return seat, Area.JACKPOT


@irregularity("wager.lock_out", "not_pressed", s10="(g)(2)", visible=False)
def not_pressed(edit: Edit) -> Hit:
    """The dealer calls "no more bets" and deals without pressing the lock-out button."""
    edit.drop(edit.only(ev.LockOutPressed).at)
    return None, None, _lock_clause(edit)


@irregularity("wager.lock_out", "before_the_call", s10="(g)(2)", visible=False)
def pressed_before_call(edit: Edit) -> Hit:
    """The lock-out button is pressed before "no more bets" and not after it."""
    edit.move([edit.only(ev.LockOutPressed).at], edit.call())
    return None, None, _lock_clause(edit)


def _lock_clause(edit: Edit) -> str:
    return dealing_clause(edit, "(g)(2)", "(h)(2)(iii)", "(i)(2)(ii)")
