"""Jackpots: chips against lights before the deal, the growth of the meter, and who comes first between tables."""

from __future__ import annotations

from collections.abc import Iterator

from engine import events as ev
from engine.checks.deal_common import missed_start
from engine.checks.jackpot_common import electronic, has_jackpot, jackpot_rules, lights_known
from engine.checks.registry import Finding, Moment, check, unsure
from engine.events import Area, Pool
from engine.jackpot import JackpotRules, meter_too_slow
from engine.money import format_amount
from engine.settings import TableSettings
from engine.settlement import Ratio
from engine.state.model import Seat, TableState


@check(
    "jackpot.chips_uncounted",
    "Jackpot chips not counted before the deal",
    on=(ev.CardDealt, ev.PacketDealt),
    needs=("tray", "seats"),
    applies=electronic,
    first_card=True,
)
def chips_uncounted(m: Moment) -> Iterator[Finding]:
    """The deal began before the dealer had counted the jackpot chips against the lights."""
    now = m.round
    if now.first_card != m.event.seq or now.chips_counted is not None or missed_start(m.after):
        return
    chips = [seat.number for seat in m.after.players if seat.jackpot is not None and seat.jackpot.lies]
    if chips and not now.redeal:
        yield Finding(
            "the jackpot chips are counted against the lights before the deal",
            f"the first card came with {len(chips)} jackpot wager{'s' if len(chips) > 1 else ''} uncounted",
            area=Area.JACKPOT,
            zones=("tray",),
        )


@check(
    "jackpot.lights_count",
    "Lights not equal to chips and coupons",
    on=(ev.JackpotChipsCounted,),
    needs=("signal:lights", "tray", "seats"),
    applies=electronic,
)
def lights_count(m: Moment) -> Iterator[Finding]:
    """The dealer counted more or fewer jackpot chips than there are lights without a coupon.

    A seat whose light does not fit its own wager has a check of its own, and is left out here where that applies.
    """
    if m.event.count is None:
        yield unsure("the count of jackpot chips was not seen", area=Area.JACKPOT)
        return
    players = m.after.players
    lit = sum(bool(seat.light) for seat in players)
    coupons = sum(seat.coupon for seat in players)
    if m.event.count + coupons == lit:
        return
    seen = sum(_chip(seat) for seat in players)
    if seen == m.event.count and not m.after.gaps and "wager.jackpot_light" in m.book.rules:
        return
    yield Finding(
        f"as many lights as chips and coupons: {m.event.count} chips and {coupons} coupons",
        f"{lit} lights are on",
        area=Area.JACKPOT,
    )


def _chip(seat: Seat) -> bool:
    return seat.jackpot is not None and seat.jackpot.lies


@check(
    "jackpot.priority",
    "Wrong priority between tables",
    on=(),
    needs=("seat",),
    applies=has_jackpot,
)
def priority(m: Moment) -> Iterator[Finding]:
    """One table cannot tell: `engine.monitor.house` compares the claims of all tables and raises this check."""
    yield from ()


def rate_of(rules: JackpotRules, settings: TableSettings) -> Ratio:
    """Return the least part of the wagers that reaches the meter: the rulebook's, or else the approved one."""
    return rules.least_rate or Ratio(settings.meter_rate_percent, 100)


def wagered(state: TableState, settings: TableSettings) -> int:
    """Return what was staked on the jackpot in this round, as far as the meter must have taken it in."""
    lights = electronic(settings)
    count = sum(
        (seat.coupon or (seat.jackpot is not None and seat.jackpot.withdrawn is None))
        and (not lights or bool(seat.light))
        for seat in state.players
    )
    return count * settings.jackpot_wager


def pools_of(settings: TableSettings) -> tuple[Pool, ...]:
    """Return the pools that a table's wagers feed."""
    return (Pool.MAJOR, Pool.MINOR) if settings.sub_pools else (Pool.MAIN,)


@check(
    "jackpot.meter_rate",
    "Meter grows too slowly",
    on=(ev.JackpotPaid, ev.RoundClosed),
    needs=("signal:meter", "seats"),
    applies=has_jackpot,
)
def meter_rate(m: Moment) -> Iterator[Finding]:
    """The meter took in less of this round's wagers than it must; judged before the first payout or at the end."""
    now = m.round
    if now.redeal or missed_start(m.after):
        return
    if any(act.what == "jackpot_paid" and act.seq < m.event.seq for act in now.acts):
        return
    amount = wagered(m.before, m.settings)
    pools = pools_of(m.settings)
    if electronic(m.settings) and not lights_known(m) and any(map(_chip, m.before.players)):
        yield unsure("which jackpot wagers were accepted was not signalled", area=Area.JACKPOT)
        return
    if amount == 0 or "meter" not in m.settings.signals:
        return
    base = [now.meter_base.get(pool) for pool in pools]
    shown = [m.before.meters.get(pool) for pool in pools]
    if now.meter_fell is not None:
        yield unsure("a meter fell in this round without a payout at this table", area=Area.JACKPOT)
    elif None in base or None in shown:
        yield unsure("the meter was not read before and after the wagers", area=Area.JACKPOT)
    else:
        before, after = sum(one or 0 for one in base), sum(one or 0 for one in shown)
        rate = rate_of(jackpot_rules(m), m.settings)
        if meter_too_slow(before, after, amount, rate):
            yield slow_meter(before, after, amount, rate)


def slow_meter(before: int, after: int, amount: int, rate: Ratio) -> Finding:
    """Return the finding that a meter grew by too little."""
    least = amount * rate.num // rate.den
    return Finding(
        f"the meter grows by at least {format_amount(least)} for wagers of {format_amount(amount)}",
        f"it grew by {format_amount(after - before)}, from {format_amount(before)} to {format_amount(after)}",
        area=Area.JACKPOT,
    )
