"""Rounds and hands that are declared void: wagers go back, all cards to the rack."""

from __future__ import annotations

from engine import events as ev
from engine.cards import Card
from engine.events import Area
from engine.settings import JackpotMode
from simulator.director.edit import lying
from simulator.director.play import lights_out
from simulator.director.script import Beat
from simulator.director.stage import Stage


def hands_out(beats: list[Beat]) -> dict[int, tuple[Card, ...]]:
    """Return the cards that lie at each seat, in the round in play."""
    hands: dict[int, tuple[Card, ...]] = {}
    for beat in beats:
        event = beat.event
        if isinstance(event, ev.RoundOpened):
            hands = {}
        elif isinstance(event, ev.CardDealt | ev.PacketDealt):
            hands[event.seat] = hands.get(event.seat, ()) + beat.cards
        elif isinstance(event, ev.CardsCollected):
            hands.pop(event.seat, None)
    return hands


def return_wagers(stage: Stage, seats: set[int] | None = None) -> None:
    """Let players take back what lies on the layout; chips in an acceptor stay where they are."""
    for (seat, area), by in sorted(lying(stage.beats).items(), key=lambda item: (item[0][0], item[0][1])):
        if seats is not None and seat not in seats:
            continue
        if area is Area.JACKPOT and stage.settings.jackpot is JackpotMode.ELECTRONIC:
            continue
        stage.put(ev.WagerWithdrawn, (300, 900), seat=seat, area=area, by=seat if by is None else by)


def clear_hand(stage: Stage, seat: int, back: str, counted: bool = False) -> None:
    """Put the cards of one seat into the rack as they lie."""
    cards = hands_out(stage.beats)[seat]
    if counted:
        stage.put(ev.HandCounted, (900, 1900), seat=seat, count=len(cards))
    stage.put(
        ev.CardsCollected, (500, 1300), faces=cards, seat=seat, count=len(cards), in_order=True, back=back
    )


def void_round(stage: Stage, back: str) -> None:
    """Declare the round void, give back the wagers, clear the table and close the round."""
    stage.put(ev.RoundVoided, (1500, 4000))
    return_wagers(stage)
    for seat in sorted(hands_out(stage.beats), reverse=True):
        clear_hand(stage, seat, back)
    stage.put(ev.RoundClosed, (500, 1500))
    lights_out(stage)


def void_hand(stage: Stage, seat: int, back: str) -> None:
    """Declare one hand void, give back its wagers and put its cards into the rack."""
    stage.put(ev.HandVoided, (1500, 4000), seat=seat)
    return_wagers(stage, {seat})
    clear_hand(stage, seat, back)
