"""What a round leaves unread: details without which a check that found nothing has not looked.

A camera may see a card and not its face, a hand and not whose it is. Checks name one of these as `unread`, and the
monitor asks when the round ends: a check that stayed silent only for want of a detail says so.
"""

from __future__ import annotations

from engine.checks.jackpot_common import jackpot_due
from engine.checks.registry import Moment
from engine.checks.settle_common import in_play, name, result
from engine.settlement import Outcome


def ends(m: Moment) -> str:
    """Return whose hand ends nobody knows how, because cards were not read."""
    if m.round.revealed is None:
        return ""
    for seat in m.after.players:
        misdealt = not seat.dealt_unsure and seat.dealt != 5  # said where it was dealt
        if in_play(seat) and not misdealt and result(m, seat) is Outcome.UNDECIDED:
            return f"how the hand of seat {seat.number} ends could not be told"
    return ""


def faces(m: Moment) -> str:
    """Return whose cards lay face up and were not all read."""
    for seat in m.after.seats:
        if any(held.face_up and not held.card.known for held in seat.cards):
            return f"not all cards of {name(seat.number)} were read"
    return ""


def jackpots(m: Moment) -> str:
    """Return who may have won the jackpot."""
    for seat in m.after.players:
        if seat.turned_up is not None and jackpot_due(m, seat) is None:
            return f"whether seat {seat.number} has won the jackpot could not be told"
    return ""


def backs(m: Moment) -> str:
    """Return which cards were dealt with their backs unread."""
    for one in m.round.deliveries:
        if one.back is None:
            return f"the back of a card of {name(one.seat)} was not read"
    return ""
