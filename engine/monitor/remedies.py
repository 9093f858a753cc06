"""Remedies that rulebooks order, by name: when one counts as done, and when it comes too late.

An irregularity whose rule names a remedy waits here until one of the two is seen. Rulebooks refer to these names; a
new jurisdiction that orders something else adds an entry.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from engine import events as ev
from engine.cards import DECK, Card
from engine.checks.deal_common import away
from engine.checks.registry import Finding
from engine.events import DEALER, Area, Event
from engine.state.model import TableState

Test = Callable[[TableState, Event, TableState, Finding], bool]


@dataclass(frozen=True, slots=True)
class Remedy:
    """What is ordered, in words, and how it is recognised; `outlives`: it is still due when the round is over."""

    says: str
    done: Test
    late: Test
    outlives: bool = False


def round_voided(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether the whole round was declared void."""
    return isinstance(event, ev.RoundVoided)


def hand_voided(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether this hand, or the whole round, was declared void."""
    return isinstance(event, ev.RoundVoided) or (
        isinstance(event, ev.HandVoided) and event.seat == finding.seat
    )


def play_went_on(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether players or dealer act as if the deal were good: a bet, a fold, the reveal, settlement, the end."""
    if isinstance(event, ev.WagerPlaced):
        return event.area is Area.BET and before.round is not None and before.round.first_card is not None
    if isinstance(event, ev.PlayerFolded | ev.WagerTaken | ev.WagerPaid | ev.RoundClosed | ev.RoundOpened):
        return True
    return _revealed_now(before, after)


def hand_went_on(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether this seat's hand was settled, or the round ended, as if the hand were good."""
    if isinstance(event, ev.WagerTaken | ev.WagerPaid):
        return event.seat == finding.seat
    return isinstance(event, ev.RoundClosed | ev.RoundOpened)


def deal_went_on(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether another card was dealt, or the deal ended."""
    dealt = isinstance(event, ev.CardDealt | ev.PacketDealt)
    return dealt or play_went_on(before, event, after, finding) or _deal_over_now(before, after)


def settlement_began(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether a hand that was not folded was settled, or the round ended: too late to complete a hand."""
    if isinstance(event, ev.WagerTaken):
        return before.seats[event.seat].folded is None
    return isinstance(event, ev.WagerPaid | ev.RoundClosed | ev.RoundOpened)


def next_round_began(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether the first card of a later round was dealt."""
    return (
        isinstance(event, ev.CardDealt | ev.PacketDealt)
        and after.round is not None
        and after.round.first_card == event.seq
    )


def turned_down(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether a card of this seat was turned face down again."""
    return isinstance(event, ev.CardsTurned) and not event.face_up and event.seat == finding.seat


def exposed_dealt_on(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether dealing went on with the card face up; a second one that shows is a matter of its own."""
    players = () if after.round is None else [one for one in after.round.exposed if one[1] != DEALER]
    return len(players) < 2 and deal_went_on(before, event, after, finding)


def _dealer_ups(state: TableState) -> int:
    return sum(held.face_up for held in state.dealer_hand.cards)


def left_as_up_card(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether the dealer's exposed card is the only one that shows, when the hand is full or players decide."""
    if _dealer_ups(after) != 1:
        return False
    if isinstance(event, ev.CardDealt):
        return event.seat == DEALER and not event.face_up and after.dealer_hand.dealt == 5
    return after.dealer_hand.dealt >= 5 and play_went_on(before, event, after, finding)


def other_up_card(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether the exposed card was hidden again, another one turned up, or players decide without it."""
    if isinstance(event, ev.CardDealt) and event.seat == DEALER:
        return after.dealer_hand.dealt == 5 and (event.face_up or _dealer_ups(after) != 1)
    if isinstance(event, ev.CardsTurned) and event.seat == DEALER:
        hidden = any(held.card.known and not held.face_up for held in after.dealer_hand.cards)
        return not event.face_up or hidden or _dealer_ups(after) == 2
    return play_went_on(before, event, after, finding)


def counted_and_racked(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether this seat's cards were counted and put into the rack, or the round was declared void."""
    if isinstance(event, ev.RoundVoided):
        return True
    return (
        isinstance(event, ev.CardsCollected)
        and event.seat == finding.seat
        and after.seats[event.seat].counted is not None
    )


def stray_hand_kept(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether the hand was racked uncounted, paid, or still lay there at the reveal or the end."""
    if isinstance(event, ev.CardsCollected | ev.WagerPaid | ev.JackpotPaid):
        return event.seat == finding.seat
    return isinstance(event, ev.RoundClosed | ev.RoundOpened) or _revealed_now(before, after)


def used_as_next(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether the dealer moved the stray card on to the seat that was next."""
    return isinstance(event, ev.CardMoved) and event.seat == finding.seat and event.by == DEALER


def _undecided(state: TableState) -> bool:
    return any(not seat.decided and not away(seat) for seat in state.playing())


def all_decided(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether every player has bet or folded after all."""
    return not _undecided(after)


def decision_denied(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether the dealer settles while somebody has still to bet or fold."""
    if isinstance(event, ev.WagerTaken | ev.CardsCollected):
        seat = before.seats[event.seat]
        return event.seat != DEALER and seat.playing
    return isinstance(event, ev.WagerPaid | ev.RoundClosed | ev.RoundOpened)


def rebuilt_or_void(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether the hand was rebuilt or declared void, or was laid down and covered, and so counts as folded."""
    if isinstance(event, ev.HandRebuilt):
        return event.seat == finding.seat
    if isinstance(event, ev.WagerTaken) and event.seat == finding.seat and after.round is not None:
        seat = after.seats[event.seat]
        covered = any(
            act.what == "collected" and act.seq > (seat.collected or event.seq) for act in after.round.acts
        )
        return seat.laid_down is not None and covered
    return hand_voided(before, event, after, finding)


def played_without_hand(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether play went on without the hand: the reveal, its wagers settled, the end of the round."""
    return hand_went_on(before, event, after, finding) or _revealed_now(before, after)


def dealer_completed(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether the dealer's hand got its fifth card."""
    return isinstance(event, ev.CardDealt) and event.seat == DEALER and after.dealer_hand.dealt == 5


def reshuffled(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether a complete shuffle took place."""
    return isinstance(event, ev.DeckShuffled) and event.complete


def deck_of(finding: Finding) -> str | None:
    """Return the deck that a finding is about: its key is `deck:NAME`, or `deck:` where that is not known."""
    return finding.key.removeprefix("deck:") or None


def deck_reshuffled(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether this deck was shuffled to the end, or taken off the table."""
    deck = deck_of(finding)
    if isinstance(event, ev.DeckShuffled):
        return event.complete and deck in (None, event.deck)
    return isinstance(event, ev.DeckRemoved) and deck in (None, event.deck)


def deck_removed(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether this deck was taken off the table."""
    return isinstance(event, ev.DeckRemoved) and deck_of(finding) in (None, event.deck)


def deck_played(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether a later round began with this deck, or with one that is not known."""
    if not next_round_began(before, event, after, finding):
        return False
    deck, played = deck_of(finding), after.deck_in_play
    return deck is None or played is None or played.id == deck


def deck_removed_when_void(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether this deck was taken off the table after the round was declared void."""
    void = after.round is not None and after.round.voided is not None
    return void and deck_removed(before, event, after, finding)


def void_or_played(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether play went on in a round that was not declared void, or began again with the same deck."""
    now = after.round
    if isinstance(event, ev.CardDealt | ev.PacketDealt):
        return deck_played(before, event, after, finding)
    if now is not None and (now.voided is not None or now.opened > finding.events[0]):
        return False
    return play_went_on(before, event, after, finding)


def card_racked(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether the single card went to the discard rack, unused."""
    if not isinstance(event, ev.CardDiscarded) or after.round is None:
        return False
    return not event.card.known or not after.round.found_face_up or event.card in _or_unread(after)


def _or_unread(state: TableState) -> tuple[Card, ...]:
    """Return the cards found face up, and the one discarded too if one of them was not read."""
    found = () if state.round is None else state.round.found_face_up
    return found if all(card.known for card in found) else DECK


def found_dealt_on(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether dealing went on and the card is not in the rack; a second one found is a matter of its own."""
    several = after.round is not None and len(after.round.found_face_up) > 1
    return not several and deal_went_on(before, event, after, finding)


def announced_rightly(before: TableState, event: Event, after: TableState, finding: Finding) -> bool:
    """Whether the dealer announced the own hand again, the other way."""
    said = None if before.round is None else before.round.announced_qualifies
    return isinstance(event, ev.HandAnnounced) and event.qualifies is not said


def _revealed_now(before: TableState, after: TableState) -> bool:
    was = None if before.round is None else before.round.revealed
    return after.round is not None and after.round.revealed is not None and was is None


def _deal_over_now(before: TableState, after: TableState) -> bool:
    was = None if before.round is None else before.round.deal_over
    return after.round is not None and after.round.deal_over is not None and was is None


REMEDIES: Final[dict[str, Remedy]] = {
    "void_round": Remedy("the round is declared void", round_voided, play_went_on),
    "void_hand": Remedy("the hand is declared void", hand_voided, hand_went_on),
    "turn_down": Remedy("the card is turned over and dealing goes on", turned_down, exposed_dealt_on),
    "complete_dealer": Remedy(
        "one more card completes the dealer's hand", dealer_completed, settlement_began
    ),
    "reshuffle": Remedy("the cards are reshuffled", reshuffled, next_round_began, outlives=True),
    "reshuffle_deck": Remedy("the deck is reshuffled", deck_reshuffled, deck_played, outlives=True),
    "remove_deck": Remedy("the deck is taken off the table", deck_removed, deck_played, outlives=True),
    "void_round_remove_deck": Remedy(
        "the round is declared void and the deck taken off the table",
        deck_removed_when_void,
        void_or_played,
        outlives=True,
    ),
    "rack_card": Remedy("the card goes to the discard rack, unused", card_racked, found_dealt_on),
    "leave_as_up_card": Remedy(
        "the card stays as the dealer's up-card and the fifth is dealt face down",
        left_as_up_card,
        other_up_card,
    ),
    "count_and_discard": Remedy(
        "the cards are counted and put into the discard rack", counted_and_racked, stray_hand_kept
    ),
    "use_as_next": Remedy("the card is used as the next card", used_as_next, deal_went_on),
    "may_still_decide": Remedy("every player may still bet or fold", all_decided, decision_denied),
    "announce_again": Remedy(
        "the dealer corrects the announcement before settling", announced_rightly, settlement_began
    ),
    "rebuild_or_void": Remedy("the hand is rebuilt or declared void", rebuilt_or_void, played_without_hand),
}
