"""How much it is worth to know the dealer's cards, and so how grave it is to have shown them.

With perfect play at the odds of s10 (l)(3) a player who sees only the up-card loses 5.224 % of the ante. Each
further card moves the edge towards the player, three of them past zero. The severity of an exposed card follows
this shift, not the mere number of cards. benchmarks/house_edge.py works out the first, second and last
figure from all deals; the last two are given here to a tenth of a per cent.
"""

from __future__ import annotations

from typing import Final

from engine.errors import BadEvent

PLAYER_EDGE: Final[dict[int, int]] = {1: -5224, 2: -616, 3: 11967, 4: 35200, 5: 64300}
"""Dealer's cards known -> edge of the player in thousandths of a per cent of the ante."""


def exposure_severity(known_dealer_cards: int) -> int:
    """Return the shift of the edge towards the player in basis points of the ante, against one card known.

    >>> [exposure_severity(known) for known in range(6)]
    [0, 0, 461, 1719, 4042, 6952]
    """
    if not 0 <= known_dealer_cards <= 5:
        raise BadEvent(f"a dealer has five cards, so {known_dealer_cards} of them cannot be known")
    shift = PLAYER_EDGE[max(known_dealer_cards, 1)] - PLAYER_EDGE[1]
    return (shift + 5) // 10


def exposure_words(known_dealer_cards: int) -> str:
    """Say what the exposure is worth, for an operator.

    >>> exposure_words(3)
    "3 of the dealer's cards known: edge 11.967 % for the player instead of 5.224 % for the house"
    """
    exposure_severity(known_dealer_cards)
    if known_dealer_cards <= 1:
        return "no more than the dealer's face-up card known: the edge is unchanged"
    edge = PLAYER_EDGE[known_dealer_cards]
    side = "player" if edge > 0 else "house"
    return (
        f"{known_dealer_cards} of the dealer's cards known: edge {_percent(edge)} for the {side} "
        f"instead of {_percent(PLAYER_EDGE[1])} for the house"
    )


def _percent(thousandths: int) -> str:
    whole, rest = divmod(abs(thousandths), 1000)
    return f"{whole}.{rest:03d} %"
