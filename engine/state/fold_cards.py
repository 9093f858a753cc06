"""Handlers for the deal, for hands and for the discard rack."""

from __future__ import annotations

from engine import events as ev
from engine.cards import UNKNOWN, Card
from engine.events import DEALER
from engine.state.evolve import evolve
from engine.state.model import Act, Delivery, HeldCard, Round, TableState
from engine.state.steps import Handler, in_round, with_deck, with_entry, with_round, with_seat


def _round(state: TableState) -> Round:
    """Return the round in play; `in_round` has made sure that there is one."""
    assert state.round is not None
    return state.round


def _deliver(
    state: TableState, event: ev.CardDealt | ev.PacketDealt, cards: tuple[HeldCard, ...], count: int | None
) -> TableState:
    """Put cards into a hand and note the delivery."""
    now, seat = _round(state), state.seats[event.seat]
    hand = event.hand if isinstance(event, ev.CardDealt) else None
    up = any(held.face_up for held in cards)
    delivery = Delivery(event.seq, event.seat, count, up, seat.dealt + 1, hand, event.back)
    state = with_seat(
        state,
        event.seat,
        cards=seat.cards + cards,
        dealt=seat.dealt + (5 if count is None else count),
        dealt_unsure=seat.dealt_unsure or count is None,
    )
    changes: dict[str, object] = {
        "deliveries": (*now.deliveries, delivery),
        "first_card": now.first_card if now.first_card is not None else event.seq,
        "misdrawn": None,
    }
    if event.back is not None:
        changes["backs"] = now.backs | {event.back}
    if up and event.seat == DEALER and now.up_card is None:
        changes |= {"up_card": event.seq, "up_card_number": seat.dealt + 1}
    state = with_round(state, **changes)
    return _play_deck(state, event) if now.first_card is None else state


def _play_deck(state: TableState, event: ev.CardDealt | ev.PacketDealt) -> TableState:
    """Note on the deck of the round that it is played, and its back if that was not known."""
    deck = state.deck_in_play
    if deck is None:
        return state
    back = deck.back if deck.back is not None else event.back
    return with_deck(state, deck.id, played=event.seq, played_at=event.at, back=back)


def _dealt(state: TableState, event: ev.CardDealt) -> TableState:
    state = in_round(state, event)
    held = HeldCard(event.card, event.face_up, event.seq)
    state = _see(_deliver(state, event, (held,), 1), (event.card,), event.seq)
    return _expose(state, event) if event.face_up else state


def _expose(state: TableState, event: ev.CardDealt | ev.CardsTurned | ev.CardFlashed) -> TableState:
    """Note that a face showed while the cards were dealt, unless a player showed the own card."""
    now = _round(state)
    shown_by_dealer = isinstance(event, ev.CardDealt) or event.by == DEALER
    if now.deal_over is not None or not shown_by_dealer:
        return state
    return with_round(state, exposed=(*now.exposed, (event.seq, event.seat)))


def _packet(state: TableState, event: ev.PacketDealt) -> TableState:
    state = in_round(state, event)
    size = 5 if event.count is None else event.count
    cards = tuple(HeldCard(UNKNOWN, False, event.seq) for _ in range(size))
    return _deliver(state, event, cards, event.count)


def _see(state: TableState, cards: tuple[Card, ...], seq: int) -> TableState:
    """Note which cards have been seen in this round, and first by which event."""
    now = _round(state)
    seen = now.seen
    for card in cards:
        if card.known and card not in seen:
            seen = with_entry(seen, card, seq)
    return state if seen is now.seen else with_round(state, seen=seen)


def turn(
    hand: tuple[HeldCard, ...], faces: tuple[Card, ...], face_up: bool, position: int | None, seq: int
) -> tuple[HeldCard, ...]:
    """Turn cards of a hand, matching what is now seen with what was known.

    A face that is known in the hand turns that card; otherwise the card at `position`, or the first that lies
    unread with its other side up, is taken to be the one. Cards beyond those known are added: they lie there,
    so somebody dealt them.

    >>> from engine.cards import parse_cards
    >>> hidden = tuple(HeldCard(UNKNOWN, False, n) for n in range(3))
    >>> [held.card for held in turn(hidden, parse_cards("As Kd"), True, None, 9)]
    [As, Kd, ??]
    """
    held = list(hand)
    touched: set[int] = set()
    for face in faces:
        index = _find(held, face, face_up, position, touched)
        if index is None:
            held.append(HeldCard(face, face_up, seq))
            touched.add(len(held) - 1)
            continue
        touched.add(index)
        card = face if face.known else held[index].card
        held[index] = evolve(held[index], card=card, face_up=face_up)
    return tuple(held)


