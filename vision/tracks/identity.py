"""Which card is which: votes of many looks, weighed together under the rule that a deck has one of each.

A single look is wrong now and then; many looks at one card hardly ever agree on the same wrong name. Where two cards
claim one name, the surer one has it and the other takes its next best name or stays unread. Two cards that are both
seen clearly and often as the same are both named so: that is not an error of the eyes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Protocol

ENOUGH: Final = 1.7
"""The least weight of votes for a name: about two looks."""
SHARE: Final = 0.6
"""The least share of all votes."""
CERTAIN: Final = 6.0
"""With so much weight, and nearly no other votes, a card is what it says even if another one says the same."""


class Voted(Protocol):
    """Something with an id and votes for names."""

    id: int
    votes: dict[str, float]


def ranked(votes: Mapping[str, float]) -> list[tuple[str, float]]:
    """Names by weight, the heaviest first.

    >>> ranked({"As": 2.0, "Ah": 5.0})
    [('Ah', 5.0), ('As', 2.0)]
    """
    return sorted(votes.items(), key=lambda item: (-item[1], item[0]))


def name_all(cards: Iterable[Voted], used: Mapping[str, float] | None = None) -> dict[int, tuple[str, float]]:
    """Name cards: id -> (name, confidence), without those that stay unread.

    `used` are names that belong to cards that are no longer in view, with their weight.
    """
    claims = sorted(
        (
            (weight, weight / sum(card.votes.values()), name, card.id)
            for card in cards
            for name, weight in card.votes.items()
        ),
        key=lambda claim: (-claim[0], claim[2], claim[3]),
    )
    taken: dict[str, float] = dict(used or {})
    named: dict[int, tuple[str, float]] = {}
    for weight, share, name, number in claims:
        if number in named or weight < ENOUGH:
            continue
        certain = weight >= CERTAIN and share > 0.85
        if name in taken and not certain:
            continue
        if share < SHARE and not (share > 0.3 and weight >= 2 * ENOUGH):
            continue
        taken[name] = weight
        named[number] = (name, min(0.999, share * weight / (weight + 0.1)))
    return named
