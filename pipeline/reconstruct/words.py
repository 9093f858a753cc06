"""Events in words: one plain sentence each, for timelines and reports.

A sentence is a template per type; what varies is filled in from the event's fields, with "?" words for what was
not seen, so that no line claims more than the event does.
"""

from __future__ import annotations

from typing import Any, Final

from engine import events as ev
from engine.cards import Card
from engine.events import DEALER, OUTSIDER, Event
from engine.money import format_amount

SENTENCES: Final[dict[type[Event], str]] = {
    ev.TableOpened: "The table was opened.",
    ev.TableClosed: "The table was closed.",
    ev.TableVacated: "The last player left the table.",
    ev.PlayerSat: "A player sat down at {seat}.",
    ev.PlayerLeft: "The player of {seat} left.",
    ev.DealerChanged: "Another dealer took over.",
    ev.DeckBrought: "Deck {deck} was brought to the table.",
    ev.DeckInspected: "The {by} inspected deck {deck}.",
    ev.DeckSpread: "Deck {deck} was spread {face}.",
    ev.DeckWashed: "Deck {deck} was washed.",
    ev.DeckShuffled: "Deck {deck} was shuffled by the {by}{unless_complete}.",
    ev.DeckCut: "Deck {deck} was cut by the {by}.",
    ev.DeckLoaded: "Deck {deck} was put into the {device}.",
    ev.DeckRemoved: "Deck {deck} was taken off the table.",
    ev.DeckCounted: "Deck {deck} was counted: {count}.",
    ev.CardShown: "{card} of deck {deck} showed its face.",
    ev.DeviceInstalled: "The {device} was put on the table.",
    ev.DeviceRemoved: "The {device} was taken off the table.",
    ev.RoundOpened: "Round {round} was opened{redeal}.",
    ev.WagerPlaced: "{amount} placed on {area}, {seat}{by_whom}.",
    ev.WagerChanged: "The {area} of {seat} became {amount}{by_whom}.",
    ev.WagerWithdrawn: "The {area} of {seat} was taken back{by_whom}.",
    ev.WagerTouched: "The {area} of {seat} was touched{by_whom}.",
    ev.OralWagerAccepted: "A spoken wager on {area} of {seat} was accepted.",
    ev.NoMoreBetsCalled: "“No more bets.”",
    ev.LockOutPressed: "The lock-out was pressed.",
    ev.AcceptorLightChanged: "The jackpot light of {seat} went {lit}.",
    ev.CouponRedeemed: "A jackpot coupon was redeemed for {seat}.",
    ev.JackpotChipsCounted: "The jackpot chips were counted: {count}.",
    ev.JackpotMeterRead: "The {pool} jackpot meter showed {amount}.",
    ev.DeckHeld: "The dealer took the deck in the {hand} hand.",
    ev.CardDealt: "{card} dealt to {seat} {face}.",
    ev.PacketDealt: "{count} dealt to {seat}.",
    ev.CardMisdrawn: "A card was drawn that nobody was due.",
    ev.CardFoundFaceUp: "{card} came out face up.",
    ev.CardDiscarded: "{card} went to the discard rack.",
    ev.CardsTurned: "{seat}: {cards} turned {face}{by_whom}.",
    ev.CardFlashed: "{seat}: {card} was seen for a moment.",
    ev.CardIdentified: "{seat}: a card was read as {card}.",
    ev.HandSpread: "{seat}: the hand was spread {face}.",
    ev.StubPlaced: "The stub was put {stub}.",
    ev.StubCounted: "The stub was counted: {count}.",
    ev.HandPickedUp: "{seat}: the hand was picked up{by_whom}.",
    ev.HandLaidDown: "{seat}: the hand was laid down{by_whom}.",
    ev.HandTouched: "{seat}: the cards were touched{by_whom}.",
    ev.HandViewed: "{seat}: the hand was looked at{by_whom}.",
    ev.CardsOutOfSight: "{seat}: cards went out of sight{off_table}.",
    ev.CardMoved: "{card} went from {seat} to {to_seat}{by_whom}.",
    ev.InformationPassed: "Information about hands was passed between {seats}.",
    ev.PlayerFolded: "{seat} folded.",
    ev.HandCounted: "{seat}: the hand was counted: {count}.",
    ev.CardsCollected: "{seat}: {count} went to the rack.",
    ev.HandRebuilt: "{seat}: the hand was taken back out of the rack.",
    ev.HandAnnounced: "The dealer’s hand was announced: {qualifies}.",
    ev.WagerTaken: "{amount} taken from the {area} of {seat}.",
    ev.WagerPaid: "{amount} paid on the {area} of {seat}.",
    ev.JackpotVerified: "{seat}: the hand was verified for the jackpot.",
    ev.SupervisorConfirmed: "{seat}: a supervisor confirmed the jackpot.",
    ev.JackpotPaid: "{amount} of jackpot paid to {seat}{by_cage}.",
    ev.PapersCompleted: "{seat}: the jackpot papers were completed.",
    ev.HandVoided: "{seat}: the hand was declared void.",
    ev.RoundVoided: "The round was declared void.",
    ev.RoundClosed: "The round was closed.",
    ev.ShufflerReported: "The shuffler counted {count} of deck {deck}.",
    ev.ShufflerJammed: "The shuffler jammed.",
    ev.ShoeJammed: "The shoe jammed.",
    ev.ViewBlocked: "{zone} could not be seen: {why}.",
    ev.ViewRestored: "{zone} could be seen again.",
    ev.CameraLost: "Camera {camera} was lost: {why}.",
    ev.CameraRestored: "Camera {camera} was back.",
    ev.SignalLost: "The signal {signal} was lost: {why}.",
    ev.SignalRestored: "The signal {signal} was back.",
    ev.FramesSkipped: "Frames {first} to {last} of camera {camera} were not looked at.",
    ev.EventRetracted: "Event {retracts} did not happen: {why}.",
}


