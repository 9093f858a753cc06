"""What is known of a table at one moment: frozen values, built only by the fold in this package.

`None` in an amount or a count means "was there, could not be read"; a missing wager is `None` in its place.
Marks such as `folded` or `called` hold the sequence number of the event that set them, so that every verdict
can name the events that prove it and the order of two things is a comparison of two numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from engine.cards import Card
from engine.events import Area, Device, Pool, Role, Side, Tender


@dataclass(frozen=True)
class Gap:
    """A stretch in which a zone could not be seen or a signal did not arrive; `end` None: it lasts."""

    start: int
    end: int | None
    why: str


NO_GAPS: Final[Mapping[str, Gap]] = MappingProxyType({})


class Phase(StrEnum):
    """Where a round is."""

    NONE = "none"
    BETTING = "betting"
    DEALING = "dealing"
    DECIDING = "deciding"
    SETTLING = "settling"
    VOID = "void"
    CLOSED = "closed"


@dataclass(frozen=True)
class Wager:
    """One pile in one area. `at_call` is the amount that lay there when bets were closed."""

    amount: int | None
    placed: int
    chips: tuple[int, ...] | None = None
    tender: Tender = Tender.CHIPS
    by: int | None = None
    before_deal: bool = True
    at_call: int | None = None
    taken: int | None = None
    taken_amount: int | None = None
    paid: int | None = None
    paid_amount: int | None = 0
    withdrawn: int | None = None
    piles: int = 1
    history: tuple[int | None, ...] = ()  # every amount that lay there, the first one first

    @property
    def settled(self) -> bool:
        """Whether the dealer has taken or paid it."""
        return self.taken is not None or self.paid is not None

    @property
    def lies(self) -> bool:
        """Whether the pile is still in its area."""
        return self.taken is None and self.withdrawn is None


@dataclass(frozen=True)
class HeldCard:
    """One card of a hand: what it is, whether its face is up, and the event that brought it."""

    card: Card
    face_up: bool
    dealt: int


@dataclass(frozen=True)
class Seat:
    """One seat, or the dealer's place (number 0), in the present round."""

    number: int
    player: str | None = None
    present: bool | None = None
    ante: Wager | None = None
    bet: Wager | None = None
    jackpot: Wager | None = None
    light: bool | None = None
    coupon: bool = False
    oral: int | None = None
    cards: tuple[HeldCard, ...] = ()
    dealt: int = 0
    dealt_unsure: bool = False
    spread: int | None = None
    picked_up: int | None = None
    laid_down: int | None = None
    laid_down_cards: int | None = None
    folded: int | None = None
    turned_up: int | None = None
    counted: int | None = None
    counted_cards: int | None = None
    collected: int | None = None
    collected_cards: int | None = None
    rebuilt: int | None = None
    voided: int | None = None
    verified: int | None = None
    confirmed: int | None = None
    jackpot_paid: int | None = None
    jackpot_amount: int | None = None
    jackpot_by_cage: bool = False
    papers: int | None = None
    jackpot_meters: Mapping[Pool, int] | None = (
        None  # what the meters showed at the payout, where read since the last
    )
    informed: int | None = None  # reported to have passed or got information about hands

    def wager(self, area: Area) -> Wager | None:
        """Return the pile of an area, if one was made."""
        if area is Area.ANTE:
            return self.ante
        return self.bet if area is Area.BET else self.jackpot

    @property
    def faces(self) -> tuple[Card, ...]:
        """The cards of the hand, `??` where one was not read."""
        return tuple(held.card for held in self.cards)

    @property
    def known(self) -> bool:
        """Whether all five cards were read."""
        return len(self.cards) == 5 and all(held.card.known for held in self.cards)

    @property
    def playing(self) -> bool:
        """Whether the seat has an ante and a hand that still counts."""
        return self.ante is not None and self.dealt > 0 and self.folded is None and self.voided is None

    @property
    def decided(self) -> bool:
        """Whether the player has made a bet wager or folded."""
        return self.folded is not None or (self.bet is not None and self.bet.withdrawn is None)


@dataclass(frozen=True)
class Delivery:
    """One card or packet given to a seat. `card_number` counts within the hand, from 1."""

    seq: int
    seat: int
    count: int | None
    face_up: bool
    card_number: int
    hand: Side | None = None
    back: str | None = None


@dataclass(frozen=True)
class Act:
    """One step of settlement, in the order in which they happened."""

    seq: int
    what: str  # taken, paid, jackpot_paid, collected, turned_up
    seat: int
    area: Area | None = None
    amount: int | None = None


