"""The 52 cards and the card that was not seen.

A card is one of 53 objects that exist once per process, so that comparing two cards is comparing two
pointers and a log of a million events holds no million cards. What the camera could not read is a card
too, `UNKNOWN`, written `??`: it is a value that travels through the fold, never a gap.

>>> Card.parse("As")
As
>>> Card.parse("As") is Card(14, "s")
True
>>> parse_cards("Td 2c ??")
(Td, 2c, ??)
>>> len(DECK), DECK[0], DECK[-1]
(52, 2c, As)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NoReturn

from engine.errors import BadCard

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"

# The evaluator adds the keys of five cards and looks the sum up. The rank parts are such that no two
# multisets of five ranks (at most four alike) have the same sum; the suit parts, in the six lowest bits,
# are such that five cards of one suit have a sum which no mixed five can reach. tests/engine prove both.
_RANK_KEYS: Final = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
_SUIT_KEYS: Final = (0, 1, 6, 7)
_UNKNOWN_KEY: Final = 1 << 29


class Card:
    """One card: `rank` 2..14, `suit` one of c d h s, `code` 0..51 by suit and then rank, `label` "As".

    The unknown card has rank 0, suit "?" and code 52. `key` belongs to the evaluator of hands. Cards are
    ordered by code, which is also the order of the opening spread: by suit, in sequence within the suit.

    >>> Card.parse("Kh").rank, Card.parse("Kh").suit, Card.parse("Kh").code
    (13, 'h', 37)
    >>> sorted(parse_cards("As 2d Ac"))
    [Ac, 2d, As]
    >>> Card.parse("1s")
    Traceback (most recent call last):
    engine.errors.BadCard: '1s' is not a card; write a rank (2-9 T J Q K A) and a suit (c d h s), or ??
    """

    __slots__ = ("code", "key", "label", "rank", "suit")

    rank: int
    suit: str
    code: int
    label: str
    key: int

    def __new__(cls, rank: int, suit: str) -> Card:
        """Return the one card of this rank and suit."""
        card = _BY_RANK_AND_SUIT.get((rank, suit))
        if card is None:
            raise BadCard(f"no card has rank {rank!r} and suit {suit!r}")
        return card

    @staticmethod
    def parse(label: str) -> Card:
        """Read a label such as "As", "Td", "2c" or "??"."""
        card = _BY_LABEL.get(label)
        if card is None:
            raise BadCard(
                f"{label!r} is not a card; write a rank (2-9 T J Q K A) and a suit (c d h s), or ??"
            )
        return card

    @property
    def known(self) -> bool:
        """Whether the card was read: false for `??` only."""
        return self.code != 52

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a card cannot be changed: {self.label}.{name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a card cannot be changed: {self.label}.{name}")

    def __repr__(self) -> str:
        return self.label

    def __hash__(self) -> int:
        return self.code  # not the address: sets of cards iterate alike in every run

    def __lt__(self, other: Card) -> bool:
        return self.code < other.code

    def __le__(self, other: Card) -> bool:
        return self.code <= other.code

    def __gt__(self, other: Card) -> bool:
        return self.code > other.code

    def __ge__(self, other: Card) -> bool:
        return self.code >= other.code

    def __copy__(self) -> Card:
        return self

    def __deepcopy__(self, memo: object) -> Card:
        return self

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Card.parse, (self.label,)


def _make(rank: int, suit: str, code: int, label: str, key: int) -> Card:
    card = object.__new__(Card)
    for name, value in (("rank", rank), ("suit", suit), ("code", code), ("label", label), ("key", key)):
        object.__setattr__(card, name, value)
    return card


UNKNOWN: Final[Card] = _make(0, "?", 52, "??", _UNKNOWN_KEY)

DECK: Final[tuple[Card, ...]] = tuple(
    _make(r + 2, suit, 13 * s + r, RANKS[r] + suit, (_RANK_KEYS[r] << 6) + _SUIT_KEYS[s])
    for s, suit in enumerate(SUITS)
    for r in range(13)
)

_BY_LABEL: Final = {card.label: card for card in (*DECK, UNKNOWN)}
_BY_RANK_AND_SUIT: Final = {(card.rank, card.suit): card for card in DECK}


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by blanks; the empty text holds none.

    >>> parse_cards("As Kd 4c")
    (As, Kd, 4c)
    >>> parse_cards("")
    ()
    """
    return tuple(Card.parse(label) for label in text.split())


def format_cards(cards: Iterable[Card]) -> str:
    """Write cards as `parse_cards` reads them.

    >>> format_cards(parse_cards("As Kd ??"))
    'As Kd ??'
    """
    return " ".join(card.label for card in cards)