def seat_words(seat: int) -> str:
    """Return a seat in words.

    >>> seat_words(0), seat_words(3)
    ('the dealer', 'seat 3')
    """
    return "the dealer" if seat == DEALER else f"seat {seat}"


def _who(by: int | None) -> str:
    if by is None:
        return ""
    return " by somebody not seated" if by == OUTSIDER else f" by {seat_words(by)}"


def card_words(card: Card) -> str:
    """Return a card as a symbol, or that it was not read.

    >>> card_words(Card.parse("Td")), card_words(Card.parse("??"))
    ('10♦', 'an unread card')
    """
    if not card.known:
        return "an unread card"
    rank, suit = card.label[0], card.label[1]
    return ("10" if rank == "T" else rank) + {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}[suit]


def _count(count: int | None) -> str:
    if count is None:
        return "a number of cards that could not be told"
    return f"{count} card" + ("" if count == 1 else "s")


def _values(event: Any) -> dict[str, str]:
    """Return what may be filled in, from whatever fields the event has."""
    said: dict[str, str] = {}
    for name, value in vars(event).items():
        said[name] = "?" if value is None else str(value)
    for name in ("seat", "to_seat"):
        if hasattr(event, name):
            said[name] = seat_words(getattr(event, name))
    if hasattr(event, "amount"):
        said["amount"] = "an unread amount" if event.amount is None else format_amount(event.amount)
    if hasattr(event, "card"):
        said["card"] = card_words(event.card)
    if hasattr(event, "cards") and isinstance(event.cards, tuple):
        said["cards"] = " ".join(card_words(card) for card in event.cards) or "cards"
    if hasattr(event, "count"):
        said["count"] = _count(event.count)
    if hasattr(event, "by") and (event.by is None or isinstance(event.by, int)):
        said["by_whom"] = _who(event.by)
    said["face"] = "face up" if getattr(event, "face_up", False) else "face down"
    said["lit"] = "on" if getattr(event, "lit", False) else "off"
    said["redeal"] = " as a redeal" if getattr(event, "redeal", False) else ""
    said["unless_complete"] = "" if getattr(event, "complete", True) else ", but not completely"
    said["stub"] = "into the rack" if getattr(event, "in_rack", True) else "down outside the rack"
    said["off_table"] = " below the table" if getattr(event, "off_table", False) else ""
    said["qualifies"] = "it qualifies" if getattr(event, "qualifies", False) else "it does not qualify"
    said["by_cage"] = " by the cage" if getattr(event, "by_cage", False) else ""
    said["seats"] = " and ".join(seat_words(seat) for seat in getattr(event, "seats", ()))
    said["device"] = said.get("device", "").replace("_", " ")
    return said


def sentence(event: Event) -> str:
    """Return what an event says, as one sentence.

    >>> sentence(ev.CardDealt(seq=1, at=0, table="t", seat=3))
    'An unread card dealt to seat 3 face down.'
    """
    text = SENTENCES[type(event)].format_map(_values(event))
    return text[0].upper() + text[1:]
