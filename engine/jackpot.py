"""The progressive jackpot: what each winner is due, from which pool, and in which order.

A `JackpotRules` holds everything in which jackpots differ, as data: the prizes, the pool that pays each hand,
whether prizes are worked out in steps over the whole table (nz 11.10) or turn by turn from the meter
(s10 (l)(7)), which hands share, and who comes first between tables. Another jurisdiction fills it
with other numbers; no function here knows a rulebook by name.

Amounts are cents. A share of a pool (10 %, or an equal part among royal flushes) is rounded **down** to
the cent, so that the shares never exceed the pool; the rest stays in it.

>>> book = JackpotRules(
...     name="example",
...     prizes={
...         Category.ROYAL_FLUSH: Prize(times=10_000, share=Ratio(1)),
...         Category.STRAIGHT_FLUSH: Prize(times=1_000, share=Ratio(1, 10)),
...         Category.FLUSH: Prize(times=100),
...     },
...     steps=(frozenset({Category.FLUSH}), frozenset({Category.STRAIGHT_FLUSH})),
... )
>>> hands = [Winner(3, Category.STRAIGHT_FLUSH, 100), Winner(1, Category.FLUSH, 100)]
>>> [(award.seat, award.amount) for award in payouts(book, hands, {"main": 2_010_000})]
[(3, 200000), (1, 10000)]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.errors import BadAmount, BadRulebook
from engine.hands import Category, category
from engine.money import format_amount
from engine.possible import Bounds
from engine.settlement import Ratio

MAIN: Final = "main"
MINOR: Final = "minor"
MAJOR: Final = "major"


@dataclass(frozen=True, slots=True)
class Prize:
    """What one hand wins: the greatest of a multiple of the wager, an amount, and a share of its pool.

    >>> Prize(times=1_000, share=Ratio(1, 10)).due(wager=100, pool=5_000_000)
    500000
    >>> Prize(times=1_000, share=Ratio(1, 10)).due(wager=100, pool=900_000)
    100000
    """

    times: int = 0
    amount: int = 0
    share: Ratio | None = None

    def least(self, wager: int) -> int:
        """Return the part that does not depend on any pool."""
        return max(self.times * wager, self.amount)

    def due(self, wager: int, pool: int | None, sharing: int = 1) -> int | None:
        """Return the prize when `sharing` winners split the share; `None` if the pool was not seen."""
        if self.share is None:
            return self.least(wager)
        if pool is None:
            return None
        return max(self.least(wager), self.share.share_of(pool) // sharing)


@dataclass(frozen=True, slots=True)
class JackpotRules:
    """Everything in which the jackpots of two rulebooks differ.

    `pool_of` names the pool of each hand where it is not `main`. `steps` are the groups of hands that are
    paid one after the other over the whole table, each group on what the groups before it have left, all
    within a group on the same amount; without steps each winner is paid at their turn from the meter as it
    then is. Hands in no step come last, in a step of their own. `shared` hands split their pool equally.
    `fixed_from_pool` tells whether prizes that are no share come out of the pool; `None` where the rulebook
    does not say, so that after one only a new reading tells what the pool holds. `priority_pools` are those
    in which the cards decide between tables (nz 11.11); none where the turn does. `least_rate` is the least
    portion of the wagers that must reach the meter.
    """

    name: str
    prizes: Mapping[Category, Prize]
    steps: tuple[frozenset[Category], ...] = ()
    pool_of: Mapping[Category, str] = field(default_factory=dict)
    shared: frozenset[Category] = frozenset({Category.ROYAL_FLUSH})
    fixed_from_pool: bool | None = True
    priority_pools: frozenset[str] = frozenset()
    least_rate: Ratio | None = None

    def __post_init__(self) -> None:
        listed = [kind for step in self.steps for kind in step]
        if len(listed) != len(set(listed)):
            raise BadRulebook(f"jackpot {self.name!r}: a hand stands in two steps")
        if not set(self.pool_of) <= set(self.prizes):
            raise BadRulebook(f"jackpot {self.name!r}: a pool is named for a hand without a prize")

    def pool(self, kind: Category) -> str:
        """Return the name of the pool that pays this hand."""
        return self.pool_of.get(kind, MAIN)

    def wins(self, hand: int | Bounds) -> bool | None:
        """Whether a hand wins a prize; `None` when cards not seen decide it (nz 11.7, s10 (l)(5))."""
        bounds = hand if isinstance(hand, Bounds) else Bounds(hand, hand)
        kinds = range(category(bounds.worst), category(bounds.best) + 1)
        won = {Category(kind) in self.prizes for kind in kinds}
        return won.pop() if len(won) == 1 else None


@dataclass(frozen=True, slots=True)
class Winner:
    """A hand with a jackpot wager that wins; `meter` is what the meter showed at its turn, if seen."""

    seat: int
    kind: Category
    wager: int
    meter: int | None = None

    def __post_init__(self) -> None:
        if self.wager <= 0:
            raise BadAmount(f"a jackpot wager of {self.wager} cents wins nothing")


@dataclass(frozen=True, slots=True)
class Award:
    """What one winner is due: `amount` is `None` if its pool was not seen, but never below `least`."""

    seat: int
    kind: Category
    amount: int | None
    least: int
    pool: str
    base: int | None
    sharing: int = 1

    @property
    def words(self) -> str:
        """Say what the amount rests on, for an operator.

        >>> Award(2, Category.STRAIGHT_FLUSH, 500000, 100000, "main", 5000000).words
        'straight flush: 5,000.00 (pool 50,000.00)'
        """
        if self.amount is None:
            return f"{self.kind.words}: at least {format_amount(self.least)}, the meter was not seen"
        rests = "" if self.base is None else f" (pool {format_amount(self.base)}"
        if rests:
            rests += f" shared by {self.sharing})" if self.sharing > 1 else ")"
        return f"{self.kind.words}: {format_amount(self.amount)}{rests}"


def payouts(
    rules: JackpotRules, winners: Sequence[Winner], pools: Mapping[str, int | None]
) -> tuple[Award, ...]:
    """Return what each winner of one round at one table is due, in the order given (the order of payment).

    `pools` holds what each pool showed before the first payout; a pool that was not seen is absent or `None`.
    """
    for winner in winners:
        if winner.kind not in rules.prizes:
            raise BadAmount(f"seat {winner.seat}: {winner.kind.words} wins no jackpot under {rules.name}")
    return _in_steps(rules, winners, pools) if rules.steps else _in_turn(rules, winners, pools)


def _in_steps(
    rules: JackpotRules, winners: Sequence[Winner], pools: Mapping[str, int | None]
) -> tuple[Award, ...]:
    """Pay group after group, each on what the groups before it have left (nz 11.10)."""
    left = dict(pools)
    awards: dict[int, Award] = {}
    rest = frozenset(rules.prizes).difference(*rules.steps)
    for step in (*rules.steps, rest):
        chosen = [index for index, winner in enumerate(winners) if winner.kind in step]
        for index in chosen:
            sharing = _sharing(rules, winners, winners[index].kind)
            awards[index] = _award(rules, winners[index], left.get(rules.pool(winners[index].kind)), sharing)
        left = pools_after(rules, left, [awards[index] for index in chosen])
    return tuple(awards[index] for index in range(len(winners)))


def _in_turn(
    rules: JackpotRules, winners: Sequence[Winner], pools: Mapping[str, int | None]
) -> tuple[Award, ...]:
    """Pay each from the meter at their turn; who shares, shares what the first of them saw (s10 (l)(7)).

    A meter reading at the turn counts before what earlier payouts should have left.
    """
    left = dict(pools)
    first_base: dict[Category, int | None] = {}
    awards: list[Award] = []
    for winner in winners:
        pool = rules.pool(winner.kind)
        if winner.meter is not None:
            left[pool] = winner.meter
        base = left.get(pool)
        if winner.kind in rules.shared:
            base = first_base.setdefault(winner.kind, base)
        awards.append(_award(rules, winner, base, _sharing(rules, winners, winner.kind)))
        left = pools_after(rules, left, awards[-1:])
    return tuple(awards)


def _sharing(rules: JackpotRules, winners: Sequence[Winner], kind: Category) -> int:
    return sum(winner.kind is kind for winner in winners) if kind in rules.shared else 1


def _award(rules: JackpotRules, winner: Winner, base: int | None, sharing: int) -> Award:
    prize = rules.prizes[winner.kind]
    amount = prize.due(winner.wager, base, sharing)
    shown = base if prize.share is not None else None
    return Award(
        winner.seat, winner.kind, amount, prize.least(winner.wager), rules.pool(winner.kind), shown, sharing
    )


def pools_after(
    rules: JackpotRules, pools: Mapping[str, int | None], awards: Iterable[Award]
) -> dict[str, int | None]:
    """Return what is left in each pool; never below nothing, because the house makes up what a pool lacks.

    >>> book = JackpotRules("example", {Category.FLUSH: Prize(times=50)})
    >>> pools_after(book, {"main": 1000}, [Award(1, Category.FLUSH, 5000, 5000, "main", None)])
    {'main': 0}
    """
    left = dict(pools)
    for award in awards:
        before = left.get(award.pool)
        drawn = rules.prizes[award.kind].share is not None or rules.fixed_from_pool
        if before is None or drawn is False:
            continue
        known = drawn and award.amount is not None
        left[award.pool] = max(0, before - (award.amount or 0)) if known else None
    return left


@dataclass(frozen=True, slots=True)
class Claim:
    """A winner at one of several tables, with the times in milliseconds that decide who comes first.

    `packets` tells that the hand came whole from a shuffler, and not card by card from a shoe.
    """

    table: str
    winner: Winner
    packets: bool
    first_card_at: int | None = None
    complete_at: int | None = None

    @property
    def decided_at(self) -> int | None:
        """The moment that counts (nz 11.11): the first card from a shoe, the whole hand from a shuffler."""
        return self.complete_at if self.packets else self.first_card_at


def prioritise(rules: JackpotRules, claims: Iterable[Claim]) -> tuple[Claim, ...] | None:
    """Order the claims of several tables on the pools in which the cards decide; `None` if it cannot be told.

    Claims on other pools are left out: their prizes do not depend on who comes first. Two tables at the same
    millisecond, or a hand whose moment was not seen beside another table's, cannot be ordered.

    >>> book = JackpotRules("example", {Category.ROYAL_FLUSH: Prize(share=Ratio(1))},
    ...                     priority_pools=frozenset({"main"}))
    >>> royal = Winner(1, Category.ROYAL_FLUSH, 100)
    >>> a, b = Claim("A", royal, False, first_card_at=500), Claim("B", royal, True, complete_at=400)
    >>> [claim.table for claim in prioritise(book, [a, b]) or ()]
    ['B', 'A']
    """
    ranked = [claim for claim in claims if rules.pool(claim.winner.kind) in rules.priority_pools]
    if len({claim.table for claim in ranked}) < 2:
        return tuple(ranked)
    timed = [(claim.decided_at, claim) for claim in ranked]
    tables_at: dict[int, set[str]] = {}
    for at, claim in timed:
        if at is None:
            return None
        tables_at.setdefault(at, set()).add(claim.table)
    if any(len(tables) > 1 for tables in tables_at.values()):
        return None
    return tuple(claim for _, claim in sorted(timed, key=lambda pair: pair[0] or 0))


def payouts_between_tables(
    rules: JackpotRules, claims: Sequence[Claim], pools: Mapping[str, int | None]
) -> dict[str, tuple[Award, ...]] | None:
    """Return what the winners at several tables are due, or `None` if nobody can tell who comes first.

    The winners at one table are worked out together (nz 11.10), at the place of their earliest hand (11.11);
    a table without a claim on a pool that is ranked comes after those with one.
    """
    order = prioritise(rules, claims)
    if order is None:
        return None
    tables = dict.fromkeys([claim.table for claim in order] + [claim.table for claim in claims])
    left = dict(pools)
    awards: dict[str, tuple[Award, ...]] = {}
    for table in tables:
        winners = [claim.winner for claim in claims if claim.table == table]
        awards[table] = payouts(rules, winners, left)
        left = pools_after(rules, left, awards[table])
    return awards


def meter_range(before: int, wagered: int, rate: Ratio, paid: int = 0) -> tuple[int, int]:
    """Return the lowest and highest amount a meter may show after wagers at its rate of progression.

    The two differ by a cent where the rate leaves a part of a cent, which the meter keeps but does not show.

    >>> meter_range(100_000, 300, Ratio(70, 100)), meter_range(100_000, 100, Ratio(725, 1000))
    ((100210, 100210), (100072, 100073))
    """
    grown = wagered * rate.num
    return before - paid + grown // rate.den, before - paid - (-grown // rate.den)


def meter_too_slow(before: int, after: int, wagered: int, least: Ratio, paid: int = 0) -> bool:
    """Whether a meter surely grew by less than the least rate allows, parts of a cent aside (s10 (l)(6)).

    >>> meter_too_slow(100_000, 100_070, 100, Ratio(70, 100)), meter_too_slow(0, 69, 100, Ratio(70, 100))
    (False, True)
    """
    return (after + paid - before + 1) * least.den <= wagered * least.num
