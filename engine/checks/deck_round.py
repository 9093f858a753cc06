"""The deck in a round: its count, its cards and backs, the rack, and counts that are due."""

from __future__ import annotations

from collections.abc import Iterator

from engine import events as ev
from engine.cards import Card
from engine.checks import unread
from engine.checks.deck_common import DEALS, begins, last_deal, unseen
from engine.checks.registry import Finding, Moment, check, reading, unsure
from engine.events import DEALER
from engine.hands import Category, category, evaluate
from engine.settings import Method
from engine.state.model import Round, TableState


@check(
    "deck.count",
    "Deck without 52 cards",
    on=(ev.DeckCounted, ev.StubCounted, ev.ShufflerReported, *DEALS),
    needs=("deck",),
    outside_rounds=True,
    in_void_rounds=True,
    first_card=True,
)
def count(m: Moment) -> Iterator[Finding]:
    """A count that does not come to 52 ends the round and, under some books, the deck; the remedy is watched."""
    event, now = m.event, m.after.round
    if isinstance(event, DEALS):
        zones = ("deck", "signal:shuffler") if m.settings.counting_shuffler else ("deck",)
        reason = unseen(m, zones, last_deal(m) or 0) if begins(m) else ""
        if reason:
            yield unsure(reason, key="unseen")
        return
    if event.count is None:
        yield unsure("the count could not be seen", key=f"count:{event.seq}")
        return
    params = m.rule.params or {}
    if isinstance(event, ev.StubCounted):
        yield from _stub(m)
        return
    if event.count == 52:
        return
    machine = isinstance(event, ev.ShufflerReported)
    in_play = now is not None and now.closed is None and now.voided is None and now.first_card is not None
    in_play = in_play and now is not None and now.deck in (None, event.deck) and not machine
    yield Finding(
        f"52 cards in deck {event.deck}",
        f"{'the shuffler' if machine else 'the dealer'} counted {event.count}",
        key=f"deck:{event.deck}",
        remedy=None if in_play else "remove_deck",
        clause=params.get("machine_clause") if machine else None,
        certain=True,
    )


def _stub(m: Moment) -> Iterator[Finding]:
    """Judge a count of the stub: with the cards that were dealt it must come to 52."""
    now, hands = m.round, [seat for seat in m.after.seats if seat.dealt]
    if any(seat.dealt_unsure for seat in hands):
        yield unsure("how many cards were dealt could not be seen")
        return
    apart = max(len(now.found_face_up), len(now.discarded))
    total = m.event.count + sum(seat.dealt for seat in hands) + apart
    if total == 52:
        return
    deck = m.after.deck_in_play
    yield Finding(
        "52 cards in the deck",
        f"{m.event.count} in the stub and {total - m.event.count} dealt make {total}",
        key=f"deck:{'' if deck is None else deck.id}",
        remedy="remove_deck" if now.voided is not None else None,
        zones=("deck", "seats", "dealer"),
    )


def _place(seat: int | None) -> str:
    if seat is None:
        return "out of the deck"
    return "in the dealer's hand" if seat == DEALER else f"at seat {seat}"


def _twice(m: Moment, card: Card, seat: int | None) -> int | str | None:
    """Return where else a card that is seen now is known to be: a seat, or a place in words; None if nowhere."""
    before: TableState = m.before
    now = before.round
    if now is None or now.closed is not None or not card.known or card not in now.seen:
        return None
    known_here = (
        seat is not None and card in before.seats[seat].faces
    )  # then it was said when it was seen there
    for other in before.seats:
        if other.number != seat and card in other.faces and not known_here:
            return other.number
    if isinstance(m.event, ev.CardDealt) and card in before.seats[m.event.seat].faces:
        return m.event.seat
    if card in now.discarded and not isinstance(m.event, ev.CardDiscarded):
        return "in the discard rack"
    return None


@check(
    "deck.duplicate_card",
    "The same card twice",
    on=(ev.CardDealt, ev.CardsTurned, ev.CardFlashed, ev.CardIdentified, ev.CardFoundFaceUp),
    needs=("seats", "dealer"),
    unread=unread.faces,
)
def duplicate_card(m: Moment) -> Iterator[Finding]:
    """No card can lie in two places, or twice in one hand."""
    seat: int | None = getattr(m.event, "seat", None)
    cards: tuple[Card, ...] = m.event.cards if isinstance(m.event, ev.CardsTurned) else (m.event.card,)
    for card in cards:
        where = _twice(m, card, seat)
        if where is not None:
            yield _duplicate(m, card, seat, where)
    if isinstance(m.event, ev.CardsTurned) and m.event.face_up:
        for card in _twice_in_hand(m, cards):
            yield _duplicate(m, card, seat, m.event.seat)


def _twice_in_hand(m: Moment, cards: tuple[Card, ...]) -> list[Card]:
    """Return cards that are listed twice, or turned up although they already lay face up beside."""
    known = [card for card in cards if card.known]
    twice = [card for card in set(known) if known.count(card) > 1]
    held = m.before.seats[m.event.seat].cards
    up = {one.card for one in held if one.face_up and one.card.known}
    if up and len(cards) == sum(not one.face_up for one in held):
        twice += [card for card in known if card in up and card not in twice]
    return twice


