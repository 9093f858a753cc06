"""Five-card hands: their strength, their category, and their name in words.

Both rulebooks rank alike (nz 4.2-4.4; s10 (e)(1)-(3), groups before single cards), so there is one order
of 7,462 strengths, from 7-5-4-3-2 (0) to a royal flush (7461). Equal strengths tie: suits never decide.

A hand is ranked by one addition and two look-ups: the low bits of the sum of its cards' keys tell whether
all are of one suit, the rest belongs to one strength only. The tables are built from the rules upwards,
strength by strength, and tests/engine/test_hands.py proves them over all 2,598,960 hands.

>>> from engine.cards import parse_cards
>>> player, dealer = parse_cards("8c 8d As 4h 2c"), parse_cards("Ah Kd 4c 3s 2d")
>>> evaluate(player) > evaluate(dealer)
True
>>> category(evaluate(player)).name, qualifies(evaluate(dealer))
('PAIR', True)
>>> describe(player)
'pair of eights, ace kicker'
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from itertools import combinations
from typing import Final

from engine.cards import DECK, UNKNOWN, Card, format_cards
from engine.errors import BadHand


class Category(IntEnum):
    """The ten kinds of hand, from lowest to highest (nz 4.3, s10 (e)(2))."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9

    @property
    def words(self) -> str:
        """The name an operator uses.

        >>> Category.FOUR_OF_A_KIND.words
        'four of a kind'
        """
        return self.name.lower().replace("_", " ")


SUITED: Final = frozenset({Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH})

_ASCENDING: Final = range(2, 15)


def _runs() -> list[tuple[int, ...]]:
    """The ten sequences, lowest first, each in the order of its cards; the ace is low in the first only."""
    return [(5, 4, 3, 2, 14)] + [tuple(range(top, top - 5, -1)) for top in range(6, 15)]


