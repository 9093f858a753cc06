"""What every wager is due, read from the two rulebooks a second time.

The engine has its own settlement; this one is kept apart on purpose and is written straight from the text, so that
a slip in either shows as a false alarm in the proofs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.events import Pool
from engine.hands import Category
from engine.settings import TableSettings

NZ_ODDS: Final = {
    Category.HIGH_CARD: 1,
    Category.PAIR: 1,
    Category.TWO_PAIR: 2,
    Category.THREE_OF_A_KIND: 3,
    Category.STRAIGHT: 4,
    Category.FLUSH: 5,
    Category.FULL_HOUSE: 7,
    Category.FOUR_OF_A_KIND: 20,
    Category.STRAIGHT_FLUSH: 50,
    Category.ROYAL_FLUSH: 250,
}
"""nz 5.8."""
S10_FLOOR: Final = {**NZ_ODDS, Category.ROYAL_FLUSH: 100}
"""s10 (l)(3): no less than."""
NZ_TIMES: Final = {
    Category.FLUSH: 100,
    Category.FULL_HOUSE: 150,
    Category.FOUR_OF_A_KIND: 500,
    Category.STRAIGHT_FLUSH: 1_000,
    Category.ROYAL_FLUSH: 10_000,
}
"""nz 11.9: so many times the jackpot wager."""
S10_FIXED: Final = {
    Category.FLUSH: 5_000,
    Category.FULL_HOUSE: 10_000,
    Category.FOUR_OF_A_KIND: 50_000,
}
"""s10 (l)(5), in cents."""
S10_STRAIGHT_FLUSH: Final = 500_000
LEAST_LIMIT: Final = 500_000
"""s10 (l)(4): a payout limit is never below 5,000."""
RESET: Final = 1_000_000
"""What the house puts into a pool that a royal flush has emptied, in cents."""


def posted(rulebook: str, settings: TableSettings, kind: Category) -> int:
    """Return the "to 1" odds that a winning bet wager is paid at this table."""
    if rulebook == "nz":
        return NZ_ODDS[kind]
    return settings.posted_odds.get(kind.name.lower(), S10_FLOOR[kind])


def bet_due(rulebook: str, settings: TableSettings, kind: Category, bet: int) -> int:
    """Return what a winning bet wager is paid, after the payout limit (nz 5.8, 5.9; s10 (l)(3), (l)(4))."""
    amount = bet * posted(rulebook, settings, kind)
    return amount if settings.payout_limit is None else min(amount, settings.payout_limit)


def bet_floor(settings: TableSettings, kind: Category, bet: int) -> int:
    """Return the least that s10 lets a winning bet wager be paid."""
    amount = bet * S10_FLOOR[kind]
    return amount if settings.payout_limit is None else min(amount, settings.payout_limit)


def pool_of(settings: TableSettings, kind: Category) -> Pool:
    """Return the pool that pays a hand (nz 11.6A)."""
    if not settings.sub_pools:
        return Pool.MAIN
    return Pool.MAJOR if kind >= Category.STRAIGHT_FLUSH else Pool.MINOR


def jackpots(
    rulebook: str, settings: TableSettings, kinds: Mapping[int, Category], order: Sequence[int], pool: int
) -> dict[int, int]:
    """Return what each seat's jackpot is due; `pool` is the meter (with sub-pools the Major) before the first.

    `order` is the order in which the seats are paid: it matters under s10, where each is paid from the meter at
    their turn (l)(7); nz 11.10 works the prizes out over the table as a whole.
    """
    if rulebook == "nz":
        return _nz(settings, kinds, pool)
    return _s10(settings, kinds, order, pool)


def _nz(settings: TableSettings, kinds: Mapping[int, Category], pool: int) -> dict[int, int]:
    wager = settings.jackpot_wager
    due = {seat: NZ_TIMES[kind] * wager for seat, kind in kinds.items() if kind < Category.STRAIGHT_FLUSH}
    if not settings.sub_pools:
        pool -= sum(due.values())
    for seat, kind in kinds.items():
        if kind is Category.STRAIGHT_FLUSH:
            due[seat] = max(NZ_TIMES[kind] * wager, max(pool, 0) // 10)
    pool -= sum(due[seat] for seat, kind in kinds.items() if kind is Category.STRAIGHT_FLUSH)
    royals = [seat for seat, kind in kinds.items() if kind is Category.ROYAL_FLUSH]
    for seat in royals:
        due[seat] = max(NZ_TIMES[Category.ROYAL_FLUSH] * wager, max(pool, 0) // len(royals))
    return due


def _s10(
    settings: TableSettings, kinds: Mapping[int, Category], order: Sequence[int], meter: int
) -> dict[int, int]:
    royals = sum(kind is Category.ROYAL_FLUSH for kind in kinds.values())
    shared: int | None = None
    due: dict[int, int] = {}
    for seat in order:
        kind = kinds[seat]
        if kind in S10_FIXED:
            due[seat] = S10_FIXED[kind]
        elif kind is Category.STRAIGHT_FLUSH:
            due[seat] = S10_STRAIGHT_FLUSH if settings.straight_flush_fixed else meter // 10
        else:
            shared = meter // royals if shared is None else shared
            due[seat] = shared
        meter = left_after(meter, due[seat], kind)
    return due


def left_after(meter: int, paid: int, kind: Category) -> int:
    """Return what a meter shows after a payout; a royal flush that empties it makes the house start it anew."""
    left = max(0, meter - paid)
    return RESET if kind is Category.ROYAL_FLUSH and left < RESET // 2 else left
