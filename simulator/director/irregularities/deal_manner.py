"""Irregularities of the deal: how the stub, the deck and the dealer's hands are used."""

from __future__ import annotations

from dataclasses import replace

from engine import events as ev
from engine.events import Side
from engine.settings import Method
from simulator.director.edit import Edit
from simulator.director.house import Want
from simulator.director.irregularities.base import Hit, dealing_clause, irregularity
from simulator.director.irregularities.deal_common import packets, shrink_stub, spare

HAND = Want(method=Method.HAND)


def stub_clause(edit: Edit) -> str:
    """Return the clause about the stub."""
    return dealing_clause(edit, "(g)(5)", "(h)(4)", "(i)(4)")


@irregularity("deal.stub", "not_put_away", s10="(g)(5)")
def not_put_away(edit: Edit) -> Hit:
    """The stub stays where it is while the players decide."""
    edit.drop(edit.only(ev.StubPlaced).at)
    return None, None, stub_clause(edit)


@irregularity("deal.stub", "outside_the_rack", s10="(g)(5)")
def outside_the_rack(edit: Edit) -> Hit:
    """The stub is put down beside the rack."""
    edit.change(edit.only(ev.StubPlaced).at, in_rack=False)
    return None, None, stub_clause(edit)


@irregularity("deal.stub", "exposed", s10="(g)(5)")
def stub_exposed(edit: Edit) -> Hit:
    """The stub goes to the rack with its faces showing."""
    edit.change(edit.only(ev.StubPlaced).at, exposed=True)
    return None, None, stub_clause(edit)


@irregularity("deal.hand_used", "placed_with_the_drawing_hand", s10="(g)(3)", want=Want(method=Method.SHOE))
def placed_with_drawing_hand(edit: Edit) -> Hit:
    """A card is drawn from the shoe and placed with the same hand."""
    edit.change(edit.pick(edit.deliveries()).at, hand=Side.LEFT)
    return None, None


@irregularity("deal.hand_used", "deck_changes_hands", s10="(h)(2)(ii)(A)", want=HAND)
def deck_changes_hands(edit: Edit) -> Hit:
    """The dealer takes the deck into the other hand in the middle of the deal."""
    held = edit.only(ev.DeckHeld).event.hand
    other = Side.RIGHT if held is Side.LEFT else Side.LEFT
    at = edit.during_deal()
    edit.beats[at:] = [
        replace(beat, event=replace(beat.event, hand=held)) if isinstance(beat.event, ev.CardDealt) else beat
        for beat in edit.beats[at:]
    ]
    edit.insert(at, ev.DeckHeld, hand=other, over_tray=True)
    return None, None


@irregularity("deal.over_tray", "from_the_start", s10="(h)(2)(ii)(B)", want=HAND)
def away_from_tray(edit: Edit) -> Hit:
    """The dealer holds the deck away from the tray."""
    edit.change(edit.only(ev.DeckHeld).at, over_tray=False)
    return None, None


@irregularity("deal.over_tray", "during_the_deal", s10="(h)(2)(ii)(B)", want=HAND)
def wanders_from_tray(edit: Edit) -> Hit:
    """The deck wanders away from the tray in the middle of the deal."""
    held = edit.only(ev.DeckHeld).event.hand
    edit.insert(edit.during_deal(), ev.DeckHeld, hand=held, over_tray=False)
    return None, None


@irregularity("deal.misdrawn_card", "thrown_away", s10="(m)(3)")
def misdrawn_thrown_away(edit: Edit) -> Hit:
    """A card drawn in error, its face unseen, goes to the rack instead of to the next player."""
    edit.need(not packets(edit))
    at = edit.during_deal()
    card = spare(edit)
    at = edit.insert(at, ev.CardMisdrawn)
    edit.insert(at, ev.CardDiscarded, card, back=edit.plan.back)
    shrink_stub(edit, card)
    return None, None
