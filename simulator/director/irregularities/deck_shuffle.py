"""Irregularities of decks: shuffles and cuts that are missing or wrong, jams, an idle table."""

from __future__ import annotations

from typing import Any

from engine import events as ev
from engine.cards import DECK
from engine.events import Role
from engine.settings import Method
from simulator.director.edit import Edit, Found
from simulator.director.house import Want
from simulator.director.irregularities.base import Hit, irregularity
from simulator.director.irregularities.deck_opening import first_deck
from simulator.director.shift import opening, two_rounds, with_vacancy

SHOE = Want(method=Method.SHOE)
BY_HAND = Want(machine_shuffle=False, decks=1)
MACHINE = Want(machine_shuffle=True)


def shuffles(edit: Edit, deck: str, start: int, end: int) -> list[int]:
    """Return where a deck is shuffled, and reported on by the machine, in a part of the script."""
    kinds = (ev.DeckShuffled, ev.ShufflerReported)
    return [
        at
        for at in range(start, end)
        if isinstance(edit.beats[at].event, kinds) and getattr(edit.beats[at].event, "deck", None) == deck
    ]


@irregularity("deck.no_shuffle", "new_deck", nz="7.1(a)", s10="(d)(1)", base=opening)
def new_deck_unshuffled(edit: Edit) -> Hit:
    """A new deck is played without having been shuffled."""
    start = edit.first(ev.RoundOpened)
    edit.drop(*shuffles(edit, first_deck(edit), 0, start.at))
    return None, None


@irregularity("deck.no_shuffle", "between_rounds", nz="7.1(b)", s10="(d)(1)", base=two_rounds)
def unshuffled_between_rounds(edit: Edit) -> Hit:
    """A deck is played again without having been shuffled after the last round."""
    first, second = edit.all(ev.RoundOpened)
    edit.need(first.event.deck == second.event.deck)
    edit.drop(*shuffles(edit, second.event.deck, first.at, second.at))
    return None, None


def the_cut(edit: Edit) -> Found:
    """Return the cut before the round."""
    return edit.only(ev.DeckCut)


@irregularity("deck.cut", "none", nz="7.2", s10="(d)(2)(ii)", want=BY_HAND)
def no_cut(edit: Edit) -> Hit:
    """The cards are not cut after the shuffle."""
    edit.drop(the_cut(edit).at)
    return None, None


@irregularity("deck.cut", "by_a_player", nz="7.2", s10="(d)(3)(i)", want=BY_HAND)
def cut_by_player(edit: Edit) -> Hit:
    """A player cuts the cards."""
    edit.change(the_cut(edit).at, by=Role.PLAYER)
    return None, None


@irregularity("deck.cut", "twice", nz="7.2", want=BY_HAND)
def cut_twice(edit: Edit) -> Hit:
    """The dealer cuts the cards a second time."""
    cut = the_cut(edit)
    edit.insert(cut.at + 1, ev.DeckCut, deck=cut.event.deck, by=cut.event.by, cards=edit.rng.randint(10, 40))
    return None, None


@irregularity("deck.cut", "by_a_supervisor", s10="(d)(3)(i)", want=BY_HAND)
def cut_by_supervisor(edit: Edit) -> Hit:
    """A supervisor cuts the cards instead of the dealer."""
    edit.change(the_cut(edit).at, by=Role.SUPERVISOR)
    return None, None


@irregularity("deck.cut", "too_few_cards", s10="(d)(3)(i)", want=BY_HAND)
def cut_too_thin(edit: Edit) -> Hit:
    """Fewer than ten cards come off the top in the cut."""
    edit.change(the_cut(edit).at, cards=edit.rng.randint(1, 9))
    return None, None


@irregularity("deck.cut", "cover_card_left_out", s10="(d)(3)(i)", want=BY_HAND)
def cover_card_left(edit: Edit) -> Hit:
    """The cover card does not go to the discard rack after the cut."""
    edit.change(the_cut(edit).at, cover_card_racked=False)
    return None, None