def _duplicate(m: Moment, card: Card, seat: int | None, where: int | str) -> Finding:
    first = m.round.seen.get(card, m.event.seq)
    place = where if isinstance(where, str) else _place(where)
    zones = [zone for one in (seat, where) if isinstance(one, int) for zone in (_zone(one),)]
    return Finding(
        f"one {card} in the deck",
        f"{card} {_place(seat)} and {place}",
        seat,
        events=(first, m.event.seq),
        key=str(card),
        zones=tuple(zones),
    )


def _zone(seat: int) -> str:
    return "dealer" if seat == DEALER else f"seat:{seat}"


@check(
    "deck.mixed_backs",
    "Two back colours in one round",
    on=DEALS,
    needs=("seats", "dealer"),
    unread=unread.backs,
)
def mixed_backs(m: Moment) -> Iterator[Finding]:
    """All cards of a round have the same back; said when another colour first appears."""
    now: Round | None = m.before.round
    back = m.event.back
    if now is None or now.closed is not None or back is None or not now.backs or back in now.backs:
        return
    yield Finding(
        f"every card with a {', '.join(sorted(now.backs))} back",
        f"a {back} back",
        m.event.seat,
        events=(now.first_card or m.event.seq, m.event.seq),
        certain=True,
    )


@check(
    "deck.two_in_rack",
    "Cards of two decks in the rack",
    on=(ev.CardsCollected, ev.CardDiscarded),
    needs=("rack",),
)
def two_in_rack(m: Moment) -> Iterator[Finding]:
    """The rack holds cards of one deck at a time; a round dealt with mixed backs is reported as that."""
    back, inside, now = m.event.back, m.before.rack_backs, m.before.round
    if back is None and m.settings.decks == 2:
        yield unsure("the backs of cards that went to the rack were not read", key="unread")
    if back is None or not inside or back in inside or now is None or now.closed is not None:
        return
    if len(now.backs) < 2:
        belongs = back in now.backs  # then what lay there before is the other deck's
        yield Finding(
            f"only {', '.join(sorted(inside))} cards in the discard rack",
            f"{back} cards put there too",
            None if belongs else getattr(m.event, "seat", None),
            certain=True,
        )


@check(
    "deck.stub_count_overdue",
    "Stub not counted for too long",
    on=(ev.RoundClosed, ev.RoundOpened),
    needs=("deck",),
    applies=lambda settings: not (settings.method is Method.PACKETS and settings.counting_shuffler),
    outside_rounds=True,
    own_doubts=True,
)
def stub_count_overdue(m: Moment) -> Iterator[Finding]:
    """The stub is counted once in so many rounds; void rounds do not count. Said again after as many more."""
    if isinstance(m.event, ev.RoundOpened) and (m.before.round is None or m.before.round.closed is not None):
        return
    every, rounds = m.rule.param("every"), m.before.rounds_since_stub_count
    if rounds < every or rounds % every:
        return
    since = m.after.last_stub_count or 0
    reason = unseen(m, ("deck",), since)
    if reason:
        yield unsure(reason)
        return
    yield Finding(
        f"the stub counted at least once every {every} rounds",
        f"{rounds} rounds without a count",
        clause=m.rule.param("clause").get(str(m.settings.method)),
        certain=True,
    )


@check(
    "deck.jackpot_count",
    "No deck count in a round with a jackpot payout",
    on=(ev.RoundClosed,),
    needs=("deck", "seats"),
    applies=lambda settings: settings.jackpot != "none",
)
def jackpot_count(m: Moment) -> Iterator[Finding]:
    """A jackpot payout calls for a count of the deck, before or after it in the same round."""
    now = m.round
    paid = [act for act in now.acts if act.what == "jackpot_paid"]
    after = reading(m, "deck_count_at_jackpot", "same round") == "after"
    if not paid or (now.deck_counted is not None and not (after and now.deck_counted < paid[-1].seq)):
        return
    if m.settings.sub_pools:
        hands = {act.seat: m.after.seats[act.seat] for act in paid}
        unread = [seat.number for seat in hands.values() if not seat.known]
        paid = [act for act in paid if hands[act.seat].known and _major(hands[act.seat].faces)]
        if unread and not paid:
            yield unsure("the hand that was paid could not be read", unread[0])
    if paid:
        yield Finding(
            "the deck counted when a jackpot is paid",
            f"no count, jackpot paid at seat {paid[0].seat}",
            paid[0].seat,
            events=(*(act.seq for act in paid), m.event.seq),
            clause=m.rule.param("sub_pools") if m.settings.sub_pools else None,
            zones=("deck",),
        )


def _major(cards: tuple[Card, ...]) -> bool:
    return category(evaluate(cards)) >= Category.STRAIGHT_FLUSH
