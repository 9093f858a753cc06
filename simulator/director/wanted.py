"""Hands made to order: a category, a hand that does not qualify, a tie with the dealer.

Chance alone brings a royal flush once in 649,740 hands; a proof that never sees one proves little.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from engine.cards import SUITS, Card
from engine.hands import Category, category, evaluate, qualifies
from simulator.errors import ScriptError

Hand = tuple[Card, ...]

KINDS: Final = (
    "any",
    "no_hand",
    "ace_king",
    "low",
    "pair",
    "two_pair",
    "trips",
    "straight",
    "flush",
    "full_house",
    "quads",
    "straight_flush",
    "royal",
)
"""What can be asked for: `low` is any hand below ace-king, `no_hand` the same in a dealer's mouth."""

JACKPOT_KINDS: Final = ("flush", "full_house", "quads", "straight_flush", "royal")

_CATEGORY: Final = {
    "pair": Category.PAIR,
    "two_pair": Category.TWO_PAIR,
    "trips": Category.THREE_OF_A_KIND,
    "straight": Category.STRAIGHT,
    "flush": Category.FLUSH,
    "full_house": Category.FULL_HOUSE,
    "quads": Category.FOUR_OF_A_KIND,
    "straight_flush": Category.STRAIGHT_FLUSH,
    "royal": Category.ROYAL_FLUSH,
}


def matches(hand: Sequence[Card], kind: str) -> bool:
    """Whether a hand is of the kind asked for."""
    strength = evaluate(hand)
    if kind == "any":
        return True
    if kind in ("no_hand", "low"):
        return not qualifies(strength)
    if kind == "ace_king":
        return qualifies(strength) and category(strength) is Category.HIGH_CARD
    return category(strength) is _CATEGORY[kind]


def make_hand(rng: random.Random, cards: Sequence[Card], kind: str) -> Hand:
    """Draw five of the cards that make a hand of the kind, in the order in which they will be dealt."""
    for _ in range(400):
        hand = _try(rng, cards, kind)
        if hand is not None and len(hand) == 5 and matches(hand, kind):
            rng.shuffle(hand)
            return tuple(hand)
    raise ScriptError(f"no {kind} can be made of the cards that are left")


def _try(rng: random.Random, cards: Sequence[Card], kind: str) -> list[Card] | None:
    if kind in ("straight", "straight_flush", "royal"):
        return _run(rng, cards, kind)
    if kind == "flush":
        suit = rng.choice(SUITS)
        suited = [card for card in cards if card.suit == suit]
        return rng.sample(suited, 5) if len(suited) >= 5 else None
    shape = {"pair": (2,), "two_pair": (2, 2), "trips": (3,), "full_house": (3, 2), "quads": (4,)}.get(
        kind, ()
    )
    if kind == "ace_king":
        return _groups(rng, cards, ((14, 1), (13, 1)))
    ranks = rng.sample(range(2, 15), len(shape))
    return _groups(rng, cards, tuple(zip(ranks, shape, strict=True)))


def _groups(
    rng: random.Random, cards: Sequence[Card], groups: tuple[tuple[int, int], ...]
) -> list[Card] | None:
    """Draw so many cards of each rank, and fill up with cards of other ranks."""
    hand: list[Card] = []
    for rank, count in groups:
        same = [card for card in cards if card.rank == rank]
        if len(same) < count:
            return None
        hand += rng.sample(same, count)
    named = {rank for rank, _ in groups}
    rest = [card for card in cards if card.rank not in named]
    return hand + rng.sample(rest, 5 - len(hand)) if len(rest) >= 5 - len(hand) else None


def _run(rng: random.Random, cards: Sequence[Card], kind: str) -> list[Card] | None:
    tops = [14] if kind == "royal" else list(range(5, 15 if kind == "straight" else 14))
    top = rng.choice(tops)
    ranks = [14, 2, 3, 4, 5] if top == 5 else list(range(top - 4, top + 1))
    suit = rng.choice(SUITS)
    free = set(cards)
    hand: list[Card] = []
    for rank in ranks:
        suits = [rng.choice(SUITS)] if kind == "straight" else [suit]
        same = [Card(rank, one) for one in suits if Card(rank, one) in free]
        if not same:
            return None
        hand.append(same[0])
    return hand


def tie_with(rng: random.Random, dealer: Sequence[Card], cards: Sequence[Card]) -> Hand | None:
    """Draw a hand of the same strength as the dealer's, or None if the cards left cannot make one."""
    for _ in range(60):
        hand: list[Card] = []
        free = list(cards)
        for card in dealer:
            same = [one for one in free if one.rank == card.rank]
            if not same:
                return None
            hand.append(rng.choice(same))
            free.remove(hand[-1])
        if evaluate(hand) == evaluate(dealer):
            rng.shuffle(hand)
            return tuple(hand)
    return None
