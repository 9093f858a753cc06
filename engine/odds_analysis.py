"""Exact facts about the game that its numbers must reproduce: edges of plain strategies, break-even meters.

A table that pays a wrong price is found by comparing amounts; a *rulebook* that holds a wrong price is found
here, because its edge comes out wrong. Nothing is sampled: sums run over all 19,933,230,517,200 deals of a
player's hand, a dealer's hand and the choice of the dealer's face-up card.

Two hands of one deal share no card. Sums over such pairs come from sums over all pairs of hands that hold a
given set of cards, with alternating signs (inclusion and exclusion), and sets that differ by a change of suits
only are counted once. That makes a few seconds of what would take days.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final

from engine.cards import DECK, SUITS, Card
from engine.errors import BadRulebook
from engine.hands import QUALIFYING, Category, category, strength_of_key
from engine.jackpot import JackpotRules
from engine.settlement import Odds

HANDS: Final = 2_598_960
DEALS: Final = HANDS * 1_533_939 * 5
"""Player's hands, times dealer's hands from the other 47 cards, times choices of the face-up card."""

CATEGORY_COUNTS: Final[dict[Category, int]] = dict(
    zip(Category, (1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4), strict=True)
)
"""How many of all hands belong to each category."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """Raise with this strength or better, fold otherwise; `clairvoyant` folds exactly what would lose."""

    name: str
    raise_from: int = 0
    clairvoyant: bool = False


def break_even_meter(rules: JackpotRules, wager: int) -> int:
    """Return the least meter, in cents, at which the jackpot wager returns as much as it costs on average.

    Sums are over all hands with one winner at a time; the whole meter is taken to be the pool of every share.

    >>> from engine.jackpot import Prize
    >>> from engine.settlement import Ratio
    >>> book = JackpotRules("all or nothing", {Category.ROYAL_FLUSH: Prize(share=Ratio(1))})
    >>> break_even_meter(book, 100) == 100 * HANDS // 4
    True
    """
    low, high = 0, 1
    while _returned(rules, wager, high) < wager * HANDS:
        low, high = high, 2 * high
    while low + 1 < high:
        middle = (low + high) // 2
        if _returned(rules, wager, middle) < wager * HANDS:
            low = middle
        else:
            high = middle
    return high


def _returned(rules: JackpotRules, wager: int, meter: int) -> int:
    """Total of the prizes over all hands at this meter."""
    return sum(CATEGORY_COUNTS[kind] * (prize.due(wager, meter) or 0) for kind, prize in rules.prizes.items())


def net_antes(strategy: Strategy, odds: Odds) -> int:
    """Return how many antes a player of this strategy wins over all deals (losses are negative)."""
    if any(row.den != 1 for row in odds.rows):
        raise BadRulebook(f"odds {odds.name!r}: only odds of n to 1 can be summed in whole antes")
    total = sum(sign * _over_pairs(histogram, strategy, odds) for sign, histogram in _histograms())
    return 5 * total


def _over_pairs(histogram: dict[int, int], strategy: Strategy, odds: Odds) -> int:
    """Sum the result over all ordered pairs (player, dealer) of hands with these counts of strengths.

    The counts are by strength in ascending order.
    """
    hands = sum(histogram.values())
    weak = sum(count for strength, count in histogram.items() if strength < QUALIFYING)
    loss = -1 if strategy.clairvoyant else -3
    total = beaten = 0
    for strength, count in histogram.items():
        plays = strength >= QUALIFYING
        if strength < strategy.raise_from:
            total -= count * hands
        else:
            won = beaten * (1 + 2 * odds.rows[category(strength)].num)
            lost = hands - weak - beaten - (count if plays else 0)
            total += count * (weak + won + loss * lost)
        beaten += count if plays else 0  # hands of a dealer who plays that the next strength beats
    return total


@lru_cache(maxsize=1)
def _histograms() -> tuple[tuple[int, dict[int, int]], ...]:
    """Signed multiplicity and counts of strengths of the hands that hold a set, for every kind of set."""
    found: list[tuple[int, dict[int, int]]] = []
    for size in range(5):
        for held, times in _sets(size):
            found.append(((-1) ** size * times, _strengths(held)))
    # Sets of five: the two hands are the same, once for each hand.
    found.extend((-count, {strength: 1}) for strength, count in found[0][1].items())
    return tuple(found)


def _sets(size: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Sets of cards, one for each way to look apart from the names of the suits, with how many look so."""
    bit = {card: 1 << card.rank for card in DECK}
    seen: dict[tuple[int, ...], tuple[Card, ...]] = {}
    times: Counter[tuple[int, ...]] = Counter()
    for cards in combinations(DECK, size):
        masks = dict.fromkeys(SUITS, 0)
        for card in cards:
            masks[card.suit] |= bit[card]
        look = tuple(sorted(masks.values()))
        seen.setdefault(look, cards)
        times[look] += 1
    for look, cards in seen.items():
        yield cards, times[look]


def _strengths(held: tuple[Card, ...]) -> dict[int, int]:
    """Counts of strengths, ascending, of all hands that hold these cards."""
    base = sum(card.key for card in held)
    others = [card.key for card in DECK if card not in held]
    counts: Counter[int] = Counter()
    for key, count in Counter(map(sum, combinations(others, 5 - len(held)))).items():
        counts[strength_of_key(base + key)] += count
    return dict(sorted(counts.items()))