@dataclass(frozen=True)
class Round:
    """The round in play, or the last one."""

    id: str
    number: int
    opened: int
    deck: str | None = None
    redeal: bool = False
    called: int | None = None
    lock_out: int | None = None
    chips_counted: int | None = None
    chips_count: int | None = None
    first_card: int | None = None
    deal_over: int | None = None
    up_card: int | None = None
    up_card_number: int | None = None
    revealed: int | None = None
    announced: int | None = None
    announced_qualifies: bool | None = None
    stub_placed: int | None = None
    stub_in_rack: bool | None = None
    stub_counted: int | None = None
    deck_counted: int | None = None
    voided: int | None = None
    closed: int | None = None
    misdrawn: int | None = None
    held_in: Side | None = None
    found_face_up: tuple[Card, ...] = ()
    discarded: tuple[Card, ...] = ()
    exposed: tuple[tuple[int, int], ...] = ()  # (event, seat) of faces the dealer showed while dealing
    shoe_jammed: int | None = None
    backs: frozenset[str] = frozenset()
    seen: Mapping[Card, int] = field(default_factory=lambda: MappingProxyType({}))
    deliveries: tuple[Delivery, ...] = ()
    acts: tuple[Act, ...] = ()
    meter_base: Mapping[Pool, int] = field(
        default_factory=lambda: MappingProxyType({})
    )  # before this round's wagers
    meter_fell: int | None = None  # a meter went down with no payout at this table


@dataclass(frozen=True)
class Deck:
    """One deck at the table and what has been done to it since it came and since it was last played."""

    id: str
    back: str | None = None
    brought: int | None = None
    brought_at: int | None = None
    inspected_by: frozenset[Role] = frozenset()
    spread: tuple[Card, ...] | None = None
    spread_seq: int | None = None
    spread_face_up: bool = False
    washed: int | None = None
    shuffled: int | None = None
    shuffled_by: Role | None = None
    cut: int | None = None
    cut_by: Role | None = None
    cut_cards: int | None = None
    cuts: int = 0  # by the house, since the last shuffle
    cover_racked: bool | None = None
    loaded: Device | None = None
    loaded_seq: int | None = None
    played: int | None = None  # the first card of the last round with this deck
    played_at: int | None = None
    shown: int | None = None
    jammed: int | None = None
    reported: int | None = None
    counted: int | None = None
    removed: int | None = None


@dataclass(frozen=True)
class TableState:
    """Everything known of a table after some events."""

    seats: tuple[Seat, ...]
    round: Round | None = None
    previous: Round | None = None
    opened: int | None = None
    vacant: int | None = None
    vacant_at: int | None = None
    last_vacant: int | None = None
    dealer: str | None = None
    decks: Mapping[str, Deck] = field(default_factory=lambda: MappingProxyType({}))
    devices: frozenset[Device] = frozenset()
    rounds: int = 0
    rounds_since_stub_count: int = 0
    last_stub_count: int | None = None
    meters: Mapping[Pool, int] = field(default_factory=lambda: MappingProxyType({}))
    meters_read: Mapping[Pool, int] = field(default_factory=lambda: MappingProxyType({}))
    rack_backs: frozenset[str] = frozenset()
    gaps: Mapping[str, Gap] = field(default_factory=lambda: NO_GAPS)
    lost_cameras: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    signal_gaps: Mapping[str, Gap] = field(default_factory=lambda: NO_GAPS)
    past_gaps: Mapping[str, Gap] = field(default_factory=lambda: NO_GAPS)  # signals as `signal:NAME`

    @property
    def dealer_hand(self) -> Seat:
        """The dealer's place."""
        return self.seats[0]

    @property
    def players(self) -> tuple[Seat, ...]:
        """The players' seats, in dealing order."""
        return self.seats[1:]

    def playing(self) -> Iterator[Seat]:
        """Yield the seats whose hands still count, in dealing order."""
        return (seat for seat in self.seats[1:] if seat.playing)

    @property
    def deck_in_play(self) -> Deck | None:
        """The deck of the round, or the only one at the table; None if it is not known which."""
        if self.round is not None and self.round.deck is not None:
            return self.decks.get(self.round.deck) or Deck(self.round.deck)
        here = [deck for deck in self.decks.values() if deck.removed is None]
        return here[0] if len(here) == 1 else None

    @property
    def phase(self) -> Phase:
        """Where the round is, from its marks."""
        now = self.round
        if now is None:
            return Phase.NONE
        for mark, phase in (
            (now.closed, Phase.CLOSED),
            (now.voided, Phase.VOID),
            (now.revealed, Phase.SETTLING),
            (now.deal_over, Phase.DECIDING),
            (now.first_card, Phase.DEALING),
        ):
            if mark is not None:
                return phase
        return Phase.BETTING


def empty_table(seats: int) -> TableState:
    """Return the state of a table of which nothing is known yet.

    >>> empty_table(7).phase
    <Phase.NONE: 'none'>
    """
    return TableState(seats=tuple(Seat(number) for number in range(seats + 1)))
