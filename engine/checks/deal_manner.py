"""The deal: how the dealer's hands, the deck and the stub are handled."""

from __future__ import annotations

from collections.abc import Iterator

from engine import events as ev
from engine.checks.deal_common import method_clause, missed_start
from engine.checks.registry import Finding, Moment, check, reading, unsure
from engine.events import DEALER, Area, Side
from engine.settings import Method


@check(
    "deal.stub",
    "Stub not put away unseen",
    on=(ev.StubPlaced, ev.WagerPlaced, ev.PlayerFolded, ev.CardsTurned, ev.WagerTaken),
    needs=("rack", "deck"),
)
def stub(m: Moment) -> Iterator[Finding]:
    """The stub showed faces, or play went on before it lay in the discard rack."""
    event, now = m.event, m.round
    if isinstance(event, ev.StubPlaced):
        if event.exposed:
            yield Finding(
                "the stub goes to the discard rack without showing a face",
                "faces of the stub showed",
                since=event.seq,
                clause=method_clause(m),
                key="exposed",
            )
        return
    if now.first_card is None or now.stub_in_rack or missed_start(m.after) or not _went_on(m):
        return
    where = (
        "the stub was not put away" if now.stub_placed is None else "the stub was put down outside the rack"
    )
    yield Finding(
        "the stub lies in the discard rack before play goes on",
        f"{where} and {_act(m)}",
        events=(event.seq,) if now.stub_placed is None else (now.stub_placed, event.seq),
        clause=method_clause(m),
    )


def _went_on(m: Moment) -> bool:
    """Whether somebody decides, or the dealer reveals or settles, on a hand of the dealer that is dealt."""
    event = m.event
    if isinstance(event, ev.WagerPlaced):
        return event.area is Area.BET and m.after.dealer_hand.dealt >= 5
    if isinstance(event, ev.CardsTurned):
        return m.round.revealed == event.seq
    return isinstance(event, ev.WagerTaken) or m.after.dealer_hand.dealt >= 5


def _act(m: Moment) -> str:
    event = m.event
    if isinstance(event, ev.WagerPlaced):
        return f"seat {event.seat} made a bet wager"
    if isinstance(event, ev.PlayerFolded):
        return f"seat {event.seat} folded"
    return "the dealer revealed the hand" if isinstance(event, ev.CardsTurned) else "the dealer took a wager"


@check(
    "deal.hand_used",
    "Wrong hand used to deal",
    on=(ev.CardDealt, ev.DeckHeld),
    needs=("deck",),
    applies=lambda settings: settings.method is not Method.PACKETS,
)
def hand_used(m: Moment) -> Iterator[Finding]:
    """Cards were placed with the hand that should draw or hold, or the deck changed hands."""
    event = m.event
    if isinstance(event, ev.DeckHeld):
        held = None if m.before.round is None or m.before.round.closed is not None else m.before.round.held_in
        if m.settings.method is Method.HAND and held is not None and held is not event.hand:
            yield Finding(
                f"the deck stays in the {held} hand for the whole round",
                f"the deck went to the {event.hand} hand",
                since=event.seq,
                clause=method_clause(m),
            )
        return
    if m.round.deal_over is not None:
        return
    holding = _holding(m)
    if event.hand is None or holding is None:
        unseen = "placed a card" if event.hand is None else "holds the deck"
        yield unsure(f"which hand {unseen} was not seen", key="unseen")
    elif event.hand is holding:
        other = Side.LEFT if holding is Side.RIGHT else Side.RIGHT
        yield Finding(
            f"cards are placed with the {other} hand",
            f"a card to {'the dealer' if event.seat == DEALER else f'seat {event.seat}'} was placed "
            f"with the {event.hand} hand",
            since=event.seq,
            clause=method_clause(m),
        )


def _holding(m: Moment) -> Side | None:
    """Return the hand that draws from the shoe or holds the deck, and so must not place cards."""
    if m.settings.method is Method.HAND:
        return m.round.held_in
    side = reading(m, "shoe_side", None)
    return None if side is None else Side(str(side))


@check(
    "deal.over_tray",
    "Deck held away from the tray",
    on=(ev.DeckHeld,),
    needs=("deck",),
    applies=lambda settings: settings.method is Method.HAND,
)
def over_tray(m: Moment) -> Iterator[Finding]:
    """The deck was not held in front of the dealer and over the tray."""
    if m.event.over_tray is None:
        yield unsure("whether the deck was over the tray was not seen")
    elif not m.event.over_tray:
        yield Finding(
            "the deck is held in front of the dealer, over the tray",
            f"the deck was held away from the tray, in the {m.event.hand} hand",
            since=m.event.seq,
        )


@check(
    "deal.misdrawn_card",
    "Card drawn in error not used as the next card",
    on=(ev.CardDiscarded,),
    needs=("deck", "rack"),
)
def misdrawn_card(m: Moment) -> Iterator[Finding]:
    """A card drawn in error, its face unseen, went to the rack instead of to whoever was next."""
    now = m.before.round
    if now is None or now.misdrawn is None or now.deal_over is not None:
        return
    if m.event.card.known and m.event.card in now.found_face_up:
        return
    yield Finding(
        "a card drawn in error and not exposed is used as the next card",
        "the card went to the discard rack",
        events=(now.misdrawn, m.event.seq),
        since=now.misdrawn,
    )
