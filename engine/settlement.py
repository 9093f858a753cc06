"""What each wager is due once the hands lie open: outcome, odds, limits, exact amounts.

Everything is a whole number of cents. The odds of both rulebooks are "n to 1", so their payouts are always
whole. Odds that a house posts may be fractions (3 to 2); where such a payout is no whole number of cents it
is rounded **up**, because a rulebook that says "no less than the odds" (s10 (l)(3)) is broken by any
rounding down. `Ratio.of` is the only place where that happens.

>>> from engine.cards import parse_cards
>>> from engine.hands import evaluate
>>> player, dealer = evaluate(parse_cards("8c 8d 8s 4h 2c")), evaluate(parse_cards("Ah Kd 4c 3s 2d"))
>>> outcome(player, dealer)
<Outcome.WIN: 'win'>
>>> odds = Odds.to_one("house", 1, 1, 2, 3, 4, 5, 7, 20, 50, 100)
>>> settle(Outcome.WIN, ante=1000, bet=2000, strength=player, odds=odds)
Due(ante_paid=1000, bet_paid=6000, ante_taken=0, bet_taken=0)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.errors import BadAmount, BadRulebook, BadSettings
from engine.hands import QUALIFYING, Category, category
from engine.money import UNIT
from engine.possible import Bounds


class Outcome(StrEnum):
    """How a player's hand ends; `UNDECIDED` when cards that were not seen could decide it either way."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    NOT_QUALIFIED = "not qualified"
    FOLD = "fold"
    VOID = "void"
    UNDECIDED = "undecided"


def outcome(player: int, dealer: int) -> Outcome:
    """Compare two strengths under nz 10.1 and 10.4, s10 (j)(5) and (j)(6).

    >>> outcome(QUALIFYING - 2, QUALIFYING - 1)
    <Outcome.NOT_QUALIFIED: 'not qualified'>
    """
    if dealer < QUALIFYING:
        return Outcome.NOT_QUALIFIED
    if player == dealer:
        return Outcome.PUSH
    return Outcome.WIN if player > dealer else Outcome.LOSE


def outcome_within(player: Bounds, dealer: Bounds) -> Outcome:
    """Compare two hands of which some cards may not have been seen; never guesses.

    >>> outcome_within(Bounds(5000, 5200), Bounds(QUALIFYING, 4000))
    <Outcome.WIN: 'win'>
    >>> outcome_within(Bounds(5000, 5200), Bounds(QUALIFYING, 5100))
    <Outcome.UNDECIDED: 'undecided'>
    """
    if dealer.qualifies is False:
        return Outcome.NOT_QUALIFIED
    if dealer.qualifies is None:
        return Outcome.UNDECIDED
    if player.worst > dealer.best:
        return Outcome.WIN
    if player.best < dealer.worst:
        return Outcome.LOSE
    return Outcome.PUSH if player.certain and dealer.certain else Outcome.UNDECIDED