def _find(
    held: list[HeldCard], face: Card, face_up: bool, position: int | None, touched: set[int]
) -> int | None:
    free = [index for index in range(len(held)) if index not in touched]
    if face.known:
        for index in free:
            if held[index].card is face:
                return index
    if position is not None and position - 1 in free:
        return position - 1
    for wanted_side in (not face_up, face_up):
        for index in free:
            if held[index].face_up is wanted_side and not (held[index].card.known and face.known):
                return index
    return None


def _turned(state: TableState, event: ev.CardsTurned) -> TableState:
    state = in_round(state, event)
    seat, now = state.seats[event.seat], _round(state)
    cards = turn(seat.cards, event.cards, event.face_up, event.position, event.seq)
    extra = max(0, len(cards) - max(seat.dealt, len(seat.cards)))
    all_up = bool(cards) and all(held.face_up for held in cards)
    changes: dict[str, object] = {"cards": cards, "dealt": seat.dealt + extra}
    if event.face_up and all_up and seat.turned_up is None:
        changes["turned_up"] = event.seq
    if not event.face_up:
        changes["turned_up"] = None
    state = _see(with_seat(state, event.seat, **changes), event.cards, event.seq)
    if event.face_up:
        state = _expose(state, event)
    if event.seat == DEALER and event.face_up:
        return _dealer_turned(state, event, now)
    if event.face_up and all_up and seat.turned_up is None:
        return with_round(state, acts=(*_round(state).acts, Act(event.seq, "turned_up", event.seat)))
    return state


def _dealer_turned(state: TableState, event: ev.CardsTurned, before: Round) -> TableState:
    """Note the up-card or the reveal."""
    changes: dict[str, object] = {}
    if before.up_card is None and len(event.cards) == 1:
        changes |= {"up_card": event.seq, "up_card_number": event.position}
    hand = state.dealer_hand.cards
    whole = len(hand) >= 2 and all(held.face_up for held in hand)
    if whole and before.revealed is None and before.first_card is not None:
        changes["revealed"] = event.seq
        if before.deal_over is None:  # nobody looked or bet after the deal: all had bet blind
            changes["deal_over"] = event.seq
    return with_round(state, **changes) if changes else state


def _flashed(state: TableState, event: ev.CardFlashed) -> TableState:
    state = _expose(in_round(state, event), event)
    return _identify(state, event.seat, event.card, None, event.seq)


def _identified(state: TableState, event: ev.CardIdentified) -> TableState:
    return _identify(in_round(state, event), event.seat, event.card, event.position, event.seq)


def _identify(state: TableState, number: int, card: Card, position: int | None, seq: int) -> TableState:
    """Learn what a card of a hand is, without turning it."""
    held = list(state.seats[number].cards)
    if not card.known or any(one.card is card for one in held):
        return state
    unread = [index for index, one in enumerate(held) if not one.card.known]
    unread.sort(key=lambda index: held[index].face_up)  # one that lies face up was there to be read all along
    at = position - 1 if position is not None and position - 1 in unread else next(iter(unread), None)
    if at is None:
        return state
    held[at] = evolve(held[at], card=card)
    return _see(with_seat(state, number, cards=tuple(held)), (card,), seq)


def _spread(state: TableState, event: ev.HandSpread) -> TableState:
    return with_seat(in_round(state, event), event.seat, spread=event.seq)


def _misdrawn(state: TableState, event: ev.CardMisdrawn) -> TableState:
    return with_round(in_round(state, event), misdrawn=event.seq)


def _found(state: TableState, event: ev.CardFoundFaceUp) -> TableState:
    state = in_round(state, event)
    now = _round(state)
    return _see(with_round(state, found_face_up=(*now.found_face_up, event.card)), (event.card,), event.seq)


def _discarded(state: TableState, event: ev.CardDiscarded) -> TableState:
    state = in_round(state, event)
    if event.back is not None:
        state = evolve(state, rack_backs=state.rack_backs | {event.back})
    return _see(with_round(state, discarded=(*_round(state).discarded, event.card)), (event.card,), event.seq)


