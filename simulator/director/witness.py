"""Who sees what: for every event the witness that gives it, and the zone or signal without which it is lost.

This is the one place that says so. The reading is that of the reference rig:

- what happens to the wagers or cards of a seat is seen in that seat's zone (`seat:3`), the dealer's own cards in
  `dealer`; a wager taken is seen leaving its seat, so a blocked tray hides only the jackpot chips counted there;
- the deck, its shuffle, cut, count and the card that comes out of it are seen in `deck`; the stub and single cards
  that go to the rack in `rack`;
- the zone `table` covers all of these;
- the machines of the table report by signal: the calls, the lock-out, the lights (and coupons), the shuffler and
  the automated shoe, the meter, the supervisor's key (and the papers that it closes);
- what people say (announcements, voids, reports of talk) is entered by an operator and is never out of view; the
  start and the end of a round are the log's own punctuation and are never lost.
"""

from __future__ import annotations

from typing import Final

from engine import events as ev
from engine.events import DEALER, Event, Role

_SEAT: Final = (
    ev.WagerPlaced,
    ev.WagerChanged,
    ev.WagerWithdrawn,
    ev.WagerTouched,
    ev.WagerTaken,
    ev.WagerPaid,
    ev.CardDealt,
    ev.PacketDealt,
    ev.CardsTurned,
    ev.CardFlashed,
    ev.CardIdentified,
    ev.HandSpread,
    ev.HandPickedUp,
    ev.HandLaidDown,
    ev.HandTouched,
    ev.HandViewed,
    ev.CardsOutOfSight,
    ev.CardMoved,
    ev.PlayerFolded,
    ev.HandCounted,
    ev.CardsCollected,
    ev.HandRebuilt,
    ev.JackpotVerified,
    ev.JackpotPaid,
    ev.PlayerSat,
    ev.PlayerLeft,
)
_DECK: Final = (
    ev.DeckBrought,
    ev.DeckInspected,
    ev.DeckSpread,
    ev.DeckWashed,
    ev.DeckShuffled,
    ev.DeckCut,
    ev.DeckLoaded,
    ev.DeckRemoved,
    ev.DeckCounted,
    ev.CardShown,
    ev.DeckHeld,
    ev.CardMisdrawn,
    ev.CardFoundFaceUp,
    ev.StubCounted,
    ev.DeviceInstalled,
    ev.DeviceRemoved,
)
_RACK: Final = (ev.StubPlaced, ev.CardDiscarded)
_SIGNALS: Final[dict[type[Event], str]] = {
    ev.NoMoreBetsCalled: "no_more_bets",
    ev.LockOutPressed: "lock_out",
    ev.AcceptorLightChanged: "lights",
    ev.CouponRedeemed: "lights",
    ev.ShufflerReported: "shuffler",
    ev.ShufflerJammed: "shuffler",
    ev.ShoeJammed: "shuffler",
    ev.JackpotMeterRead: "meter",
    ev.SupervisorConfirmed: "supervisor",
    ev.PapersCompleted: "supervisor",
}
_SPOKEN: Final = (
    ev.HandAnnounced,
    ev.HandVoided,
    ev.RoundVoided,
    ev.InformationPassed,
    ev.OralWagerAccepted,
    ev.DealerChanged,
    ev.TableOpened,
    ev.TableClosed,
)
_BETS: Final = (
    ev.WagerPlaced,
    ev.WagerChanged,
    ev.WagerWithdrawn,
    ev.WagerTouched,
    ev.WagerTaken,
    ev.WagerPaid,
)


def signal_of(event: Event) -> str | None:
    """Return the signal that gives an event, or None if no signal does."""
    if isinstance(event, ev.DeckShuffled) and event.by is Role.MACHINE:
        return "shuffler"
    return _SIGNALS.get(type(event))


def zone_of(event: Event) -> str | None:
    """Return the zone in which a camera sees an event, or None if no camera gives it."""
    if signal_of(event) is not None:
        return None
    if isinstance(event, _SEAT):
        seat: int = event.seat
        return "dealer" if seat == DEALER else f"seat:{seat}"
    if isinstance(event, _DECK):
        return "deck"
    if isinstance(event, _RACK):
        return "rack"
    return "tray" if isinstance(event, ev.JackpotChipsCounted) else None


def witness_of(event: Event) -> str:
    """Return the witness to write into an event."""
    signal = signal_of(event)
    if signal is not None:
        return f"signal:{signal}"
    if isinstance(event, _SPOKEN):
        return "operator:pit"
    return "camera:bets" if isinstance(event, _BETS) else "camera:overview"
