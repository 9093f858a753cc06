"""What the checks of wagers share: when bets are closed, which wagers bind then, and when a wager is free again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine import events as ev
from engine.checks.registry import Moment
from engine.events import DEALER, OUTSIDER, Area, Event
from engine.hands import evaluate, qualifies
from engine.state.model import Round, Seat, TableState, Wager

CLOSING: Final[tuple[type[Event], ...]] = (ev.NoMoreBetsCalled, ev.CardDealt, ev.PacketDealt)
"""Events at which bets may come to be closed; see `bets_close`."""
BINDING: Final[tuple[type[Event], ...]] = (*CLOSING, ev.CardsTurned, ev.RoundClosed)
"""Events at which wagers may come to bind; see `binding`."""


def bets_close(m: Moment) -> bool:
    """Whether antes and jackpot wagers stand from this event on: the call or, where none was made, the first card."""
    now = m.round
    if isinstance(m.event, ev.NoMoreBetsCalled):
        return now.called == m.event.seq and now.first_card is None
    return now.first_card == m.event.seq and now.called is None


def closed(state: TableState) -> Round | None:
    """Return the round if its bets are closed: it is called, or cards are out."""
    now = state.round
    if now is None or now.closed is not None or (now.called is None and now.first_card is None):
        return None
    return now


def binding(m: Moment) -> Iterator[tuple[Seat, Area, Wager]]:
    """Yield the wagers that bind from this event on, seat by seat.

    What a player sets right before that is nobody's business: antes and jackpot wagers bind when bets are closed, and
    so do blind bets; bets bind at the reveal, and one that came later when the round ends.
    """
    now = m.round
    if isinstance(m.event, CLOSING):
        if bets_close(m):
            for seat in m.after.players:
                for area in Area:
                    wager = seat.wager(area)
                    if wager is not None and wager.lies:
                        yield seat, area, wager
        return
    ends = isinstance(m.event, ev.RoundClosed)
    if not ends and now.revealed != m.event.seq:
        return
    for seat in m.after.players:
        bet = seat.bet
        if bet is None or bet.before_deal or seat.voided is not None:
            continue
        if ends and now.revealed is not None and bet.placed < now.revealed:
            continue
        if ends or bet.lies:
            yield seat, Area.BET, bet


def came_late(wager: Wager, area: Area, now: Round) -> bool:
    """Whether an ante or a jackpot wager was made after bets were closed; that is reported as such, and only so."""
    shut = now.called if now.called is not None else now.first_card
    return area is not Area.BET and shut is not None and wager.placed > shut


def free(m: Moment, seat: Seat, area: Area, wager: Wager) -> bool:
    """Whether a player may handle a wager although bets are closed: it is decided, void, or never was in the game."""
    now = m.before.round
    if now is None or seat.voided is not None or wager.taken is not None or came_late(wager, area, now):
        return True
    if area is Area.JACKPOT:
        return seat.ante is None
    if wager.paid is not None:
        return True
    if area is Area.BET and wager.before_deal and (seat.folded is not None or not blind_allowed(m)):
        return True
    if now.revealed is None:
        return False
    partner = seat.bet if area is Area.ANTE else seat.ante
    if partner is not None and partner.paid is not None:
        return True
    if seat.collected is not None and seat.folded is None and seat.collected > now.revealed:
        return True
    if (
        area is Area.BET
        and m.before.dealer_hand.known
        and not qualifies(evaluate(m.before.dealer_hand.faces))
    ):
        return True
    return outcome(m.before, seat) == 0


def outcome(state: TableState, seat: Seat) -> int | None:
    """Return 1 if the hand beats the dealer's, 0 if it ties, -1 if it loses; None if that cannot be read yet."""
    dealer = state.dealer_hand
    if seat.turned_up is None or not seat.known or not dealer.known:
        return None
    mine, theirs = evaluate(seat.faces), evaluate(dealer.faces)
    return (mine > theirs) - (mine < theirs)


def blind_allowed(m: Moment) -> bool:
    """Whether bets may be made before the deal: the rulebook lets the house choose, and the house has."""
    return m.settings.blind_bets and bool(m.book.game.get("blind_bets", False))


def due_bet(m: Moment, seat: Seat) -> set[int]:
    """Return what the bet of a seat may be.

    More than one answer where the ante was altered too late, or at a time that is not known for want of the call.
    """
    ante = seat.ante
    if ante is None:
        return set()
    times: int = m.book.game["bet_times_ante"]
    known = (ante.amount, ante.at_call) if m.round.called is not None else (ante.amount, *ante.history)
    return {times * amount for amount in known if amount}


def person(number: int | None) -> str:
    """Return who acted, in words.

    >>> person(3), person(OUTSIDER), person(None)
    ('the player of seat 3', 'somebody who is not seated', 'somebody')
    """
    if number is None:
        return "somebody"
    if number == OUTSIDER:
        return "somebody who is not seated"
    return "the dealer" if number == DEALER else f"the player of seat {number}"