def _falling(count: int, without: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """Every choice of `count` different ranks, highest card first, the lowest choice first."""
    ranks = [rank for rank in reversed(_ASCENDING) if rank not in without]
    return sorted(combinations(ranks, count))


def _classes() -> Iterator[tuple[Category, tuple[int, ...]]]:
    """Every strength from the lowest up: its category, and its ranks in the order in which they count."""
    runs = {tuple(sorted(run)) for run in _runs()}
    odd = [ranks for ranks in _falling(5) if tuple(sorted(ranks)) not in runs]
    for ranks in odd:
        yield Category.HIGH_CARD, ranks
    for pair in _ASCENDING:
        for rest in _falling(3, (pair,)):
            yield Category.PAIR, (pair, pair, *rest)
    for high, low in _falling(2):
        for (kicker,) in _falling(1, (high, low)):
            yield Category.TWO_PAIR, (high, high, low, low, kicker)
    for three in _ASCENDING:
        for rest in _falling(2, (three,)):
            yield Category.THREE_OF_A_KIND, (three, three, three, *rest)
    for run in _runs():
        yield Category.STRAIGHT, run
    for ranks in odd:
        yield Category.FLUSH, ranks
    for three in _ASCENDING:
        for (pair,) in _falling(1, (three,)):
            yield Category.FULL_HOUSE, (three, three, three, pair, pair)
    for four in _ASCENDING:
        for (kicker,) in _falling(1, (four,)):
            yield Category.FOUR_OF_A_KIND, (four, four, four, four, kicker)
    for run in _runs()[:-1]:
        yield Category.STRAIGHT_FLUSH, run
    yield Category.ROYAL_FLUSH, _runs()[-1]


CLASSES: Final = tuple(_classes())
"""Category and ranks, in the order in which they count, of each strength."""

_CATEGORY: Final = tuple(kind for kind, _ in CLASSES)

LOWEST: Final[dict[Category, int]] = {kind: _CATEGORY.index(kind) for kind in Category}
"""The lowest strength of each category."""

QUALIFYING: Final = CLASSES.index((Category.HIGH_CARD, (14, 13, 4, 3, 2)))
"""The lowest strength with which the dealer plays: ace, king, four, three, two (s10 (a)(1)(viii))."""

STRONGEST: Final = len(CLASSES) - 1


def _table(*, suited: bool) -> dict[int, int]:
    """Sum of the rank parts of the keys of five cards -> strength, for hands of one suit or of several."""
    part = {card.rank: card.key >> 6 for card in DECK}
    return {
        sum(part[rank] for rank in ranks): strength
        for strength, (kind, ranks) in enumerate(CLASSES)
        if (kind in SUITED) == suited
    }


def _tables() -> tuple[dict[int, int], ...]:
    """Sum of the suit parts -> the table to use: only five cards of one suit reach five times its part."""
    parts = {card.key & 63 for card in DECK}
    one, several = _table(suited=True), _table(suited=False)
    return tuple(
        one if total in {5 * part for part in parts} else several for total in range(5 * max(parts) + 1)
    )


_TABLES: Final = _tables()


def evaluate(cards: Sequence[Card]) -> int:
    """Return the strength of five known cards: higher is better, equal is a tie.

    The cards are taken to be different; a card seen twice is for the monitor to notice.

    >>> from engine.cards import parse_cards
    >>> evaluate(parse_cards("Ts Js Qs Ks As"))
    7461
    >>> evaluate(parse_cards("Ts Js Qs Ks ??"))
    Traceback (most recent call last):
    engine.errors.BadHand: a hand is five known, different cards, not: Ts Js Qs Ks ??
    """
    try:
        a, b, c, d, e = cards
        key = a.key + b.key + c.key + d.key + e.key
        return _TABLES[key & 63][key >> 6]
    except (KeyError, ValueError):
        raise BadHand(f"a hand is five known, different cards, not: {format_cards(cards)}") from None


def strength_of_key(key: int) -> int:
    """Return the strength for a sum of five keys, for those who add up the keys of many hands themselves.

    >>> strength_of_key(sum(card.key for card in DECK[8:13]))
    7461
    """
    return _TABLES[key & 63][key >> 6]


def category(strength: int) -> Category:
    """Return the category of a strength.

    >>> category(QUALIFYING).words
    'high card'
    """
    return _CATEGORY[strength]


def qualifies(strength: int) -> bool:
    """Whether a dealer plays with this strength: ace and king or higher (nz 10.1, s10 (a)(1)(viii))."""
    return strength >= QUALIFYING


def compare(hand: Sequence[Card], other: Sequence[Card]) -> int:
    """Return 1, 0 or -1 as the first hand is higher, equal or lower (nz 4.4, s10 (e)(3)).

    >>> from engine.cards import parse_cards
    >>> compare(parse_cards("Ks Kh 4c 3d 2s"), parse_cards("Qs Qh Ac Kd Js"))
    1
    >>> compare(parse_cards("5s 4h 3c 2d As"), parse_cards("6s 5h 4c 3d 2s"))
    -1
    """
    left, right = evaluate(hand), evaluate(other)
    return (left > right) - (left < right)


_ONE: Final = dict(
    enumerate(
        (
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "jack",
            "queen",
            "king",
            "ace",
        ),
        2,
    )
)
_MANY: Final = {rank: word + ("es" if word == "six" else "s") for rank, word in _ONE.items()}


def describe(cards: Sequence[Card], *, full: bool = False) -> str:
    """Name a hand in words an operator understands; `full` names every kicker.

    >>> from engine.cards import parse_cards
    >>> describe(parse_cards("Kc Kd 4s 4h 4c"))
    'full house, fours over kings'
    >>> describe(parse_cards("Ah Kd 9c 3s 2d")), describe(parse_cards("Ah Kd 9c 3s 2d"), full=True)
    ('ace and king high', 'ace, king, nine, three and two')
    >>> describe(parse_cards("Ah Kd ??"))
    'Ah Kd ??, not all seen'
    """
    if UNKNOWN in cards or len(cards) != 5:
        seen = format_cards(cards) or "no cards"
        return f"{seen}, not all seen" if len(cards) <= 5 else f"{seen}, more than five cards"
    return describe_strength(evaluate(cards), full=full)


def describe_strength(strength: int, *, full: bool = False) -> str:
    """Name a strength in words, as `describe` does for cards.

    >>> describe_strength(QUALIFYING - 1), describe_strength(STRONGEST)
    ('ace high', 'royal flush')
    """
    kind, ranks = CLASSES[strength]
    first, high = ranks[0], f"{_ONE[ranks[0]]} high"
    rest = [_ONE[rank] for rank in ranks if ranks.count(rank) == 1]
    if kind is Category.ROYAL_FLUSH:
        return kind.words
    if kind in (Category.STRAIGHT, Category.STRAIGHT_FLUSH):
        return f"{kind.words}, {high}"
    if kind is Category.FLUSH:
        return f"flush, {_listed(rest)}" if full else f"flush, {high}"
    if kind is Category.HIGH_CARD:
        if full:
            return _listed(rest)
        return "ace and king high" if strength >= QUALIFYING else high
    if kind is Category.FULL_HOUSE:
        return f"full house, {_MANY[first]} over {_MANY[ranks[3]]}"
    kickers = f"{_listed(rest)} kickers" if full and len(rest) > 1 else f"{rest[0]} kicker"
    if kind is Category.TWO_PAIR:
        return f"two pairs, {_MANY[first]} and {_MANY[ranks[2]]}, {kickers}"
    if kind is Category.PAIR:
        return f"pair of {_MANY[first]}, {kickers}"
    count = "four" if kind is Category.FOUR_OF_A_KIND else "three"
    return f"{count} {_MANY[first]}, {kickers}"


def describe_both(hand: Sequence[Card], other: Sequence[Card]) -> tuple[str, str]:
    """Name two hands so that the reader sees which is higher: in full where the short names are the same.

    >>> from engine.cards import parse_cards
    >>> describe_both(parse_cards("8c 8d As 4h 2c"), parse_cards("8h 8s Ac 3h 2d"))
    ('pair of eights, ace, four and two kickers', 'pair of eights, ace, three and two kickers')
    """
    short = describe(hand), describe(other)
    return short if short[0] != short[1] else (describe(hand, full=True), describe(other, full=True))


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]
