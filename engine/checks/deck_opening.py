"""Opening procedure: decks brought, inspected twice, spread, washed; their number, colours and age.

Each step is judged at the first event that goes past it, once per deck, and only for decks that were seen to come.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine import events as ev
from engine.cards import Card
from engine.checks.deck_common import (
    DEALS,
    begins,
    brought_new,
    deck_before,
    decks_here,
    hidden_arrival,
    judged,
    unseen,
)
from engine.checks.registry import Finding, Moment, check, unsure
from engine.events import Role
from engine.settings import Method, TableSettings
from engine.state.model import Deck

STEPS: Final = (ev.DeckSpread, ev.DeckWashed, ev.DeckShuffled, ev.DeckLoaded)
HOUR_MS: Final = 3_600_000


def _unseen_opening(m: Moment) -> Iterator[Finding]:
    """Yield the doubt about a deck that may have come to the table unseen."""
    reason = hidden_arrival(m)
    if reason:
        yield unsure(reason)


def _passing(m: Moment, marks: Sequence[str]) -> Deck | None:
    """Return the new deck that this event is the first to take past a step, as it was before.

    `marks` are the later steps: had one been taken already, the missing step has been reported there.
    """
    if isinstance(m.event, DEALS):
        deck = deck_before(m) if begins(m) else None
    else:
        deck = m.before.decks.get(m.event.deck)
    if deck is None or not brought_new(deck):
        return None
    return deck if all(getattr(deck, mark) is None for mark in marks) else None


@check(
    "deck.inspection",
    "Deck not inspected twice at opening",
    on=(*STEPS, *DEALS),
    needs=("deck",),
    outside_rounds=True,
    own_doubts=True,
    first_card=True,
)
def inspection(m: Moment) -> Iterator[Finding]:
    """Both the dealer and a supervisor must have looked through a new deck before it goes further."""
    yield from _unseen_opening(m)
    deck = _passing(m, ("spread_seq", "washed", "shuffled", "loaded"))
    if deck is None or deck.brought is None:
        return
    missing = [role for role in (Role.DEALER, Role.SUPERVISOR) if role not in deck.inspected_by]
    if not missing:
        return
    clause = m.rule.param("two_decks") if m.settings.decks == 2 and m.rule.params else None
    finding = Finding(
        f"deck {deck.id} inspected by the dealer and by a supervisor before it is used",
        f"no inspection by the {' or the '.join(missing)}",
        events=(deck.brought, m.event.seq),
        key=deck.id,
        clause=clause,
        certain=True,
    )
    yield judged(m, finding, ("deck",), deck.brought)


def sequences(suit: str) -> tuple[tuple[Card, ...], ...]:
    """Return the ways in which a suit lies in sequence: up or down, the ace at either end.

    >>> [str(order[0]) for order in sequences("s")]
    ['2s', 'As', 'As', 'Ks']
    """
    high = tuple(Card(rank, suit) for rank in range(2, 15))
    low = (high[-1], *high[:-1])
    return high, high[::-1], low, low[::-1]


def spread_fault(cards: Sequence[Card]) -> str:
    """Return what is wrong with an opening spread, or nothing; unread cards are taken to be right.

    >>> from engine.cards import SUITS
    >>> good = [card for suit in SUITS for card in sequences(suit)[0]]
    >>> spread_fault(good), spread_fault(good[:-1])
    ('', '51 cards')
    >>> spread_fault([good[1], good[0], *good[2:]])
    'the cards do not lie by suit in sequence'
    """
    if len(cards) != 52:
        return f"{len(cards)} cards"
    known = [card for card in cards if card.known]
    if len(set(known)) < len(known):
        twice = next(card for card in known if known.count(card) > 1)
        return f"{twice} lies there twice"
    suits: set[str] = set()
    for row in range(0, 52, 13):
        block = cards[row : row + 13]
        of_row = {card.suit for card in block if card.known}
        if len(of_row) > 1 or of_row & suits:
            return "the cards do not lie by suit in sequence"
        suits |= of_row
        if of_row and not any(_matches(block, order) for order in sequences(of_row.pop())):
            return "the cards do not lie by suit in sequence"
    return ""


def _matches(block: Sequence[Card], order: Sequence[Card]) -> bool:
    return all(not seen.known or seen is wanted for seen, wanted in zip(block, order, strict=True))


@check(
    "deck.opening_spread",
    "Opening spread missing or wrong",
    on=(ev.DeckWashed, ev.DeckShuffled, ev.DeckLoaded, *DEALS),
    needs=("deck",),
    outside_rounds=True,
    own_doubts=True,
    first_card=True,
)
def opening_spread(m: Moment) -> Iterator[Finding]:
    """A new deck lies face up, whole, by suit in sequence, before it is mixed; a spread may be mended until then."""
    yield from _unseen_opening(m)
    deck = _passing(m, ("washed", "shuffled", "loaded"))
    if deck is None or deck.brought is None:
        return
    expected = f"all 52 cards of deck {deck.id} spread face up by suit in sequence"
    if deck.spread_seq is None or deck.spread is None:
        finding = Finding(
            expected, "no spread", events=(deck.brought, m.event.seq), key=deck.id, certain=True
        )
        yield judged(m, finding, ("deck",), deck.brought)
        return
    fault = spread_fault(deck.spread) if deck.spread else ""
    if not deck.spread_face_up:
        fault = "spread face down"
    if fault:
        yield Finding(expected, fault, events=(deck.spread_seq, m.event.seq), key=deck.id, certain=True)
    elif not deck.spread or not all(card.known for card in deck.spread):
        unread = sum(not card.known for card in deck.spread) or 52
        yield unsure(f"{unread} cards of the opening spread could not be read", key=deck.id)


@check(
    "deck.wash",
    "No wash at opening",
    on=(ev.DeckShuffled, ev.DeckLoaded, *DEALS),
    needs=("deck",),
    outside_rounds=True,
    own_doubts=True,
    first_card=True,
)
def wash(m: Moment) -> Iterator[Finding]:
    """A new deck is mixed face down before it is shuffled; some books ask it only where a machine shuffles."""
    if m.rule.param("machine_only") and not _machine(m.settings):
        return
    yield from _unseen_opening(m)
    deck = _passing(m, ("washed", "shuffled", "loaded"))
    if deck is None or deck.brought is None:
        return
    finding = Finding(
        f"deck {deck.id} washed face down on the table before it is shuffled",
        "no wash",
        events=(deck.brought, m.event.seq),
        key=deck.id,
        certain=True,
    )
    yield judged(m, finding, ("deck",), deck.brought)


def _machine(settings: TableSettings) -> bool:
    return settings.machine_shuffle or settings.method is Method.PACKETS


@check(
    "deck.decks_required",
    "Wrong number of decks at the table",
    on=DEALS,
    needs=("deck",),
    own_doubts=True,
    first_card=True,
)
def decks_required(m: Moment) -> Iterator[Finding]:
    """The rulebook fixes the number of decks by dealing method; judged in the first round after opening."""
    if not begins(m):
        return
    wanted = m.rule.param("decks").get(str(m.settings.method))
    if (m.rule.params or {}).get("second_needs_machine") and not m.settings.machine_shuffle:
        wanted = 1
    opened, previous = m.after.opened, m.after.previous
    first = previous is None or (opened is not None and opened > previous.opened)
    if wanted is None or not first:
        return
    brought = [deck for deck in decks_here(m.after) if deck.brought is not None]
    if opened is not None and not brought and m.settings.decks == wanted:
        reason = unseen(m, ("deck",), 0)  # what was brought, or was not, may have gone unseen
        if reason:
            yield unsure(reason)
        return
    here = len(brought) if opened is not None and brought else m.settings.decks
    if m.settings.decks == wanted == here:
        return
    observed = here if here != wanted else m.settings.decks
    finding = Finding(
        f"{wanted} decks" if wanted > 1 else "one deck",
        f"{observed} decks at the table" if observed != 1 else "one deck at the table",
        events=(*(deck.brought for deck in brought if deck.brought is not None), m.event.seq),
        certain=True,
    )
    seen = m.settings.decks != wanted or opened is None
    yield finding if seen else judged(m, finding, ("deck",), opened or 0)


@check(
    "deck.same_colour",
    "Two decks of the same back colour",
    on=DEALS,
    needs=("deck",),
    applies=lambda settings: settings.decks == 2,
    own_doubts=True,
    first_card=True,
)
def same_colour(m: Moment) -> Iterator[Finding]:
    """Two decks in use must have backs of different colours; said once, when the pair is first played."""
    if not begins(m):
        return
    before, deck = deck_before(m), m.after.deck_in_play
    if deck is None or (before is not None and before.played is not None):
        return
    if deck.back is None:
        yield unsure(f"the back of deck {deck.id} was not seen")
        return
    for other in decks_here(m.after):
        if other.id == deck.id or other.back != deck.back:
            continue
        if other.played is None or deck.brought is None or deck.brought > other.played:
            brought = [one.brought for one in (other, deck) if one.brought is not None]
            yield Finding(
                "two decks with backs of different colours",
                f"decks {other.id} and {deck.id} both have {deck.back} backs",
                events=(*sorted(brought), m.event.seq),
                certain=True,
            )


@check(
    "deck.age",
    "Deck in play for too long",
    on=DEALS,
    needs=("deck",),
    own_doubts=True,
    first_card=True,
)
def age(m: Moment) -> Iterator[Finding]:
    """Cards must be changed after some hours; said once, at the first round that begins later than that."""
    yield from _unseen_opening(m)
    deck = deck_before(m) if begins(m) else None
    if deck is None or deck.brought is None or deck.brought_at is None:
        return
    hours = m.rule.param("hours")
    limit = deck.brought_at + hours * HOUR_MS
    if m.event.at <= limit or (deck.played_at is not None and deck.played_at > limit):
        return
    minutes = (m.event.at - deck.brought_at) // 60_000
    finding = Finding(
        f"deck {deck.id} changed after {hours} hours at most",
        f"in use for {minutes // 60} hours {minutes % 60} minutes",
        events=(deck.brought, m.event.seq),
        certain=True,
    )
    yield judged(m, finding, ("deck",), deck.brought)
