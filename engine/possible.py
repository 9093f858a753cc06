"""What a hand may still turn out to be when some of its cards were not seen.

The monitor must say "cannot tell" when an unread card could change the verdict, and must not say it when
no card could. So the bounds here are exact: the best and the worst hand that the cards not seen anywhere
else still allow. Up to two unread cards are tried out; with more, the strengths are tried in order until
one can be built, which costs at most a few milliseconds where trying out could cost a second.

>>> from engine.cards import parse_cards
>>> from engine.hands import describe_strength
>>> hand = possible(parse_cards("As Ad Kc Kd ??"), seen=parse_cards("Ah Ac"))
>>> describe_strength(hand.worst), describe_strength(hand.best)
('two pairs, aces and kings, two kicker', 'full house, kings over aces')
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from engine.cards import DECK, UNKNOWN, Card, format_cards
from engine.errors import BadHand
from engine.hands import CLASSES, QUALIFYING, SUITED, Category, category, evaluate


@dataclass(frozen=True, slots=True)
class Bounds:
    """The lowest and the highest strength that a hand can have."""

    worst: int
    best: int

    @property
    def certain(self) -> bool:
        """Whether only one strength is left."""
        return self.worst == self.best

    @property
    def category(self) -> Category | None:
        """The category, if only one is left."""
        kind = category(self.worst)
        return kind if kind is category(self.best) else None

    @property
    def qualifies(self) -> bool | None:
        """Whether a dealer plays with this hand, if that is certain."""
        if self.worst >= QUALIFYING:
            return True
        return None if self.best >= QUALIFYING else False


def possible(cards: Sequence[Card], seen: Iterable[Card] = ()) -> Bounds:
    """Return the exact bounds of a hand of at most five cards, some of them perhaps unknown.

    Missing cards count as unknown. `seen` are cards known to lie elsewhere in this round.

    >>> from engine.cards import parse_cards
    >>> possible(parse_cards("As Kd ?? ?? ??")).qualifies
    True
    >>> possible(()).qualifies is None
    True
    """
    known = frozenset(card for card in cards if card is not UNKNOWN)
    if len(cards) > 5 or len(known) + list(cards).count(UNKNOWN) != len(cards):
        raise BadHand(f"a hand is at most five different cards, not: {format_cards(cards)}")
    if len(known) == 5:
        strength = evaluate(cards)
        return Bounds(strength, strength)
    return _possible(known, frozenset(seen) - known - {UNKNOWN})


def best_possible(cards: Sequence[Card], seen: Iterable[Card] = ()) -> int:
    """Return the highest strength that the hand can have."""
    return possible(cards, seen).best


def worst_possible(cards: Sequence[Card], seen: Iterable[Card] = ()) -> int:
    """Return the lowest strength that the hand can have."""
    return possible(cards, seen).worst


@lru_cache(maxsize=4096)
def _possible(known: frozenset[Card], gone: frozenset[Card]) -> Bounds:
    free = [card for card in DECK if card not in known and card not in gone]
    missing = 5 - len(known)
    if len(free) < missing:
        raise BadHand(f"only {len(free)} cards are left to complete: {format_cards(sorted(known))}")
    return _by_trial(known, free, missing) if missing <= 2 else _by_search(known, free)


def _by_trial(known: Collection[Card], free: Sequence[Card], missing: int) -> Bounds:
    """Bounds by completing the hand in every way."""
    strengths = [evaluate((*known, *choice)) for choice in combinations(free, missing)]
    return Bounds(min(strengths), max(strengths))


def _by_search(known: Collection[Card], free: Sequence[Card]) -> Bounds:
    """Bounds by asking of one strength after the other, from either end, whether it can be built."""
    last = len(CLASSES) - 1
    worst = next(s for s in range(last + 1) if _can_be(s, known, free))
    best = next(s for s in range(last, -1, -1) if _can_be(s, known, free))
    return Bounds(worst, best)


def _can_be(strength: int, known: Collection[Card], free: Sequence[Card]) -> bool:
    """Whether `known` and some of `free` make exactly this strength."""
    kind, ranks = CLASSES[strength]
    wanted = list(ranks)
    for card in known:
        if card.rank not in wanted:
            return False
        wanted.remove(card.rank)
    suits_held = {card.suit for card in known}
    if kind in SUITED:
        return len(suits_held) <= 1 and any(
            all(any(card.rank == rank and card.suit == suit for card in free) for rank in wanted)
            for suit in (suits_held or "cdhs")
        )
    offered = {rank: {card.suit for card in free if card.rank == rank} for rank in wanted}
    if any(wanted.count(rank) > len(suits) for rank, suits in offered.items()):
        return False
    if len(set(ranks)) < 5:
        return True
    # Five different ranks: the cards must also be able to differ in suit, or the hand would be a flush.
    return len(suits_held.union(*offered.values())) > 1
