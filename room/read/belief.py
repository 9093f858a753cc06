"""What Pitwatch believes about a table at one moment, as plain values that the drawn table shows.

The belief is the fold of the events, and what each hand is due by the engine's settlement; nothing is guessed. A card
that lies face up and was not read is "unread", a card that lies face down is merely "down": the first is something
that the system cannot tell, the second is how the game is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from engine.checks.settle_common import in_play, strength
from engine.errors import BadAmount
from engine.events import DEALER, Area
from engine.hands import describe
from engine.monitor.sight import zone_name
from engine.rulebook import Rulebook
from engine.settings import TableSettings
from engine.settlement import Due, Odds, Outcome, outcome_within, settle
from engine.state.model import HeldCard, Phase, Seat, TableState, Wager

OPEN_HANDS = (Phase.SETTLING, Phase.CLOSED)


def believe(state: TableState, book: Rulebook, settings: TableSettings, seq: int, at: int) -> dict[str, Any]:
    """Return the belief after the event `seq`."""
    phase = state.phase
    now = state.round
    return {
        "seq": seq,
        "at": at,
        "round": None if now is None else now.id,
        "phase": str(phase),
        "dealer": _dealer(state),
        "seats": [_seat(state, seat, book, settings) for seat in state.players],
        "unseen": _unseen(state),
        "lost_cameras": sorted(state.lost_cameras),
        "meters": {str(pool): amount for pool, amount in state.meters.items()},
        "called": now is not None and (now.called is not None or now.lock_out is not None),
    }


def _dealer(state: TableState) -> dict[str, Any]:
    dealer = state.dealer_hand
    shown = any(held.face_up for held in dealer.cards)
    return {
        "cards": [_card(held) for held in dealer.cards],
        "hand": _hand(dealer),
        "qualifies": strength(dealer).qualifies if shown and state.phase in OPEN_HANDS else None,
        "unseen": _why(state, "dealer"),
    }


def _seat(state: TableState, seat: Seat, book: Rulebook, settings: TableSettings) -> dict[str, Any]:
    end = expected_outcome(state, seat)
    return {
        "seat": seat.number,
        "present": bool(seat.present) or seat.player is not None,
        "cards": [_card(held) for held in seat.cards],
        "dealt": seat.dealt,
        "hand": _hand(seat),
        "decision": _decision(seat),
        "wagers": {str(area): _wager(wager) for area in Area if (wager := seat.wager(area)) is not None},
        "light": seat.light,
        "jackpot_paid": seat.jackpot_amount,
        "outcome": None if end is None else str(end),
        "due": None if end is None else asdict(due(seat, end, book, settings)),
        "unseen": _why(state, f"seat:{seat.number}"),
    }


def _card(held: HeldCard) -> dict[str, Any]:
    if held.card.known:
        return {"card": held.card.label, "up": held.face_up}
    return {"card": "unread" if held.face_up else "down", "up": held.face_up}


def _hand(seat: Seat) -> str:
    return describe(list(seat.faces)) if seat.known and len(set(seat.faces)) == 5 else ""


def _decision(seat: Seat) -> str:
    if seat.voided is not None:
        return "void"
    if seat.folded is not None:
        return "fold"
    return "bet" if seat.bet is not None and seat.bet.withdrawn is None else ""


def _wager(wager: Wager) -> dict[str, Any]:
    if wager.taken is not None:
        state = "taken"
    elif wager.paid is not None:
        state = "paid"
    else:
        state = "withdrawn" if wager.withdrawn is not None else "lies"
    return {
        "amount": wager.amount,
        "state": state,
        "paid": wager.paid_amount if wager.paid is not None else 0,
        "taken": wager.taken_amount if wager.taken is not None else 0,
    }


def _unseen(state: TableState) -> list[dict[str, str]]:
    """Return what cannot be seen now; gaps that have ended are the round's business, not the moment's."""
    zones = [
        {"zone": zone, "name": zone_name(zone), "why": gap.why}
        for zone, gap in state.gaps.items()
        if gap.end is None
    ]
    signals = [
        {"zone": f"signal:{name}", "name": f"the signal {name.replace('_', ' ')}", "why": gap.why}
        for name, gap in state.signal_gaps.items()
        if gap.end is None
    ]
    return zones + signals


def _why(state: TableState, zone: str) -> str:
    for name in ("table", zone):
        gap = state.gaps.get(name)
        if gap is not None and gap.end is None:
            return gap.why
    return ""


def expected_outcome(state: TableState, seat: Seat) -> Outcome | None:
    """Return how a hand ought to end, once the dealer's hand lies open; None while that is not known yet."""
    if seat.number == DEALER or (seat.ante is None and not seat.cards):
        return None
    if seat.folded is not None:
        return Outcome.FOLD
    if state.phase is Phase.VOID or seat.voided is not None:
        return Outcome.VOID
    if state.phase not in OPEN_HANDS or not seat.cards:
        return None
    if not in_play(seat):
        return Outcome.VOID
    return outcome_within(strength(seat), strength(state.dealer_hand))


def due(seat: Seat, end: Outcome, book: Rulebook, settings: TableSettings) -> Due:
    """Return what the dealer owes and takes on a hand that ends so."""
    ante = None if seat.ante is None else seat.ante.amount
    bet = None if seat.bet is None else seat.bet.amount
    try:
        return settle(
            end, ante=ante, bet=bet, strength=strength(seat), odds=posted_odds(book, settings),
            limit=settings.payout_limit,
        )  # fmt: skip
    except BadAmount:  # a hand that cannot have won: cards were misread, so nothing can be said
        return Due(None, None, None, None)


def posted_odds(book: Rulebook, settings: TableSettings) -> Odds:
    """Return the odds on the bet wager that this table pays."""
    odds = book.bet_odds
    assert odds is not None, "a rulebook that is played by has odds"
    posted: Mapping[str, int] = settings.posted_odds
    return odds if book.odds.get("kind") == "fixed" or not posted else odds.posted(posted)