@dataclass(frozen=True, slots=True)
class Ratio:
    """Odds of `num` to `den`, or a share of num/den.

    >>> str(Ratio(7)), Ratio(7).of(2000)
    ('7 to 1', 14000)
    >>> Ratio(3, 2).of(25), Ratio(1, 10).share_of(12345)
    (38, 1234)
    """

    num: int
    den: int = 1

    def __post_init__(self) -> None:
        if self.num < 0 or self.den < 1:
            raise BadRulebook(f"{self.num} to {self.den} are not odds")

    def of(self, stake: int) -> int:
        """Return what these odds pay on a stake, rounded up to a whole cent (see the module)."""
        if stake < 0:
            raise BadAmount(f"a stake of {stake} cents cannot be paid")
        return -(-stake * self.num // self.den)

    def share_of(self, amount: int) -> int:
        """Return this share of an amount, rounded down to a cent: a pool never pays more than it holds."""
        return amount * self.num // self.den

    def less_than(self, other: Ratio) -> bool:
        """Whether these odds pay less than the others."""
        return self.num * other.den < other.num * self.den

    def __str__(self) -> str:
        return f"{self.num} to {self.den}"


EVEN: Final = Ratio(1)
"""The odds of every ante wager: 1 to 1 (nz 5.8, s10 (l)(2))."""


@dataclass(frozen=True, slots=True)
class Odds:
    """A table of odds on the bet wager: one row for each category, lowest first.

    The first row is what nz 5.8 calls "Ace and king" and s10 (l)(3) "One pair or less". Both name the same
    hands, because a hand without a pair that beats a qualifying dealer holds an ace and a king; so the row
    refuses a strength below that, which could only come from a misread outcome.

    >>> odds = Odds.to_one("nz", 1, 1, 2, 3, 4, 5, 7, 20, 50, 250)
    >>> str(odds.row(Category.FULL_HOUSE)), odds.top
    ('7 to 1', Ratio(num=250, den=1))
    """

    name: str
    rows: tuple[Ratio, ...]
    lowest_row: str = "ace and king"

    def __post_init__(self) -> None:
        if len(self.rows) != len(Category):
            raise BadRulebook(f"odds {self.name!r}: {len(self.rows)} rows, not one for each of the ten hands")

    @classmethod
    def to_one(cls, name: str, *rows: int, lowest_row: str = "ace and king") -> Odds:
        """Build a table of "n to 1" odds from the lowest hand to the royal flush."""
        return cls(name, tuple(Ratio(row) for row in rows), lowest_row)

    def posted(self, rows: Mapping[str, int]) -> Odds:
        """Return these odds with the "n to 1" rows that a house has posted, by name of category.

        >>> Odds.to_one("s10", 1, 1, 2, 3, 4, 5, 7, 20, 50, 100).posted({"royal_flush": 250}).top.num
        250
        """
        changed = list(self.rows)
        for name, row in rows.items():
            kind = Category.__members__.get(name.strip().upper().replace(" ", "_"))
            if kind is None or row < 0:
                raise BadSettings(f"posted_odds: {name!r} = {row!r} is no hand with odds to 1")
            changed[kind] = Ratio(row)
        return Odds(f"{self.name}, posted" if rows else self.name, tuple(changed), self.lowest_row)

    @property
    def top(self) -> Ratio:
        """The most that any hand pays."""
        best = self.rows[0]
        for row in self.rows:
            best = row if best.less_than(row) else best
        return best

    def row(self, kind: Category) -> Ratio:
        """Return the odds of a category."""
        return self.rows[kind]

    def for_strength(self, strength: int) -> Ratio:
        """Return the odds of a winning hand."""
        if strength < QUALIFYING:
            raise BadAmount(f"no odds below {self.lowest_row}: such a hand cannot beat a qualifying dealer")
        return self.rows[category(strength)]

    def below(self, floor: Odds) -> tuple[Category, ...]:
        """Return the hands for which these odds are less than a floor allows (s10 (l)(3))."""
        return tuple(kind for kind in Category if self.rows[kind].less_than(floor.rows[kind]))

    def row_name(self, kind: Category) -> str:
        """Return the name of a row as the rulebook writes it."""
        return self.lowest_row if kind is Category.HIGH_CARD else kind.words


def ante_payout(ante: int) -> int:
    """Return what a winning ante wager is paid: as much again."""
    return EVEN.of(ante)


def bet_payout(bet: int, strength: int, odds: Odds, limit: int | None = None) -> int:
    """Return what a winning bet wager is paid on top of itself, after the payout limit (nz 5.9, s10 (l)(4)).

    >>> odds = Odds.to_one("nz", 1, 1, 2, 3, 4, 5, 7, 20, 50, 250)
    >>> bet_payout(20000, 7461, odds), bet_payout(20000, 7461, odds, limit=1000000)
    (5000000, 1000000)
    """
    amount = odds.for_strength(strength).of(bet)
    return amount if limit is None else min(amount, limit)


def bet_payout_range(bet: int, hand: Bounds, odds: Odds, limit: int | None = None) -> tuple[int, int]:
    """Return the least and the most that a winning hand can be due when not all of its cards were seen."""
    kinds = range(category(max(hand.worst, QUALIFYING)), category(max(hand.best, QUALIFYING)) + 1)
    amounts = [odds.rows[kind].of(bet) for kind in kinds]
    if limit is not None:
        amounts = [min(amount, limit) for amount in amounts]
    return min(amounts), max(amounts)


def minimum_payout_limit(min_ante: int, odds: Odds, least: int = 5000 * UNIT, bet_multiple: int = 2) -> int:
    """Return the lowest limit that s10 (l)(4) lets a house set on the payout of one bet wager.

    That is 5,000, or the most that one patron could win on the bet wager at the minimum ante, if greater.

    >>> s10 = Odds.to_one("s10", 1, 1, 2, 3, 4, 5, 7, 20, 50, 100)
    >>> minimum_payout_limit(500, s10), minimum_payout_limit(5000, s10)
    (500000, 1000000)
    """
    return max(least, odds.top.of(bet_multiple * min_ante))


@dataclass(frozen=True, slots=True)
class Due:
    """What the dealer owes and takes on one hand; `None` is an amount that cannot be told.

    What is neither paid nor taken stays the player's: the stakes of a winner, a push, a void bet.
    """

    ante_paid: int | None = 0
    bet_paid: int | None = 0
    ante_taken: int | None = 0
    bet_taken: int | None = 0


def settle(
    result: Outcome,
    *,
    ante: int | None,
    bet: int | None,
    strength: int | Bounds | None,
    odds: Odds,
    limit: int | None = None,
) -> Due:
    """Return what a hand is due; amounts and cards that were not seen make only what rests on them unknown.

    A fold takes the ante; a blind bet may then be withdrawn (nz 5.10(b)), so no bet is taken.

    >>> odds = Odds.to_one("nz", 1, 1, 2, 3, 4, 5, 7, 20, 50, 250)
    >>> settle(Outcome.NOT_QUALIFIED, ante=500, bet=None, strength=None, odds=odds)
    Due(ante_paid=500, bet_paid=0, ante_taken=0, bet_taken=0)
    """
    if result is Outcome.UNDECIDED:
        return Due(None, None, None, None)
    if result is Outcome.FOLD:
        return Due(ante_taken=ante)
    if result is Outcome.LOSE:
        return Due(ante_taken=ante, bet_taken=bet)
    if result in (Outcome.PUSH, Outcome.VOID):
        return Due()
    ante_paid = None if ante is None else ante_payout(ante)
    if result is Outcome.NOT_QUALIFIED:
        return Due(ante_paid=ante_paid)
    if bet is None or strength is None:
        return Due(ante_paid=ante_paid, bet_paid=None)
    hand = strength if isinstance(strength, Bounds) else Bounds(strength, strength)
    if hand.best < QUALIFYING:
        odds.for_strength(hand.best)  # a contradiction, which says so
    least, most = bet_payout_range(bet, hand, odds, limit)
    return Due(ante_paid=ante_paid, bet_paid=least if least == most else None)


class Fault(StrEnum):
    """What is wrong with a payment on a winning bet wager."""

    NONE = "right"
    BELOW_FLOOR = "less than the rulebook allows"
    NOT_AS_POSTED = "not as posted"


def payment_fault(paid: int, *, due: int, least: int) -> Fault:
    """Judge a payment against what is posted and the least that the rulebook allows (s10 (l)(3)).

    >>> payment_fault(4000, due=6000, least=4000), payment_fault(3000, due=6000, least=4000)
    (<Fault.NOT_AS_POSTED: 'not as posted'>, <Fault.BELOW_FLOOR: 'less than the rulebook allows'>)
    """
    if paid < least:
        return Fault.BELOW_FLOOR
    return Fault.NONE if paid == due else Fault.NOT_AS_POSTED
