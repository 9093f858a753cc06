"""The house: every lawful way to set up a table under each rulebook, and what a scene may ask of it."""

from __future__ import annotations

import random
from dataclasses import dataclass

from engine.settings import SIGNALS, JackpotMode, Method, TableSettings
from simulator.director.amounts import LEAST_LIMIT, S10_FLOOR

CHIP_SETS = (
    (100, 500, 2500, 10000, 50000, 100000),
    (100, 200, 500, 2500, 10000, 50000, 100000),
    (100, 500, 1000, 2500, 10000, 100000),
)


@dataclass(frozen=True, slots=True)
class Want:
    """What a scene needs; whatever is None is left to chance.

    `hands` are kinds of hand for as many seats, `dealer` the dealer's; `all_jackpot` gives those seats a
    jackpot wager, `all_bet` makes every player bet, `folds` is a least number of folds.
    """

    method: Method | None = None
    machine_shuffle: bool | None = None
    counting: bool | None = None
    decks: int | None = None
    jackpot: JackpotMode | None = None
    sub_pools: bool | None = None
    straight_flush_fixed: bool | None = None
    blind_bets: bool | None = None
    several_areas: bool | None = None
    view_one_hand: bool | None = None
    turn_all: bool | None = None
    limits: bool | None = None
    payout_limit: bool | None = None
    posted: bool | None = None
    seats_at_least: int = 1
    seats_at_most: int = 7
    dealer: str | None = None
    hands: tuple[str, ...] = ()
    tie: bool = False
    all_jackpot: bool = False
    all_bet: bool = False
    folds: int = 0


ANY = Want()


def lawful_settings(
    rulebook: str, rng: random.Random, want: Want = ANY, table: str = "CS-1"
) -> TableSettings:
    """Return settings that the rulebook allows, as wanted and otherwise by chance."""
    nz = rulebook == "nz"
    method = want.method or rng.choice((Method.SHOE, Method.PACKETS) if nz else tuple(Method))
    machine = _machine(nz, method, rng, want)
    jackpot = want.jackpot or rng.choice(
        (JackpotMode.NONE, JackpotMode.ELECTRONIC, JackpotMode.MANUAL if nz else JackpotMode.ELECTRONIC)
    )
    ante_min = rng.choice((500, 1000, 2500)) if _either(rng, want.limits, 0.7) else None
    several = nz and _either(rng, want.several_areas, 0.25)
    chips = rng.choice(CHIP_SETS)
    odds = {}
    if not nz and _either(rng, want.posted, 0.4):
        odds = {
            kind.name.lower(): S10_FLOOR[kind] * rng.choice((1, 1, 2))
            for kind in rng.sample(list(S10_FLOOR)[2:], 4)
        }
        odds["royal_flush"] = rng.choice((100, 200, 250))
    return TableSettings(
        table=table,
        seats=7,
        method=method,
        machine_shuffle=machine,
        counting_shuffler=machine and _either(rng, want.counting, 0.4),
        decks=_decks(nz, machine, rng, want),
        ante_min=ante_min,
        ante_max=None if ante_min is None else ante_min * rng.choice((10, 20, 40)),
        chip_values=chips,
        payout_limit=_limit(nz, rng, want, ante_min, max([*odds.values(), 100])),
        posted_odds=odds,
        jackpot=jackpot,
        jackpot_wager=rng.choice([value for value in chips if value <= 500]) if nz else 100,
        sub_pools=nz and jackpot is not JackpotMode.NONE and _either(rng, want.sub_pools, 0.3),
        straight_flush_fixed=not nz and _either(rng, want.straight_flush_fixed, 0.3),
        meter_rate_percent=rng.choice((70, 75, 80)),
        blind_bets=nz and _either(rng, want.blind_bets, 0.35),
        several_areas=several,
        view_one_hand=several and _either(rng, want.view_one_hand, 0.5),
        turn_all_hands=nz or _either(rng, want.turn_all, 0.6),
        signals=_signals(nz, machine or method is Method.PACKETS, jackpot, rng),
    )


def _either(rng: random.Random, wanted: bool | None, chance: float) -> bool:
    drawn = rng.random() < chance
    return drawn if wanted is None else wanted


def _machine(nz: bool, method: Method, rng: random.Random, want: Want) -> bool:
    """Whether a machine shuffles: nz packets come from a shuffler (3.4), s10 hand dealing needs one (h)(2)(i)."""
    drawn = rng.random() < 0.5
    if nz:
        return method is Method.PACKETS
    if method is Method.HAND or want.decks == 2 or want.counting:
        return True
    return drawn if want.machine_shuffle is None else want.machine_shuffle


def _decks(nz: bool, machine: bool, rng: random.Random, want: Want) -> int:
    """Two decks: a must with a shuffler under nz (3.4, 6.1), a choice under s10 (b)(2), else one."""
    drawn = rng.choice((1, 2))
    if not machine:
        return 1
    if nz:
        return 2
    return want.decks or drawn


def _limit(nz: bool, rng: random.Random, want: Want, ante_min: int | None, top: int) -> int | None:
    """Return a payout limit that the rulebook allows, or none (nz 5.9, s10 (l)(4))."""
    if not _either(rng, want.payout_limit, 0.35):
        return None
    if nz:
        return rng.choice((500_000, 1_000_000, 5_000_000))
    return max(LEAST_LIMIT, top * 2 * (ante_min or 2500)) * rng.choice((1, 2))


def _signals(nz: bool, machine: bool, jackpot: JackpotMode, rng: random.Random) -> frozenset[str]:
    """Return the wired signals: all, or only those that this table has a use for."""
    if rng.random() < 0.7:
        return frozenset(SIGNALS)
    useless = set()
    if nz:
        useless.add("lock_out")
    if jackpot is not JackpotMode.ELECTRONIC:
        useless.add("lights")
    if jackpot is JackpotMode.NONE:
        useless.add("meter")
    if not machine:
        useless.add("shuffler")
    return frozenset(SIGNALS) - useless