@irregularity("deck.exposed_no_reshuffle", "while_shuffling", nz="7.1(e)", want=SHOE)
def shown_while_shuffling(edit: Edit) -> Hit:
    """A card shows its face between the shuffle and the shoe, and the cards are not shuffled again."""
    deck = edit.plan.deck
    at = edit.rng.randint(
        edit.first(ev.DeckShuffled, deck=deck).at + 1, edit.first(ev.DeckLoaded, deck=deck).at
    )
    edit.insert(at, ev.CardShown, deck=deck, card=edit.rng.choice(DECK))
    return None, None


@irregularity("deck.idle_spread", "not_spread", s10="(d)(5)", base=with_vacancy)
def idle_not_spread(edit: Edit) -> Hit:
    """The table stands vacant and the cards are not spread."""
    edit.drop_all(ev.DeckSpread, edit.first(ev.TableVacated).at)
    return None, None


@irregularity("deck.idle_spread", "not_turned_up", s10="(d)(5)", base=with_vacancy)
def idle_not_turned_up(edit: Edit) -> Hit:
    """Cards that lay spread face down at a vacant table are not turned up for the first player."""
    vacant = edit.first(ev.TableVacated).at
    edit.need(bool(edit.all(ev.DeckSpread, vacant, face_up=False)))
    edit.drop_all(ev.DeckSpread, vacant, face_up=True)
    return None, None


@irregularity("deck.vacant_no_reshuffle", "no_shuffle", nz="7.1(c)", s10="(d)(5)", base=with_vacancy)
def vacant_no_shuffle(edit: Edit) -> Hit:
    """Play begins again at a table that stood vacant, and the cards are not shuffled before it."""
    vacant = edit.first(ev.TableVacated)
    second = edit.first(ev.RoundOpened, vacant.at)
    deck = second.event.deck
    edit.need(
        first_deck(edit) == deck or bool(shuffles(edit, deck, 0, vacant.at))
    )  # not a deck never shuffled
    edit.drop(*shuffles(edit, deck, vacant.at, second.at))
    return None, None


@irregularity("deck.vacant_no_reshuffle", "no_wash", s10="(d)(5)", base=with_vacancy)
def vacant_no_wash(edit: Edit) -> Hit:
    """Play begins again at a table that stood vacant, and the cards are shuffled but not washed."""
    vacant = edit.first(ev.TableVacated)
    second = edit.first(ev.RoundOpened, vacant.at)
    edit.drop(edit.first(ev.DeckWashed, vacant.at, deck=second.event.deck).at)
    return None, None


def machine_shuffle(edit: Edit) -> Found:
    """Return the machine's shuffle of the deck that is played."""
    return edit.first(ev.DeckShuffled, deck=edit.plan.deck, by=Role.MACHINE)


@irregularity("deck.shuffler_jam", "jammed", s10="(m)(5)", want=MACHINE, visible=False)
def shuffler_jammed(edit: Edit) -> Hit:
    """The shuffler jams, and the cards are dealt as they come out of it."""
    found = machine_shuffle(edit)
    fields: dict[str, Any] = {"deck": edit.plan.deck}
    edit.drop(found.at, *[one.at for one in edit.all(ev.ShufflerReported, found.at, **fields)])
    edit.insert(found.at, ev.ShufflerJammed, **fields)
    return None, None


@irregularity("deck.shuffler_jam", "cycle_not_completed", s10="(m)(5)", want=MACHINE, visible=False)
def cycle_not_completed(edit: Edit) -> Hit:
    """The shuffler breaks its cycle off, and the cards are dealt all the same."""
    found = machine_shuffle(edit)
    edit.change(found.at, complete=False)
    edit.drop_all(ev.ShufflerReported, deck=edit.plan.deck)
    return None, None


@irregularity("deck.shoe_jam", "played_on", s10="(m)(6)", want=Want(method=Method.PACKETS), visible=False)
def shoe_jam_played_on(edit: Edit) -> Hit:
    """The automated shoe jams in the deal; the dealer clears it and deals on instead of voiding the round."""
    edit.insert(edit.during_deal(), ev.ShoeJammed)
    return None, None