def _held(state: TableState, event: ev.DeckHeld) -> TableState:
    return with_round(in_round(state, event), held_in=event.hand)


def _stub(state: TableState, event: ev.StubPlaced) -> TableState:
    state = _over(in_round(state, event), event)
    return with_round(state, stub_placed=event.seq, stub_in_rack=event.in_rack)


def _stub_counted(state: TableState, event: ev.StubCounted) -> TableState:
    state = with_round(_over(in_round(state, event), event), stub_counted=event.seq)
    return evolve(state, rounds_since_stub_count=0, last_stub_count=event.seq)


def _over(state: TableState, event: ev.Event) -> TableState:
    """Note that the deal is over."""
    now = _round(state)
    if now.first_card is None or now.deal_over is not None:
        return state
    return with_round(state, deal_over=event.seq)


def _picked_up(state: TableState, event: ev.HandPickedUp) -> TableState:
    state = in_round(state, event)
    if state.dealer_hand.dealt >= 5:  # somebody impatient may take up a hand while others are still dealt to
        state = _over(state, event)
    return with_seat(state, event.seat, picked_up=event.seq)


def _laid_down(state: TableState, event: ev.HandLaidDown) -> TableState:
    return with_seat(in_round(state, event), event.seat, laid_down=event.seq, laid_down_cards=event.count)


def _moved(state: TableState, event: ev.CardMoved) -> TableState:
    state = in_round(state, event)
    source, target = state.seats[event.seat], state.seats[event.to_seat]
    held = list(source.cards)
    match = next((i for i, one in enumerate(held) if one.card is event.card), len(held) - 1)
    moved = held.pop(match) if held else HeldCard(event.card, False, event.seq)
    if event.by == DEALER and _round(state).deal_over is None:
        state = _redeliver(state, event.seat, event.to_seat)
    state = with_seat(state, event.seat, cards=tuple(held), dealt=max(0, source.dealt - 1))
    return with_seat(state, event.to_seat, cards=(*target.cards, moved), dealt=target.dealt + 1)


def _redeliver(state: TableState, source: int, target: int) -> TableState:
    """Let the last card given to one seat count as given to another: the dealer moved it while dealing."""
    deliveries = list(_round(state).deliveries)
    for index in reversed(range(len(deliveries))):
        if deliveries[index].seat == source:
            number = state.seats[target].dealt + 1
            deliveries[index] = evolve(deliveries[index], seat=target, card_number=number)
            break
    return with_round(state, deliveries=tuple(deliveries))


def _folded(state: TableState, event: ev.PlayerFolded) -> TableState:
    return with_seat(_over(in_round(state, event), event), event.seat, folded=event.seq)


def _counted(state: TableState, event: ev.HandCounted) -> TableState:
    return with_seat(in_round(state, event), event.seat, counted=event.seq, counted_cards=event.count)


def _collected(state: TableState, event: ev.CardsCollected) -> TableState:
    state = _over(in_round(state, event), event)
    state = with_seat(state, event.seat, collected=event.seq, collected_cards=event.count)
    if event.back is not None:
        state = evolve(state, rack_backs=state.rack_backs | {event.back})
    act = Act(event.seq, "collected", event.seat, amount=event.count)
    return with_round(state, acts=(*_round(state).acts, act))


def _rebuilt(state: TableState, event: ev.HandRebuilt) -> TableState:
    return with_seat(in_round(state, event), event.seat, rebuilt=event.seq, collected=None, folded=None)


HANDLERS: dict[type[ev.Event], Handler] = {
    ev.CardDealt: _dealt,
    ev.PacketDealt: _packet,
    ev.CardsTurned: _turned,
    ev.CardFlashed: _flashed,
    ev.CardIdentified: _identified,
    ev.HandSpread: _spread,
    ev.CardMisdrawn: _misdrawn,
    ev.CardFoundFaceUp: _found,
    ev.CardDiscarded: _discarded,
    ev.DeckHeld: _held,
    ev.StubPlaced: _stub,
    ev.StubCounted: _stub_counted,
    ev.HandPickedUp: _picked_up,
    ev.HandLaidDown: _laid_down,
    ev.CardMoved: _moved,
    ev.PlayerFolded: _folded,
    ev.HandCounted: _counted,
    ev.CardsCollected: _collected,
    ev.HandRebuilt: _rebuilt,
}
