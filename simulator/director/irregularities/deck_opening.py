"""Irregularities of decks: opening of the table, number and colours of decks, their age."""

from __future__ import annotations

from dataclasses import replace

from engine import events as ev
from engine.cards import Card
from engine.events import Role
from engine.settings import Method
from simulator.director.edit import Edit, Found
from simulator.director.house import Want
from simulator.director.irregularities.base import Hit, irregularity
from simulator.director.script import Script, renumbered
from simulator.director.shift import MINUTE, Shift, in_sequence, opening, two_rounds

HOUR = 60 * MINUTE
TWO_DECKS = Want(decks=2)


def some_deck(edit: Edit) -> str:
    """Choose one of the decks that were brought."""
    deck: str = edit.pick(edit.all(ev.DeckBrought)).event.deck
    return deck


def first_deck(edit: Edit) -> str:
    """Return the deck of the first round."""
    deck: str = edit.first(ev.RoundOpened).event.deck
    return deck


@irregularity("deck.inspection", "not_verified", nz="6.1", s10="(c)(1)", base=opening)
def not_verified(edit: Edit) -> Hit:
    """The supervisor does not look through a new deck."""
    return _uninspected(edit, Role.SUPERVISOR)


@irregularity("deck.inspection", "not_by_the_dealer", nz="6.1", s10="(c)(1)", base=opening)
def not_by_dealer(edit: Edit) -> Hit:
    """The dealer does not look through a new deck."""
    return _uninspected(edit, Role.DEALER)


def _uninspected(edit: Edit, role: Role) -> Hit:
    edit.drop(edit.only(ev.DeckInspected, deck=some_deck(edit), by=role).at)
    clause = "(c)(4)" if edit.settings.decks == 2 else "(c)(1)"
    return None, None, "6.1" if edit.nz else clause


@irregularity("deck.opening_spread", "none", nz="6.2", s10="(c)(2)", base=opening)
def no_spread(edit: Edit) -> Hit:
    """A new deck is not spread for the first player to see."""
    edit.drop(edit.only(ev.DeckSpread, deck=some_deck(edit)).at)
    return None, None


def _respread(edit: Edit, spread: Found, cards: tuple[Card, ...], up: bool = True) -> Hit:
    edit.change(spread.at, faces=cards, cards=cards if up else (), face_up=up)
    return None, None


@irregularity("deck.opening_spread", "incomplete", nz="6.2", s10="(c)(2)", base=opening)
def incomplete_spread(edit: Edit) -> Hit:
    """A card is missing from the opening spread."""
    spread = edit.only(ev.DeckSpread, deck=some_deck(edit))
    gone = edit.rng.randrange(52)
    cards = spread.event.cards
    return _respread(edit, spread, (*cards[:gone], *cards[gone + 1 :]))


@irregularity("deck.opening_spread", "out_of_sequence", nz="6.2", s10="(c)(2)", base=opening)
def spread_out_of_sequence(edit: Edit) -> Hit:
    """Two cards of the opening spread lie in each other's place."""
    spread = edit.only(ev.DeckSpread, deck=some_deck(edit))
    cards = list(spread.event.cards)
    one, two = edit.rng.sample(range(52), 2)
    cards[one], cards[two] = cards[two], cards[one]
    return _respread(edit, spread, tuple(cards))


@irregularity("deck.opening_spread", "face_down", nz="6.2", s10="(c)(2)", base=opening)
def spread_face_down(edit: Edit) -> Hit:
    """A new deck is spread face down only."""
    spread = edit.only(ev.DeckSpread, deck=some_deck(edit))
    return _respread(edit, spread, spread.event.cards, up=False)


@irregularity("deck.wash", "left_out", nz="6.4", s10="(c)(3)", base=opening)
def no_wash(edit: Edit) -> Hit:
    """A new deck is not washed before it is shuffled."""
    edit.need(not edit.nz or edit.settings.machine_shuffle)
    deck = first_deck(edit)  # the other one may never be played in this scene
    edit.drop(edit.only(ev.DeckWashed, deck=deck).at)
    return None, None


@irregularity(
    "deck.decks_required", "one_with_a_shuffler", nz="6.1", base=opening, want=Want(method=Method.PACKETS)
)
def one_deck_with_shuffler(edit: Edit) -> Hit:
    """A table with an automatic shuffler is opened with one deck only."""
    kept = first_deck(edit)
    edit.drop(*[n for n, beat in enumerate(edit.beats) if getattr(beat.event, "deck", kept) != kept])
    return None, None


@irregularity(
    "deck.decks_required",
    "two_with_a_shoe",
    nz="6.1",
    s10="(b)(2)",
    base=opening,
    want=Want(method=Method.SHOE, machine_shuffle=False),
)
def two_decks_with_shoe(edit: Edit) -> Hit:
    """A second deck is brought to a table with a shoe."""
    at = edit.only(ev.DeckSpread).at + 1
    back = edit.rng.choice([back for back in ("red", "blue", "green") if back != edit.plan.back])
    for kind, fields in (
        (ev.DeckBrought, {"back": back}),
        (ev.DeckInspected, {"by": Role.DEALER}),
        (ev.DeckInspected, {"by": Role.SUPERVISOR}),
    ):
        at = edit.insert(at, kind, deck="B", **fields)
    cards = in_sequence(edit.rng)
    edit.insert(at, ev.DeckSpread, cards, deck="B", cards=cards, face_up=True)
    return None, None


@irregularity("deck.same_colour", "both_alike", s10="(b)(2)(ii)", base=two_rounds, want=TWO_DECKS)
def same_colour(edit: Edit) -> Hit:
    """Two decks with the same back colour are brought to the table."""
    one, two = (found.event.back for found in edit.all(ev.DeckBrought))
    for at, beat in enumerate(edit.beats):
        if getattr(beat.event, "back", None) == two:
            edit.change(at, back=one)
    return None, None


def long_day(rulebook: str, seed: str, want: Want) -> Script:
    """Return a shift of many hours: two rounds at either end of a vacant night, with the same decks."""
    table = Shift(rulebook, seed, want)
    table.open()
    table.round()
    table.vacate(15 * MINUTE, 6 * HOUR)
    table.round()
    return table.script()


@irregularity("deck.age", "nine_hours", s10="(c)(5)", base=long_day)
def old_deck(edit: Edit) -> Hit:
    """A deck is still played more than eight hours after it was opened."""
    second = edit.all(ev.RoundOpened)[1]
    used = {found.event.deck: found.event.at for found in edit.all(ev.DeckBrought)}
    first_card = (
        edit.first(ev.CardDealt, second.at) if _single(edit) else edit.first(ev.PacketDealt, second.at)
    )
    late = 8 * HOUR + edit.rng.randrange(5, 90) * MINUTE
    more = max(0, used[second.event.deck] + late - first_card.event.at)
    vacant = edit.first(ev.TableVacated).at
    sat = edit.first(ev.PlayerSat, vacant).at
    edit.beats[sat:] = [
        replace(beat, event=replace(beat.event, at=beat.event.at + more)) for beat in edit.beats[sat:]
    ]
    edit.beats = list(renumbered(edit.beats))
    return None, None


def _single(edit: Edit) -> bool:
    return edit.settings.method is not Method.PACKETS
