"""What the checks of jackpots share: who plays for it, who has won it, and what each winner is due."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.checks.registry import Moment
from engine.checks.settle_common import in_play, strength
from engine.events import Pool
from engine.hands import Category, category
from engine.jackpot import Award, JackpotRules, Winner, payouts
from engine.settings import JackpotMode, TableSettings
from engine.state.model import Seat

VARIANTS = ("sub_pools", "straight_flush_fixed")
"""Settings that choose between jackpots which a rulebook leaves to the house."""


def has_jackpot(settings: TableSettings) -> bool:
    """Whether a jackpot is played for at this table."""
    return settings.jackpot is not JackpotMode.NONE


def electronic(settings: TableSettings) -> bool:
    """Whether the jackpot runs on acceptors with lights."""
    return settings.jackpot is JackpotMode.ELECTRONIC


def jackpot_rules(m: Moment) -> JackpotRules:
    """Return the jackpot of this rulebook as the house has chosen it."""
    rules = m.book.jackpot_for([name for name in VARIANTS if getattr(m.settings, name)])
    assert rules is not None, "a rulebook with checks of jackpots has one"
    return rules


def lights_known(m: Moment) -> bool:
    """Whether the acceptor lights were signalled throughout this round."""
    return "lights" in m.settings.signals and "lights" not in m.after.signal_gaps


def staked(m: Moment, seat: Seat) -> bool | None:
    """Whether a seat plays for the jackpot; None if only a signal that is missing could tell."""
    if not has_jackpot(m.settings):
        return False
    chip = seat.jackpot is not None and seat.jackpot.withdrawn is None
    if chip or seat.coupon:
        return True
    if not electronic(m.settings):
        return False
    if seat.light:
        return True
    return False if lights_known(m) else None


def jackpot_due(m: Moment, seat: Seat) -> bool | None:
    """Whether a seat has won a jackpot; None if cards or signals that were not seen decide it."""
    if not in_play(seat):
        return False
    stake = staked(m, seat)
    if stake is False or not m.book.jackpots:
        return False
    wins = jackpot_rules(m).wins(strength(seat))
    if wins is False:
        return False
    return None if wins is None or stake is None else True


def winners(m: Moment) -> list[Seat]:
    """Return the seats that have surely won, those already paid first in the order of payment, then from the right."""
    found = [seat for seat in m.after.players if jackpot_due(m, seat)]
    last = 1 << 62
    return sorted(found, key=lambda seat: (seat.jackpot_paid or last, -seat.number))


def kind_of(seat: Seat) -> Category:
    """Return the category of a hand that is known well enough to have won."""
    return category(strength(seat).worst)


def award_for(m: Moment, seat: Seat, base: Mapping[Pool, int] | None = None) -> Award:
    """Return what a winner is due; `base` are the pools before the first payout, if other than were read then."""
    rules = jackpot_rules(m)
    order = winners(m)
    if all(one.number != seat.number for one in order):
        order.append(seat)
    first = next((one.jackpot_meters for one in order if one.jackpot_meters is not None), m.after.meters)
    pools = {str(pool): amount for pool, amount in (first if base is None else base).items()}
    entries = [_entry(m, rules, one) for one in order]
    for award in payouts(rules, entries, pools):
        if award.seat == seat.number:
            return award
    raise AssertionError("every winner has an award")


def _entry(m: Moment, rules: JackpotRules, seat: Seat) -> Winner:
    kind = kind_of(seat)
    meters = {} if seat.jackpot_meters is None else {str(k): v for k, v in seat.jackpot_meters.items()}
    return Winner(seat.number, kind, m.settings.jackpot_wager, meters.get(rules.pool(kind)))


def alternative_base(m: Moment, seat: Seat) -> Mapping[Pool, int] | None:
    """Return the pools before the first payout as the meters at this payout tell them.

    A jackpot that several tables feed goes on growing between two payouts of one round; nobody says which of the two
    moments counts, so both are accepted.
    """
    if seat.jackpot_meters is None or seat.jackpot_paid is None:
        return None
    rules = jackpot_rules(m)
    base = dict(seat.jackpot_meters)
    for other in m.after.players:
        if (
            other.jackpot_paid is None
            or other.jackpot_paid >= seat.jackpot_paid
            or other.jackpot_amount is None
        ):
            continue
        pool = Pool(rules.pool(kind_of(other)))
        if pool in base:
            base[pool] += other.jackpot_amount
    return base


def pools_words(pools: Iterable[str]) -> str:
    """Return names of pools in words."""
    return " and ".join(sorted(pools))
